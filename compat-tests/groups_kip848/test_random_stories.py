"""Random stories of both protocols: recorded ones on one server, and in the long form new ones on the reference and on the server.

DOHLE_RECORD=1 writes the recorded ones anew: only ever with --server=reference.
"""

import concurrent.futures
import os
import pathlib
import struct
import sys

import pytest

from harness import raw, server as servers

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import migration_story  # noqa: E402
import random_stories  # noqa: E402

SUITE = "kip848-scripts"
RECORDED = HERE.parents[1] / "server/groups/testdata/migration/random.txt"
RECORDED_SEEDS = range(9000, 9012)
LONG_SEEDS = range(1, 201)
AT_A_TIME = 8
PROPERTIES = {
    "offsets.topic.num.partitions": "1",
    "group.consumer.assignment.interval.ms": "0",
    "group.consumer.min.session.timeout.ms": "1000",
    "group.consumer.min.heartbeat.interval.ms": "100",
    "group.initial.rebalance.delay.ms": "100",
}


def started(server):
    server.start()
    with raw.connected(server.port) as connection:
        connection.create_topic("t", 4)
        connection.create_topic("u", 3)
        raw.eventually(lambda: connection.request(10, 0, raw.string("any")).take("h") == 0, seconds=60, every=0.2)
        beat = raw.string("any") + struct.pack(">i", 1) + raw.string("nobody")
        raw.eventually(lambda: connection.request(12, 0, beat).take("h") == 25, seconds=60, every=0.2)
    return server


def each(seeds, play):
    """{seed: what play(seed) gives}; a few at a time, because they mostly wait."""
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        return dict(zip(seeds, pool.map(play, seeds)))


def made(server, seed):
    story = migration_story.MigrationStory(server.port, f"random-{seed}")
    try:
        return random_stories.RandomStory(seed, story).make(), story
    finally:
        story.close()


def replayed(server, seed, lines):
    story = migration_story.MigrationStory(server.port, f"random-{seed}")
    played = []
    try:
        for line in lines:
            if not line.startswith(("<", ">")):
                played += [line, *(f"< {answer}" for answer in story.play(line))]
    finally:
        story.close()
    return played, story


def with_records(server, tools, stories):
    log = server.data / "__consumer_offsets-0" / "00000000000000000000.log"
    dump = tools("kafka-dump-log", "--offsets-decoder", "--files", str(log), seconds=120).must_succeed().out
    return {seed: lines + story.records(dump, by_batch=False) for seed, (lines, story) in stories.items()}


def first_difference(got, expected):
    for number, (one, other) in enumerate(zip(got, expected)):
        if one != other:
            return "\n".join([*got[max(0, number - 30) : number], f"got      {one}", f"expected {other}"])
    return f"{len(got)} lines instead of {len(expected)}" if len(got) != len(expected) else None


def parse(text):
    stories = {}
    for line in text.splitlines():
        if line.startswith("== "):
            lines = stories.setdefault(int(line[3:]), [])
        else:
            lines.append(line)
    return stories


def test_recorded_stories(make_server, server_kind, tools):
    server = started(make_server(server_kind, PROPERTIES))
    if os.environ.get("DOHLE_RECORD"):
        assert server_kind == "reference"
        stories = with_records(server, tools, each(RECORDED_SEEDS, lambda seed: made(server, seed)))
        RECORDED.write_text("".join(f"== {seed}\n" + "\n".join(lines) + "\n" for seed, lines in stories.items()))
        return
    expected = parse(RECORDED.read_text())
    stories = with_records(server, tools, each(expected, lambda seed: replayed(server, seed, expected[seed])))
    differences = {seed: found for seed in expected if (found := first_difference(stories[seed], expected[seed]))}
    assert not differences, f"{len(differences)} of {len(expected)} differ\n" + "\n\n".join(
        f"== {seed}\n{text}" for seed, text in list(differences.items())[:3])


@pytest.mark.long
@pytest.mark.limit(3000)
def test_200_new_stories_are_equal_on_both(make_server, server_kind, tools):
    reference = started(make_server("reference", PROPERTIES))
    expected = with_records(reference, tools, each(LONG_SEEDS, lambda seed: made(reference, seed)))
    reference.stop()
    server = started(make_server(server_kind, PROPERTIES))
    stories = with_records(server, tools, each(LONG_SEEDS, lambda seed: replayed(server, seed, expected[seed])))
    differences = {seed: found for seed in expected if (found := first_difference(stories[seed], expected[seed]))}
    assert not differences, f"{len(differences)} of {len(expected)} differ\n" + "\n\n".join(
        f"== {seed}\n{text}" for seed, text in list(differences.items())[:5])
