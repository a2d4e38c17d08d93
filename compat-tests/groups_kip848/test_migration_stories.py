"""Groups between the two protocols, behaviours 106, 111 to 115: answers and records are those that the reference gave.

DOHLE_RECORD=1 writes the answers of the server under test into the stories: only ever with --server=reference.
"""

import os
import pathlib
import re
import struct
import sys

import pytest

from harness import raw, server as servers

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import migration_story  # noqa: E402

SUITE = "kip848-migration"
FOLDER = HERE.parents[1] / "server/groups/testdata/migration"
# Those of make test; the others wait for timers, or say the same in another way.
SHORT = {"upgrade_stable", "upgrade_rebalancing", "upgrade_completing", "upgrade_static", "upgrade_disabled", "upgrade_only",
         "downgrade_leave", "downgrade_only", "downgrade_static_same_subscription", "classic_errors", "leave_many", "older_epochs"}
STORIES = [path if path.stem in SHORT else pytest.param(path, marks=pytest.mark.long) for path in sorted(FOLDER.glob("*.story"))]
PROPERTIES = {
    "offsets.topic.num.partitions": "1",
    "group.min.session.timeout.ms": "100",
    "group.max.size": "3",
    "group.consumer.max.size": "4",
    "group.consumer.assignment.interval.ms": "0",
    "group.consumer.min.session.timeout.ms": "1000",
    "group.consumer.min.heartbeat.interval.ms": "100",
    "group.initial.rebalance.delay.ms": "900",
}


@pytest.fixture(scope="module")
def migration_server(tmp_path_factory):
    """One server for all stories of a kind and a group.consumer.migration.policy; they use groups of their own."""
    made = {}

    def get(kind, policy):
        if (kind, policy) not in made:
            properties = {**PROPERTIES, "group.consumer.migration.policy": policy}
            if policy == "default":
                del properties["group.consumer.migration.policy"]
            server = servers.Server(kind, tmp_path_factory.mktemp(f"migration-{policy}"), properties).start()
            made[kind, policy] = server
            with raw.connected(server.port) as connection:
                connection.create_topic("t", 4)
                connection.create_topic("u", 3)
                raw.eventually(lambda: connection.request(10, 0, raw.string("any")).take("h") == 0, seconds=60, every=0.2)
                # A heartbeat is fine until the coordinator has read its log, and knows that there is no such member.
                beat = raw.string("any") + struct.pack(">i", 1) + raw.string("nobody")
                raw.eventually(lambda: connection.request(12, 0, beat).take("h") == 25, seconds=60, every=0.2)
        return made[kind, policy]

    yield get
    for server in made.values():
        server.check()
        server.stop()


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_a_story_goes_as_on_the_reference(migration_server, server_kind, tools, path):
    text = path.read_text()
    server = migration_server(server_kind, re.search(r"^# policy: (\w+)$", text, re.MULTILINE)[1])
    story = migration_story.MigrationStory(server.port, f"story-{path.stem}")
    played = []
    try:
        for line in text.splitlines():
            if line.startswith(("< ", ">")):
                continue
            played.append(line)
            if line and not line.startswith("#"):
                played += [f"< {answer}" for answer in story.play(line)]
    finally:
        story.close()
    log = server.data / "__consumer_offsets-0" / "00000000000000000000.log"
    dump = tools("kafka-dump-log", "--offsets-decoder", "--files", str(log)).must_succeed()
    played += story.records(dump.out)
    if os.environ.get("DOHLE_RECORD"):
        assert server_kind == "reference"
        path.write_text("\n".join(played) + "\n")
    assert played == path.read_text().splitlines()
