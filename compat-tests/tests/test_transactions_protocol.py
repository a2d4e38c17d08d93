"""Behaviours 32 to 38 and 129 to 144 over the wire: a test for each, with the values that the reference gives.

(139 is also in test_eos_history.py, 143 in test_transactions_clients.py, 144 in test_transactions_tools.py.)
"""

import time

import pytest

from harness import batches, groups, messages, raw, transactions
from harness.transactions import CONCURRENT, INVALID_EPOCH, INVALID_STATE, NONE, PRODUCER_FENCED, Producer, stable

SUITE = "transactions-protocol"


@pytest.fixture
def place(broker, topic):
    """A topic with two partitions, and a connection."""
    with messages.Connection(broker.port) as connection:
        connection.create_topic(topic, partitions=2)
        connection.topic = topic
        yield connection


@pytest.fixture
def make(broker, topic):
    made = []

    def make(name="", **options):
        made.append(Producer(broker.port, topic + name, **options))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def producer(make):
    made = make()
    assert made.init() == NONE
    return made


# -- idempotence -----------------------------------------------------------------------------------------------------------


class Idempotent:
    def __init__(self, connection):
        self.connection = connection
        self.id, self.epoch = connection.init_producer_id()

    def send(self, sequence, count=1, epoch=None):
        records = [batches.record(n, None, b"%d" % (sequence + n)) for n in range(count)]
        return self.connection.produce(self.connection.topic, batches.batch(
            records, producer=(self.id, self.epoch if epoch is None else epoch, sequence), timestamp=int(time.time() * 1000)))


def test_32_and_33_each_of_the_last_five_batches_is_known(place):
    producer = Idempotent(place)
    for sequence in range(7):
        assert producer.send(sequence) == (NONE, sequence)
    for sequence in (6, 2, 4, 3, 5):
        assert producer.send(sequence) == (NONE, sequence), "a duplicate has its first offset"
    assert producer.send(1)[0] == transactions.OUT_OF_ORDER
    assert producer.send(2, count=2)[0] == transactions.OUT_OF_ORDER, "another batch with the sequence of one that is known"
    assert place.end_offset(place.topic) == 7


def test_34_a_gap_is_refused_and_the_next_sequence_counts_records(place):
    producer = Idempotent(place)
    assert producer.send(0, count=3) == (NONE, 0)
    assert producer.send(4)[0] == transactions.OUT_OF_ORDER
    assert producer.send(3, count=2) == (NONE, 3)
    assert producer.send(5) == (NONE, 5)


def test_35_an_unknown_producer_may_begin_anywhere(place):
    assert Idempotent(place).send(17) == (NONE, 0)


def test_35_a_producer_of_the_second_generation_begins_at_zero(place, producer):
    assert producer.produce(place.topic, "a", version=12, sequence=5)[0] == transactions.OUT_OF_ORDER
    assert producer.produce(place.topic, "a", version=12, sequence=0) == (NONE, 0)


def test_36_a_new_epoch_begins_at_zero_and_fences_the_old_one(place):
    producer = Idempotent(place)
    assert producer.send(0) == (NONE, 0)
    assert producer.send(1, epoch=1)[0] == transactions.OUT_OF_ORDER
    assert producer.send(0, epoch=1) == (NONE, 1)
    assert producer.send(1, epoch=0)[0] == INVALID_EPOCH


def test_37_the_life_of_a_producers_state_is_a_setting_of_its_own(make_server, server_kind):
    server = make_server(server_kind, {"producer.id.expiration.ms": "1000", "producer.id.expiration.check.interval.ms": "200",
                                       "transactional.id.expiration.ms": "600000"}).start()
    with messages.Connection(server.port) as connection:
        connection.topic = "expired"
        connection.create_topic("expired")
        producer = Idempotent(connection)
        assert producer.send(0) == (NONE, 0)
        about = lambda: connection.call("DescribeProducers", 0, topics=[{"name": "expired", "partitionIndexes": [0]}])
        known = lambda: about()["topics"][0]["partitions"][0]["activeProducers"]
        assert [each["producerId"] for each in known()] == [producer.id]
        assert raw.eventually(lambda: not known(), seconds=20)
        assert producer.send(9) == (NONE, 1), "nothing is known of it any more"


def test_38_without_a_transactional_id_each_id_is_fresh(place):
    first = place.init_producer_id()
    answer = place.call("InitProducerId", 4, transactionalId=None, transactionTimeoutMs=60000, producerId=first[0],
                        producerEpoch=first[1])
    assert (answer["errorCode"], answer["producerEpoch"]) == (NONE, 0)
    assert answer["producerId"] > first[0]


# -- transactions ----------------------------------------------------------------------------------------------------------


def test_129_a_new_producer_ends_what_the_old_one_left_open(place, producer, make):
    assert producer.produce(place.topic, "lost", version=12) == (NONE, 0)
    successor = make()
    assert successor.init_once() == CONCURRENT
    assert successor.init() == NONE
    # One epoch for the fence, which nobody gets, and one for the successor.
    assert (successor.id, successor.epoch) == (producer.id, producer.epoch + 2)
    assert stable(place, place.topic) == ([], 2)


@pytest.mark.parametrize("timeout", [0, -1, 900_001, 2**31 - 1])
def test_130_a_timeout_out_of_range_is_refused(make, timeout):
    assert make(timeout_ms=timeout).init() == transactions.INVALID_TIMEOUT


def test_130_the_largest_timeout_is_taken(make):
    assert make(timeout_ms=900_000).init() == NONE


def test_131_the_code_of_a_fence_depends_on_the_version(place, producer, make):
    groups.wait_until_loaded(place.socket.getpeername()[1])
    successor = make()
    assert successor.init() == NONE
    topic = place.topic
    for version in range(0, 4):
        code = INVALID_EPOCH if version < 2 else PRODUCER_FENCED
        assert producer.add_once((topic, 0), version=version) == [code], f"AddPartitionsToTxn v{version}"
        assert producer.add_offsets(topic, version=version) == code, f"AddOffsetsToTxn v{version}"
    for version in range(0, 5):
        code = INVALID_EPOCH if version < 2 else PRODUCER_FENCED
        assert producer.end_once(True, version=version)["errorCode"] == code, f"EndTxn v{version}"
    for version in (3, 4, 5):
        answer = producer.connection.call("InitProducerId", version, transactionTimeoutMs=60000, transactionalId=producer.name,
                                          producerId=producer.id, producerEpoch=producer.epoch - 1 if producer.epoch else 7)
        assert answer["errorCode"] == (INVALID_EPOCH if version < 4 else PRODUCER_FENCED), f"InitProducerId v{version}"
    for version in (3, 7, 11, 12):
        assert producer.produce(topic, "x", version=version)[0] == INVALID_EPOCH, f"Produce v{version}"
    for version in range(0, 6):
        assert producer.commit_offset(topic, topic, 1, version=version) == INVALID_EPOCH, f"TxnOffsetCommit v{version}"


def test_132_writes_add_their_partitions_and_the_end_gives_the_next_epoch(place, producer):
    group = place.topic
    groups.wait_until_loaded(place.socket.getpeername()[1])
    before = (producer.id, producer.epoch)
    assert producer.produce(place.topic, "a", version=12) == (NONE, 0)
    assert producer.produce(place.topic, "b", version=12, partition=1) == (NONE, 0)
    assert producer.commit_offset(group, place.topic, 3, version=5) == NONE
    added = {each["topic"]: sorted(each["partitions"]) for each in producer.describe()["topics"]}
    assert added[place.topic] == [0, 1] and len(added["__consumer_offsets"]) == 1
    assert producer.end(True, version=5) == NONE
    assert (producer.id, producer.epoch) == (before[0], before[1] + 1)
    producer.wait_for_state("CompleteCommit")
    assert stable(place, place.topic) == (["a"], 2) and stable(place, place.topic, 1) == (["b"], 2)
    assert groups.fetch(place, group, place.topic)[0] == 3


@pytest.mark.parametrize("version, code", [(3, INVALID_STATE), (7, INVALID_STATE), (10, INVALID_STATE),
                                           (11, transactions.ABORTABLE)])
def test_133_a_write_to_a_partition_that_was_not_added_is_refused(place, producer, version, code):
    assert producer.add((place.topic, 1)) == NONE
    assert producer.produce(place.topic, "hanging", version=version)[0] == code
    assert stable(place, place.topic) == ([], 0)
    assert producer.produce(place.topic, "kept", partition=1, version=version) == (NONE, 0)
    assert producer.end(True) == NONE
    producer.wait_for_state("CompleteCommit")
    assert stable(place, place.topic, 1) == (["kept"], 2)


def test_133_partitions_are_verified_between_brokers(place, producer):
    assert producer.add((place.topic, 0)) == NONE
    both = ((place.topic, 0), (place.topic, 1))
    for version in (4, 5):
        codes = [producer.add_once(each, version=version, verifyOnly=True)[0] for each in both]
        assert codes == [NONE, transactions.ABORTABLE], version


@pytest.mark.parametrize("commit", [True, False])
def test_134_the_end_may_be_repeated(place, producer, commit):
    assert producer.add((place.topic, 0)) == NONE
    assert producer.end(commit) == NONE
    assert producer.end(commit) == NONE
    assert producer.end(not commit) == INVALID_STATE
    # Of the second generation the repeated request still has the old epoch, and hears the new one again.
    assert producer.init() == NONE
    assert producer.produce(place.topic, "a", version=12)[0] == NONE
    old = producer.epoch
    assert producer.end(commit, version=5) == NONE
    again = transactions.patient(lambda: producer.end_once(commit, 5, producerEpoch=old), CONCURRENT)
    assert (again["errorCode"], again["producerId"], again["producerEpoch"]) == (NONE, producer.id, producer.epoch)
    assert producer.end_once(not commit, 5, producerEpoch=old)["errorCode"] == INVALID_STATE


def test_135_the_end_of_a_transaction_without_anything(producer):
    for version in (0, 4):
        assert producer.end(True, version=version) == INVALID_STATE
        assert producer.end(False, version=version) == INVALID_STATE
    assert producer.end(True, version=5) == INVALID_STATE
    before = producer.epoch
    assert producer.end(False, version=5) == NONE
    assert producer.epoch == before + 1
    assert producer.end(False, version=5) == NONE
    assert producer.epoch == before + 2


def test_136_the_next_transaction_begins_in_milliseconds(place, producer):
    for version, end in ((12, 5), (11, 4)):
        waits = []
        for _ in range(30):
            began = time.monotonic()
            if version < 12:
                assert producer.add((place.topic, 0)) == NONE
            assert producer.produce(place.topic, "a", version=version)[0] == NONE
            assert producer.end(True, version=end) == NONE
            waits.append(time.monotonic() - began)
        assert sorted(waits)[15] < 0.5, f"v{version}: {sorted(waits)}"


@pytest.mark.long
@pytest.mark.limit(600)
def test_137_the_last_epoch_is_followed_by_a_new_producer_id(place, make):
    producer = make()
    assert producer.init() == NONE
    first = producer.id
    ask = lambda: producer.connection.send_call("InitProducerId", 5, transactionalId=producer.name, transactionTimeoutMs=60000)
    answer = None
    for _ in range(0, 32766, 100):
        calls = [ask() for _ in range(100)]
        answers = [call.answer() for call in calls]
        assert all(each["errorCode"] == NONE for each in answers)
        answer = next((each for each in answers if each["producerId"] != first), None)
        if answer:
            break
        assert answers[-1]["producerEpoch"] < 32767
    assert answer and answer["producerEpoch"] == 0 and answer["producerId"] > first


def test_138_what_takes_too_long_is_aborted(make_server, server_kind):
    server = make_server(server_kind, {"transaction.abort.timed.out.transaction.cleanup.interval.ms": "200"}).start()
    with messages.Connection(server.port) as connection:
        connection.create_topic("slow")
        for version in (11, 12):
            producer = Producer(server.port, f"slow-{version}", timeout_ms=1000)
            assert producer.init() == NONE
            if version < 12:
                assert producer.add(("slow", 0)) == NONE
            code, offset = producer.produce("slow", "late", version=version)
            assert code == NONE and stable(connection, "slow") == ([], offset)
            assert raw.eventually(lambda: stable(connection, "slow") == ([], offset + 2), seconds=20)
            producer.wait_for_state("CompleteAbort")
            assert producer.describe()["producerEpoch"] == producer.epoch + 1
            # The second generation takes it for the repetition of an abort.
            assert producer.end_once(True, 4)["errorCode"] == PRODUCER_FENCED
            assert producer.end_once(True, 5)["errorCode"] == INVALID_STATE
            producer.close()


@pytest.mark.parametrize("commit", [True, False])
def test_139_a_marker_takes_one_offset_in_each_partition(place, producer, commit):
    assert producer.add((place.topic, 0)) == NONE
    assert producer.add((place.topic, 1)) == NONE
    assert producer.produce(place.topic, "a", "b") == (NONE, 0)
    assert producer.end(commit) == NONE
    producer.wait_for_state("CompleteCommit" if commit else "CompleteAbort")
    assert place.end_offset(place.topic) == 3
    assert place.end_offset(place.topic, 1) == 1, "a marker although nothing was written"
    assert stable(place, place.topic) == (["a", "b"] if commit else [], 3)


@pytest.mark.parametrize("version", [3, 5])
def test_140_offsets_need_the_groups_consent(place, producer, broker, version):
    groups.wait_until_loaded(broker.port)
    member = groups.Member(broker.port, place.topic, instance="one")
    groups.group_of(member)

    def commit(**who):
        if version < 5:
            assert producer.add_offsets(place.topic) == NONE
        return producer.commit_offset(place.topic, place.topic, 5, version=version, **who)

    mine = {"memberId": member.id, "generationIdOrMemberEpoch": member.generation, "groupInstanceId": "one"}
    assert commit(**{**mine, "generationIdOrMemberEpoch": member.generation + 1}) == transactions.ILLEGAL_GENERATION
    assert commit(**{**mine, "memberId": "nobody", "groupInstanceId": None}) == transactions.UNKNOWN_MEMBER
    assert commit(**{**mine, "memberId": "nobody"}) == transactions.FENCED_INSTANCE
    assert commit(**mine) == NONE
    assert commit() == NONE, "a producer that does not know the group's members is let through"
    member.close()


def test_141_staged_offsets_are_not_seen(place, producer, broker):
    groups.wait_until_loaded(broker.port)
    group = place.topic

    def fetch(require_stable):
        answer = place.call("OffsetFetch", 7, groupId=group, topics=[{"name": place.topic, "partitionIndexes": [0]}],
                            requireStable=require_stable)
        part = answer["topics"][0]["partitions"][0]
        return part["committedOffset"], part["errorCode"]

    for offset, commit, expected in ((5, True, 5), (7, False, 5), (9, True, 9)):
        before = fetch(False)
        assert producer.add_offsets(group) == NONE
        assert producer.commit_offset(group, place.topic, offset) == NONE
        assert fetch(False) == before
        assert fetch(True) == (-1, transactions.UNSTABLE_OFFSET)
        assert producer.end(commit) == NONE
        assert raw.eventually(lambda: fetch(True) == (expected, NONE)), fetch(True)


def test_142_a_plain_batch_within_a_transaction_is_refused(place, producer):
    assert producer.add((place.topic, 0)) == NONE
    assert producer.produce(place.topic, "a") == (NONE, 0)
    assert producer.produce(place.topic, "b", attributes=0)[0] == INVALID_STATE
    assert producer.end(True) == NONE
    producer.wait_for_state("CompleteCommit")
    assert stable(place, place.topic) == (["a"], 2)


def test_143_an_abort_hides_what_was_there_at_the_first_read(place, producer):
    assert producer.produce(place.topic, "a", version=12) == (NONE, 0)
    assert stable(place, place.topic) == ([], 0)
    assert producer.end(False, version=5) == NONE
    producer.wait_for_state("CompleteAbort")
    assert stable(place, place.topic) == ([], 2)


def test_144_a_marker_of_an_operator_ends_a_transaction(place, producer):
    assert producer.init() == NONE and producer.epoch > 0
    assert producer.add((place.topic, 0)) == NONE
    assert producer.produce(place.topic, "a") == (NONE, 0)
    about = place.call("DescribeProducers", 0, topics=[{"name": place.topic, "partitionIndexes": [0]}])
    known, = about["topics"][0]["partitions"][0]["activeProducers"]
    assert (known["producerId"], known["producerEpoch"], known["currentTxnStartOffset"], known["lastSequence"]) == \
        (producer.id, producer.epoch, 0, 0)
    assert known["coordinatorEpoch"] == -1
    listed = place.call("ListTransactions", 2, producerIdFilters=[producer.id], stateFilters=["Ongoing"])
    assert [each["transactionalId"] for each in listed["transactionStates"]] == [producer.name]
    for version, epoch, code in ((1, producer.epoch - 1, INVALID_EPOCH), (2, producer.epoch, NONE)):
        written = place.call("WriteTxnMarkers", version, markers=[{
            "producerId": producer.id, "producerEpoch": epoch, "transactionResult": False, "coordinatorEpoch": 0,
            "topics": [{"name": place.topic, "partitionIndexes": [0]}]}])
        assert written["markers"][0]["topics"][0]["partitions"][0]["errorCode"] == code, version
    assert stable(place, place.topic) == ([], 2)
