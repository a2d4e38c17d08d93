"""The same dirty directory, cleaned by the reference and by Dohle: the same records, offsets, ends, batches and segments."""

import pathlib
import re
import shutil
import subprocess
import time

import pytest

from harness import batches, raw, toolchain

SUITE = "log-cleaner"
CODECS = ["none", "gzip", "snappy", "lz4", "zstd"]
TOPICS = [f"cleaned-{codec}" for codec in CODECS]
SOURCE = pathlib.Path(__file__).parent / "CleanerWorkload.java"
OFF = {"log.cleaner.enable": "false"}
ON = {"log.cleaner.enable": "true", "log.cleaner.backoff.ms": "300", "log.initial.task.delay.ms": "500"}
DELETE_RETENTION_SECONDS = 3


def workload(server, mode):
    libs = toolchain.reference_libs()
    command = [toolchain.java(), "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", f"{libs}/*",
               f"-Dlog4j2.configurationFile={toolchain.SETUP / 'tools-log4j2.properties'}", str(SOURCE), mode, server.bootstrap, *TOPICS]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout.splitlines()


def cleaned(server, topic):
    """Whether the checkpoint has reached the active segment."""
    checkpoint = server.data / "cleaner-offset-checkpoint"
    if not checkpoint.exists():
        return False
    offsets = dict(line.rsplit(" ", 1) for line in checkpoint.read_text().splitlines()[2:])
    active = max(int(path.stem) for path in (server.data / f"{topic}-0").glob("*.log"))
    return offsets.get(f"{topic} 0") == str(active)


def wait_until_clean(server):
    for topic in TOPICS:
        assert raw.eventually(lambda topic=topic: cleaned(server, topic), seconds=60, every=0.1), f"{topic}: not clean\n{server.log()[-3000:]}"


def add_more(server):
    """The next dirt: the same batches for both."""
    with raw.connected(server.port) as connection:
        for topic in TOPICS:
            for n in range(40):
                record = batches.record(0, b"key %d" % n if n % 4 == 0 else b"new %d" % n, None if n % 8 == 0 else b"z" * 150)
                error, _ = connection.produce(topic, batches.batch([record], timestamp=START_MS + n))
                assert error == 0, (topic, n)


START_MS = int(time.time() * 1000) - 1_000_000


def dump(server, tools, topic):
    """What kafka-dump-log says of each batch and record, without what must differ: the wall clock, and compressed sizes."""
    files = sorted((server.data / f"{topic}-0").glob("*.log"))
    indexes = [path for path in sorted((server.data / f"{topic}-0").iterdir()) if path.suffix in (".index", ".timeindex", ".txnindex")]
    done = tools("kafka-dump-log", "--files", ",".join(map(str, [*files, *indexes])), seconds=120)
    done.must_succeed()
    assert not re.search(r"Mismatch|out of order|not found|isvalid: false|nvalid|corrupt|Exception", done.out.replace("isvalid: true", "")), done.out[-3000:]
    done = tools("kafka-dump-log", "--print-data-log", "--files", ",".join(map(str, files)), seconds=120)
    lines = []
    for line in done.out.splitlines():
        if line.startswith(("Dumping", "Log starting", "Starting offset")):
            continue
        line = re.sub(r"deleteHorizonMs: OptionalLong\[\d+\]", "deleteHorizonMs: set", line)
        line = re.sub(r" (position|crc|size|sizeInBytes): \d+", "", line)
        lines.append(line)
    return [path.name for path in files] if topic.endswith("none") else None, lines


def clean_and_look(server, tools):
    """Two rounds: all of it, then more after delete.retention.ms. What consumers and the dump tool see after each."""
    seen = []
    server.properties.update(ON)
    server.start()
    wait_until_clean(server)
    seen.append(("first", workload(server, "read"), [dump(server, tools, topic) for topic in TOPICS]))
    server.stop()
    server.properties.update(OFF)
    server.start()
    add_more(server)
    server.stop()
    time.sleep(DELETE_RETENTION_SECONDS)
    server.properties.update(ON)
    server.start()
    wait_until_clean(server)
    seen.append(("second", workload(server, "read"), [dump(server, tools, topic) for topic in TOPICS]))
    server.stop()
    return seen


@pytest.mark.limit(600)
@pytest.mark.only("dohle", "it compares Dohle with the reference")
def test_both_clean_the_same_directory_alike(make_server, server_kind, tools, need):
    need(toolchain.reference_libs)
    reference = make_server("reference", OFF).start()
    workload(reference, "write")
    reference.stop()
    ours = make_server("dohle")
    ours.folder.mkdir(parents=True)
    shutil.copytree(reference.data, ours.data)
    ours.port, ours.controller_port = reference.port, reference.controller_port
    ours.properties = {**reference.properties, "log.dirs": str(ours.data)}
    theirs = clean_and_look(reference, tools)
    found = clean_and_look(ours, tools)
    # The comparison has something to compare: each thing that cleaning keeps or makes is there.
    first = "\n".join(theirs[0][2][0][1])
    for sign in ("deleteHorizonMs: set", "count: 0", "isControl: true", "endTxnMarker: ABORT", "endTxnMarker: COMMIT"):
        assert sign in first, f"the workload leaves no batch with {sign}"
    for (name, read, dumped), (_, our_read, our_dumped) in zip(theirs, found, strict=True):
        assert our_read == read, f"{name}: consumers see something else"
        for topic, one, other in zip(TOPICS, dumped, our_dumped, strict=True):
            assert other[1] == one[1], f"{name}: the batches of {topic} differ"
            assert other[0] == one[0], f"{name}: the segments of {topic} differ"
