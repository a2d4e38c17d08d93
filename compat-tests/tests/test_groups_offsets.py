"""Behaviours 117 to 128, committed offsets: a test for each, with the values that the reference gives."""

import time
import uuid

import pytest

from harness import groups, messages, raw
from harness.groups import Member

SUITE = "group-offsets"
NO_OFFSET = (-1, -1, "", groups.NONE)


@pytest.fixture
def ask(broker, topic):
    """A connection to the shared server, which has the test's topic with three partitions."""
    groups.wait_until_loaded(broker.port)
    with messages.Connection(broker.port) as connection:
        connection.create_topic(topic, partitions=3)
        yield connection


@pytest.fixture
def member(broker, topic):
    made = []

    def make(**options):
        made.append(Member(broker.port, topic, **options))
        return made[-1]

    yield make
    for each in made:
        each.close()


def topic_id(connection, topic):
    return connection.call("Metadata", 12, topics=[{"name": topic}])["topics"][0]["topicId"]


@pytest.mark.parametrize("version", range(2, 10))
def test_117_a_simple_consumer_makes_its_group(ask, topic, version):
    commit = lambda offset: groups.commit(ask, topic, topic, offset, version=version)
    assert groups.state(ask, topic) == "Dead"
    assert commit(7) == groups.NONE
    assert groups.state(ask, topic) == "Empty"
    listed = {each["groupId"]: each for each in ask.call("ListGroups", 5)["groups"]}
    assert (listed[topic]["protocolType"], listed[topic]["groupState"], listed[topic]["groupType"]) == ("", "Empty", "classic")
    assert commit(3) == groups.NONE, "it may go back"
    assert groups.fetch(ask, topic, topic)[0] == 3


def test_117_an_empty_group_that_had_members_takes_simple_commits(ask, member, topic):
    first = member()
    groups.group_of(first)
    assert first.leave() == groups.NONE
    assert groups.commit(ask, topic, topic, 5) == groups.NONE
    assert groups.commit(ask, topic, topic, 6, memberId="somebody") == groups.NONE
    assert groups.commit(ask, topic, topic, 7, generationIdOrMemberEpoch=1) == groups.UNKNOWN_MEMBER
    assert groups.fetch(ask, topic, topic)[0] == 6


def test_118_a_group_with_members_refuses_strangers(ask, member, topic):
    first = member()
    groups.group_of(first)
    assert groups.commit(ask, topic, topic, 5) == groups.UNKNOWN_MEMBER
    assert groups.commit(ask, topic, topic, 5, memberId="nobody", generationIdOrMemberEpoch=1) == groups.UNKNOWN_MEMBER
    assert first.commit(topic, 5, generationIdOrMemberEpoch=2) == groups.ILLEGAL_GENERATION
    assert first.commit(topic, 5, generationIdOrMemberEpoch=0) == groups.ILLEGAL_GENERATION
    assert groups.fetch(ask, topic, topic) == NO_OFFSET
    assert first.commit(topic, 5) == groups.NONE
    assert groups.fetch(ask, topic, topic)[0] == 5


def test_119_a_generation_of_an_absent_group_is_illegal(ask, topic):
    for version in range(2, 9):
        assert groups.commit(ask, topic, topic, 5, version=version, generationIdOrMemberEpoch=0) == groups.ILLEGAL_GENERATION
    # v9 has its own code: the group may be one of the consumer protocol.
    assert groups.commit(ask, topic, topic, 5, version=9, generationIdOrMemberEpoch=0) == groups.NOT_FOUND
    assert groups.state(ask, topic) == "Dead"


def test_120_commits_while_the_group_rebalances(ask, member, topic):
    first, second = member(), member()
    groups.group_of(first)
    call = second.send_join()
    assert raw.eventually(lambda: groups.state(ask, topic) == "PreparingRebalance")
    assert first.commit(topic, 5) == groups.NONE
    assert first.join()["errorCode"] == second.joined(call)["errorCode"] == groups.NONE
    assert groups.state(ask, topic) == "CompletingRebalance"
    assert first.commit(topic, 6) == groups.REBALANCE
    assert groups.fetch(ask, topic, topic)[0] == 5
    groups.share(first, second)
    assert second.commit(topic, 6) == groups.NONE


def test_121_all_of_a_group_and_many_groups(ask, topic):
    other, third, absent = topic + "-other", topic + "-3", topic + "-absent"
    ask.create_topic(other)
    for each, partition, offset in ((topic, 0, 10), (topic, 2, 12), (other, 0, 20)):
        assert groups.commit(ask, topic, each, offset, partition) == groups.NONE
    assert groups.commit(ask, third, other, 30) == groups.NONE
    everything = {topic: {0: (10, -1, "", 0), 2: (12, -1, "", 0)}, other: {0: (20, -1, "", 0)}}
    for version in range(2, 8):
        answer = ask.call("OffsetFetch", version, groupId=topic, topics=None)
        assert answer["errorCode"] == groups.NONE
        assert {each["name"]: {at["partitionIndex"]: at["committedOffset"] for at in each["partitions"]} for each in answer["topics"]} == {
            topic: {0: 10, 2: 12}, other: {0: 20}}
    for version in (8, 9):
        found = groups.fetch_groups(ask, {topic: None, third: {other: [0, 1]}, absent: None, "": None}, version)
        assert found[topic] == (groups.NONE, everything)
        assert found[third] == (groups.NONE, {other: {0: (30, -1, "", 0), 1: NO_OFFSET}})
        assert found[absent] == (groups.NONE, {})
        assert found[""] == (groups.NONE, {})


def test_122_no_commit_is_minus_one_and_empty(ask, topic):
    for version in range(1, 8):
        answer = ask.call("OffsetFetch", version, groupId=topic + "-absent", topics=[{"name": topic, "partitionIndexes": [0, 7]}])
        for at in answer["topics"][0]["partitions"]:
            assert (at["committedOffset"], at["metadata"], at["errorCode"]) == (-1, "", groups.NONE)
            assert at.get("committedLeaderEpoch", -1) == -1
    for version in (8, 9):
        assert groups.fetch(ask, topic + "-absent", topic, 0, version) == NO_OFFSET
        assert groups.fetch(ask, topic + "-absent", "no-such-topic", 0, version) == NO_OFFSET
    assert groups.commit(ask, topic, topic, 5) == groups.NONE
    assert groups.fetch(ask, topic, topic, 1) == NO_OFFSET


def test_123_epoch_and_metadata_come_back(make_server, server_kind, topic):
    server = make_server(server_kind, {"offsets.topic.num.partitions": "2"}).start()
    groups.wait_until_loaded(server.port)
    text = "ü€😀 " + "x" * 100
    with messages.Connection(server.port) as ask:
        ask.create_topic(topic, partitions=3)
        assert groups.commit(ask, topic, topic, 5, epoch=0, metadata=text) == groups.NONE
        assert groups.commit(ask, topic, topic, 6, partition=1, epoch=17, metadata=None) == groups.NONE
        # The limit counts Java's characters; what is too long is not stored, the rest of the request is.
        assert groups.commit(ask, topic, topic, 7, partition=2, metadata="m" * 4096) == groups.NONE
        assert groups.commit(ask, topic, topic, 8, partition=2, metadata="m" * 4097) == groups.METADATA_TOO_LARGE
        assert groups.commit(ask, topic, topic, 9, partition=2, metadata="ü" * 4096) == groups.NONE
        assert groups.commit(ask, topic, topic, 10, partition=2, metadata="😀" * 2049) == groups.METADATA_TOO_LARGE
    for _ in range(2):
        with messages.Connection(server.port) as ask:
            assert groups.fetch(ask, topic, topic) == (5, 0, text, groups.NONE)
            assert groups.fetch(ask, topic, topic, 1) == (6, 17, "", groups.NONE)
            assert groups.fetch(ask, topic, topic, 2) == (9, -1, "ü" * 4096, groups.NONE)
        server.restart()
        groups.wait_until_loaded(server.port)


def test_124_topics_by_id(ask, topic):
    known, unknown = topic_id(ask, topic), uuid.UUID(int=5)
    assert groups.commit(ask, topic, known, 5, version=10, epoch=3, metadata="m") == groups.NONE
    assert groups.commit(ask, topic, unknown, 5, version=10) == groups.UNKNOWN_TOPIC_ID
    assert groups.commit(ask, topic, uuid.UUID(int=0), 5, version=10) == groups.UNKNOWN_TOPIC_ID
    assert groups.fetch(ask, topic, topic) == (5, 3, "m", groups.NONE)
    found = groups.fetch_groups(ask, {topic: {known: [0, 1], unknown: [0]}}, 10)[topic]
    assert found == (groups.NONE, {known: {0: (5, 3, "m", 0), 1: NO_OFFSET}, unknown: {0: (-1, -1, "", groups.UNKNOWN_TOPIC_ID)}})
    assert groups.fetch_groups(ask, {topic: None}, 10)[topic] == (groups.NONE, {known: {0: (5, 3, "m", 0)}})
    # A topic that is made anew under its name is another one.
    ask.call("DeleteTopics", 4, topicNames=[topic], timeoutMs=30000)
    assert raw.eventually(lambda: ask.metadata([topic], create=False)[topic][0] != 0)
    ask.create_topic(topic, partitions=3)
    assert raw.eventually(lambda: groups.fetch(ask, topic, topic) == NO_OFFSET)
    code, topics = groups.fetch_groups(ask, {topic: {known: [0]}}, 10)[topic]
    assert (code, topics[known][0]) == (groups.NONE, (-1, -1, "", groups.UNKNOWN_TOPIC_ID))


def test_125_the_retention_of_old_requests_wins(make_server, server_kind, topic):
    server = make_server(server_kind, {"offsets.retention.check.interval.ms": "500", "offsets.topic.num.partitions": "2"}).start()
    groups.wait_until_loaded(server.port)
    with messages.Connection(server.port) as ask:
        ask.create_topic(topic, partitions=3)
        for version, retention, partition in ((2, 1500, 0), (4, 1_000_000, 1), (3, -1, 2)):
            code = groups.commit(ask, topic, topic, 5, partition, version, retentionTimeMs=retention)
            assert code == groups.NONE
        assert groups.fetch(ask, topic, topic)[0] == 5
        assert raw.eventually(lambda: groups.fetch(ask, topic, topic) == NO_OFFSET, seconds=20)
        assert groups.fetch(ask, topic, topic, 1)[0] == groups.fetch(ask, topic, topic, 2)[0] == 5
        # A group whose last offset has expired is gone.
        assert groups.commit(ask, topic + "-other", topic, 5, version=2, retentionTimeMs=500) == groups.NONE
        assert groups.state(ask, topic + "-other") == "Empty"
        assert raw.eventually(lambda: groups.state(ask, topic + "-other") == "Dead", seconds=20)


@pytest.mark.long
@pytest.mark.limit(400)
def test_125_a_minute_of_retention_counts_from_where_it_should(make_server, server_kind, topic):
    server = make_server(server_kind, {"offsets.retention.check.interval.ms": "500", "offsets.retention.minutes": "1"}).start()
    groups.wait_until_loaded(server.port)
    simple = topic + "-simple"
    with messages.Connection(server.port) as ask:
        ask.create_topic(topic, partitions=2)
        first = Member(server.port, topic, kind="consumer", protocols={"range": groups.subscription(topic)})
        groups.group_of(first)
        assert first.commit(topic, 5) == groups.commit(ask, simple, topic, 5) == groups.NONE
        began = time.monotonic()
        gone = lambda group: groups.fetch(ask, group, topic) == NO_OFFSET

        def wait(condition, seconds=90):
            while not condition() and time.monotonic() - began < seconds:
                first.heartbeat()
                time.sleep(0.5)
            return time.monotonic() - began

        assert 58 < wait(lambda: gone(simple)) < 75, "counted from the commit"
        assert wait(lambda: gone(topic), 80) >= 80, "while it has a member that is subscribed"
        # A member that is subscribed to another topic does not hold it.
        first.protocols = {"range": groups.subscription("another")}
        groups.rejoin(first)
        assert wait(lambda: gone(topic), 100) < 90
        assert first.commit(topic, 6) == groups.NONE
        first.leave()
        began = time.monotonic()
        assert 58 < wait(lambda: gone(topic)) < 75, "counted from when the group became empty"
        assert groups.state(ask, topic) == "Dead"


def test_126_a_deleted_topic_takes_its_offsets_along(ask, topic):
    other = topic + "-other"
    ask.create_topic(other)
    assert groups.commit(ask, topic, topic, 5) == groups.commit(ask, topic, other, 6) == groups.NONE
    ask.call("DeleteTopics", 4, topicNames=[topic], timeoutMs=30000)
    assert raw.eventually(lambda: groups.fetch_groups(ask, {topic: None})[topic] == (groups.NONE, {other: {0: (6, -1, "", 0)}}))
    assert groups.fetch(ask, topic, topic) == NO_OFFSET


def test_127_offsets_of_topics_that_are_subscribed_are_not_deleted(ask, member, topic):
    other = topic + "-other"
    ask.create_topic(other)
    first = member(kind="consumer", protocols={"range": groups.subscription(topic)})
    groups.group_of(first)
    for each in (topic, other):
        assert first.commit(each, 5) == groups.NONE

    def delete(group, *names):
        topics = [{"name": name, "partitions": [{"partitionIndex": 0}, {"partitionIndex": 1}]} for name in names]
        answer = ask.call("OffsetDelete", 0, groupId=group, topics=topics)
        found = lambda each: {at["partitionIndex"]: at["errorCode"] for at in each["partitions"]}
        return answer["errorCode"], {each["name"]: found(each) for each in answer["topics"]}

    assert delete(topic, topic, other) == (groups.NONE, {topic: {0: 86, 1: 86}, other: {0: 0, 1: 3}})
    assert groups.fetch(ask, topic, topic)[0] == 5 and groups.fetch(ask, topic, other) == NO_OFFSET
    assert delete(topic + "-absent", topic) == (groups.NOT_FOUND, {})
    assert delete("", topic) == (groups.INVALID_GROUP_ID, {})
    assert first.leave() == groups.NONE
    assert delete(topic, topic) == (groups.NONE, {topic: {0: 0, 1: 0}})
    assert groups.fetch(ask, topic, topic) == NO_OFFSET
    # Members of another kind say nothing of topics: then nothing is deleted while there are any.
    connect = Member(ask.socket.getpeername()[1], topic + "-connect", kind="connect")
    groups.group_of(connect)
    assert delete(topic + "-connect", topic) == (groups.NON_EMPTY, {})
    connect.close()


def test_128_groups_stay_where_they_are_when_the_setting_changes(make_server, server_kind, topic):
    server = make_server(server_kind, {"offsets.topic.num.partitions": "3"}).start()
    groups.wait_until_loaded(server.port)
    with messages.Connection(server.port) as ask:
        ask.create_topic(topic)
        assert [groups.commit(ask, f"{topic}-{number}", topic, number) for number in range(20)] == [groups.NONE] * 20
    server.stop()
    server.properties["offsets.topic.num.partitions"] = "7"
    server.start()
    groups.wait_until_loaded(server.port)
    with messages.Connection(server.port) as ask:
        assert len(ask.metadata(["__consumer_offsets"], create=False)["__consumer_offsets"][1]) == 3
        assert [groups.fetch(ask, f"{topic}-{number}", topic)[0] for number in range(20)] == list(range(20))
