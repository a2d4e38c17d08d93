#!/usr/bin/env python3
"""Measures the figures of docs/consumer-groups.md for KIP-848: 1,000 members in one consumer group.

    ninja -C build dohle && compat-tests/bench/consumer_groups.py [--rounds 3] [--members 1000] [--partitions 1000]

Each round runs Dohle and then the reference, on fresh directories, with the same load: all members on ten raw connections,
every member's heartbeat sent again when all have been answered, and not more often than every 200 ms. A group is stable when a whole turn of heartbeats
brings no new epoch and no new assignment, every partition has exactly one owner, and the server calls it so. Joins, leaves (a tenth of the members
at once) and a rolling restart (a tenth after the other leaves and joins again under new ids). Printed are medians with
minimum and maximum; CPU is the server process's user and system time from /proc/PID/stat; the reference runs with the options
that kafka-server-start.sh gives it.
"""

import argparse
import pathlib
import shutil
import struct
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from bench.groups import coordinator_is_there, shown  # noqa: E402
from bench.measured import Server, cpu_seconds, memory_mib  # noqa: E402
from groups_kip848 import consumer_scripts as wire  # noqa: E402
from harness import raw  # noqa: E402

CONNECTIONS = 10
LIMIT_SECONDS = 300
TURN_SECONDS = 0.2
TAGGED_HEADER = struct.pack(">hhi", 68, 1, 7) + raw.string("load") + b"\0"


class Member:
    def __init__(self, name):
        self.name, self.epoch, self.owned, self.tell = name, 0, [], True

    def request(self, topic, epoch=None):
        epoch = self.epoch if epoch is None else epoch
        partitions = b"\0"
        if epoch >= 0 and self.tell:
            owned = [topic + wire.array([struct.pack(">i", p) for p in self.owned]) + b"\0"] if self.owned else []
            partitions = wire.array(owned)
        names = wire.array([wire.text("load")]) if epoch == 0 else b"\0"
        body = (wire.text("load") + wire.text(self.name) + struct.pack(">i", epoch) + wire.text(None) * 2
                + struct.pack(">i", 300_000 if epoch == 0 else -1) + names + wire.text(None) * 2 + partitions + b"\0")
        return raw.frame(TAGGED_HEADER + body)

    def answered(self, data):
        """Whether anything is new."""
        reader = wire.Reader(data)
        reader.take("ib"), reader.take("i")
        error = reader.take("h")
        message = reader.compact()
        assert error == 0, f"{self.name}: error {error}: {message}"
        reader.compact()
        epoch = reader.take("i")
        reader.take("i")
        changed, self.epoch = epoch != self.epoch, epoch
        self.tell = False
        if reader.take("b") >= 0:
            owned = []
            for _ in range(reader.varint() - 1):
                reader.bytes_(16)
                owned += [reader.take("i") for _ in range(reader.varint() - 1)]
                reader.varint()
            changed, self.owned, self.tell = changed or owned != self.owned, owned, True
        return changed


class Load:
    def __init__(self, port, partitions):
        self.connections = [raw.Connection(port, seconds=60) for _ in range(CONNECTIONS)]
        self.partitions = partitions
        self.connections[0].create_topic("load", partitions)
        wire.TOPICS = {"load": partitions}
        self.topic = wire.topic_ids(self.connections[0])["load"]
        self.members, self.made, self.heartbeats = [], 0, 0

    def turn(self, members, epoch=None):
        """A heartbeat of each; whether anything changed."""
        self.heartbeats += len(members)
        changed = False
        parts = [(connection, members[at::CONNECTIONS]) for at, connection in enumerate(self.connections)]
        for connection, some in parts:
            connection.send(b"".join(member.request(self.topic, epoch) for member in some))
        for connection, some in parts:
            for member in some:
                changed = member.answered(connection.receive()) or changed
        return changed

    def join(self, count):
        fresh = [Member(f"member-{self.made + number}") for number in range(count)]
        self.made += count
        self.members += fresh
        self.turn(fresh)

    def leave(self, count):
        leaving, self.members = self.members[:count], self.members[count:]
        self.turn(leaving, -1)

    def state(self):
        """By ListGroups v5."""
        connection = self.connections[0]
        connection.send(raw.frame(struct.pack(">hhi", 16, 5, 7) + raw.string("load") + b"\0" + b"\1\1\0"))
        reader = wire.Reader(connection.receive())
        reader.take("ib"), reader.take("ih")
        groups = [[reader.compact() for _ in range(4)] + [reader.varint()] for _ in range(reader.varint() - 1)]
        return next(group[2] for group in groups if group[0] == "load")

    def settle(self):
        limit = time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < limit:
            began = time.monotonic()
            changed = self.turn(self.members)
            owned = [partition for member in self.members for partition in member.owned]
            if not changed and len({member.epoch for member in self.members}) == 1 and sorted(owned) == list(range(self.partitions)) \
                    and self.state() == "Stable":
                return
            time.sleep(max(0, began + TURN_SECONDS - time.monotonic()))
        raise AssertionError(f"not stable after {LIMIT_SECONDS} s")


def measure(kind, members, partitions):
    """{part: {figure: value}}"""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="consumer-groups-"))
    server = Server(kind, folder)
    parts = {}
    try:
        server.start()
        coordinator_is_there(server.port)
        load = Load(server.port, partitions)
        before = memory_mib(server.pid)

        def part(name, work):
            cpu, beats, began = cpu_seconds(server.pid), load.heartbeats, time.monotonic()
            work()
            parts[name] = {"seconds": time.monotonic() - began, "cpu": cpu_seconds(server.pid) - cpu,
                           "heartbeats": load.heartbeats - beats, "memory": memory_mib(server.pid), "before": before}
            print(kind, name, parts[name], file=sys.stderr, flush=True)

        def rolling_restart():
            for _ in range(10):
                load.leave(members // 10)
                load.join(members // 10)
                load.settle()

        part("join", lambda: (load.join(members), load.settle()))
        part("leave", lambda: (load.leave(members // 10), load.settle()))
        load.join(members // 10), load.settle()
        part("restart", rolling_restart)
        part("quiet", lambda: [load.turn(load.members) for _ in range(20)])
        server.check()
        return parts
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--members", type=int, default=1000)
    parser.add_argument("--partitions", type=int, default=1000)
    options = parser.parse_args()
    rounds = {"dohle": [], "reference": []}
    for _ in range(options.rounds):
        for kind, results in rounds.items():
            results.append(measure(kind, options.members, options.partitions))
    print(f"| {options.members:,} members, {options.partitions:,} partitions | Dohle | Kafka |\n|---|---|---|")

    def row(name, part, value, digits=2):
        print(f"| {name} | " + " | ".join(shown([value(each[part]) for each in results], digits) for results in rounds.values()) + " |")

    for part, name in (("join", "all join"), ("leave", "a tenth leaves"), ("restart", "rolling restart")):
        row(f"{name}: stable after, s", part, lambda figures: figures["seconds"])
        row("its CPU, s", part, lambda figures: figures["cpu"])
    row("CPU per 10,000 heartbeats when nothing happens, s", "quiet", lambda figures: figures["cpu"] / figures["heartbeats"] * 10_000, 3)
    row("resident memory before, MiB", "quiet", lambda figures: figures["before"], 1)
    row("resident memory at the end, MiB", "quiet", lambda figures: figures["memory"], 1)


if __name__ == "__main__":
    main()
