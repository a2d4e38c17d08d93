"""Behaviours 85 to 105, the classic group coordinator: a test for each, with the values that the reference gives."""

import struct
import time
import uuid

import pytest

from harness import groups, messages, raw, server as servers
from harness.groups import Member

SUITE = "classic-groups"
PROPERTIES = {"group.min.session.timeout.ms": "100", "group.max.size": "4", "offsets.topic.num.partitions": "5"}


@pytest.fixture(scope="module")
def coordinator(server_kind, tmp_path_factory):
    """A server whose limits can be reached in a test's time. Groups have no initial delay, and names of their own."""
    made = servers.Server(server_kind, tmp_path_factory.mktemp("classic"), PROPERTIES).start()
    groups.wait_until_loaded(made.port)
    yield made
    made.check()
    made.stop()


@pytest.fixture
def port(coordinator):
    yield coordinator.port
    coordinator.check()


@pytest.fixture
def ask(port):
    with messages.Connection(port) as connection:
        yield connection


@pytest.fixture
def member(port, topic):
    """member(...) is a new member of this test's group."""
    made = []

    def make(instance=None, **options):
        made.append(Member(port, topic, instance, **options))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_085_a_member_joins_in_two_steps_from_v4_on(member, ask, topic):
    first = member(version=9, session=400)
    answer = first.connection.call("JoinGroup", 9, **first.join_fields())
    assert answer["errorCode"] == groups.ID_REQUIRED
    assert answer["memberId"].startswith("raw-") and uuid.UUID(answer["memberId"].removeprefix("raw-")).version == 4
    assert answer["generationId"] == -1 and answer["members"] == []
    # It does not count as a member, and its id ends with its session.
    assert groups.describe(ask, topic)["members"] == []
    first.id = answer["memberId"]
    assert raw.eventually(lambda: groups.leave(ask, topic, [("other", None)])["members"][0]["errorCode"] == groups.UNKNOWN_MEMBER)
    time.sleep(1)
    assert first.join()["errorCode"] == groups.UNKNOWN_MEMBER
    # A pending one may leave.
    second = member()
    second.id = second.connection.call("JoinGroup", 4, **{**second.join_fields(), "groupInstanceId": None})["memberId"]
    assert second.leave() == groups.NONE
    assert second.leave() == groups.UNKNOWN_MEMBER
    assert second.join()["errorCode"] == groups.UNKNOWN_MEMBER
    # Before v4 there is one step.
    third = member(version=3)
    assert third.join()["errorCode"] == groups.NONE and third.generation == 1


def test_086_an_empty_group_waits_for_more_members_and_only_then(make_server, server_kind, topic):
    server = make_server(server_kind, {**PROPERTIES, "group.initial.rebalance.delay.ms": "1000"}).start()
    groups.wait_until_loaded(server.port)
    first, second, third = [Member(server.port, topic, version=3) for _ in range(3)]
    began = time.monotonic()
    parked = first.send_join()
    time.sleep(0.3)
    late = second.send_join()
    assert first.joined(parked)["generationId"] == 1
    # One came within the first second: it was extended once.
    assert 1.9 < time.monotonic() - began < 6
    assert second.joined(late)["generationId"] == 1
    groups.share(first, second)
    began = time.monotonic()
    groups.rejoin(third, first, second)
    assert third.generation == 2 and time.monotonic() - began < 0.9
    for each in (first, second, third):
        each.close()


def test_087_a_rebalance_waits_for_all_or_the_largest_timeout(member, ask, topic):
    first, second, third = member(rebalance=1000), member(rebalance=2000), member(rebalance=1000)
    groups.group_of(first, second)
    began = time.monotonic()
    (_, call), (_, again) = groups.send_joins(third, first)
    assert call.is_parked() and again.is_parked()
    answer = first.joined(again)
    assert 1.9 < time.monotonic() - began < 8, "the largest rebalance timeout is that of the silent one"
    assert third.joined(call)["generationId"] == 3
    assert second.heartbeat() == groups.UNKNOWN_MEMBER
    assert second.join()["errorCode"] == groups.UNKNOWN_MEMBER
    # The leader alone gets the list; asked again within the generation, it gets the same in the same order.
    assert first.id == first.leader == third.leader
    assert sorted(each["memberId"] for each in answer["members"]) == sorted([first.id, third.id])
    assert first.join()["members"] == answer["members"]
    assert third.join()["members"] == []


def test_088_a_sync_waits_for_the_leader_and_gives_each_its_own_bytes(member):
    members = [member(version=3) for _ in range(3)]
    groups.group_of(*members[:2])
    groups.join_together(members[2], *members[:2])
    leader, second, skipped = members
    waiting = [second.send_sync(), skipped.send_sync()]
    assert all(call.is_parked() for call in waiting)
    assert leader.sync({leader: b"\0\xff one", second: b"two"})["assignment"] == b"\0\xff one"
    assert waiting[0].answer()["assignment"] == b"two"
    # Whom the leader passed over gets empty bytes, which are not null.
    answer = waiting[1].answer()
    assert answer["errorCode"] == groups.NONE and answer["assignment"] == b""
    # In a stable group the same is answered at once.
    assert second.sync()["assignment"] == b"two"


def test_089_heartbeats_by_state(member, ask, topic):
    first, second = member(session=1500), member()
    assert first.join()["errorCode"] == groups.NONE
    assert groups.state(ask, topic) == "CompletingRebalance"
    assert first.heartbeat() == groups.NONE
    groups.share(first)
    assert first.heartbeat() == groups.NONE
    assert first.heartbeat(generationId=first.generation + 1) == groups.ILLEGAL_GENERATION
    assert first.heartbeat(generationId=first.generation - 1) == groups.ILLEGAL_GENERATION
    assert first.heartbeat(memberId="nobody") == groups.UNKNOWN_MEMBER
    call = second.send_join()
    # It keeps its session by heartbeats alone, longer than its timeout.
    for _ in range(5):
        time.sleep(0.5)
        assert first.heartbeat() == groups.REBALANCE
    assert first.join()["errorCode"] == groups.NONE
    assert second.joined(call)["generationId"] == 2
    # Here too, where everybody waits for the leader's assignment.
    for _ in range(5):
        time.sleep(0.5)
        assert first.heartbeat() == groups.NONE
    assert first.leave() == second.leave() == groups.NONE
    assert groups.state(ask, topic) == "Empty"
    assert first.heartbeat() == groups.UNKNOWN_MEMBER
    assert first.heartbeat(groupId=topic + "-absent") == groups.UNKNOWN_MEMBER


def test_090_a_generation_is_a_completed_rebalance(member):
    first, second = member(), member()
    assert [first.join()["generationId"] for _ in range(3)] == [1, 1, 1], "the assignment is due: the answer is repeated"
    groups.share(first)
    groups.rejoin(second, first)
    assert first.generation == second.generation == 2
    assert [second.join()["generationId"] for _ in range(3)] == [2, 2, 2], "a follower's join changes nothing"
    # A leader's does: it wants to assign anew.
    call = first.send_join()
    assert call.is_parked()
    assert second.join()["generationId"] == first.joined(call)["generationId"] == 3


def test_091_a_second_member_leaves_the_first_ones_id_alone(member):
    first, second = member(), member()
    groups.group_of(first)
    before = first.id
    call = second.send_join()
    assert first.heartbeat() == groups.REBALANCE
    assert first.join()["memberId"] == before
    assert second.joined(call)["memberId"] not in ("", before)
    groups.share(first, second)
    assert first.id == before and first.heartbeat() == groups.NONE


@pytest.mark.parametrize("wishes, chosen", [
    (["range,sticky", "sticky,range", "sticky,range"], "sticky"),
    (["range,sticky,roundrobin", "roundrobin,sticky", "range,sticky,roundrobin"], "sticky"),
    (["range,sticky", "range,cooperative", "range"], "range"),
])
def test_092_the_protocol_that_most_prefer_of_those_that_all_know(member, wishes, chosen):
    members = [member(protocols={name: name.encode() for name in each.split(",")}) for each in wishes]
    for count, each in enumerate(members):
        answers = groups.join_together(each, *members[:count])
        if count < 2:
            protocol = answers[0]["protocolName"]
            leader = members[0]
            sent = [other.send_sync(protocolName=protocol) for other in members[1 : count + 1]]
            assert leader.sync({leader: b"a"}, protocolName=protocol)["errorCode"] == groups.NONE
            assert all(call.answer()["errorCode"] == groups.NONE for call in sent)
    assert {answer["protocolName"] for answer in answers} == {chosen}
    # The leader sees what the others say about the chosen one.
    led = next(answer for answer in answers if answer["members"])
    assert {each["metadata"] for each in led["members"]} == {chosen.encode()}
    stranger = member(version=3, protocols={"nobody": b""})
    assert stranger.join()["errorCode"] == groups.INCONSISTENT_PROTOCOL
    assert member(version=3, kind="other", protocols={"range": b""}).join()["errorCode"] == groups.INCONSISTENT_PROTOCOL
    assert member(version=3, kind="", protocols={"range": b""}).join()["errorCode"] == groups.INCONSISTENT_PROTOCOL


@pytest.mark.parametrize("kind, protocol", [("connect", "sessioned"), ("sr", "v0"), ("consumer", "stream")])
def test_093_metadata_and_assignments_are_opaque(member, ask, topic, kind, protocol):
    noise = bytes(range(256)) * 5
    first = member(kind=kind, protocols={protocol: noise})
    assert first.join()["members"][0]["metadata"] == noise
    assert first.sync({first: noise[::-1]})["assignment"] == noise[::-1]
    described = groups.describe(ask, topic)
    assert (described["protocolType"], described["protocolData"]) == (kind, protocol)
    assert (described["members"][0]["memberMetadata"], described["members"][0]["memberAssignment"]) == (noise, noise[::-1])


def test_094_protocol_type_and_name_are_echoed_and_checked(member):
    first = member(kind="kind", protocols={"p": b""})
    assert first.join()["protocolType"] == "kind"
    assert first.sync(protocolType="other")["errorCode"] == groups.INCONSISTENT_PROTOCOL
    assert first.sync(protocolName="other")["errorCode"] == groups.INCONSISTENT_PROTOCOL
    assert first.sync(protocolType=None)["errorCode"] == first.sync(protocolName=None)["errorCode"] == groups.INCONSISTENT_PROTOCOL
    answer = first.sync()
    assert (answer["errorCode"], answer["protocolType"], answer["protocolName"]) == (groups.NONE, "kind", "p")
    old = first.connection.call("SyncGroup", 4, groupId=first.group, generationId=1, memberId=first.id)
    assert old["errorCode"] == groups.NONE and "protocolType" not in old
    assert "protocolType" not in first.connection.call("JoinGroup", 6, **first.join_fields())
    wrong = {**first.join_fields(), "protocolType": "other"}
    answer = first.connection.call("JoinGroup", 9, **wrong)
    assert (answer["errorCode"], answer["protocolType"], answer["protocolName"]) == (groups.INCONSISTENT_PROTOCOL, None, None)


def test_095_a_static_member_comes_back_under_a_new_id_without_a_rebalance(member, port, ask, topic):
    ask.create_topic(topic)
    leader, follower = member("one"), member("two")
    groups.group_of(leader, follower)
    for old, place in ((follower, b"0"), (leader, b"1")):
        new = member(old.instance)
        answer = new.join()
        assert (answer["errorCode"], answer["generationId"]) == (groups.NONE, old.generation)
        assert new.id != old.id and new.id.startswith(f"{old.instance}-")
        assert groups.state(ask, topic) == "Stable"
        # KIP-814: a leader that is told to skip the assignment knows the members.
        assert answer["skipAssignment"] == (old is leader)
        assert len(answer["members"]) == (2 if old is leader else 0)
        assert new.sync()["assignment"] == place
        assert old.heartbeat() == groups.FENCED
        assert old.sync()["errorCode"] == groups.FENCED
        assert old.join()["errorCode"] == groups.FENCED
        assert old.commit(topic, 1) == groups.FENCED
        assert old.leave() == groups.FENCED
        assert new.heartbeat() == groups.NONE
    # If the chosen protocol does not stay, there is a rebalance.
    changed = Member(port, topic, "two", protocols={"other": b"", "range": b""})
    assert changed.join()["errorCode"] == groups.NONE
    changed.close()


def test_096_static_members_stay_until_their_session_ends_or_they_are_removed(member, ask, topic):
    first, second = member("one", session=20_000), member("two", session=1500)
    groups.group_of(first, second)
    first.close(), second.close()
    time.sleep(0.3)
    assert len(groups.describe(ask, topic)["members"]) == 2
    assert raw.eventually(lambda: len(groups.describe(ask, topic)["members"]) == 1, seconds=20)
    answer = groups.leave(ask, topic, [("", "one")])
    assert answer["members"] == [{"memberId": "", "groupInstanceId": "one", "errorCode": groups.NONE}]
    assert groups.state(ask, topic) == "Empty"


def test_097_leave_takes_a_list_and_answers_each(member, ask, topic):
    dynamic, static = member(), member("one")
    groups.group_of(dynamic, static)
    who = [("nobody", None), (dynamic.id, None), ("", "unknown"), ("wrong", "one"), ("", "one"), (dynamic.id, None)]
    answer = groups.leave(ask, topic, who, version=3)
    assert answer["errorCode"] == groups.NONE
    assert [(each["memberId"], each["groupInstanceId"]) for each in answer["members"]] == who
    codes = [groups.UNKNOWN_MEMBER, groups.NONE, groups.UNKNOWN_MEMBER, groups.FENCED, groups.NONE, groups.UNKNOWN_MEMBER]
    assert [each["errorCode"] for each in answer["members"]] == codes
    # One alone, before v3.
    other = member()
    groups.group_of(other)
    assert ask.call("LeaveGroup", 2, groupId=topic, memberId="nobody")["errorCode"] == groups.UNKNOWN_MEMBER
    assert ask.call("LeaveGroup", 2, groupId=topic, memberId=other.id)["errorCode"] == groups.NONE
    absent = groups.leave(ask, topic + "-absent", [("nobody", None)])
    assert (absent["errorCode"], [each["errorCode"] for each in absent["members"]]) == (groups.NONE, [groups.UNKNOWN_MEMBER])


def test_098_timeouts_names_and_sizes_have_bounds(member, port):
    for session, code in ((99, groups.INVALID_SESSION), (100, groups.NONE), (1_800_000, groups.NONE), (1_800_001, groups.INVALID_SESSION)):
        each = Member(port, f"bounds-{session}-{time.time()}", version=3, session=session)
        assert each.join()["errorCode"] == code, session
        each.close()
    with messages.Connection(port) as connection:
        nameless = Member(port, "")
        assert connection.call("JoinGroup", 9, **nameless.join_fields())["errorCode"] == groups.INVALID_GROUP_ID
        assert nameless.sync()["errorCode"] == groups.INVALID_GROUP_ID
        assert nameless.heartbeat() == groups.INVALID_GROUP_ID
        assert groups.leave(connection, "", [("a", None)])["errorCode"] == groups.INVALID_GROUP_ID
        nameless.close()
    full = [member(version=3) for _ in range(4)]
    groups.group_of(*full)
    assert member(version=3).join()["errorCode"] == groups.FULL


def test_098_the_default_bounds_are_six_seconds_and_thirty_minutes(broker, topic):
    groups.wait_until_loaded(broker.port)
    for session, code in ((5_999, groups.INVALID_SESSION), (6_000, groups.NONE), (1_800_000, groups.NONE), (1_800_001, groups.INVALID_SESSION)):
        each = Member(broker.port, f"{topic}-{session}", version=3, session=session)
        assert each.join()["errorCode"] == code, session
        each.close()


def test_099_members_whose_connection_is_gone_expire_in_every_state(member, ask, topic):
    # While the group waits for joins: the one that is gone ends with its session, long before the rebalance timeout.
    first, gone, third = member(rebalance=60_000), member(session=1500, rebalance=60_000), member(rebalance=60_000)
    groups.group_of(first, gone)
    (_, call), (_, again) = groups.send_joins(third, first)
    gone.close()
    assert third.joined(call)["errorCode"] == first.joined(again)["errorCode"] == groups.NONE
    groups.share(first, third)
    # While it waits for the assignment: a follower that is gone does not hold the others up, a leader makes them join again.
    fourth = member(session=1500, rebalance=60_000)
    groups.join_together(fourth, first, third)
    fourth.close()
    assert raw.eventually(lambda: groups.state(ask, topic) == "PreparingRebalance", seconds=20)
    assert first.heartbeat() == groups.REBALANCE
    groups.rejoin(first, third)
    # Stable, and the last one of all.
    assert first.leave() == third.leave() == groups.NONE
    last = member(session=1000)
    groups.group_of(last)
    last.close()
    assert raw.eventually(lambda: groups.state(ask, topic) == "Empty", seconds=20)


def test_099_a_join_whose_place_another_took_is_closed_as_idle(make_server, server_kind, topic):
    """It is never answered, and nobody may know any more that its connection is there."""
    server = make_server(server_kind, {"connections.max.idle.ms": "1500"}).start()
    groups.wait_until_loaded(server.port)
    first, second, again = [Member(server.port, topic, rebalance=60_000, session=60_000) for _ in range(3)]
    groups.group_of(first)
    call = second.send_join()
    assert call.is_parked()
    again.id = second.id
    assert again.send_join().is_parked()
    assert second.connection.is_closed(20)
    for each in (first, second, again):
        each.close()


def test_100_coordinators_are_found_in_batches_and_their_topic_is_made(server):
    with messages.Connection(server.port) as ask:
        found = ask.call("FindCoordinator", 4, keyType=0, coordinatorKeys=["a", "b", ""])
        by_key = {each["key"]: each for each in found["coordinators"]}
        assert by_key["a"]["errorCode"] == by_key["b"]["errorCode"] == groups.NOT_AVAILABLE
        assert (by_key["a"]["nodeId"], by_key["a"]["host"], by_key["a"]["port"]) == (-1, "", -1)
        assert ask.call("FindCoordinator", 0, key="a")["errorCode"] in (groups.NOT_AVAILABLE, groups.NONE)
        groups.wait_until_loaded(server.port)
        assert len(ask.metadata(["__consumer_offsets"], create=False)["__consumer_offsets"][1]) == 50
        for version in (4, 5, 6):
            found = ask.call("FindCoordinator", version, keyType=0, coordinatorKeys=["a", "", "a"])["coordinators"]
            assert [each["key"] for each in found] == ["a", "", "a"]
            assert all((each["errorCode"], each["nodeId"], each["port"]) == (0, 1, server.port) for each in found)
        for version in (0, 1, 2, 3):
            about = {"keyType": 0} if version else {}
            assert ask.call("FindCoordinator", version, key="a", **about)["port"] == server.port
        unknown = ask.call("FindCoordinator", 6, keyType=5, coordinatorKeys=["a"])["coordinators"][0]
        assert unknown["errorCode"] == 42


def test_101_a_coordinator_that_loads_says_so_at_once(make_server, server_kind, topic):
    server = make_server(server_kind, {"offsets.topic.num.partitions": "3"}).start()
    groups.wait_until_loaded(server.port)
    with messages.Connection(server.port) as ask:
        ask.create_topic(topic)
        assert raw.eventually(lambda: groups.commit(ask, topic, topic, 5) == groups.NONE)
        for number in range(3000):
            groups.commit(ask, f"{topic}-{number}", topic, number)
    server.restart(kill=True)
    seen = set()
    deadline = time.monotonic() + 60
    while groups.NONE not in seen:
        assert time.monotonic() < deadline
        began = time.monotonic()
        with messages.Connection(server.port) as ask:
            code, topics = groups.fetch_groups(ask, {topic: {topic: [0]}})[topic]
            if code == groups.NONE:
                assert topics[topic][0][0] == 5, "never: no offset"
            seen.add(code)
            seen.add(Member(server.port, topic).connection.call("Heartbeat", 4, groupId=topic, generationId=1, memberId="a")["errorCode"])
        assert time.monotonic() - began < 5
    assert seen <= {groups.NONE, groups.LOADING, groups.NOT_COORDINATOR, groups.UNKNOWN_MEMBER}, seen


def test_102_an_absent_group_is_dead_and_from_v6_on_not_found(ask, topic):
    for version in range(6):
        described = groups.describe(ask, topic, version)
        assert (described["errorCode"], described["groupState"], described["members"]) == (groups.NONE, "Dead", [])
    described = groups.describe(ask, topic, 6)
    assert (described["errorCode"], described["groupState"]) == (groups.NOT_FOUND, "Dead")
    assert described["errorMessage"] == f"Group {topic} not found."


def test_103_groups_are_listed_by_state_and_type_in_any_case(member, ask, topic):
    first = member(kind="connect")
    groups.group_of(first)
    simple = topic + "-simple"
    assert groups.commit(ask, simple, "t", 1) in (groups.NONE, 3)
    listed = lambda version=5, **filters: {each["groupId"]: each for each in ask.call("ListGroups", version, **filters)["groups"]}
    about = listed()[topic]
    assert (about["protocolType"], about["groupState"], about["groupType"]) == ("connect", "Stable", "classic")
    assert topic in listed(statesFilter=["STABLE"]) and topic in listed(statesFilter=["empty", "sTable"])
    assert topic not in listed(statesFilter=["empty"]) and topic not in listed(statesFilter=["nonsense"])
    assert topic in listed(typesFilter=["CLASSIC"]) and topic not in listed(typesFilter=["consumer"])
    assert topic in listed(4, statesFilter=["stable"]) and "groupType" not in listed(4)[topic]
    assert "groupState" not in listed(3)[topic]
    assert all(topic in listed(version) for version in range(6))


def test_104_groups_with_members_are_not_deleted(member, ask, topic):
    first = member()
    groups.group_of(first)
    delete = lambda *names: {each["groupId"]: each["errorCode"] for each in ask.call("DeleteGroups", 2, groupsNames=list(names))["results"]}
    other = topic + "-other"
    ask.create_topic(topic)
    assert groups.commit(ask, other, topic, 1) == groups.NONE
    assert delete(topic, other, topic + "-absent", "") == {
        topic: groups.NON_EMPTY, other: groups.NONE, topic + "-absent": groups.NOT_FOUND, "": groups.NOT_FOUND}
    assert groups.fetch(ask, other, topic)[0] == -1
    assert first.leave() == groups.NONE
    assert delete(topic) == {topic: groups.NONE}
    assert delete(topic) == {topic: groups.NOT_FOUND}
    assert groups.state(ask, topic) == "Dead"


def test_105_new_partitions_and_topics_are_seen_at_once(ask, topic):
    ask.create_topic(topic, 1)
    body = raw.array([raw.string(topic) + struct.pack(">ii", 3, -1)]) + struct.pack(">i?", 30000, False)
    answer = ask.request(37, 0, body)
    answer.take("i")
    assert answer.array(lambda: (answer.string(), answer.take("h"), answer.string()))[0][1] == 0
    began = time.monotonic()
    assert raw.eventually(lambda: len(ask.metadata([topic])[topic][1]) == 3, seconds=5)
    assert time.monotonic() - began < 2
    ask.create_topic(topic + "-match")
    assert topic + "-match" in {each["name"] for each in ask.call("Metadata", 9, topics=None)["topics"]}
