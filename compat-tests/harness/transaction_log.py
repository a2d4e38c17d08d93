"""The logs of a topic as the markers in their bytes say, without any client library and without the aborted lists."""

import dataclasses
import struct
import time

from . import batches, raw

TRANSACTIONAL, CONTROL = 0x10, 0x20


@dataclasses.dataclass
class PartitionView:
    """What a log comes to: (offset, value) of the records, and what is wrong with the log itself."""

    committed: list = dataclasses.field(default_factory=list)
    aborted: list = dataclasses.field(default_factory=list)
    open: list = dataclasses.field(default_factory=list)
    faults: list = dataclasses.field(default_factory=list)
    markers: int = 0
    last_stable_offset: int = 0
    end: int = 0


def view_of(stream):
    """The view of a sequence of batches, from the log's beginning."""
    view = PartitionView()
    pending = {}  # producer id -> records of its open transaction
    for batch in stream:
        base, last = batches.base_offset(batch), batches.last_offset(batch)
        if base != view.end:
            view.faults.append(f"offset {base} where {view.end} is due")
        view.end = last + 1
        attributes, = struct.unpack_from(">h", batch, 21)
        producer, = struct.unpack_from(">q", batch, 43)
        records = list(batches.records_of(batch))
        if attributes & CONTROL:
            view.markers += 1
            if len(records) != 1 or base != last:
                view.faults.append(f"the control batch at {base} has {len(records)} records")
            kind, = struct.unpack_from(">h", records[0][1], 2)
            (view.committed if kind == 1 else view.aborted).extend(pending.pop(producer, []))
        elif attributes & TRANSACTIONAL:
            pending.setdefault(producer, []).extend((offset, value.decode()) for offset, _, value in records)
        else:
            view.committed.extend((offset, value.decode()) for offset, _, value in records)
    view.open = sorted(record for records in pending.values() for record in records)
    view.last_stable_offset = view.open[0][0] if view.open else view.end
    view.committed.sort()
    return view


def read_log(port, topic, partition, seconds=60):
    """The view of a partition's log over the wire, and the last stable offset that the server tells."""
    with raw.connected(port, seconds) as connection:
        view = view_of(connection.read_all(topic, partition=partition))
        told = connection.request(raw.LIST_OFFSETS, 2, struct.pack(">ib", -1, 1) + raw.array(
            [raw.string(topic) + raw.array([struct.pack(">iq", partition, -1)])]))
    told.take("i")
    answers = []
    told.array(lambda: (told.string(), told.array(lambda: answers.append(told.take("ihqq")))))
    if answers[0][1] != 0 or answers[0][3] != view.last_stable_offset:
        view.faults.append(f"the server's last stable offset is {answers[0][3]} (error {answers[0][1]}), the bytes say "
                           f"{view.last_stable_offset}")
    return view


def read_logs(port, topic, partitions, seconds=30):
    """{partition: view}, when no transaction is open any more or `seconds` have passed."""
    deadline = time.monotonic() + seconds
    views = {}
    for partition in range(partitions):
        while True:
            views[partition] = read_log(port, topic, partition)
            if not views[partition].open or time.monotonic() > deadline:
                break
            time.sleep(0.3)
    return views
