"""Judges recorded histories of transactional producers and consume-transform-produce workers. No I/O but load().

A history is a sequence of lines of JSON, written before the deed it speaks of:

    {"event": "begin", "txn": "NAME.INCARNATION.NUMBER", "topic": T, "records": [[partition, value], ...]}
    {"event": "committing", "txn"}               the worker is about to ask for the commit
    {"event": "committed", "txn", "offsets": []} it was told so; null where a record's offset is not known
    {"event": "aborted", "txn"}                  it asked for an abort, or was told that nothing was committed
    {"event": "failed", "txn", "why"}            for the reader

A value begins with "TXN.INDEX"; one that was made from a record of the input goes on "|PARTITION|OFFSET|VALUE".
From that a transaction's outcome is `committed`, `aborted`, or, when its worker was killed between asking and hearing,
`unknown`: then it is seen whole or not at all.
"""

import collections
import dataclasses
import json
import re

VALUE = re.compile(r"^(([^.|]+)\.(\d+)\.(\d+))\.(\d+)(?:\|(\d+)\|(\d+)\|(.*))?$")
ANOMALIES = {
    "aborted-read": "a record of an aborted transaction was read with read_committed",
    "lost": "a committed record is not there",
    "doubled": "a record is there twice",
    "torn": "a transaction of unknown outcome is seen in part",
    "moved": "a record is not at the offset that was acknowledged, or not in its partition",
    "disordered": "the records of a producer are not in the order in which it sent them",
    "unheard-of": "a record that nobody sent",
    "input-lost": "an input is behind the committed offset of its group, and has no output",
    "input-doubled": "an input has two outputs",
    "ahead-of-offsets": "an input has an output, and is not behind the committed offset of its group",
    "outputs-disordered": "the outputs are not in the order of their inputs",
    "wrong-input": "an output was made from what is not a committed record of the input",
    "observed-otherwise": "a consumer that read along did not see what is there in the end",
    "log": "the log itself is not as it must be",
}


@dataclasses.dataclass(frozen=True)
class Anomaly:
    kind: str
    text: str

    def __str__(self):
        return f"{self.kind}: {self.text} ({ANOMALIES[self.kind]})"


@dataclasses.dataclass
class Transaction:
    name: str
    topic: str
    records: list
    outcome: str = "aborted"  # nobody asked for its commit yet
    offsets: list | None = None


def load(paths):
    """{name: Transaction} of history files. A line that a kill cut off counts as not written."""
    lines = (line for path in paths for line in path.read_text(encoding="utf-8").split("\n")[:-1])
    return read(json.loads(line) for line in lines)


def read(events):
    transactions = {}
    for event in events:
        name = event["txn"]
        if event["event"] == "begin":
            assert name not in transactions, f"two transactions are called {name}"
            transactions[name] = Transaction(name, event["topic"], [tuple(record) for record in event["records"]])
        elif event["event"] == "committing":
            transactions[name].outcome = "unknown"
        elif event["event"] == "committed":
            transactions[name].outcome = "committed"
            transactions[name].offsets = event["offsets"]
        elif event["event"] == "aborted":
            transactions[name].outcome = "aborted"
    return transactions


def check_transactions(transactions, topic, committed):
    """Each transaction of `topic` against {partition: [(offset, value)]}, what a read_committed reader gets of it."""
    found = []
    places = {}
    for partition, records in committed.items():
        for offset, value in records:
            if value in places:
                found.append(Anomaly("doubled", f"{value} at {places[value]} and {(partition, offset)} of {topic}"))
            places.setdefault(value, (partition, offset))
    mine = [each for each in transactions.values() if each.topic == topic]
    known = {value for each in mine for _, value in each.records}
    found += [Anomaly("unheard-of", f"{value} in {topic}") for value in places if value not in known]
    for each in mine:
        found += _check_one(each, places)
    for partition, records in committed.items():
        found += _check_order(topic, partition, records)
    return found


def _check_one(transaction, places):
    seen = [value for _, value in transaction.records if value in places]
    if transaction.outcome == "aborted":
        yield from (Anomaly("aborted-read", value) for value in seen)
        return
    missing = [value for _, value in transaction.records if value not in places]
    if transaction.outcome == "committed":
        yield from (Anomaly("lost", value) for value in missing)
    elif seen and missing:
        yield Anomaly("torn", f"of {transaction.name}, {seen} are there and {missing} are not")
    offsets = transaction.offsets or [None] * len(transaction.records)
    for (partition, value), offset in zip(transaction.records, offsets, strict=True):
        if value not in places:
            continue
        if places[value][0] != partition or (offset not in (None, -1) and places[value][1] != offset):
            yield Anomaly("moved", f"{value} is at {places[value]}, and was sent to {(partition, offset)}")


def _check_order(topic, partition, records):
    last = {}
    for _, value in records:
        match = VALUE.match(value)
        if match is None:
            continue  # unheard of
        producer, place = match[2], (int(match[3]), int(match[4]), int(match[5]))
        if place < last.get(producer, place):
            yield Anomaly("disordered", f"{value} comes after {last[producer]} in {topic}-{partition}")
        last[producer] = place


def check_outputs(inputs, outputs, offsets):
    """A group's outputs against its inputs, {partition: [(offset, value)]} both, and its committed {partition: offset}.

    Output partition n is made from input partition n.
    """
    found = []
    for partition, records in inputs.items():
        offset_of_group = offsets.get(partition, 0)
        values = dict(records)
        made = []
        for _, value in outputs.get(partition, []):
            match = VALUE.match(value)
            origin = None if match is None or match[6] is None else (int(match[6]), int(match[7]))
            if origin is None or origin[0] != partition or values.get(origin[1]) != match[8]:
                found.append(Anomaly("wrong-input", f"{value} in partition {partition}"))
            else:
                made.append(origin[1])
        counts = collections.Counter(made)
        found += [Anomaly("input-doubled", f"{partition}:{offset}, {count} times") for offset, count in counts.items() if count > 1]
        found += [Anomaly("ahead-of-offsets", f"{partition}:{offset}, the group is at {offset_of_group}")
                  for offset in counts if offset >= offset_of_group]
        found += [Anomaly("input-lost", f"{partition}:{offset}, the group is at {offset_of_group}")
                  for offset in values if offset < offset_of_group and offset not in counts]
        if any(before > after for before, after in zip(made, made[1:])):
            found.append(Anomaly("outputs-disordered", f"partition {partition}"))
    return found


def check_observed(topic, committed, observed):
    """What a read_committed consumer was given along the way must be what is there in the end: all of it, in order."""
    for partition, records in committed.items():
        seen = observed.get(partition, [])
        if seen != records:
            at = next((n for n, (a, b) in enumerate(zip(seen, records)) if a != b), min(len(seen), len(records)))
            yield Anomaly("observed-otherwise", f"{topic}-{partition}, record {at} of {len(records)}: "
                                                f"{seen[at:at + 2]} instead of {records[at:at + 2]}")
