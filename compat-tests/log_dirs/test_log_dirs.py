"""Several log.dirs: where replicas are placed, how they move, what the tools say of them, and what a failed one takes along."""

import json
import pathlib
import struct
import subprocess
import threading
import time

import pytest

from harness import batches, raw

SUITE = "log-dirs"
ALTER_REPLICA_LOG_DIRS = 34
UNKNOWN_TOPIC_OR_PARTITION, INVALID_REPLICA_ASSIGNMENT, LOG_DIR_NOT_FOUND = 3, 39, 57
# KAFKA_STORAGE_ERROR; NOT_LEADER_OR_FOLLOWER where the controller was faster.
FAILED = (56, 6)
SETTINGS = {"broker.session.timeout.ms": "2000", "broker.heartbeat.interval.ms": "500", "log.segment.delete.delay.ms": "1000"}


def two_directories(make_server, kind, properties=None):
    server = make_server(kind, {**SETTINGS, **(properties or {})})
    first, second = server.data, server.folder / "data-2"
    server.properties["log.dirs"] = f"{first},{second}"
    return server, first, second


def logs_in(folder, topic):
    return sorted(path.name for path in folder.iterdir() if path.name.startswith(topic + "-"))


def home_of(server, topic, partition=0):
    """The one of log.dirs that has the partition."""
    name = f"{topic}-{partition}"
    found = [path for path in server.properties["log.dirs"].split(",") if name in logs_in_path(path)]
    assert len(found) == 1, f"{name} lies in {found}"
    return found[0]


def logs_in_path(path):
    return [entry.name for entry in pathlib.Path(path).iterdir()]


def alter(connection, path, topic, partition=0):
    """AlterReplicaLogDirs v1 of one replica -> its error code."""
    topics = raw.array([raw.string(topic) + raw.array([struct.pack(">i", partition)])])
    answer = connection.request(ALTER_REPLICA_LOG_DIRS, 1, raw.array([raw.string(str(path)) + topics]))
    answer.take("i")
    errors = []
    answer.array(lambda: (answer.string(), answer.array(lambda: errors.append(answer.take("ih")))))
    answer.end()
    assert [index for index, _ in errors] == [partition]
    return errors[0][1]


def described(server, tools, topic):
    """{(log dir, "topic-partition"): (size, isFuture)} by kafka-log-dirs."""
    done = tools("kafka-log-dirs", "--bootstrap-server", server.bootstrap, "--describe", "--topic-list", topic).must_succeed()
    line = next(line for line in done.out.splitlines() if line.startswith("{"))
    found = {}
    for directory in json.loads(line)["brokers"][0]["logDirs"]:
        assert directory["error"] is None
        for partition in directory["partitions"]:
            found[directory["logDir"], partition["partition"]] = (partition["size"], partition["isFuture"])
    return found


def batch_of(number):
    return batches.batch([batches.record(i, b"k", b"%d " % (number * 10 + i) + b"x" * 500) for i in range(10)],
                         timestamp=int(time.time() * 1000))


def values(server, topic):
    with raw.connected(server.port, seconds=30) as connection:
        return [int(value.split()[0]) for batch in connection.read_all(topic) for _, _, value in batches.records_of(batch)]


def test_replicas_are_spread_over_the_directories(make_server, server_kind):
    server, first, second = two_directories(make_server, server_kind)
    server.start()
    with raw.connected(server.port) as connection:
        connection.create_topic("spread", partitions=6)
    assert raw.eventually(lambda: len(logs_in(first, "spread")) == 3 and len(logs_in(second, "spread")) == 3)
    server.restart()
    assert len(logs_in(first, "spread")) == 3 and len(logs_in(second, "spread")) == 3
    server.stop()


@pytest.mark.limit(300)
def test_a_replica_moves_under_load_and_the_other_server_finds_it(make_server, server_pair, tools, tmp_path):
    kind, other = server_pair
    server, first, second = two_directories(make_server, kind)
    server.start()
    with raw.connected(server.port) as connection:
        connection.create_topic("moved", configs={"segment.bytes": 1 << 20})
        for number in range(600):  # about three segments
            assert connection.produce("moved", batch_of(number))[0] == 0
    source = home_of(server, "moved")
    target = str(second) if source == str(first) else str(first)
    stop, sent = threading.Event(), [600]

    def go_on():
        with raw.connected(server.port, seconds=30) as connection:
            while not stop.is_set():
                error, base = connection.produce("moved", batch_of(sent[0]))
                assert (error, base) == (0, sent[0] * 10), (error, base, sent)
                sent[0] += 1

    writer = threading.Thread(target=go_on)
    writer.start()
    try:
        plan = tmp_path / "plan.json"
        plan.write_text(json.dumps({"version": 1, "partitions": [
            {"topic": "moved", "partition": 0, "replicas": [1], "log_dirs": [target]}]}))
        reassign = ["kafka-reassign-partitions", "--bootstrap-server", server.bootstrap, "--reassignment-json-file", str(plan)]
        done = tools(*reassign, "--execute")
        assert "Successfully started moving log directory to" in done.out, done.out + done.err

        def verified():
            return "completed" in tools(*reassign, "--verify").out and "moved-0" in logs_in_path(target)

        assert raw.eventually(verified, seconds=60, every=0.5), server.log()[-3000:]
    finally:
        stop.set()
        writer.join(30)
    assert home_of(server, "moved") == target
    assert values(server, "moved") == list(range(sent[0] * 10))
    found = described(server, tools, "moved")
    assert list(found) == [(target, "moved-0")] and found[target, "moved-0"][1] is False
    assert found[target, "moved-0"][0] > sent[0] * 10 * 500
    # The reference looks for what to delete once a minute.
    assert raw.eventually(lambda: not [name for name in logs_in_path(source) if name.startswith("moved-0")], seconds=90)

    # The directory is noted in the metadata: a start, also of the other server, finds the replica where it is.
    server.kill()
    for each in (kind, other):
        server.swap(each).start()
        assert values(server, "moved") == list(range(sent[0] * 10))
        assert home_of(server, "moved") == target
        server.stop()


def test_what_can_not_be_moved(make_server, server_kind, tools):
    server, first, second = two_directories(make_server, server_kind)
    server.expect_error("no-such-topic")
    server.start()
    with raw.connected(server.port) as connection:
        connection.create_topic("there")
        assert connection.produce("there", batch_of(0))[0] == 0
        here = home_of(server, "there")
        assert alter(connection, "/no/such/directory", "there") == LOG_DIR_NOT_FOUND
        assert alter(connection, first, "no-such-topic") == UNKNOWN_TOPIC_OR_PARTITION
        assert alter(connection, here, "there") == 0, "it is there already"
        assert home_of(server, "there") == here
        # A replica that is not there yet is made where it was asked for.
        assert alter(connection, second, "later-1") == UNKNOWN_TOPIC_OR_PARTITION
        assert alter(connection, second, "later-2") == UNKNOWN_TOPIC_OR_PARTITION
        connection.create_topic("later-1")
        connection.create_topic("later-2")
        assert raw.eventually(lambda: logs_in(second, "later-1") == ["later-1-0"] and logs_in(second, "later-2") == ["later-2-0"])
    server.stop()


@pytest.mark.limit(200)
def test_a_directory_that_fails_takes_only_its_own_along(make_server, server_kind, tools):
    server, first, second = two_directories(make_server, server_kind)
    server.expect_error("Stopping serving logs|data-2")
    server.start()
    with raw.connected(server.port) as connection:
        connection.create_topic("kept", partitions=4)
        for partition in range(4):
            assert connection.produce("kept", batch_of(partition), partition)[0] == 0
    lost = next(partition for partition in range(4) if home_of(server, "kept", partition) == str(second))
    stays = next(partition for partition in range(4) if home_of(server, "kept", partition) == str(first))
    segment = second / f"kept-{lost}" / ("0" * 20 + ".log")
    if subprocess.run(["chattr", "+i", str(segment)], capture_output=True, check=False).returncode != 0:
        pytest.skip("not run: this file system can't make a file immutable")
    try:
        with raw.connected(server.port, seconds=30) as connection:
            assert connection.produce("kept", batch_of(9), lost)[0] in FAILED
            assert raw.eventually(lambda: dict((i, leader) for _, i, leader in connection.metadata(["kept"], create=False)["kept"][1])[lost] == -1)
            assert connection.produce("kept", batch_of(9), stays) == (0, 10)
        done = tools("kafka-log-dirs", "--bootstrap-server", server.bootstrap, "--describe")
        line = next(line for line in done.out.splitlines() if line.startswith("{"))
        said = {each["logDir"]: each["error"] for each in json.loads(line)["brokers"][0]["logDirs"]}
        assert said[str(first)] is None and "KafkaStorageException" in said[str(second)]
    finally:
        subprocess.run(["chattr", "-i", str(segment)], check=False)
    server.kill()
    server.start()
    with raw.connected(server.port, seconds=30) as connection:
        assert raw.eventually(lambda: connection.produce("kept", batch_of(9), lost) == (0, 10), seconds=20, every=0.5)
        assert connection.end_offset("kept", stays) == 20
    server.stop()


def test_a_cordoned_directory_gets_nothing_new(make_server, server_kind, tools):
    server, first, second = two_directories(make_server, server_kind)
    server.start()
    with raw.connected(server.port) as connection:
        connection.create_topic("before", partitions=2)
    tools("kafka-configs", "--bootstrap-server", server.bootstrap, "--alter", "--entity-type", "brokers", "--entity-name", "1",
          "--add-config", f"cordoned.log.dirs={second}").must_succeed()
    with raw.connected(server.port) as connection:
        assert raw.eventually(lambda: alter(connection, second, "before", 0) in (INVALID_REPLICA_ASSIGNMENT,), seconds=10) \
            or home_of(server, "before", 0) == str(second)
        connection.create_topic("after", partitions=4)
    assert raw.eventually(lambda: len(logs_in(first, "after")) + len(logs_in(second, "after")) == 4)
    assert not logs_in(second, "after")
    with raw.connected(server.port) as connection:
        for partition in range(2):
            if home_of(server, "before", partition) == str(first):
                assert alter(connection, second, "before", partition) == INVALID_REPLICA_ASSIGNMENT
    server.stop()
