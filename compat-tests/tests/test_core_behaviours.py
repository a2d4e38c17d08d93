"""Behaviours of the data path that clients rely on, seen from outside; the numbers are those of behaviours.md, sections A, B,
C, D, E and O. What is tested beside a handler, or by another suite, is not here."""

import signal
import struct
import threading
import time

import pytest

from harness import batches, raw

SUITE = "core"

FIND_COORDINATOR, DELETE_RECORDS, OFFSET_FOR_LEADER_EPOCH, ADD_PARTITIONS, END_TXN = 10, 21, 23, 24, 26
OUT_OF_ORDER_SEQUENCE = 45


def coordinator_of(connection, key, kind):
    """(node, host, port) of the coordinator, once its topic is there; of a group, or with 1 of a transactional id."""

    def find():
        found = connection.request(FIND_COORDINATOR, 1, raw.string(key) + struct.pack(">b", kind))
        _, error, _ = found.take("i"), found.take("h"), found.string()
        return (found.take("i"), found.string(), found.take("i")) if error == 0 else None

    return raw.eventually(find, seconds=30)


def small_batch(value=b"v", **options):
    return batches.batch([batches.record(0, b"k", value)], timestamp=int(time.time() * 1000), **options)


# -- A: connections ------------------------------------------------------------------------------------------------------


def test_versions_are_told_at_once_and_as_often_as_asked(broker):
    """Behaviour 3: as the first request of every connection, and any number of times after."""
    answers = []
    for _ in range(2):
        with raw.connected(broker.port) as connection:
            for version in (0, 1, 2, 0):
                answer = connection.request(raw.API_VERSIONS, version, b"")
                assert answer.take("h") == 0
                answers.append(answer.array(lambda answer=answer: answer.take("hhh")))
            connection.create_topic(f"versions-{len(answers)}")
            assert connection.api_versions()
    assert all(answer == answers[0] for answer in answers)


def test_pipelined_requests_are_handled_and_answered_in_their_order(broker, topic):
    """Behaviour 9: quick requests do not overtake slow ones, and offsets are given out in the order of arrival."""
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic)
        wire, expected = b"", []
        for n in range(1, 61):
            kind = n % 3
            if kind == 0:
                wire += raw.frame(raw.header(raw.API_VERSIONS, 0, n))
            elif kind == 1:
                wire += raw.frame(raw.header(raw.PRODUCE, 7, n) + raw.Connection.produce_body(topic, small_batch(), acks=-1))
            else:
                part = raw.array([raw.string(topic) + raw.array([struct.pack(">iqi", 0, 1000 + n, 1000)])])
                wire += raw.frame(raw.header(raw.FETCH, 4, n) + struct.pack(">iiiib", -1, 20, 1, 1000, 0) + part)
            expected.append(n)
        connection.send(wire)
        offsets, answered = [], []
        for n in expected:
            answer = raw.Reader(connection.receive())
            answered.append(answer.take("i"))
            if n % 3 == 1:
                answer.array(lambda answer=answer: (answer.string(), answer.array(lambda: offsets.append(answer.take("ihqqq")[1:3]))))
        assert answered == expected
        assert offsets == [(0, offset) for offset in range(20)]


def test_a_stop_ends_connections_between_frames(server, topic):
    """Behaviour 13: whoever waits for an answer, or is in the middle of one, gets whole frames and then the end."""
    with raw.connected(server.port) as waiting, raw.connected(server.port, seconds=30) as reading, raw.connected(server.port) as idle:
        waiting.create_topic(topic, configs={"max.message.bytes": 8 << 20})
        large = batches.batch([batches.record(0, None, b"x" * (1 << 20))])
        for _ in range(8):
            assert waiting.produce(topic, large)[0] == 0
        part = raw.array([raw.string(topic) + raw.array([struct.pack(">iqi", 0, 8, 1 << 20)])])
        waiting.send(raw.frame(raw.header(raw.FETCH, 4, 1) + struct.pack(">iiiib", -1, 20_000, 1, 1 << 20, 0) + part))
        part = raw.array([raw.string(topic) + raw.array([struct.pack(">iqi", 0, 0, 8 << 20)])])
        reading.send(raw.frame(raw.header(raw.FETCH, 4, 2) + struct.pack(">iiiib", -1, 0, 1, 8 << 20, 0) + part))
        size = struct.unpack(">i", reading.exactly(4))[0]
        idle.api_versions()
        time.sleep(0.2)
        server.process.send_signal(signal.SIGTERM)
        assert len(reading.exactly(size)) == size and size > 7 << 20
        assert reading.is_closed(20)
        assert idle.is_closed(20)
        rest = b""
        waiting.socket.settimeout(20)
        while part := waiting.socket.recv(1 << 16):
            rest += part
        assert rest == b"" or len(rest) == 4 + struct.unpack(">i", rest[:4])[0]
        server.wait(30)


# -- B: metadata ---------------------------------------------------------------------------------------------------------


def test_brokers_leaders_replicas_and_coordinators_agree(broker, topic):
    """Behaviour 21."""
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic, partitions=3)
        answer = connection.request(raw.METADATA, 1, raw.array([raw.string(topic)]))
        nodes = {answer.take("i"): (answer.string(), answer.take("i"), answer.string())[:2] for _ in range(answer.take("i"))}
        controller = answer.take("i")
        named = {controller}

        def partition():
            error, _, leader = answer.take("hii")
            assert error == 0
            named.update([leader, *answer.array(lambda: answer.take("i")), *answer.array(lambda: answer.take("i"))])

        answer.array(lambda: (answer.take("h"), answer.string(), answer.take("?"), answer.array(partition)))
        answer.end()
        assert nodes == {1: ("127.0.0.1", broker.port)} and named == {1}

        assert coordinator_of(connection, "some group", 0) == (1, "127.0.0.1", broker.port)


# -- C: produce ----------------------------------------------------------------------------------------------------------


def test_a_producers_state_has_a_lifetime_of_its_own(make_server, server_kind, topic):
    """Behaviours 37 and 35: producer.id.expiration.ms, not transactional.id.expiration.ms; and who is unknown may begin
    anywhere."""
    made = make_server(server_kind, {"producer.id.expiration.ms": "3000", "producer.id.expiration.check.interval.ms": "200",
                                     "transactional.id.expiration.ms": "604800000"}).start()
    with raw.connected(made.port) as connection:
        connection.create_topic(topic)
        producer = connection.init_producer_id()
        assert connection.produce(topic, small_batch(producer=(*producer, 0))) == (0, 0)
        assert connection.produce(topic, small_batch(producer=(*producer, 7)))[0] == OUT_OF_ORDER_SEQUENCE
        assert raw.eventually(lambda: connection.produce(topic, small_batch(producer=(*producer, 7)))[0] == 0, seconds=20, every=0.5)


def test_the_leader_epoch_of_a_client_is_noise(broker, topic):
    """Behaviour 46: it is overwritten, whatever it was."""
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic)
        for number, epoch in enumerate((-1, 0, 7, -99, 2147483647)):
            assert connection.produce(topic, small_batch(leader_epoch=epoch)) == (0, number)
        stored = connection.read_all(topic)
        assert [struct.unpack_from(">i", batch, 12)[0] for batch in stored] == [0] * 5


def test_a_stop_is_told_by_retriable_codes_only(server, topic):
    """Behaviour 52: NOT_LEADER_OR_FOLLOWER, REQUEST_TIMED_OUT, or the end of the connection; never UNKNOWN_SERVER_ERROR."""
    with raw.connected(server.port) as connection:
        connection.create_topic(topic)
    seen, stopped = set(), threading.Event()

    def produce():
        try:
            with raw.connected(server.port) as connection:
                while True:
                    body = raw.Connection.produce_body(topic, small_batch())
                    answer = connection.request(raw.PRODUCE, 7, body)
                    answer.array(lambda: (answer.string(), answer.array(lambda: seen.add(answer.take("ihqqq")[1]))))
        except (raw.Closed, OSError):
            stopped.set()

    threads = [threading.Thread(target=produce) for _ in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    server.process.send_signal(signal.SIGTERM)
    for thread in threads:
        thread.join(30)
    assert stopped.is_set() and 0 in seen
    assert seen <= {0, raw.NOT_LEADER_OR_FOLLOWER, 7}
    server.wait(30)


# -- D and E: fetch and offsets --------------------------------------------------------------------------------------------


def test_control_batches_reach_consumers_of_both_kinds(server, topic):
    """Behaviour 62: with the control bit, at their own offset, so that positions advance over them."""
    with raw.connected(server.port, seconds=40) as connection:
        connection.create_topic(topic)
        assert coordinator_of(connection, "x", 1)

        def start():
            answer = connection.request(raw.INIT_PRODUCER_ID, 1, raw.string("x") + struct.pack(">i", 60000))
            _, error, producer, epoch = answer.take("ihqh")
            return (producer, epoch) if error == 0 else None

        producer = raw.eventually(start, seconds=30)
        assert producer
        body = raw.string("x") + struct.pack(">qh", *producer) + raw.array([raw.string(topic) + raw.array([struct.pack(">i", 0)])])
        answer = connection.request(ADD_PARTITIONS, 0, body)
        answer.take("i")
        assert answer.array(lambda: (answer.string(), answer.array(lambda: answer.take("ih")))) == [(topic, [(0, 0)])]
        data = raw.array([raw.string(topic) + raw.array([struct.pack(">i", 0) + raw.blob(small_batch(attributes=0x10, producer=(*producer, 0)))])])
        answer = connection.request(raw.PRODUCE, 7, raw.string("x") + struct.pack(">hi", -1, 30000) + data)
        result = []
        answer.array(lambda: (answer.string(), answer.array(lambda: result.append(answer.take("ihqqq")))))
        assert result[0][1] == 0
        answer = connection.request(END_TXN, 1, raw.string("x") + struct.pack(">qh?", *producer, True))
        assert answer.take("ih") == (0, 0)

        def fetched(isolation):
            part = struct.pack(">iqi", 0, 0, 1 << 20)
            body = struct.pack(">iiiib", -1, 500, 1, 1 << 20, isolation) + raw.array([raw.string(topic) + raw.array([part])])
            answer = connection.request(raw.FETCH, 4, body)
            answer.take("i")
            found = []

            def each():
                _, error, _, stable = answer.take("ihqq")
                answer.array(lambda: answer.take("qq"))
                found.append((error, stable, list(batches.split(answer.blob() or b""))))

            answer.array(lambda: (answer.string(), answer.array(each)))
            return found[0]

        assert raw.eventually(lambda: fetched(1)[1] == 2)
        for isolation in (0, 1):
            error, stable, found = fetched(isolation)
            assert (error, stable) == (0, 2)
            assert [(batches.base_offset(batch), batches.is_control(batch)) for batch in found] == [(0, False), (1, True)]


def test_list_offsets_begins_with_version_1(broker, topic):
    """Behaviour 82: version 0 is gone, and an unsupported version closes the connection (4)."""
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic)
        assert connection.api_versions()[raw.LIST_OFFSETS][0] == 1
        part = struct.pack(">iqi", 0, -1, 1)
        connection.send(raw.frame(raw.header(raw.LIST_OFFSETS, 0, 1) + struct.pack(">i", -1) + raw.array([raw.string(topic) + raw.array([part])])))
        assert connection.is_closed()


# -- O: errors -----------------------------------------------------------------------------------------------------------

UNKNOWN = "no-such-topic"


def list_offsets_error(connection, name, partition):
    body = struct.pack(">i", -1) + raw.array([raw.string(name) + raw.array([struct.pack(">iq", partition, -1)])])
    answer = connection.request(raw.LIST_OFFSETS, 1, body)
    return answer.array(lambda: (answer.string(), answer.array(lambda: answer.take("ihqq"))))[0][1][0][1]


def epoch_error(connection, name, partition):
    body = struct.pack(">i", -1) + raw.array([raw.string(name) + raw.array([struct.pack(">iii", partition, -1, 0)])])
    answer = connection.request(OFFSET_FOR_LEADER_EPOCH, 3, body)
    answer.take("i")
    return answer.array(lambda: (answer.string(), answer.array(lambda: answer.take("hiiq"))))[0][1][0][0]


def delete_records_error(connection, name, partition):
    body = raw.array([raw.string(name) + raw.array([struct.pack(">iq", partition, 0)])]) + struct.pack(">i", 1000)
    answer = connection.request(DELETE_RECORDS, 0, body)
    answer.take("i")
    return answer.array(lambda: (answer.string(), answer.array(lambda: answer.take("iqh"))))[0][1][0][2]


def metadata_error(connection, name, partition):
    return connection.metadata([name], create=False)[name][0] if name == UNKNOWN or partition == 0 else raw.UNKNOWN_TOPIC_OR_PARTITION


@pytest.mark.parametrize("what", ["produce", "fetch", "list_offsets", "epoch", "delete_records", "metadata"])
def test_what_does_not_exist_has_the_code_that_clients_know(broker, topic, what):
    """Behaviours 194 and 195: UNKNOWN_TOPIC_OR_PARTITION in every API of the data path, never UNKNOWN_SERVER_ERROR. The walks
    of the suite `differential` compare all other error cases with the reference, code by code."""
    ask = {
        "produce": lambda connection, name, partition: connection.produce(name, small_batch(), partition)[0],
        "fetch": lambda connection, name, partition: connection.fetch(name, 0, partition, wait_ms=0)[0],
        "list_offsets": list_offsets_error,
        "epoch": epoch_error,
        "delete_records": delete_records_error,
        "metadata": metadata_error,
    }[what]
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic)
        # The reference may still be on its way to its new partition.
        assert raw.eventually(lambda: ask(connection, topic, 0) == 0)
        assert ask(connection, topic, 7) == raw.UNKNOWN_TOPIC_OR_PARTITION
        assert ask(connection, UNKNOWN, 0) == raw.UNKNOWN_TOPIC_OR_PARTITION


def test_what_follows_a_creation_is_no_error_of_it(broker, topic):
    """Behaviour 197: a large topic is created with code 0 while its leaders are still on their way."""
    with raw.connected(broker.port, seconds=60) as connection:
        wanted = raw.string(topic) + struct.pack(">ih", 100, 1) + raw.array([]) + raw.array([])
        answer = connection.request(raw.CREATE_TOPICS, 4, raw.array([wanted]) + struct.pack(">i?", 30000, False))
        answer.take("i")
        assert answer.array(lambda: (answer.string(), answer.take("h"), answer.string())) == [(topic, 0, None)]
        assert raw.eventually(lambda: connection.produce(topic, small_batch(), partition=99)[0] == 0, seconds=40)
