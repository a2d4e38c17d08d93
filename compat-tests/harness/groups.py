"""Members of classic groups over raw connections, and what else is asked of a group coordinator."""

import struct

from . import messages, raw

NONE, METADATA_TOO_LARGE, LOADING, NOT_AVAILABLE, NOT_COORDINATOR = 0, 12, 14, 15, 16
ILLEGAL_GENERATION, INCONSISTENT_PROTOCOL, INVALID_GROUP_ID, UNKNOWN_MEMBER, INVALID_SESSION = 22, 23, 24, 25, 26
REBALANCE, NON_EMPTY, NOT_FOUND, ID_REQUIRED, FULL, FENCED, SUBSCRIBED, UNKNOWN_TOPIC_ID = 27, 68, 69, 79, 81, 82, 86, 100


class Member:
    """One member with a connection of its own. A request that may be parked has a form that only sends it."""

    def __init__(self, port, group, instance=None, version=9, kind="test", protocols=None, session=10_000, rebalance=10_000):
        self.port, self.group, self.instance, self.version, self.kind = port, group, instance, version, kind
        self.protocols = protocols or {"range": b"x"}
        self.session, self.rebalance = session, rebalance
        self.id, self.generation, self.leader, self.assignment = "", -1, None, b""
        self.connection = messages.Connection(port, seconds=30)

    def join_fields(self):
        protocols = [{"name": name, "metadata": data} for name, data in self.protocols.items()]
        return {"groupId": self.group, "sessionTimeoutMs": self.session, "rebalanceTimeoutMs": self.rebalance, "memberId": self.id,
                "groupInstanceId": self.instance, "protocolType": self.kind, "protocols": protocols}

    def send_join(self):
        """In two steps, if it has no id and its version wants them."""
        call = self.connection.send_call("JoinGroup", self.version, **self.join_fields())
        if not self.id and self.version >= 4 and self.instance is None:
            answer = call.answer()
            assert answer["errorCode"] == ID_REQUIRED, answer
            self.id = answer["memberId"]
            call = self.connection.send_call("JoinGroup", self.version, **self.join_fields())
        return call

    def joined(self, call):
        answer = call.answer()
        if answer["errorCode"] == NONE:
            self.id, self.generation, self.leader = answer["memberId"], answer["generationId"], answer["leader"]
        return answer

    def join(self):
        return self.joined(self.send_join())

    def send_sync(self, assignments=None, **other):
        """`assignments`: {member: bytes}"""
        fields = {"groupId": self.group, "generationId": self.generation, "memberId": self.id, "groupInstanceId": self.instance}
        sent = [{"memberId": member.id, "assignment": data} for member, data in (assignments or {}).items()]
        return self.connection.send_call("SyncGroup", 5, **{**fields, "assignments": sent, "protocolType": self.kind,
                                                            "protocolName": next(iter(self.protocols)), **other})

    def sync(self, assignments=None, **other):
        return self.send_sync(assignments, **other).answer()

    def heartbeat(self, **other):
        fields = {"groupId": self.group, "generationId": self.generation, "memberId": self.id, "groupInstanceId": self.instance}
        return self.connection.call("Heartbeat", 4, **{**fields, **other})["errorCode"]

    def leave(self):
        answer = leave(self.connection, self.group, [(self.id, self.instance)])
        return answer["errorCode"] or answer["members"][0]["errorCode"]

    def commit(self, topic, offset, **other):
        who = {"memberId": self.id, "generationIdOrMemberEpoch": self.generation, "groupInstanceId": self.instance}
        return commit(self.connection, self.group, topic, offset, **{**who, **other})

    def close(self):
        self.connection.close()


def send_joins(*members):
    """[(member, call)] of all; who is new comes first, and has made the group rebalance before the others join."""
    calls = [(members[0], members[0].send_join())]
    if len(members) > 1:
        with messages.Connection(members[0].port) as connection:
            assert raw.eventually(lambda: state(connection, members[0].group) == "PreparingRebalance")
    return calls + [(member, member.send_join()) for member in members[1:]]


def join_together(*members):
    answers = [member.joined(call) for member, call in send_joins(*members)]
    assert all(answer["errorCode"] == NONE for answer in answers), answers
    return answers


def rejoin(*members):
    """All join (see send_joins), and get their place in the list as assignment."""
    join_together(*members)
    share(*members)


def share(*members):
    leader = next(member for member in members if member.id == member.leader)
    sent = [(member, member.send_sync()) for member in members if member is not leader]
    answers = [(leader, leader.sync({member: b"%d" % at for at, member in enumerate(members)}))]
    answers += [(member, call.answer()) for member, call in sent]
    for member, answer in answers:
        assert answer["errorCode"] == NONE, answer
        member.assignment = answer["assignment"]


def group_of(*members):
    """One after the other, so that the first leads."""
    for count in range(1, len(members) + 1):
        rejoin(members[count - 1], *members[: count - 1])


def leave(connection, group, who, version=5):
    """`who`: (member id, instance id)s."""
    members = [{"memberId": member, "groupInstanceId": instance} for member, instance in who]
    return connection.call("LeaveGroup", version, groupId=group, members=members)


def describe(connection, group, version=5):
    return connection.call("DescribeGroups", version, groups=[group])["groups"][0]


def state(connection, group):
    return describe(connection, group)["groupState"]


def commit(connection, group, topic, offset, partition=0, version=9, epoch=-1, metadata="", **other):
    """The code of the one partition. `topic`: a name, or from v10 on an id."""
    committed = {"partitionIndex": partition, "committedOffset": offset, "committedLeaderEpoch": epoch, "committedMetadata": metadata}
    topics = [{("topicId" if version >= 10 else "name"): topic, "partitions": [committed]}]
    answer = connection.call("OffsetCommit", version, groupId=group, topics=topics, **{"generationIdOrMemberEpoch": -1, **other})
    return answer["topics"][0]["partitions"][0]["errorCode"]


def fetch_groups(connection, groups, version=9):
    """{group: (code, {topic: {partition: (offset, epoch, metadata, code)}})} for {group: {topic: [partition]} or None}"""
    key = "topicId" if version >= 10 else "name"
    asked = [{"groupId": group, "topics": None if topics is None else [{key: topic, "partitionIndexes": partitions}
                                                                       for topic, partitions in topics.items()]}
             for group, topics in groups.items()]
    answer = connection.call("OffsetFetch", version, groups=asked)
    found = lambda each: (each["committedOffset"], each["committedLeaderEpoch"], each["metadata"], each["errorCode"])
    return {group["groupId"]: (group["errorCode"], {topic[key]: {each["partitionIndex"]: found(each) for each in topic["partitions"]}
                                                    for topic in group["topics"]})
            for group in answer["groups"]}


def fetch(connection, group, topic, partition=0, version=9):
    """(offset, epoch, metadata, code) of one partition."""
    code, topics = fetch_groups(connection, {group: {topic: [partition]}}, version)[group]
    assert code == NONE, code
    return topics[topic][partition]


def wait_until_loaded(port, groups=200, seconds=60):
    """Makes __consumer_offsets and asks until all its partitions have their coordinator."""
    with messages.Connection(port) as connection:
        find = lambda: connection.call("FindCoordinator", 4, keyType=0, coordinatorKeys=["any"])["coordinators"][0]["errorCode"]
        assert raw.eventually(lambda: find() == NONE, seconds=seconds)
        names = {f"loaded-{number}": None for number in range(groups)}
        assert raw.eventually(lambda: all(code == NONE for code, _ in fetch_groups(connection, names).values()), seconds=seconds)


def subscription(*topics):
    """What a consumer sends as metadata: ConsumerProtocolSubscription v0."""
    return struct.pack(">h", 0) + raw.array([raw.string(topic) for topic in topics]) + raw.blob(None)


def assignment(topic, partitions):
    """What a consumer is assigned: ConsumerProtocolAssignment v0."""
    numbers = [struct.pack(">i", partition) for partition in partitions]
    return struct.pack(">h", 0) + raw.array([raw.string(topic) + raw.array(numbers)]) + raw.blob(None)
