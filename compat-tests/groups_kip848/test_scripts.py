"""The recorded scripts of consumer groups, played on a running server: errors, epochs and assignments are those of Kafka."""

import pathlib
import sys
import time

from harness import raw

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import consumer_scripts  # noqa: E402

SUITE = "kip848-scripts"
RECORDED = HERE.parent.parent / "server" / "groups" / "testdata" / "consumer_scripts.txt"
RETRIABLE = (14, 15, 16)


def parts(word):
    if word == "-":
        return None
    if word == '""':
        return []
    return [(topic, [int(p) for p in numbers.split(",")]) for topic, numbers in (one.split(":") for one in word.split(";"))]


def step_of(words):
    group, member, epoch, instance, timeout, topics, assignor, owned = words
    names = None if topics == "-" else [] if topics == '""' else topics.split(",")
    null = lambda word: None if word == "-" else word  # noqa: E731
    return group, member, int(epoch), null(instance), int(timeout), names, null(assignor), parts(owned)


def test_recorded_scripts(make_server, server_kind):
    server = make_server(server_kind, {"group.consumer.assignment.interval.ms": "0"}).start()
    lines = RECORDED.read_text().splitlines()
    with raw.Connection(server.port) as connection:
        for name, count in consumer_scripts.TOPICS.items():
            connection.create_topic(name, count)
        connection.request(10, 0, raw.string("g"))
        time.sleep(1)
        ids = consumer_scripts.topic_ids(connection)
        for number, line in enumerate(lines, 1):
            words = line.split()
            if words[0] == "topic":
                continue
            step = step_of(words[:8])
            for _ in range(100):
                answer = consumer_scripts.heartbeat(connection, ids, step)
                if answer[0] not in RETRIABLE:
                    break
                time.sleep(0.1)
            assert consumer_scripts.line_of(step, answer) == line, f"line {number}"
