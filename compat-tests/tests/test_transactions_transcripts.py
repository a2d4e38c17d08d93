"""What each request comes to in each state that a transactional id can rest in, as the reference recorded it.

transaction_transcripts.txt has a line for each: level of transaction.version, state, request, the answer, and the state
after it. DOHLE_RECORD=1 with --server=reference writes it anew.
"""

import os
import pathlib

import pytest

from harness import messages, raw, transactions
from harness.transactions import NONE, PASSING, Producer

SUITE = "transactions-protocol"
RECORDED = pathlib.Path(__file__).with_name("transaction_transcripts.txt")
PLACE = ("t", 0)
WRONG_ID = 424242


def begun(producer):
    assert producer.init() == NONE


def added(producer):
    begun(producer)
    assert producer.add(PLACE) == NONE


def written(producer):
    begun(producer)
    assert producer.produce("t", "a", version=12)[0] == NONE


def ended(commit):
    def prepare(producer):
        added(producer)
        assert producer.end(commit, version=4) == NONE

    return prepare


def ended_with_bump(commit, hears=True):
    def prepare(producer):
        written(producer)
        before = producer.epoch
        assert producer.end(commit, version=5) == NONE
        if not hears:
            producer.epoch = before

    return prepare


def bumped(producer):
    begun(producer)
    assert producer.init(producerId=producer.id, producerEpoch=producer.epoch) == NONE


def fenced(producer):
    begun(producer)
    mine = producer.id, producer.epoch
    assert producer.init() == NONE
    producer.id, producer.epoch = mine


def unknown(producer):
    producer.id, producer.epoch = WRONG_ID - 1, 0


STATES = {
    "unknown": unknown, "empty": begun, "empty-bumped": bumped, "fenced": fenced, "ongoing-added": added, "ongoing-written": written,
    "committed": ended(True), "aborted": ended(False), "committed-bumped": ended_with_bump(True),
    "aborted-bumped": ended_with_bump(False), "committed-unheard": ended_with_bump(True, False),
    "aborted-unheard": ended_with_bump(False, False),
}


# At level 0 the record of a client of the second generation can't be written: UNSUPPORTED_VERSION.
SECOND_GENERATION = ("ongoing-written", "committed-bumped", "aborted-bumped", "committed-unheard", "aborted-unheard")


def about_producer(producer, answer):
    """A producer id and epoch in an answer, beside one's own."""
    if answer["producerId"] == -1:
        return "none"
    kin = "same" if answer["producerId"] == producer.id else "other"
    return f"{kin} {answer['producerEpoch'] - producer.epoch if kin == 'same' else answer['producerEpoch']:+d}"


def init(who):
    def ask(producer):
        answer = producer.connection.call("InitProducerId", 5, transactionalId=producer.name, transactionTimeoutMs=60000, **who(producer))
        return answer["errorCode"], about_producer(producer, answer)

    return ask


def end(commit, version, epoch=0, wrong_id=False):
    def ask(producer):
        answer = producer.end_once(commit, version, producerEpoch=producer.epoch + epoch,
                                   **({"producerId": WRONG_ID} if wrong_id else {}))
        return answer["errorCode"], about_producer(producer, answer) if version >= 5 else ""

    return ask


def as_another(request, epoch=0, wrong_id=False):
    def ask(producer):
        mine = producer.id, producer.epoch
        producer.id, producer.epoch = WRONG_ID if wrong_id else producer.id, producer.epoch + epoch
        answer = request(producer)
        producer.id, producer.epoch = mine
        return answer

    return ask


def add(producer):
    return producer.add_once(PLACE)[0], ""


def verify(producer):
    return producer.add_once(PLACE, version=5, verifyOnly=True)[0], ""


def add_offsets(producer):
    return producer.connection.call("AddOffsetsToTxn", 3, groupId="g", **producer.me)["errorCode"], ""


def write(version):
    return lambda producer: (producer.produce_once("t", "b", version=version, sequence=0)[0], "")


REQUESTS = {
    "init": init(lambda _: {}),
    "init as itself": init(lambda p: {"producerId": p.id, "producerEpoch": p.epoch}),
    "init with the epoch before": init(lambda p: {"producerId": p.id, "producerEpoch": max(p.epoch - 1, 0)}),
    "init with the epoch after": init(lambda p: {"producerId": p.id, "producerEpoch": p.epoch + 1}),
    "init with another id": init(lambda p: {"producerId": WRONG_ID, "producerEpoch": p.epoch}),
    "add": add, "add with the epoch before": as_another(add, epoch=-1), "add with the epoch after": as_another(add, epoch=1),
    "add with another id": as_another(add, wrong_id=True),
    "add offsets": add_offsets, "verify": verify, "verify with another id": as_another(verify, wrong_id=True),
    "commit 4": end(True, 4), "abort 4": end(False, 4), "commit 5": end(True, 5), "abort 5": end(False, 5),
    "commit 4 with the epoch before": end(True, 4, epoch=-1), "commit 5 with the epoch before": end(True, 5, epoch=-1),
    "commit 5 with the epoch after": end(True, 5, epoch=1), "abort 5 with the epoch before": end(False, 5, epoch=-1),
    "commit 5 with another id": end(True, 5, wrong_id=True), "abort 4 with another id": end(False, 4, wrong_id=True),
    "write 11": write(11), "write 12": write(12),
}
RESTING = ("Empty", "Ongoing", "CompleteCommit", "CompleteAbort", "")


def rest(producer):
    """The description when nothing is under way."""
    assert raw.eventually(lambda: producer.describe()["transactionState"] in RESTING), producer.describe()
    return producer.describe()


def perform(port, level):
    number = 0
    states = {state: prepare for state, prepare in STATES.items() if level > 0 or state not in SECOND_GENERATION}
    for state, prepare in states.items():
        for request, ask in REQUESTS.items():
            number += 1
            producer = Producer(port, f"{level}-{number}")
            prepare(producer)
            rest(producer)
            code, more = ask(producer)
            assert code not in PASSING
            after = rest(producer)
            told = f"{after['transactionState'] or 'none'} {about_producer(producer, after)} {len(after['topics'])}"
            if request == "write 11" and code == NONE:
                told = after["transactionState"]
            yield f"{level} | {state} | {request} | {code} {more}".rstrip() + f" | {told}"
            # Nothing may hold the last stable offset for the others.
            producer.close()


@pytest.mark.limit(600)
@pytest.mark.parametrize("level", [2, 1, 0])
def test_each_request_in_each_state(make_server, server_kind, level):
    server = make_server(server_kind, {"transaction.state.log.num.partitions": "1"}).start()
    with messages.Connection(server.port) as connection:
        connection.create_topic("t")
        lowered = connection.call("UpdateFeatures", 1, featureUpdates=[
            {"feature": "transaction.version", "maxVersionLevel": level, "upgradeType": 2}])
        assert lowered["errorCode"] == NONE, lowered
        first = Producer(server.port, "first")
        assert transactions.patient(lambda: first.connection.call("InitProducerId", 5, transactionalId="first",
                                                                  transactionTimeoutMs=60000), *PASSING)["errorCode"] == NONE
        first.close()
    lines = list(perform(server.port, level))
    if os.environ.get("DOHLE_RECORD") == "1":
        assert server_kind == "reference"
        others = [line for line in RECORDED.read_text().splitlines() if not line.startswith(f"{level} ")] if RECORDED.exists() else []
        RECORDED.write_text("\n".join(sorted([*others, *lines], key=lambda line: -int(line[0]))) + "\n")
    recorded = [line for line in RECORDED.read_text().splitlines() if line.startswith(f"{level} ")]
    differences = [f"{got}   recorded: {line}" for got, line in zip(lines, recorded, strict=True) if got != line]
    assert not differences, "\n".join(differences)
