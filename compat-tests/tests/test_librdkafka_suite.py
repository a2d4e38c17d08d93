"""librdkafka's own tests against one server, each a process of its own, with the classic and the new group protocol.

The copy inside npm's @confluentinc/kafka-javascript is built and run; nothing of it is in this repository.
"""

import os
import re
import subprocess

import pytest

from harness import raw, toolchain

SUITE = "librdkafka"
VERSION = "2.15.1"
PROPERTIES = {
    "num.partitions": "4",
    "auto.create.topics.enable": "true",
    "broker.rack": "RACK1",
    "group.initial.rebalance.delay.ms": "3000",  # Kafka's default: some tests count the rebalances
    "group.share.min.record.lock.duration.ms": "1000",
}
# Neither local nor manual, on one broker without TLS, SASL, ACLs and share groups, and without cut sockets.
TESTS = """
    0001 0002 0003 0005 0007 0008 0011 0012 0013 0014 0015 0016 0017 0018 0019 0020 0021 0022 0026 0029 0030 0031 0033 0034
    0035 0036 0038 0039 0040 0041 0042 0044 0045 0048 0050 0051 0052 0053 0054 0055 0056 0057 0059 0060 0061 0063 0064 0065 0067
    0069 0070 0073 0077 0082 0083 0084 0085 0086 0089 0090 0091 0092 0093 0099 0102 0110 0112 0113 0114 0118 0122 0123
    0125 0127 0129 0130 0132 0137 0140
""".split()
# The admin test by its parts. Those of ACLs and of SCRAM need an authorizer; DescribeConsumerGroups deletes groups of static members
# within the very milliseconds in which their sessions end, and passes by luck.
ADMIN_PARTS = """
    CreateTopics DeleteTopics CreatePartitions AlterConfigs IncrementalAlterConfigs DescribeConfigs DescribeConfigs_groups DeleteRecords
    ListConsumerGroups DescribeTopics DescribeCluster DeleteGroups DeleteConsumerGroupOffsets ListOffsets
    AlterConsumerGroupOffsets ListConsumerGroupOffsets
""".split()
TESTS += [f"0081:do_test_{part}" for part in ADMIN_PARTS]
# Consumers alone differ by the group's protocol.
GROUP_TESTS = """
    0012 0014 0018 0022 0026 0029 0030 0033 0034 0036 0040 0041 0045 0050 0051 0056 0060 0061 0064 0069 0083 0084 0089 0091 0093 0099
    0102 0112 0113 0118 0122 0127 0130 0132 0137 0140
""".split()
SECONDS_MAX = 900


@pytest.fixture(scope="module")
def suite_server(tmp_path_factory):
    """One server for all tests of a kind: their topics have random names."""
    from harness import server as servers

    made = {}

    def get(kind):
        if kind not in made:
            made[kind] = servers.Server(kind, tmp_path_factory.mktemp("suite"), PROPERTIES)
        if made[kind].process is None:
            made[kind].start()
        return made[kind]

    yield get
    for server in made.values():
        server.kill()


@pytest.fixture
def kafka_path(tmp_path):
    """A folder with the one command-line tool that the tests call."""
    folder = tmp_path / "kafka" / "bin"
    folder.mkdir(parents=True)
    shim = folder / "kafka-topics.sh"
    options = " ".join(toolchain.JVM)
    shim.write_text(f"#!/bin/sh\nexec {toolchain.java()} {options} -cp '{toolchain.reference_libs()}/*'"
                    f' org.apache.kafka.tools.TopicCommand "$@"\n')
    shim.chmod(0o755)
    return folder.parent


def run(tests, server, kafka_path, tmp_path, number, protocol):
    conf = tmp_path / "test.conf"
    conf.write_text(f"bootstrap.servers={server.bootstrap}\ntest.topic.random=true\n")
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": f"{tests.parent}/src:{tests.parent}/src-cpp",
        "RDKAFKA_TEST_CONF": str(conf),
        "TEST_KAFKA_VERSION": toolchain.KAFKA_VERSION,
        "TEST_CONSUMER_GROUP_PROTOCOL": protocol,
        "KAFKA_PATH": str(kafka_path),
        "BROKERS": server.bootstrap,
        "TESTS": number.partition(":")[0],
        **({"SUBTESTS": number.partition(":")[2]} if ":" in number else {}),
        "CI": "true",  # longer time-outs
    }
    # Without local tests, which need no broker, and those that cut sockets.
    log = tmp_path / "output"
    with open(log, "wb") as out:
        done = subprocess.run(["./test-runner", "-p1", "-L", "-E"], cwd=tests, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                              stderr=subprocess.STDOUT, timeout=SECONDS_MAX, check=False)
    return done.returncode, log.read_text(encoding="utf-8", errors="replace")


def judge(server, tests, kafka_path, tmp_path, number, protocol):
    code, output = run(tests, server, kafka_path, tmp_path, number, protocol)
    server.check()
    with raw.connected(server.port, seconds=10) as connection:
        connection.api_versions()
    assert code == 0, output[-6000:]
    verdicts = set(re.findall(r"=+ Test \w+ (PASSED|SKIPPED|FAILED)", output))
    assert verdicts, f"{number} ran no test:\n{output[-2000:]}"
    assert "FAILED" not in verdicts, output[-6000:]
    assert ":" not in number or re.search(rf"{number.partition(':')[2]}:\d+.*PASS", output), f"{number} is no part"
    if "PASSED" not in verdicts:
        pytest.skip("; ".join(re.findall(r"SKIPPING TEST: .*", output)) or "the suite skips it")


@pytest.mark.long
@pytest.mark.parametrize("number", TESTS)
@pytest.mark.limit(1000)
def test_a_test_of_librdkafka_passes(suite_server, server_kind, need, kafka_path, tmp_path, number):
    tests = need(toolchain.librdkafka_suite)
    judge(suite_server(server_kind), tests, kafka_path, tmp_path, number, "classic")


@pytest.mark.long
@pytest.mark.parametrize("number", GROUP_TESTS)
@pytest.mark.limit(1000)
def test_a_test_of_librdkafka_passes_with_the_new_group_protocol(suite_server, server_kind, need, kafka_path, tmp_path, number):
    """KIP-848."""
    tests = need(toolchain.librdkafka_suite)
    judge(suite_server(server_kind), tests, kafka_path, tmp_path, number, "consumer")
