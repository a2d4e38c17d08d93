"""Directories in the middle of a compaction or deletion, as a kill leaves them, go from one server to the other and back:
no record is lost, and none that was compacted away comes back."""

import shutil

import pytest

from harness import batches, raw

SUITE = "half-compacted"
BATCHES = 40
START_MS = 1_700_000_000_000
SETTINGS = {
    "broker.session.timeout.ms": "2000",
    "broker.heartbeat.interval.ms": "500",
    "log.initial.task.delay.ms": "200",
    "log.cleaner.backoff.ms": "200",
    "log.segment.delete.delay.ms": "60000",
}
SLOW = {"log.cleaner.enable": "true", "log.cleaner.io.max.bytes.per.second": "1500"}
# Each topic stops at another step of the replacement of segments (UnifiedLog.replaceSegments).
STATES = ["being-written", "half-renamed", "renamed", "half-deleted", "half-finished"]
# Before the last file of the new segment is called .swap nothing has happened; from then on everything has.
DONE = {"being-written": False, "half-renamed": False, "renamed": True, "half-deleted": True, "half-finished": True}
COMPACT = {"cleanup.policy": "compact", "min.cleanable.dirty.ratio": 0, "segment.ms": 5000, "delete.retention.ms": 86_400_000}


def write(connection, topic, first, count):
    """Each batch is ten seconds after the one before, and so begins a segment."""
    for n in range(first, first + count):
        records = [batches.record(i, b"%d" % ((n * 3 + i) % 17), None if (n + i) % 11 == 0 else b"%d " % (n * 5 + i) + b"x" * 80)
                   for i in range(5)]
        assert connection.produce(topic, batches.batch(records, timestamp=START_MS + n * 10_000)) == (0, n * 5)


def records(server, topic):
    """[(offset, key, value)] of all of the topic, and its end."""
    with raw.connected(server.port, seconds=30) as connection:
        found = [record for batch in connection.read_all(topic) for record in batches.records_of(batch)]
        return found, connection.end_offset(topic)


def is_clean(server, topic):
    checkpoint = server.data / "cleaner-offset-checkpoint"
    offsets = dict(line.rsplit(" ", 1) for line in checkpoint.read_text().splitlines()[2:]) if checkpoint.exists() else {}
    return offsets.get(f"{topic} 0") == str((BATCHES - 1) * 5)


def make_state(state, topic, dirty, clean, data):
    """The directory of `topic` as a kill at this step leaves it, of what lay there before and after the compaction."""
    folder = data / f"{topic}-0"
    shutil.rmtree(folder)
    shutil.copytree(dirty / f"{topic}-0", folder)
    segments = sorted(int(path.stem) for path in folder.glob("*.log"))
    assert len(segments) == BATCHES
    written = sorted(int(path.stem) for path in (clean / f"{topic}-0").glob("*.log"))
    assert written == [0, segments[-1]], "all closed segments became one"
    new = ["0" * 20 + suffix for suffix in (".log", ".index", ".timeindex")]
    old = [f"{base:020}{suffix}" for base in segments[:-1] for suffix in (".log", ".index", ".timeindex")]
    ends = {"being-written": [".cleaned"] * 3, "half-renamed": [".swap", ".swap", ".cleaned"]}.get(state, [".swap"] * 3)
    if state in ("half-deleted", "half-finished"):
        for name in old if state == "half-finished" else old[: len(old) // 2]:
            (folder / name).rename(folder / (name + ".deleted"))
    if state == "half-finished":
        ends = ["", ".swap", ".swap"]
    for name, end in zip(new, ends, strict=True):
        shutil.copy(clean / f"{topic}-0" / name, folder / (name + end))
    if state == "being-written":
        size = (folder / (new[0] + ".cleaned")).stat().st_size
        with open(folder / (new[0] + ".cleaned"), "r+b") as file:
            file.truncate(size // 2)


@pytest.mark.limit(400)
def test_half_compacted_directories_go_to_the_other_server_and_back(make_server, server_pair, tmp_path):
    first, second = server_pair
    server = make_server(first, {**SETTINGS, "log.cleaner.enable": "false"}).start()
    topics = [*STATES, "throttled"]
    with raw.connected(server.port) as connection:
        for topic in topics:
            connection.create_topic(topic, configs=COMPACT)
            write(connection, topic, 0, BATCHES)
        connection.create_topic("gone")
        write(connection, "gone", 0, 3)
    before = {topic: records(server, topic) for topic in topics}
    server.stop()
    shutil.copytree(server.data, tmp_path / "data-dirty")
    server.properties["log.cleaner.enable"] = "true"
    server.start()
    for topic in topics:
        assert raw.eventually(lambda topic=topic: is_clean(server, topic), seconds=60), server.log()[-3000:]
    after = {topic: records(server, topic) for topic in topics}
    assert all(len(after[topic][0]) < len(before[topic][0]) / 2 for topic in topics)
    server.stop()
    shutil.copytree(server.data, tmp_path / "data-clean", ignore=shutil.ignore_patterns("*.deleted"))

    # A real kill in the middle of slow work, with a topic on its way out. All of the work is there when it begins.
    server.properties["log.cleaner.enable"] = "false"
    server.start()
    with raw.connected(server.port) as connection:
        write(connection, "throttled", BATCHES, 20)
        after["throttled"] = records(server, "throttled")
    server.stop()
    server.properties.update(SLOW)
    server.start()
    with raw.connected(server.port) as connection:
        answer = connection.request(raw.DELETE_TOPICS, 1, raw.array([raw.string("gone")]) + (10_000).to_bytes(4, "big"))
        answer.take("i")
        assert answer.array(lambda: (answer.string(), answer.take("h"))) == [("gone", 0)]
    folder = server.data / "throttled-0"
    # Only Dohle can be met with certainty in the middle of its work; the reference's cleaner may be done before one looks.
    is_halfway = (lambda: any(folder.glob("*.cleaned"))) if first == "dohle" else (lambda: True)
    assert raw.eventually(lambda: is_halfway() and any(server.data.glob("gone-0.*-delete")), seconds=30), server.log()[-3000:]
    server.kill()
    assert is_halfway()
    for state in STATES:
        make_state(state, state, tmp_path / "data-dirty", tmp_path / "data-clean", server.data)

    server.properties.update({"log.cleaner.enable": "false", "log.segment.delete.delay.ms": "1000"})
    del server.properties["log.cleaner.io.max.bytes.per.second"]
    expected = {state: (after if DONE[state] else before)[state] for state in STATES} | {"throttled": after["throttled"]}
    for kind in (second, first):
        server.swap(kind).start()
        for topic in topics:
            assert records(server, topic) == expected[topic], f"{topic} under {kind}"
            left = [path.name for path in (server.data / f"{topic}-0").iterdir() if path.name.endswith((".cleaned", ".swap"))]
            assert not left, f"{topic} under {kind}"
        with raw.connected(server.port) as connection:
            assert connection.metadata(["gone"], create=False)["gone"][0] == raw.UNKNOWN_TOPIC_OR_PARTITION
        assert raw.eventually(lambda: not any(server.data.glob("gone-0*")), seconds=20), f"{kind} leaves the deleted topic's files"
        server.stop()
