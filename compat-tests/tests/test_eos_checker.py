"""The checker of the exactly-once histories finds each anomaly that is planted, and nothing in a history without one."""

import struct

import pytest

from harness import batches, eos_checker, transaction_log

SUITE = "eos-history"


def begin(txn, *records, topic="input"):
    return {"event": "begin", "txn": txn, "topic": topic, "records": [[partition, value] for partition, value in records]}


HISTORY = [
    begin("a.1.0", (0, "a.1.0.0"), (1, "a.1.0.1")),
    {"event": "committing", "txn": "a.1.0"},
    {"event": "committed", "txn": "a.1.0", "offsets": [0, 0]},
    begin("b.1.0", (0, "b.1.0.0")),
    {"event": "aborted", "txn": "b.1.0"},
    begin("a.1.1", (0, "a.1.1.0"), (0, "a.1.1.1")),
    {"event": "committing", "txn": "a.1.1"},
    begin("b.2.0", (0, "b.2.0.0")),
    begin("a.2.0", (1, "a.2.0.0")),
    {"event": "committing", "txn": "a.2.0"},
    {"event": "failed", "txn": "a.2.0", "why": "fenced"},
    begin("a.2.1", (1, "a.2.1.0")),
    {"event": "committing", "txn": "a.2.1"},
    {"event": "committed", "txn": "a.2.1", "offsets": [None]},
]
SEEN = {0: [(0, "a.1.0.0"), (4, "a.1.1.0"), (5, "a.1.1.1")], 1: [(0, "a.1.0.1"), (4, "a.2.1.0")]}


def kinds(found):
    return sorted({anomaly.kind for anomaly in found})


def judged(seen):
    return kinds(eos_checker.check_transactions(eos_checker.read(HISTORY), "input", seen))


def planted(partition, records):
    return {**SEEN, partition: records}


def test_a_sound_history_passes():
    assert judged(SEEN) == []
    # The unknown one may be missing as a whole, or be there as a whole.
    assert judged(planted(0, SEEN[0][:1])) == []
    assert judged(planted(1, [(0, "a.1.0.1"), (2, "a.2.0.0"), (4, "a.2.1.0")])) == []


@pytest.mark.parametrize("kind, seen", [
    ("aborted-read", planted(0, [(0, "a.1.0.0"), (2, "b.1.0.0")])),
    ("aborted-read", planted(0, [(0, "a.1.0.0"), (2, "b.2.0.0")])),  # killed before it asked for anything
    ("lost", planted(0, [])),
    ("lost", planted(1, [(0, "a.1.0.1")])),
    ("doubled", planted(0, [(0, "a.1.0.0"), (1, "a.1.0.0")])),
    ("torn", planted(0, [(0, "a.1.0.0"), (4, "a.1.1.0")])),
    ("moved", planted(0, [(1, "a.1.0.0")])),
    ("moved", {0: [(0, "a.1.0.0"), (1, "a.1.0.1")], 1: [(4, "a.2.1.0")]}),  # in the other partition
    ("disordered", planted(0, [(0, "a.1.0.0"), (4, "a.1.1.1"), (5, "a.1.1.0")])),
    ("disordered", planted(1, [(0, "a.1.0.1"), (2, "a.2.1.0"), (4, "a.2.0.0")])),
    ("unheard-of", planted(0, [(0, "a.1.0.0"), (9, "c.1.0.0")])),
    ("unheard-of", planted(0, [(0, "a.1.0.0"), (9, "\0")])),
])
def test_an_anomaly_of_a_transaction_is_found(kind, seen):
    assert judged(seen) == [kind]


INPUTS = {0: [(0, "a.1.0.0"), (4, "a.1.1.0"), (5, "a.1.1.1")]}


def output(offset, value, partition=0, number=0):
    return (offset, f"t.1.{number}.0|{partition}|{value[0]}|{value[1]}")


OUTPUTS = [output(0, INPUTS[0][0]), output(2, INPUTS[0][1], number=1), output(4, INPUTS[0][2], number=2)]


@pytest.mark.parametrize("kind, outputs, offset", [
    (None, OUTPUTS, 6),
    (None, OUTPUTS[:2], 5),
    (None, [], 0),
    ("input-lost", OUTPUTS[:2], 6),  # the offset moved without its output
    ("ahead-of-offsets", OUTPUTS, 5),  # the output without its offset
    ("input-doubled", [*OUTPUTS, output(6, INPUTS[0][2], number=3)], 6),
    ("outputs-disordered", [OUTPUTS[1], OUTPUTS[0], OUTPUTS[2]], 6),
    ("wrong-input", [*OUTPUTS, output(6, (2, "b.1.0.0"))], 6),  # an aborted record was read
    ("wrong-input", [*OUTPUTS, output(6, INPUTS[0][0], partition=1)], 6),
    ("wrong-input", [*OUTPUTS, (6, "t.1.3.0")], 6),
])
def test_an_anomaly_between_offsets_and_outputs_is_found(kind, outputs, offset):
    assert kinds(eos_checker.check_outputs(INPUTS, {0: outputs}, {0: offset})) == ([] if kind is None else [kind])


@pytest.mark.parametrize("seen", [
    SEEN[0][:2],  # the end was never read
    [*SEEN[0], SEEN[0][2]],  # read twice
    [SEEN[0][1], SEEN[0][0], SEEN[0][2]],
    [SEEN[0][0], (2, "b.1.0.0"), *SEEN[0][1:]],  # shown once, and then aborted
])
def test_a_consumer_that_saw_something_else_is_found(seen):
    committed = {0: SEEN[0]}
    assert kinds(eos_checker.check_observed("input", committed, {0: SEEN[0]})) == []
    assert kinds(eos_checker.check_observed("input", committed, {0: seen})) == ["observed-otherwise"]


def test_a_line_that_a_kill_cut_off_does_not_count(tmp_path):
    path = tmp_path / "history.jsonl"
    path.write_text('{"event": "begin", "txn": "a.1.0", "topic": "input", "records": [[0, "a.1.0.0"]]}\n{"event": "comm')
    assert eos_checker.load([path])["a.1.0"].outcome == "aborted"


def marker(offset, producer, kind):
    key = struct.pack(">hh", 0, kind)
    return batches.batch([batches.record(0, key, struct.pack(">hi", 0, 0))], base_offset=offset, attributes=0x30,
                         producer=(producer, 0, -1))


def data(offset, producer, *values):
    records = [batches.record(n, None, value) for n, value in enumerate(values)]
    return batches.batch(records, base_offset=offset, attributes=0x10, producer=(producer, 0, 0))


def test_the_view_of_a_log_follows_its_markers():
    log = [data(0, 1, b"a"), data(1, 2, b"b", b"c"), marker(3, 1, 1), marker(4, 2, 0), data(5, 1, b"d")]
    view = transaction_log.view_of(log)
    assert view.committed == [(0, "a")]
    assert sorted(view.aborted) == [(1, "b"), (2, "c")]
    assert view.open == [(5, "d")] and view.last_stable_offset == 5 and view.end == 6
    assert view.faults == [] and view.markers == 2


@pytest.mark.parametrize("log", [
    [data(0, 1, b"a"), data(2, 1, b"b")],  # a gap
    [data(0, 1, b"a"), data(0, 1, b"b")],
    [batches.batch([batches.record(n, struct.pack(">hh", 0, 1), b"\0" * 6) for n in range(2)], attributes=0x30,
                   producer=(1, 0, -1))],
])
def test_a_log_that_is_wrong_in_itself_is_found(log):
    assert transaction_log.view_of(log).faults
