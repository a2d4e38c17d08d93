"""Consumer groups of real clients: three join, one is killed, one leaves, one is added, all under load.

Every client logs what it is given, processes and commits; harness/group_history.py judges the logs.
"""

import re

import pytest

from harness import group_members, raw

SUITE = "clients-groups"
PARTITIONS = 12
PROPERTIES = {
    "group.initial.rebalance.delay.ms": "1000",
    "group.consumer.min.session.timeout.ms": "6000",
    "group.consumer.session.timeout.ms": "8000",
    "group.consumer.min.heartbeat.interval.ms": "500",
    "group.consumer.heartbeat.interval.ms": "500",
}
SHORT = {("franz-go", "cooperative")}


def stories(protocol):
    return [
        pytest.param(program, assignor, marks=[] if protocol == "classic" and (program, assignor) in SHORT else pytest.mark.long)
        for program, (_, protocols) in group_members.PROGRAMS.items() for assignor in protocols.get(protocol, ())
    ]


@pytest.fixture
def make_group(make_server, server_kind, need, tmp_path):
    """make_group(topic, pattern) -> a Group on a server of its own, `topic` being there."""
    made = []

    def make(topic, pattern=None):
        server = make_server(server_kind, PROPERTIES).start()
        with raw.connected(server.port) as connection:
            connection.create_topic(topic, partitions=PARTITIONS)
        made.append(group_members.Group(tmp_path, server.port, topic, "group", PARTITIONS, pattern))
        return made[-1]

    yield make
    for group in made:
        group.end()


@pytest.mark.cell("{program}", "group-classic-{assignor}")
@pytest.mark.parametrize(("program", "assignor"), stories("classic"))
@pytest.mark.limit(300)
def test_classic_members_come_and_go(make_group, need, topic, program, assignor):
    need(group_members.PROGRAMS[program][0])
    group = make_group(topic)
    first, second, _ = [group.join(program, "classic", assignor) for _ in range(3)]
    group.settle(topic)
    group.kill(first)
    group.settle(topic)
    group.leave(second)
    group.settle(topic)
    group.join(program, "classic", assignor)
    group.settle(topic)
    assert group.finish() == []


@pytest.mark.cell("{program}", "group-consumer-regex")
@pytest.mark.parametrize(("program", "assignor"), stories("consumer"))
@pytest.mark.limit(300)
def test_consumer_protocol_members_come_and_go_and_a_topic_is_added(make_group, need, topic, program, assignor):
    """KIP-848, subscribed by a pattern."""
    need(group_members.PROGRAMS[program][0])
    early, late = f"story-{topic}", f"story-{topic}-late"
    group = make_group(early, pattern="^story-.*")
    first, second, _ = [group.join(program, "consumer", assignor) for _ in range(3)]
    group.settle(early)
    group.kill(first)
    group.settle(early)
    with raw.connected(group.port) as connection:
        connection.create_topic(late, partitions=PARTITIONS)
    group.load.topics.append(late)
    group.settle(early, late)
    group.leave(second)
    group.settle(early, late)
    group.join(program, "consumer", assignor)
    group.settle(early, late)
    assert group.finish() == []


@pytest.mark.long
@pytest.mark.cell("{program}", "group-upgrade-and-back")
@pytest.mark.parametrize("program", [program for program, (_, protocols) in group_members.PROGRAMS.items() if "consumer" in protocols])
@pytest.mark.limit(420)
def test_a_classic_group_is_upgraded_member_by_member_and_back(make_group, need, tools, topic, program):
    """KIP-848's online migration, both ways, under load."""

    def type_of_group():
        listed = tools("kafka-groups", "--bootstrap-server", f"127.0.0.1:{group.port}", "--list").must_succeed(["deprecated"]).out
        return re.search(r"^group +(\w+)", listed, re.MULTILINE)[1]

    need(group_members.PROGRAMS[program][0])
    group = make_group(topic)
    for _ in range(3):
        group.join(program, "classic", "range")
    group.settle(topic)
    assert type_of_group() == "Classic"
    for protocol, assignor in (("consumer", "uniform"), ("classic", "range")):
        for member in list(group.live):
            group.leave(member)
            group.join(program, protocol, assignor)
            group.settle(topic)
        assert type_of_group() == protocol.capitalize()
    assert group.finish() == []
