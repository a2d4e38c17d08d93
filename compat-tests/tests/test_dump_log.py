"""kafka-dump-log of 4.4.0 reads what a server leaves on disk without a complaint."""

import functools
import re
import shutil
import time

import pytest

from harness import batches, corpus, dump_log, kcat, raw, server as servers

SUITE = "dump-log"


@pytest.fixture
def dump(tools):
    """dump(option..., files=[...]) -> the output as a list of lines; a complaint is a failure."""
    return functools.partial(dump_log.dump, tools)


@pytest.fixture(scope="module", params=["stopped", "killed"])
def left_behind(request, server_kind, tmp_path_factory):
    """A server's directory with segments that have rolled, every codec, a producer's state and a metadata snapshot."""
    if shutil.which("kcat") is None:
        pytest.skip("not run: kcat is not installed")
    server = servers.Server(server_kind, tmp_path_factory.mktemp("left"), {"metadata.log.max.record.bytes.between.snapshots": "1"})
    request.addfinalizer(server.kill)
    server.start()
    with raw.connected(server.port) as connection:
        connection.create_topic("rolled", configs={"segment.bytes": 1 << 20, "index.interval.bytes": 4096})
        connection.create_topic("many", partitions=20)
        connection.create_topic("empty")
        producer = connection.init_producer_id()
        for sequence in range(0, 30, 3):
            records = [batches.record(n, b"k", b"v", [("h", b"x")]) for n in range(3)]
            batch = batches.batch(records, producer=(*producer, sequence), timestamp=int(time.time() * 1000))
            assert connection.produce("many", batch)[0] == 0
        connection.create_topic("rolled-producer", configs={"segment.bytes": 1 << 20})
        for sequence in range(8):
            records = [batches.record(0, None, b"x" * 300_000)]
            batch = batches.batch(records, producer=(*producer, sequence), timestamp=int(time.time() * 1000))
            assert connection.produce("rolled-producer", batch) == (0, sequence)
    for codec in ("none", "gzip", "snappy", "lz4", "zstd"):
        kcat.publish(server.bootstrap, "rolled", corpus.corpus(corpus.SHORT_BYTES), codec, batch_records=500)
    server.stop() if request.param == "stopped" else server.kill()
    server.clean = request.param == "stopped"
    return server


@pytest.mark.limit(240)
def test_segments_indexes_and_snapshots_are_read_without_a_complaint(left_behind, dump):
    folder = left_behind.data / "rolled-0"
    logs = sorted(folder.glob("*.log"))
    assert len(logs) > 3, "the topic has rolled"
    lines = dump("--deep-iteration", files=logs)
    records = sum(line.startswith("| offset: ") for line in lines)
    assert records == 5 * corpus.line_count(corpus.corpus(corpus.SHORT_BYTES))
    codecs = set(re.findall(r"compresscodec: (\w+)", "\n".join(line for line in lines if line.startswith("baseOffset"))))
    assert codecs == {"none", "gzip", "snappy", "lz4", "zstd"}
    assert sum(line.startswith("Log starting offset:") for line in lines) == len(logs)
    dump("--deep-iteration", "--print-data-log", files=(left_behind.data / "many-0").glob("*.log"))
    for suffix in ("index", "timeindex"):
        files = sorted(folder.glob(f"*.{suffix}"))
        assert [f.stem for f in files] == [f.stem for f in logs], "each segment has its indexes"
        closed = files if left_behind.clean else files[:-1]  # after a kill -9 the newest is not trimmed, as in Kafka
        assert sum(line.startswith("offset: ") or line.startswith("timestamp: ") for line in dump(files=closed)) > 10
        if suffix == "index":
            assert all("passed sanity check." in line for line in dump("--index-sanity-check", files=closed)[1::2])
        dump("--verify-index-only", files=closed)


def test_the_producer_snapshots_are_read(left_behind, dump):
    """A segment's roll leaves one with what came before; a clean stop leaves one with all."""
    rolled = sorted((left_behind.data / "rolled-producer-0").glob("*.snapshot"))
    last_sequences = []
    for file in rolled:
        lines = dump(files=[file])
        found = [re.match(r"producerId: \d+ producerEpoch: 0 .*lastSequence: (\d+) lastOffset: \1 offsetDelta: 0", line) for line in lines]
        last_sequences += [int(match[1]) for match in found if match]
    # Three batches of 300 KB go into a segment of 1 MiB.
    assert last_sequences == ([2, 5, 7] if left_behind.clean else [2, 5])
    assert [int(file.stem) for file in rolled] == [sequence + 1 for sequence in last_sequences]
    if left_behind.clean:
        lines = dump(files=(left_behind.data / "many-0").glob("*.snapshot"))
        assert any("lastSequence: 29 lastOffset: 29 offsetDelta: 2" in line for line in lines), lines


def test_the_metadata_log_is_decoded(left_behind, dump):
    folder = left_behind.data / "__cluster_metadata-0"
    lines = dump("--cluster-metadata-decoder", files=folder.glob("*.log"))
    text = "\n".join(lines)
    for kind in ("REGISTER_BROKER_RECORD", "FEATURE_LEVEL_RECORD", "TOPIC_RECORD", "PARTITION_RECORD", "CONFIG_RECORD"):
        assert f'"type":"{kind}"' in text, f"no {kind}"
    assert '"name":"rolled"' in text
    assert len(re.findall(r'"type":"PARTITION_RECORD"', text)) == 23
    assert "LeaderChange" in text
    assert "error" not in text.lower().replace("remove", "")
    if left_behind.clean:
        dump(files=folder.glob("*.index"))
        dump(files=folder.glob("*.timeindex"))


def test_the_checkpoints_are_decoded(left_behind, dump):
    bootstrap = left_behind.data / "bootstrap.checkpoint"
    folder = left_behind.data / "__cluster_metadata-0"
    checkpoints = sorted(folder.glob("*.checkpoint"))
    assert checkpoints, "a snapshot of the metadata log is there"
    files = [*checkpoints, *([bootstrap] if bootstrap.exists() else [])]
    for file in files:
        text = "\n".join(dump("--cluster-metadata-decoder", files=[file]))
        assert "SnapshotHeader" in text and "SnapshotFooter" in text, text[:2000]
    assert '"type":"TOPIC_RECORD"' in text or '"type":"FEATURE_LEVEL_RECORD"' in text
