"""Behaviour 106: a server that does not serve the consumer protocol advertises its requests and refuses them; classic members go on."""

import pathlib
import struct
import sys

from harness import raw

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import migration_story  # noqa: E402

SUITE = "kip848-migration"


def test_106_the_consumer_protocol_is_off(make_server, server_kind):
    server = make_server(server_kind, {"group.coordinator.rebalance.protocols": "classic"}).start()
    with raw.connected(server.port) as connection:
        versions = connection.api_versions()
        assert versions[68] == (0, 1) and versions[69] == (0, 1)
        connection.create_topic("t", 4)
        raw.eventually(lambda: connection.request(10, 0, raw.string("any")).take("h") == 0, seconds=60, every=0.2)
        beat = raw.string("any") + struct.pack(">i", 1) + raw.string("nobody")
        raw.eventually(lambda: connection.request(12, 0, beat).take("h") == 25, seconds=60, every=0.2)
    story = migration_story.MigrationStory(server.port, "off")
    assert story.play("beat c epoch=0")[0].startswith("beat c UNSUPPORTED_VERSION")
    assert story.play("consumerdescribe")[0].startswith("consumerdescribe UNSUPPORTED_VERSION")
    joined = story.play("join a v=3") or story.play("await")
    assert joined == ["join a NONE generation=1 type=? protocol=range leader=a members=a"]
    assert story.play("sync a assign=a=t:0") == ["sync a NONE type=consumer protocol=range assignment=v3 t:0"]
    story.close()
