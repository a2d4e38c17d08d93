"""Rebalances step by step, behaviours 85 to 99 and 117 to 120: what the reference answered stands in the story.

DOHLE_RECORD=1 writes the answers of the server under test into the stories: only ever with --server=reference.
"""

import os
import pathlib

import pytest

from harness import group_story, raw

SUITE = "group-stories"
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "server/groups/testdata"
STORIES = sorted(FOLDER.glob("*.story"))
PROPERTIES = {
    "group.initial.rebalance.delay.ms": "1000",
    "group.min.session.timeout.ms": "100",
    "group.max.size": "4",
    "offsets.topic.num.partitions": "5",
    "offsets.topic.replication.factor": "1",
}


@pytest.fixture(scope="module")
def story_server(tmp_path_factory, request):
    """One server for all stories of a kind; they use groups of their own."""
    from harness import server as servers

    made = {}

    def get(kind):
        if kind not in made:
            server = servers.Server(kind, tmp_path_factory.mktemp("stories"), PROPERTIES)
            server.start()
            with raw.connected(server.port) as connection:
                connection.create_topic("t", 1)
            wait_for_coordinator(server.port)
            made[kind] = server
        return made[kind]

    yield get
    for server in made.values():
        server.check()
        server.stop()


def wait_for_coordinator(port):
    """Asks until __consumer_offsets is there and loaded."""
    import time

    deadline = time.monotonic() + 60
    while True:
        with raw.connected(port) as connection:
            answer = connection.request(10, 0, raw.string("any"))
            if answer.take("h") == 0:
                break
        assert time.monotonic() < deadline
        time.sleep(0.2)
    time.sleep(1)


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_a_story_goes_as_on_the_reference(story_server, server_kind, path):
    server = story_server(server_kind)
    story = group_story.Story(server.port, f"story-{path.stem}", "t")
    played = []
    try:
        for line in path.read_text().splitlines():
            if line.startswith("< "):
                continue
            played.append(line)
            if line and not line.startswith("#"):
                played += [f"< {answer}" for answer in story.play(line)]
    finally:
        story.close()
    if os.environ.get("DOHLE_RECORD"):
        assert server_kind == "reference"
        path.write_text("\n".join(played) + "\n")
    assert played == path.read_text().splitlines()
