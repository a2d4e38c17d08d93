"""Random scripts of members' actions with fixed seeds, played on both servers at once: every answer is the same.

Who leads after the leader has gone hangs on the hash order of random ids in Kafka. There any member may lead, and a member
that leads on one server only does not act alone where that would matter; the leader's part in syncall goes by its role.
Nothing happens near a timeout: an initial rebalance is waited for, and so is the end of Q's session, the only short one.
"""

import concurrent.futures
import itertools
import random

import pytest

from harness import group_story, raw, toolchain

SUITE = "classic-scripts"
SCRIPTS = {"short": 40, "long": 200}
STEPS = 25
PROPERTIES = {
    "group.initial.rebalance.delay.ms": "1500",
    "group.min.session.timeout.ms": "100",
    "group.max.size": "4",
    "offsets.topic.num.partitions": "10",
    "offsets.topic.replication.factor": "1",
}
LONG = "session=300000 rebalance=300000"
GROUP_IS_THERE = ("PreparingRebalance", "CompletingRebalance", "Stable")
SILENT, SHORT, SILENCE = "Q", "session=3000 rebalance=300000", "wait 4500"


def script(seed):
    """Steps of up to seven members: two of them are static, one falls silent whenever it has been answered."""
    dice = random.Random(seed)
    for _ in range(STEPS):
        name = dice.choice("ABCDSTQ")
        own = f" instance=i{name}" if name in "ST" else ""
        kind = dice.randrange(14)
        if kind < 5:
            protocols = dice.choice(["range:r,sticky:s", "range:r,sticky:s", "sticky:s,range:r", "range:r", "other:o"])
            version = dice.choice([3, 8, 9]) if not own else dice.choice([8, 9])
            again = f"join {name}{own} v={version} {SHORT if name == SILENT else LONG} protocols={protocols}"
            yield again + dice.choice([""] * 7 + [" lost=1"])
            yield again if dice.random() < 0.9 else f"heartbeat {name}{own}"
        elif kind < 7:
            yield "wait 300"
            yield "syncall"
        elif kind == 7:
            yield f"sync {name}{own} protocol={dice.choice(['range', 'sticky'])}"
        elif kind == 8:
            yield f"heartbeat {name}{own}" + dice.choice(["", "", " generation=1", " id=bogus"])
        elif kind == 9:
            yield f"leave {name}{own}" + dice.choice(["", "", " id=none", " id=bogus"])
        elif kind == 10:
            yield f"commit {name}{own} v={dice.choice([8, 9])}" + dice.choice(["", "", " generation=-1 id=none", " generation=3"])
        elif kind == 11:
            yield f"join {name}{own} id={dice.choice(['none', 'bogus', 'A', 'S'])} {LONG} protocols=range:r"
        else:
            yield "describe"
    yield "wait 300"
    yield "syncall"
    yield "describe"


def comparable(answers):
    return [" ".join(word for word in answer.split() if not (answer.startswith("join ") and word.startswith(("leader=", "members="))))
            for answer in answers]


class Play:
    """One script on two servers, in step."""

    def __init__(self, group, ports):
        self.stories = [group_story.Story(port, group, "t") for port in ports]
        self.pool = concurrent.futures.ThreadPoolExecutor(len(ports))
        self.played = []
        self.answers = []  # to the last step
        self.is_there = False  # the group, with members or on its way to them
        self.generation, self.leaders = 0, [None, None]

    def close(self):
        for story in self.stories:
            story.close()
        self.pool.shutdown()

    def both(self, step):
        return list(self.pool.map(lambda story: story.play(step), self.stories))

    def steps(self, script):
        """The script's, with the waits that keep them away from timeouts."""
        fresh = False  # the group is in its initial rebalance
        for step, following in itertools.pairwise([*script, ""]):
            words = step.split()
            if words[0] in ("join", "sync") and len({story.leader() == words[1] for story in self.stories}) > 1:
                continue
            fresh |= words[0] == "join" and not self.is_there
            yield step
            said = self.answers
            if words[0] in ("join", "leave"):
                yield "describe"  # nothing overtakes it
                self.is_there = any(f"state={state} " in answer for answer in self.answers for state in GROUP_IS_THERE)
            if words[0] == "join" and following.split()[:2] == words[:2]:
                continue
            if fresh:
                yield "settle"
                fresh = False
            if any(f" {SILENT}" in answer for answer in said + self.answers):
                yield SILENCE

    def answered(self, step):
        """A slow answer gets some more time, and a description is asked for again: it may be of the moment before."""
        answers = [comparable(each) for each in self.both(step)]
        for _ in range(20):
            if answers[0] == answers[1]:
                break
            again = [comparable(each) for each in self.both("describe" if step == "describe" else "wait 150")]
            answers = [sorted([answer for answer in each if step != "describe" or not answer.startswith("describe")] + more)
                       for each, more in zip(answers, again)]
        return answers

    def run(self, script):
        """None, or how the servers differ."""
        for step in self.steps(script):
            answers = self.answered(step)
            self.played.append(step)
            self.answers = answers[0]
            if answers[0] != answers[1]:
                return self.report(*answers)
            if not self.lead_as_they_should():
                return self.report(*[story.leader() for story in self.stories])
        return None

    def lead_as_they_should(self):
        """A leader that is still there goes on leading, and the first of a group that nobody left."""
        generations = {max(story.joined, default=0) for story in self.stories}
        generation = max(generations)
        if generation == self.generation or len(generations) > 1:
            return len(generations) == 1
        before, self.generation = self.leaders, generation
        self.leaders = [story.leader().rstrip("'") for story in self.stories]
        there = [{member.name for member in story.joined[generation].values()} for story in self.stories]
        stays = before[0] == before[1] and all(before[0] in names for names in there)
        return self.leaders[0] == self.leaders[1] or not stays

    def report(self, reference, dohle):
        return "\n  ".join(["steps", *self.played]) + f"\nthe reference: {reference}\nDohle:         {dohle}"


def play(seed, ports):
    both = Play(f"script-{seed}", ports)
    try:
        different = both.run(script(seed))
        return different and f"script {seed}, {different}"
    finally:
        both.close()


@pytest.mark.limit(900)
@pytest.mark.only("dohle", "each script is played on both servers")
def test_random_scripts_are_answered_as_by_the_reference(make_server, server_kind, size, need):
    need(toolchain.reference_libs)
    pair = [make_server(kind, PROPERTIES).start() for kind in ("reference", server_kind)]
    for server in pair:
        with raw.connected(server.port) as connection:
            connection.create_topic("t")
            raw.eventually(lambda connection=connection: connection.request(10, 0, raw.string("g")).take("h") == 0, seconds=60)
            raw.eventually(lambda connection=connection: all(loaded(connection, group) for group in range(20)), seconds=60)
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        differences = [each for each in pool.map(lambda seed: play(seed, [server.port for server in pair]), range(SCRIPTS[size])) if each]
    assert not differences, f"{len(differences)} scripts differ\n" + "\n\n".join(differences[:3])


def loaded(connection, group):
    """OffsetFetch v5 of a group that is not there: no error once its partition is loaded."""
    answer = connection.request(9, 5, raw.string(f"group-{group}") + raw.array([]))
    answer.take("i")
    answer.array(lambda: None)
    return answer.take("h") == 0
