"""Random stories of groups whose members speak both protocols, in the language of migration_story.py.

A story is made while it is played, out of the answers, and every line says all that it needs: so the same lines can be played
on another server, and the answers compared. Members bring their own ids and subscribe to one topic each, so that nothing
depends on ids that a server chooses. What happens: joins, leaves, both kinds of heartbeats, lost answers, wrong epochs, changed
subscriptions (by name and by regular expression), commits with the epoch of now and of then, silence until sessions end, topics
that come and go, and what makes a group change its protocol.
"""

import random
import re

ASSIGNED = re.compile(r"assignment=(?:v\d )?(\S+)$")
EPOCH = re.compile(r"(?:epoch|generation)=(-?\d+)")


class Member:
    def __init__(self, name, kind, topic, instance=None):
        self.name, self.kind, self.topic, self.instance = name, kind, topic, instance
        self.epoch, self.owned, self.epochs = 0, "", [0]

    def options(self):
        return f" instance={self.instance}" if self.instance else ""


class RandomStory:
    def __init__(self, seed, story, silences=True):
        self.random = random.Random(seed)
        self.seed, self.story, self.silences = seed, story, silences
        self.members = {}
        self.made = 0
        self.topics = ["t", "u"]
        self.own_topics = 0
        self.lines = []
        # Regular expressions are not resolved twice in 10 s (Kafka's REGEX_BATCH_REFRESH_MIN_INTERVAL_MS), and new topics
        # ask for it: so a story that has one is short, has no second one, and makes no topics.
        self.regexes = 1 if seed % 3 == 0 else 0
        self.with_world = seed % 3 != 0

    def play(self, line):
        answers = self.story.play(line)
        self.lines += [line, *(f"< {answer}" for answer in answers)]
        return answers

    def make(self, steps=40):
        self.play("config consumer.session.timeout.ms=3000 consumer.heartbeat.interval.ms=500")
        self.play("wait 500")
        for _ in range(steps):
            self.act()
        answers = [answer for verb in ("list", "consumerdescribe", "describe") for answer in self.play(verb)]
        # Nobody is left whose session could end while other stories are still played.
        for name in sorted(set(re.findall(rf"\b(s{self.seed}-[ck]\d+)/", " ".join(answers)))):
            self.play(f"leave {name} id=@{name}")
        return self.lines

    # -- what the answers say ----------------------------------------------------------------------------------------

    def learn(self, member, answers, lost=False):
        for answer in answers:
            verb, name, error = answer.split()[:3]
            if name != member.name or verb not in ("beat", "join", "sync"):
                continue
            if error in ("UNKNOWN_MEMBER_ID", "FENCED_MEMBER_EPOCH", "FENCED_INSTANCE_ID", "GROUP_ID_NOT_FOUND",
                         "INCONSISTENT_GROUP_PROTOCOL", "GROUP_MAX_SIZE_REACHED", "UNRELEASED_INSTANCE_ID"):
                self.members.pop(member.name, None)
            if error != "NONE" or lost:
                continue
            if found := EPOCH.search(answer):
                member.epoch = int(found[1])
                member.epochs.append(member.epoch)
            found = ASSIGNED.search(answer)
            if found and found[1] != "null":
                member.owned = "" if found[1] in ("-", "none") else found[1]

    def group_type(self):
        return self.play("list")[0].split()[-1]

    # -- steps -------------------------------------------------------------------------------------------------------

    def beat(self, member, lost=False, **options):
        options = {"epoch": member.epoch, **options}
        words = "".join(f" {key}={value}" for key, value in options.items())
        self.learn(member, self.play(f"beat {member.name}{words}{member.options()}"), lost)

    def join_classic(self, member):
        self.learn(member, self.play(f"join {member.name} id=@{member.name} topics={member.topic} owned={member.owned}"))

    def new_consumer(self):
        self.made += 1
        instance = f"i{self.random.randrange(2)}" if self.random.random() < 0.25 else None
        member = Member(f"s{self.seed}-c{self.made}", "consumer", self.random.choice(self.topics), instance)
        self.members[member.name] = member
        options = {"epoch": 0, "topics": member.topic, "owned": ""}
        if self.random.random() < 0.3:
            options["assignor"] = self.random.choice(["range", "uniform"])
        self.beat(member, **options)

    def new_classic(self):
        self.made += 1
        member = Member(f"s{self.seed}-k{self.made}", "classic", self.random.choice(self.topics))
        self.members[member.name] = member
        self.join_classic(member)

    def rebalance_classic(self):
        """All members of a classic group join again, and the last one's answer brings the leader."""
        classic = [member for member in self.members.values() if member.kind == "classic"]
        for name in [name for name, member in self.members.items() if member.kind != "classic"]:
            del self.members[name]
        answers = []
        for member in classic:
            answers += self.play(f"join {member.name} id=@{member.name} topics={member.topic} owned={member.owned}")
        for member in classic:
            self.learn(member, answers)
        leaders = {found[1] for answer in answers if (found := re.search(r"leader=(\S+)", answer))}
        for member in classic:
            if member.name in leaders:
                assign = "|".join(f"{other.name}={other.topic}:{index}" for index, other in enumerate(classic[:3]))
                self.learn(member, self.play(f"sync {member.name} epoch={member.epoch} assign={assign}"))
        for member in classic:
            if member.name not in leaders and member.name in self.members:
                self.learn(member, self.play(f"sync {member.name} epoch={member.epoch}"))

    def act(self):
        choice = self.random.random()
        classic = [member for member in self.members.values() if member.kind == "classic"]
        if not self.members or choice < 0.12:
            return self.new_consumer()
        if choice < 0.22:
            kind = self.group_type()
            if kind == "consumer":
                return self.new_classic()
            if kind == "classic" and classic:
                return self.rebalance_classic()
            return self.new_consumer()
        if choice < 0.27 and self.with_world:
            return self.change_world()
        member = self.random.choice(list(self.members.values()))
        return self.act_consumer(member) if member.kind == "consumer" else self.act_classic(member)

    def change_world(self):
        choice = self.random.random()
        if choice < 0.4 and self.own_topics < 2:
            self.own_topics += 1
            name = f"x{self.seed}-{self.own_topics}"
            self.play(f"topic {name} {self.random.randrange(1, 5)}")
            self.topics.append(name)
            self.play("wait 300")
        elif choice < 0.6 and len(self.topics) > 2:
            self.play(f"deletetopic {self.topics.pop()}")
            self.play("wait 700")
        elif self.silences and choice > 0.85:
            self.silences = False
            self.play("wait 5500")
            self.members = {name: member for name, member in self.members.items() if member.kind == "classic"}
            self.play("list")

    def act_consumer(self, member):
        choice = self.random.random()
        if choice < 0.5:
            self.beat(member, owned=member.owned)
        elif choice < 0.56:
            self.beat(member)
        elif choice < 0.64:
            self.beat(member, lost=True, owned=member.owned)
        elif choice < 0.72:
            member.topic = self.random.choice(self.topics)
            self.beat(member, topics=member.topic, regex="", timeout=60000, owned=member.owned)
        elif choice < 0.76 and self.regexes:
            self.regexes = 0
            self.beat(member, topics="", regex=self.random.choice(["t", "u.?", "none.*", "(x"]), owned=member.owned)
            self.play("wait 200")
        elif choice < 0.82:
            self.beat(member, lost=True, epoch=max(1, member.epoch + self.random.choice([1, -1, -4, 9])), owned="")
        elif choice < 0.9:
            self.commit(member)
        elif choice < 0.93:
            self.beat(member, epoch=0, topics=member.topic, owned="")
        else:
            self.beat(member, epoch=-2 if member.instance and self.random.random() < 0.6 else -1)
            self.members.pop(member.name, None)

    def act_classic(self, member):
        choice = self.random.random()
        if choice < 0.35:
            answers = self.play(f"heartbeat {member.name} id=@{member.name} epoch={member.epoch}")
            if "UNKNOWN_MEMBER_ID" in answers[0]:
                self.members.pop(member.name)
            elif "REBALANCE_IN_PROGRESS" in answers[0] and self.group_type() == "consumer":
                self.join_classic(member)
        elif choice < 0.65:
            self.learn(member, self.play(f"sync {member.name} id=@{member.name} epoch={member.epoch}"))
        elif choice < 0.8:
            self.commit(member)
        elif choice < 0.9:
            if self.group_type() == "consumer":
                member.topic = self.random.choice(self.topics)
                self.join_classic(member)
        else:
            self.play(f"leave {member.name} id=@{member.name}")
            self.members.pop(member.name, None)

    def commit(self, member):
        epoch = self.random.choice([member.epoch, *member.epochs[-3:], member.epoch + 1])
        parts = member.owned if member.owned and self.random.random() < 0.7 else f"{self.random.choice(self.topics)}:0"
        verb = self.random.choice(["commit", "commit", "fetch"])
        self.play(f"{verb} {member.name} id=@{member.name} epoch={epoch} parts={parts}")
