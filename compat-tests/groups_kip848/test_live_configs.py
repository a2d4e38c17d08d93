"""The configs of consumer groups change while groups live: the broker's assignment interval, and what a group has of its own."""

import pathlib
import struct
import sys

from harness import raw
from harness.group_story import Writer

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import migration_story  # noqa: E402

SUITE = "kip848-configs"


def set_broker_config(story, key, value):
    """IncrementalAlterConfigs v1 for all brokers."""
    body = Writer(True)
    entry = lambda one: body.string(one[0]).number("b", 0).string(one[1])  # noqa: E731
    body.array([0], lambda _: body.number("b", 4).string("").array([(key, value)], entry)).number("?", False)
    result = lambda reader: (reader.take("h"), reader.text(), reader.take("b"), reader.text())[0]  # noqa: E731
    story.send(44, 1, True, body, lambda reader: f"config {(reader.take('i'), reader.list_(lambda: result(reader)))[1][0]}")
    return story.answers()


def test_configs_are_live(make_server, server_kind):
    server = make_server(server_kind, {"group.consumer.assignment.interval.ms": "15000", "offsets.topic.num.partitions": "1",
                                       "group.consumer.min.session.timeout.ms": "1000",
                                       "group.consumer.min.heartbeat.interval.ms": "100"}).start()
    with raw.connected(server.port) as connection:
        connection.create_topic("t", 4)
        raw.eventually(lambda: connection.request(10, 0, raw.string("any")).take("h") == 0, seconds=60, every=0.2)
        beat = raw.string("any") + struct.pack(">i", 1) + raw.string("nobody")
        raw.eventually(lambda: connection.request(12, 0, beat).take("h") == 25, seconds=60, every=0.2)
    story = migration_story.MigrationStory(server.port, "live")
    assert story.play("beat c epoch=0") == ["beat c NONE epoch=2 interval=5000 assignment=t:0,1,2,3"]
    # The group's epoch goes on, its assignment waits.
    assert story.play("beat d epoch=0") == ["beat d NONE epoch=2 interval=5000 assignment=-"]
    assert story.play("beat d") == ["beat d NONE epoch=2 interval=5000 assignment=null"]
    assert set_broker_config(story, "group.consumer.assignment.interval.ms", "0") == ["config 0"]
    assert raw.eventually(lambda: story.play("beat d") == ["beat d NONE epoch=3 interval=5000 assignment=null"])
    # A group's own keys come over the broker's; a session that began before ends as it was.
    assert story.play("config consumer.session.timeout.ms=2000 consumer.heartbeat.interval.ms=400") == ["config NONE"]
    assert raw.eventually(lambda: "interval=400" in story.play("beat c owned=t:0,1")[0])
    assert raw.eventually(lambda: "UNKNOWN_MEMBER_ID" in (story.play("wait 2500") or story.play("beat c"))[0], seconds=20)
    story.close()
