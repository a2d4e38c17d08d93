"""Judges what the members of a consumer group logged: no partition with two owners, no lost record, honest offsets.

A member's log is lines of JSON with a time of the machine's monotonic clock (README.md, "Group members"). The events are
assigned and revoked (or lost), record (an offset was processed), committed (the server took a position), closed.
A member that was killed owned what it owned until the kill.
"""

import collections
import dataclasses
import json


@dataclasses.dataclass
class Member:
    name: str
    events: list
    killed_at: int = None  # ns of the monotonic clock


def parse(text):
    """The events of a log; its last line may be cut by a kill."""
    whole = text[: text.rfind("\n") + 1]
    return [json.loads(line) for line in whole.splitlines()]


def _pairs(event):
    return [tuple(each) for each in event["partitions"]]


def intervals(member):
    """{partition: [(from, to)]}: when the member owned it; the end is None while it does. Assigning anew keeps the beginning."""
    owned, closed = {}, collections.defaultdict(list)

    def give_up(partition, when):
        if partition in owned:
            closed[partition].append((owned.pop(partition), when))

    for event in member.events:
        if event["event"] == "assigned":
            for partition in _pairs(event):
                owned.setdefault(partition, event["t"])
        elif event["event"] in ("revoked", "lost"):
            for partition in _pairs(event):
                give_up(partition, event["t"])
        elif event["event"] == "closed":
            for partition in list(owned):
                give_up(partition, event["t"])
    for partition in list(owned):
        if member.killed_at is not None:
            give_up(partition, member.killed_at)
        else:
            closed[partition].append((owned[partition], None))
    return closed


def owned_now(member):
    return {partition for partition, spans in intervals(member).items() if spans[-1][1] is None}


def double_owners(members):
    spans = collections.defaultdict(list)
    for member in members:
        for partition, each in intervals(member).items():
            spans[partition] += [(start, float("inf") if end is None else end, member.name) for start, end in each]
    found = []
    for partition, each in spans.items():
        each.sort()
        for (_, end, owner), (start, _, other) in zip(each, each[1:]):
            if start < end:
                found.append(f"{partition} belongs to {owner} and {other} for {(end - start) / 1e6} ms")
    return found


def records_of_others(members):
    """Records that a member processed while the partition was not its own."""
    found = []
    for member in members:
        owns = intervals(member)
        for event in member.events:
            if event["event"] != "record":
                continue
            topic, partition, offset = event["at"]
            if not any(start <= event["t"] and (end is None or event["t"] <= end) for start, end in owns[(topic, partition)]):
                found.append(f"{member.name} processed {topic}-{partition} at {offset} without owning it")
    return found


def lost_records(members, ends):
    """`ends` is {(topic, partition): end offset}, all records from 0 on being there."""
    seen = collections.defaultdict(set)
    for member in members:
        for event in member.events:
            if event["event"] == "record":
                seen[tuple(event["at"][:2])].add(event["at"][2])
    found = []
    for at, end in ends.items():
        missing = set(range(end)) - seen[at]
        if missing:
            found.append(f"{at}: {len(missing)} records were never processed, the first at {min(missing)}")
    return found


def _merged(members):
    every = [(event["t"], event["event"] != "record", member.name, event) for member in members for event in member.events]
    return sorted(every, key=lambda each: each[:3])


def dishonest_commits(members):
    """Commits beyond what had been processed by then, or behind what was committed before."""
    processed, committed, found = collections.defaultdict(set), {}, []
    contiguous = collections.defaultdict(int)
    for _, _, name, event in _merged(members):
        if event["event"] == "record":
            at = tuple(event["at"][:2])
            processed[at].add(event["at"][2])
            while contiguous[at] in processed[at]:
                processed[at].remove(contiguous[at])
                contiguous[at] += 1
        elif event["event"] == "committed":
            for topic, partition, offset in event["offsets"]:
                at = (topic, partition)
                if offset > contiguous[at]:
                    found.append(f"{name} committed {offset} of {at}, processed was {contiguous[at]}")
                if offset < committed.get(at, 0):
                    found.append(f"{name} committed {offset} of {at} after {committed[at]}")
                committed[at] = max(offset, committed.get(at, 0))
    return found


def wrong_starts(members):
    """A new owner begins where the last commit was; after a kill, whose last commit may be in no log, not before it."""
    found = []
    committed, killed_owner = {}, set()
    first = {}  # (member, partition) -> begins with its next record
    kills = sorted((member.killed_at, member.name) for member in members if member.killed_at is not None)
    for when, _, name, event in _merged(members):
        while kills and kills[0][0] <= when:
            dead = kills.pop(0)[1]
            killed_owner |= {at for at, spans in intervals(next(m for m in members if m.name == dead)).items()}
        if event["event"] == "assigned":
            for at in _pairs(event):
                first[(name, at)] = True
        elif event["event"] == "committed":
            for topic, partition, offset in event["offsets"]:
                committed[(topic, partition)] = offset
                killed_owner.discard((topic, partition))
        elif event["event"] == "record":
            at, offset = tuple(event["at"][:2]), event["at"][2]
            if first.pop((name, at), False):
                expected = committed.get(at, 0)
                if offset < expected or (offset > expected and at not in killed_owner):
                    found.append(f"{name} began {at} at {offset}, committed was {expected}")
                # Where it began is where the last commit was, whoever had heard of that.
                committed[at] = offset
                killed_owner.discard(at)
    return found


def wrong_ends(committed, ends):
    """What the server says was committed, when all is processed and the members have left."""
    return [f"{at}: {committed.get(at)} is committed, the end is {end}" for at, end in ends.items() if committed.get(at) != end]


def violations(members, ends, committed):
    return [*double_owners(members), *records_of_others(members), *lost_records(members, ends), *dishonest_commits(members),
            *wrong_starts(members), *wrong_ends(committed, ends)]
