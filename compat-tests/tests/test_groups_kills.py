"""kill -9 of the server while groups commit and rebalance: no committed offset is lost or goes back, groups go on."""

import os
import random
import threading
import time

import pytest

from harness import groups, messages, raw
from harness.groups import Member

SUITE = "group-kills"
KILLS = {"short": 6, "long": 50}
GROUPS, PARTITIONS = 3, 3
RETRY = (groups.LOADING, groups.NOT_AVAILABLE, groups.NOT_COORDINATOR)
LOST = (OSError, raw.Closed, ConnectionError, TimeoutError)


class Committer(threading.Thread):
    """A simple consumer: commits ever larger offsets, and notes what was acknowledged and what it tried last."""

    def __init__(self, port, group, topic, stop):
        super().__init__(daemon=True)
        self.port, self.group, self.topic, self.stop = port, group, topic, stop
        self.acknowledged, self.tried, self.failure = 0, 0, None

    def run(self):
        while not self.stop.is_set():
            try:
                with messages.Connection(self.port, seconds=20) as connection:
                    self.commit(connection)
            except LOST:
                time.sleep(0.02)
            except AssertionError as failure:
                self.failure = failure
                return

    def commit(self, connection):
        while not self.stop.is_set():
            code, topics = groups.fetch_groups(connection, {self.group: {self.topic: [0]}})[self.group]
            if code not in RETRY:
                break
            time.sleep(0.02)
        else:
            return
        offset = max(topics[self.topic][0][0], 0)
        assert self.acknowledged <= offset <= self.tried, f"{self.group}: {offset} after {self.acknowledged} and {self.tried}"
        self.acknowledged = offset
        while not self.stop.is_set():
            self.tried = self.acknowledged + 1
            code = groups.commit(connection, self.group, self.topic, self.tried)
            assert code in (groups.NONE, *RETRY, 3), f"{self.group}: code {code}"
            if code == groups.NONE:
                self.acknowledged = self.tried


class Crew(threading.Thread):
    """A member of a group that rebalances again and again; it commits its generation's offsets while the group is stable.

    Offsets of a group rise whoever commits them: the next one is one more than what all members know of.
    """

    def __init__(self, port, group, topic, stop, shared, instance=None):
        super().__init__(daemon=True)
        self.port, self.group, self.topic, self.stop, self.shared = port, group, topic, stop, shared
        self.instance, self.member_id = instance, ""
        self.generations, self.commits, self.failure = set(), 0, None

    def run(self):
        dice = random.Random(f"{self.group}{self.instance}")
        while not self.stop.is_set():
            try:
                member = Member(self.port, self.group, self.instance, session=6_000, rebalance=3_000)
                member.id = self.member_id
                try:
                    self.live(member, dice)
                finally:
                    self.member_id = member.id
                    member.close()
            except LOST:
                time.sleep(0.02)
            except AssertionError as failure:
                self.failure = failure
                return

    def live(self, member, dice):
        """Returns when the member has to begin anew."""
        while not self.stop.is_set():
            answer = self.join_group(member)
            if answer is None:
                return
            self.generations.add(answer["generationId"])
            assigned = {each["memberId"]: b"%d" % at for at, each in enumerate(answer["members"])}
            code = self.sync_group(member, assigned)
            if code == groups.REBALANCE:
                continue
            if code != groups.NONE:
                return
            if not self.work(member, dice):
                return

    @staticmethod
    def join_group(member):
        call = member.connection.send_call("JoinGroup", 9, **member.join_fields())
        answer = call.answer()
        if answer["errorCode"] == groups.ID_REQUIRED:
            member.id = answer["memberId"]
            answer = member.connection.send_call("JoinGroup", 9, **member.join_fields()).answer()
        code = answer["errorCode"]
        assert code in (groups.NONE, groups.UNKNOWN_MEMBER, groups.FENCED, groups.REBALANCE, *RETRY), f"join: {code}"
        if code in (groups.UNKNOWN_MEMBER, groups.FENCED):
            member.id = ""
        if code:
            time.sleep(0.02)
            return None
        member.id, member.generation, member.leader = answer["memberId"], answer["generationId"], answer["leader"]
        return answer

    @staticmethod
    def sync_group(member, assigned):
        assignments = [{"memberId": name, "assignment": data} for name, data in assigned.items()]
        code = member.connection.call("SyncGroup", 5, groupId=member.group, generationId=member.generation, memberId=member.id,
                                      groupInstanceId=member.instance, protocolType=member.kind, protocolName="range",
                                      assignments=assignments)["errorCode"]
        assert code in (groups.NONE, groups.REBALANCE, groups.UNKNOWN_MEMBER, groups.ILLEGAL_GENERATION, groups.FENCED, *RETRY), code
        if code in (groups.UNKNOWN_MEMBER, groups.FENCED):
            member.id = ""
        return code

    def work(self, member, dice):
        """Commits and heartbeats for a while; then it leaves, or wants another rebalance. False: begin anew."""
        for _ in range(dice.randrange(5, 40)):
            if self.stop.is_set():
                return False
            code = self.commit(member)
            if code == groups.REBALANCE or member.heartbeat() == groups.REBALANCE:
                return True
            if code != groups.NONE:
                return False
            time.sleep(0.005)
        if self.instance is None and dice.random() < 0.3:
            member.leave()
            member.id = ""
            return False
        return True

    def commit(self, member):
        with self.shared["lock"]:
            offset = self.shared["tried"] = max(self.shared["tried"], self.shared["acknowledged"]) + 1
            code = member.commit(self.topic, offset)
            assert code in (groups.NONE, groups.REBALANCE, groups.UNKNOWN_MEMBER, groups.ILLEGAL_GENERATION, groups.FENCED, 3, *RETRY), code
            if code == groups.NONE:
                self.shared["acknowledged"] = offset
                self.commits += 1
        if code in (groups.UNKNOWN_MEMBER, groups.FENCED):
            member.id = ""
        return code


def committed(port, group, topic):
    """As soon as the coordinator has loaded."""
    with messages.Connection(port) as connection:
        found = raw.eventually(lambda: next((topics for code, topics in groups.fetch_groups(connection, {group: {topic: [0]}}).values()
                                             if code not in RETRY), None), seconds=60)
    assert found, f"{group}: the coordinator does not load"
    return max(found[topic][0][0], 0)


@pytest.mark.limit(900)
def test_no_committed_offset_is_lost_or_goes_back_over_kills(make_server, server_kind, size, topic):
    chance = random.Random(os.environ.get("DOHLE_SEED", "groups"))
    properties = {"offsets.topic.num.partitions": str(PARTITIONS), "group.initial.rebalance.delay.ms": "200",
                  "broker.session.timeout.ms": "1500", "broker.heartbeat.interval.ms": "500", "offsets.topic.segment.bytes": "1048576"}
    server = make_server(server_kind, properties).start()
    groups.wait_until_loaded(server.port, 20)
    with raw.connected(server.port) as connection:
        connection.create_topic(topic)
    stop = threading.Event()
    committers = [Committer(server.port, f"simple-{number}", topic, stop) for number in range(GROUPS)]
    shared = [{"lock": threading.Lock(), "tried": 0, "acknowledged": 0} for _ in range(GROUPS)]
    crew = [Crew(server.port, f"crew-{number}", topic, stop, shared[number], instance)
            for number in range(GROUPS) for instance in (None, None, f"static-{number}")]
    workers = [*committers, *crew]
    for each in workers:
        each.start()
    try:
        for turn in range(KILLS[size]):
            time.sleep(chance.uniform(0.3, 1.5))
            before = [each["acknowledged"] for each in shared], [each.acknowledged for each in committers]
            server.kill()
            server.start()
            for number in range(GROUPS):
                assert before[0][number] <= committed(server.port, f"crew-{number}", topic), f"kill {turn}: crew-{number} lost a commit"
                assert before[1][number] <= committed(server.port, f"simple-{number}", topic), f"kill {turn}: simple-{number} lost a commit"
            # All groups go on before the next one.
            again = [each["acknowledged"] for each in shared], [each.acknowledged for each in committers]
            went_on = lambda again=again: all(now["acknowledged"] > then for now, then in zip(shared, again[0])) and all(
                now.acknowledged > then for now, then in zip(committers, again[1]))
            assert raw.eventually(went_on, seconds=90), f"kill {turn}: a group does not go on"
            assert not [each.failure for each in workers if each.failure]
    finally:
        stop.set()
        for each in workers:
            each.join(40)
    assert not [each.failure for each in workers if each.failure]
    for number in range(GROUPS):
        assert shared[number]["acknowledged"] <= committed(server.port, f"crew-{number}", topic) <= shared[number]["tried"]
        assert len(set().union(*(each.generations for each in crew if each.group == f"crew-{number}"))) > KILLS[size]
    assert sum(each.commits for each in crew) > 20 * KILLS[size]
