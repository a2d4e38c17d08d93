"""Random scripts of the consumer group protocol: what members do, and what a server answers.

A script is text, one step and its answer a line, without topic ids:

    topic t 6
    GROUP MEMBER EPOCH INSTANCE TIMEOUT TOPICS ASSIGNOR OWNED = ERROR EPOCH ASSIGNMENT

"-" stands for null and "" for an empty list; OWNED and ASSIGNMENT are like t:0,1;u:3, in order. Members subscribe to one
topic each, so that nothing depends on the ids of topics. `python3 consumer_scripts.py FIRST LAST` (from compat-tests/,
with PYTHONPATH=.) records those seeds on the reference.
"""

import random
import struct
import sys
import tempfile
import time

from harness import raw, server

TOPICS = {"t": 6, "u": 5}


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def text(value):
    return b"\0" if value is None else varint(len(value.encode()) + 1) + value.encode()


def array(items):
    return b"\0" if items is None else varint(len(items) + 1) + b"".join(items)


class Reader(raw.Reader):
    def compact(self):
        size = self.uvarint()
        return None if size == 0 else self.bytes_(size - 1).decode()


def heartbeat(connection, ids, step):
    """One ConsumerGroupHeartbeat v1; returns (error, epoch, assignment as text)."""
    group, member, epoch, instance, timeout, topics, assignor, owned = step
    partitions = None
    if owned is not None:
        partitions = [ids[topic] + array([struct.pack(">i", p) for p in numbers]) + b"\0" for topic, numbers in owned]
    body = (text(group) + text(member) + struct.pack(">i", epoch) + text(instance) + text(None) + struct.pack(">i", timeout)
            + array(None if topics is None else [text(topic) for topic in topics]) + text(None) + text(assignor)
            + array(partitions) + b"\0")
    connection.send(raw.frame(struct.pack(">hhi", 68, 1, 7) + raw.string("raw") + b"\0" + body))
    reader = Reader(connection.receive())
    assert reader.take("i") == 7
    reader.uvarint()  # the header's tags
    reader.take("i")
    error = reader.take("h")
    reader.compact()
    reader.compact()
    new_epoch = reader.take("i")
    reader.take("i")
    assignment = None
    if reader.take("b") >= 0:
        names = {value: name for name, value in ids.items()}
        assignment = []
        for _ in range(reader.uvarint() - 1):
            topic = names[reader.bytes_(16)]
            assignment.append((topic, sorted(reader.take("i") for _ in range(reader.uvarint() - 1))))
            reader.uvarint()
        assignment.sort()
    return error, new_epoch, assignment


def words(parts):
    if parts is None:
        return "-"
    return ";".join(f"{topic}:{','.join(map(str, numbers))}" for topic, numbers in parts) or '""'


def line_of(step, answer):
    group, member, epoch, instance, timeout, topics, assignor, owned = step
    names = "-" if topics is None else ",".join(topics) or '""'
    error, new_epoch, assignment = answer
    return (f"{group} {member} {epoch} {instance or '-'} {timeout} {names} {assignor or '-'} {words(owned)}"
            f" = {error} {new_epoch} {words(assignment)}")


class Member:
    def __init__(self, name, instance):
        self.name, self.instance = name, instance
        self.epoch = 0
        self.owned = []
        self.topic = "t"


class Script:
    """Chooses the steps of one group as it goes, from what the server answered."""

    def __init__(self, seed, send):
        self.random = random.Random(seed)
        self.group = f"g{seed}"
        self.send = send
        self.members = {}
        self.lines = []
        self.made = 0

    def step(self, member, epoch, instance=None, timeout=-1, topics=None, assignor=None, owned=None):
        step = (self.group, member, epoch, instance, timeout, topics, assignor, owned)
        answer = self.send(step)
        self.lines.append(line_of(step, answer))
        return answer

    def settle(self, member, answer):
        error, epoch, assignment = answer
        if error == 0:
            member.epoch = epoch
            if assignment is not None:
                member.owned = assignment
        elif error in (25, 110, 82):
            self.members.pop(member.name, None)

    def join(self, member):
        member.epoch, member.owned = 0, []
        self.members[member.name] = member
        assignor = self.random.choice([None, None, "range", "uniform"])
        self.settle(member, self.step(member.name, 0, member.instance, 60000, [member.topic], assignor, []))

    def act(self):
        choice = self.random.random()
        member = self.random.choice(list(self.members.values())) if self.members else None
        if member is None or choice < 0.15:
            self.made += 1
            instance = f"i{self.random.randrange(3)}" if self.random.random() < 0.3 else None
            fresh = Member(f"{self.group}-m{self.made}", instance)
            fresh.topic = self.random.choice("tttu")
            self.join(fresh)
        elif choice < 0.65:
            self.settle(member, self.step(member.name, member.epoch, member.instance, owned=member.owned))
        elif choice < 0.75:
            self.settle(member, self.step(member.name, member.epoch, member.instance))
        elif choice < 0.8:
            # The answer is lost.
            self.step(member.name, member.epoch, member.instance, owned=member.owned)
        elif choice < 0.85:
            member.topic = self.random.choice("tu")
            self.settle(member, self.step(member.name, member.epoch, member.instance, 60000, [member.topic], None, member.owned))
        elif choice < 0.9:
            wrong = member.epoch + self.random.choice([1, -1, -5])
            if wrong > 0:
                self.step(member.name, wrong, member.instance, owned=[])
        elif choice < 0.94:
            self.join(member)
        else:
            epoch = -2 if member.instance and self.random.random() < 0.5 else -1
            self.step(member.name, epoch, member.instance)
            del self.members[member.name]


def record(first, last, steps=40):
    lines = [f"topic {name} {count}" for name, count in TOPICS.items()]
    with tempfile.TemporaryDirectory() as folder:
        broker = server.Server("reference", folder, {"group.consumer.assignment.interval.ms": "0"}).start()
        try:
            with raw.Connection(broker.port) as connection:
                for name, count in TOPICS.items():
                    connection.create_topic(name, count)
                connection.request(10, 0, raw.string("g"))  # makes the topic of groups
                time.sleep(1)
                ids = topic_ids(connection)
                for seed in range(first, last):
                    def send(step):
                        for _ in range(100):
                            answer = heartbeat(connection, ids, step)
                            if answer[0] not in (14, 15, 16):
                                return answer
                            time.sleep(0.1)
                        raise AssertionError(f"error {answer[0]} does not go away")
                    script = Script(seed, send)
                    for _ in range(steps):
                        script.act()
                    lines += script.lines
        finally:
            broker.stop()
    return lines


def topic_ids(connection):
    """By Metadata v12."""
    body = array([bytes(16) + text(name) + b"\0" for name in TOPICS]) + b"\0\0\0"
    connection.send(raw.frame(struct.pack(">hhi", 3, 12, 8) + raw.string("raw") + b"\0" + body))
    reader = Reader(connection.receive())
    reader.take("i")
    reader.uvarint()
    reader.take("i")
    for _ in range(reader.uvarint() - 1):
        reader.take("i")
        reader.compact()
        reader.take("i")
        reader.compact()
        reader.uvarint()
    reader.compact()
    reader.take("i")
    ids = {}
    for _ in range(reader.uvarint() - 1):
        assert reader.take("h") == 0
        name = reader.compact()
        ids[name] = reader.bytes_(16)
        reader.take("b")
        for _ in range(reader.uvarint() - 1):
            reader.take("hiii")
            for _ in range(3):
                for _ in range(reader.uvarint() - 1):
                    reader.take("i")
            reader.uvarint()
        reader.take("i")
        reader.uvarint()
    return ids


if __name__ == "__main__":
    print("\n".join(record(int(sys.argv[1]), int(sys.argv[2]))))
