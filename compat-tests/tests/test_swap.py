"""One server takes over the directory of the other, with the same server.properties, and the file is read back."""

import filecmp
import time

import pytest

from harness import batches, kcat, raw, server as servers, toolchain

SUITE = "swap"
# After a kill -9 the reference's controller waits for the old incarnation's session to end.
SHORT_SESSIONS = {"broker.session.timeout.ms": "2000", "broker.heartbeat.interval.ms": "500"}


@pytest.mark.limit(400)
@pytest.mark.parametrize("end", ["stopped", "killed"])
def test_a_server_reads_the_file_that_the_other_left(make_server, server_pair, end, text, tmp_path, tools, need):
    need(toolchain.kcat)
    first, second = server_pair
    need(toolchain.reference_libs)
    server = make_server(first, SHORT_SESSIONS).start()
    with raw.connected(server.port) as connection:
        connection.create_topic("file", configs={"segment.bytes": 4 << 20})
        connection.create_topic("settings", partitions=7, configs={"retention.ms": 123456789, "cleanup.policy": "compact"})
        connection.create_topic("producers")
        cluster_topics = connection.metadata(["file", "settings"], create=False)
        producer = connection.init_producer_id()
        # A state is thrown away at its loading if its last batch is older than producer.id.expiration.ms: so, now.
        now = int(time.time() * 1000)
        batch = batches.batch([batches.record(n, b"k", b"v%d" % n) for n in range(4)], producer=(*producer, 0), timestamp=now)
        assert connection.produce("producers", batch) == (0, 0)
    kcat.publish(server.bootstrap, "file", text, "zstd")
    server.stop() if end == "stopped" else server.kill()
    identity = (server.data / "meta.properties").read_text()

    server.swap(second).start()
    kcat.read(server.bootstrap, "file", tmp_path / "back.txt")
    assert filecmp.cmp(text, tmp_path / "back.txt", shallow=False)
    with raw.connected(server.port) as connection:
        assert connection.metadata(["file", "settings"], create=False) == cluster_topics
        # The producer's state came along: its last batch again is a duplicate, the next one follows, a gap is refused.
        assert connection.produce("producers", batch) == (0, 0)
        assert connection.end_offset("producers") == 4
        gap = batches.batch([batches.record(0, b"k", b"gap")], producer=(*producer, 6), timestamp=now)
        assert connection.produce("producers", gap)[0] == 45
        follower = batches.batch([batches.record(0, b"k", b"next")], producer=(*producer, 4), timestamp=now)
        assert connection.produce("producers", follower) == (0, 4)
        assert connection.init_producer_id()[0] > producer[0], "producer ids are not given out twice"
        connection.create_topic("new-after-swap")
        assert connection.produce("file", batches.batch([batches.record(0, None, b"appended")]))[0] == 0
    described = tools("kafka-topics", "--bootstrap-server", server.bootstrap, "--describe", "--topic", "settings").must_succeed().out
    assert "cleanup.policy=compact" in described and "retention.ms=123456789" in described and "PartitionCount: 7" in described
    assert identity_of((server.data / "meta.properties").read_text()) == identity_of(identity)

    # And back again: the first reads what the second has added.
    server.stop()
    server.swap(first).start()
    kcat.read(server.bootstrap, "file", tmp_path / "again.txt")
    assert (tmp_path / "again.txt").read_bytes() == text.read_bytes() + b"appended\n"
    with raw.connected(server.port) as connection:
        assert connection.metadata(["new-after-swap"], create=False)["new-after-swap"][0] == 0
        assert connection.end_offset("producers") == 5
    server.stop()


def identity_of(properties):
    return sorted(line for line in properties.splitlines() if not line.startswith("#"))


@pytest.mark.limit(400)
@pytest.mark.only("dohle", "it compares the directory that Dohle formats with the one of StorageTool")
def test_an_empty_directory_is_formatted_as_storage_tool_does(make_server, server_kind, need, tools):
    need(toolchain.reference_libs)
    made = {}
    for kind in ("reference", "dohle"):
        server = make_server(kind).start()
        server.kill()
        listed = sorted(str(path.relative_to(server.data)) for path in server.data.rglob("*"))
        keys = [line.split("=")[0] for line in identity_of((server.data / "meta.properties").read_text())]
        made[kind] = (listed, keys)
    assert not set(made["reference"][0]) ^ set(made["dohle"][0])
    assert made["dohle"][1] == made["reference"][1]


@pytest.mark.only("dohle", "a formatted directory that lacks something is Dohle's to refuse")
def test_a_directory_that_is_not_empty_is_never_formatted(make_server, server_kind):
    server = make_server(server_kind)
    server.data.mkdir(parents=True)
    (server.data / "somebody's file").write_text("precious")
    server.spawn()
    assert server.wait(servers.START_SECONDS_MAX["dohle"]) == 1
    server.expect_error("which is not empty")
    assert [path.name for path in server.data.iterdir() if path.name != ".lock"] == ["somebody's file"]


