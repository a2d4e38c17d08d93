"""Kafka's own command-line tools finish without an error and without a warning about the server."""

import re

import pytest

from harness import batches, raw

SUITE = "kafka-tools"

# The tool speaks about itself: 4.4 calls it deprecated.
DEPRECATED = [r"kafka-broker-api-versions|BrokerApiVersionsCommand|deprecated"]


@pytest.fixture
def topics(broker, tools):
    def run(*arguments):
        return tools("kafka-topics", "--bootstrap-server", broker.bootstrap, *arguments)

    return run


@pytest.mark.cell("kafka-tools", "topics")
def test_a_topic_is_created_listed_described_grown_and_deleted(topics, topic):
    created = topics("--create", "--topic", topic, "--partitions", 3, "--config", "retention.ms=3600000").must_succeed()
    assert f"Created topic {topic}." in created.out
    assert topic in topics("--list").must_succeed().out.split()
    described = topics("--describe", "--topic", topic).must_succeed().out
    assert re.search(rf"Topic: {topic}\tTopicId: \S{{22}}\tPartitionCount: 3\tReplicationFactor: 1\tConfigs: \S*retention.ms=3600000",
                     described), described
    for partition in range(3):
        assert re.search(rf"Topic: {topic}\tPartition: {partition}\tLeader: 1\tReplicas: 1\tIsr: 1", described), described
    topics("--alter", "--topic", topic, "--partitions", 5).must_succeed()
    assert "PartitionCount: 5" in topics("--describe", "--topic", topic).must_succeed().out
    topics("--delete", "--topic", topic).must_succeed()
    assert raw.eventually(lambda: topic not in topics("--list").must_succeed().out.split())


@pytest.mark.cell("kafka-tools", "topics-errors")
def test_the_errors_of_kafka_topics_are_those_of_the_reference(topics, topic):
    topics("--create", "--topic", topic).must_succeed()
    again = topics("--create", "--topic", topic)
    assert again.exit == 1
    assert f"Topic '{topic}' already exists" in again.out + again.err
    assert topics("--create", "--if-not-exists", "--topic", topic).exit == 0
    shrunk = topics("--alter", "--topic", topic, "--partitions", 1)
    assert shrunk.exit == 1
    assert "Topic already has 1 partition" in shrunk.out + shrunk.err
    factor = topics("--create", "--topic", topic + "-x", "--replication-factor", 3)
    assert factor.exit == 1
    assert "Unable to replicate the partition 3 time(s)" in factor.out + factor.err
    config = topics("--create", "--topic", topic + "-x", "--config", "retention.ms=soon")
    assert config.exit == 1
    assert "Invalid value soon for configuration retention.ms" in config.out + config.err
    unknown = topics("--delete", "--topic", topic + "-x")
    assert unknown.exit == 1
    assert f"Topic '{topic}-x' does not exist as expected" in unknown.out + unknown.err


@pytest.mark.cell("kafka-tools", "get-offsets")
def test_get_offsets_gives_begin_end_and_time(broker, tools, topic):
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic, partitions=2)
        records = [batches.record(n, None, b"value", timestamp_delta=n) for n in range(10)]
        built = batches.batch(records, max_timestamp=1_700_000_000_009)
        assert connection.produce(topic, built, partition=1) == (0, 0)

    def offsets(*arguments):
        return tools("kafka-get-offsets", "--bootstrap-server", broker.bootstrap, "--topic", topic, *arguments).must_succeed().out

    assert offsets() == f"{topic}:0:0\n{topic}:1:10\n"
    assert offsets("--time", "earliest") == f"{topic}:0:0\n{topic}:1:0\n"
    assert offsets("--time", "max-timestamp", "--partitions", "1") == f"{topic}:1:9\n"
    assert offsets("--time", "1700000000004", "--partitions", "1") == f"{topic}:1:4\n"


@pytest.mark.cell("kafka-tools", "broker-api-versions")
def test_broker_api_versions_shows_what_the_server_advertises(broker, tools):
    shown = tools("kafka-broker-api-versions", "--bootstrap-server", broker.bootstrap).must_succeed(allow=DEPRECATED)
    assert f"{broker.bootstrap} (id: 1 rack: null isFenced: false) -> (" in shown.out
    with raw.connected(broker.port) as connection:
        advertised = connection.api_versions()
    for key, (low, high) in advertised.items():
        versions = str(low) if low == high else f"{low} to {high}"
        assert re.search(rf"\t\w+\({key}\): {versions}\b", shown.out), f"key {key} {versions} in\n{shown.out}"


@pytest.mark.limit(300)
@pytest.mark.cell("kafka-tools", "producer-perf-test")
def test_producer_perf_test_finishes(broker, tools, topic, size):
    records = 100_000 if size == "short" else 1_000_000
    tools("kafka-topics", "--bootstrap-server", broker.bootstrap, "--create", "--topic", topic).must_succeed()
    run = tools("kafka-producer-perf-test", "--topic", topic, "--num-records", records, "--record-size", 1024,
                "--throughput", -1, "--bootstrap-server", broker.bootstrap, seconds=280).must_succeed()
    assert f"{records} records sent" in run.out
    with raw.connected(broker.port) as connection:
        assert connection.end_offset(topic) == records
