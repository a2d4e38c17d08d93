"""Bad input over raw sockets: what Kafka 4.4.0 does with it, and the server stays up, unmoved and small.

The expected outcomes are what the reference answered; the same tables run on both servers.
"""

import random
import socket
import struct
import time

import pytest

from harness import batches, raw

SUITE = "bad-input"

INVALID_RECORD = 87
CORRUPT_MESSAGE = 2
INVALID_TIMESTAMP = 32
UNKNOWN_SERVER_ERROR = -1
MEMORY_GROWTH_BYTES_MAX = 64 << 20

RECORDS = [batches.record(n, b"k", b"v%d" % n) for n in range(3)]
PLAIN = b"".join(RECORDS)
GOOD = batches.batch(RECORDS)
GZIP = batches.gzip_stream(PLAIN)


def one(body):
    """A batch of one record with this body behind its length."""
    return batches.batch([batches.varint(len(body)) + body])


NO_KEY_NO_VALUE = b"\0\0\0" + batches.varint(-1) * 2

# name: (the records field of a Produce v7 as it is sent, the error code of the partition)
BAD_BATCHES = {
    "nothing": (b"", INVALID_RECORD),
    "11 bytes": (b"\0" * 11, INVALID_RECORD),
    "17 bytes": (b"\0" * 17, CORRUPT_MESSAGE),
    "61 zeros": (b"\0" * 61, CORRUPT_MESSAGE),
    "cut in its header": (GOOD[:60], INVALID_RECORD),
    "cut in its records": (GOOD[:-1], INVALID_RECORD),
    "two batches": (GOOD + GOOD, INVALID_RECORD),
    "bad CRC": (batches.batch(RECORDS, crc=12345), CORRUPT_MESSAGE),
    "magic 0": (batches.batch(RECORDS, magic=0), INVALID_RECORD),
    "magic 1": (batches.batch(RECORDS, magic=1), INVALID_RECORD),
    "magic 3": (batches.batch(RECORDS, magic=3), CORRUPT_MESSAGE),
    "magic -1": (batches.batch(RECORDS, magic=-1), CORRUPT_MESSAGE),
    "length beyond the field": (batches.batch(RECORDS, length=5000), INVALID_RECORD),
    "length below a header": (batches.batch(RECORDS, length=48), CORRUPT_MESSAGE),
    "length negative": (batches.batch(RECORDS, length=-1), CORRUPT_MESSAGE),
    "length at its maximum": (batches.batch(RECORDS, length=0x7FFFFFFF), UNKNOWN_SERVER_ERROR),
    "count too high": (batches.batch(RECORDS, count=4, last_offset_delta=3), INVALID_RECORD),
    "count too low": (batches.batch(RECORDS, count=2, last_offset_delta=1), INVALID_RECORD),
    "count unlike the last offset": (batches.batch(RECORDS, count=3, last_offset_delta=3), INVALID_RECORD),
    "count zero": (batches.batch([], count=0, last_offset_delta=0), INVALID_RECORD),
    "count negative": (batches.batch(PLAIN, count=-1, last_offset_delta=-2), INVALID_RECORD),
    "count at its maximum": (batches.batch(PLAIN, count=0x7FFFFFFF), INVALID_RECORD),
    "last offset negative": (batches.batch(RECORDS, last_offset_delta=-1), INVALID_RECORD),
    "base offset not zero": (batches.batch(RECORDS, base_offset=5), INVALID_RECORD),
    "control batch": (batches.batch(RECORDS, attributes=0x20), INVALID_RECORD),
    "codec 5": (batches.batch(RECORDS, attributes=5), UNKNOWN_SERVER_ERROR),
    "codec 7": (batches.batch(RECORDS, attributes=7), UNKNOWN_SERVER_ERROR),
    "producer without sequence": (batches.batch(RECORDS, producer=(77, 0, -1)), INVALID_RECORD),
    "timestamp in two hours": (lambda: batches.batch(RECORDS, timestamp=int(time.time() * 1000) + 7200000), INVALID_TIMESTAMP),
    "append time without a time": (batches.batch(RECORDS, attributes=8, timestamp=-1), INVALID_TIMESTAMP),
    "no records where one is said": (batches.batch([b""], count=1), INVALID_RECORD),
    "record length negative": (batches.batch([batches.varint(-5) + b"\0" * 10]), INVALID_RECORD),
    "record length beyond": (batches.batch([batches.varint(1 << 30) + b"\0" * 10]), INVALID_RECORD),
    "record length without end": (batches.batch([b"\xff" * 20]), UNKNOWN_SERVER_ERROR),
    "a byte after the records": (batches.batch([RECORDS[0] + b"\0"]), INVALID_RECORD),
    "key beyond its record": (one(b"\0\0\0" + batches.varint(100) + b"abcd"), INVALID_RECORD),
    "header count negative": (one(NO_KEY_NO_VALUE + batches.varint(-1)), INVALID_RECORD),
    "header count huge": (one(NO_KEY_NO_VALUE + batches.varint(1 << 30)), INVALID_RECORD),
    "header name null": (one(NO_KEY_NO_VALUE + batches.varint(1) + batches.varint(-1) * 2), INVALID_RECORD),
    "gzip: garbage": (batches.batch(b"not gzip at all", count=1, codec="gzip"), UNKNOWN_SERVER_ERROR),
    "gzip: cut": (batches.batch(GZIP[:-12], count=3, codec="gzip"), UNKNOWN_SERVER_ERROR),
    "gzip: nothing": (batches.batch(b"", count=1, codec="gzip"), UNKNOWN_SERVER_ERROR),
    "gzip: count too high": (batches.batch(GZIP, count=4, codec="gzip"), INVALID_RECORD),
    "gzip: count too low": (batches.batch(GZIP, count=2, codec="gzip"), INVALID_RECORD),
    "snappy: garbage": (batches.batch(b"\xff" * 20, count=1, codec="snappy"), UNKNOWN_SERVER_ERROR),
    "snappy: says 2 GiB": (batches.batch(b"\xff\xff\xff\xff\x07" + b"\0" * 10, count=1, codec="snappy"), UNKNOWN_SERVER_ERROR),
    "lz4: garbage": (batches.batch(b"garbage garbage", count=1, codec="lz4"), UNKNOWN_SERVER_ERROR),
    "zstd: garbage": (batches.batch(b"garbage garbage", count=1, codec="zstd"), UNKNOWN_SERVER_ERROR),
}

# What looks wrong and is taken: name: the records field.
TAKEN_BATCHES = {
    "half a batch behind a whole one": GOOD + GOOD[:30],
    "five bytes behind a batch": GOOD + b"12345",
    "offsets that are not consecutive, uncompressed": batches.batch([batches.record(5, b"k", b"v"), batches.record(9, b"k", b"v")]),
    "a wrong maximum timestamp": batches.batch(RECORDS, max_timestamp=5),
    "timestamp -1": batches.batch(RECORDS, timestamp=-1),
    "append time on a create time topic": batches.batch(RECORDS, attributes=8),
    "an unknown producer in the middle": batches.batch(RECORDS, producer=(1 << 40, 0, 5)),
    "raw snappy": batches.batch(batches.literal_snappy(PLAIN), count=3, codec="snappy"),
    "two bytes behind a gzip stream": batches.batch(GZIP + b"xx", count=3, codec="gzip"),
}


def header(*args, **kwargs):
    return raw.header(*args, **kwargs)


def produce(body):
    return raw.frame(header(raw.PRODUCE, 7, 1) + body)


PRODUCE_BODY = raw.Connection.produce_body("some-topic", GOOD)
CLOSED, SILENT = "closed", "silent"
API_VERSIONS_35 = "0000000100230000000100120000" + "0005"

# name: (bytes on a fresh connection, "closed", "silent", or the first bytes of the answer in hex)
BAD_FRAMES = {
    "length 0x7fffffff": (struct.pack(">i", 0x7FFFFFFF), CLOSED),
    "length one above the limit": (struct.pack(">i", 104857601), CLOSED),
    "length at the limit, then nothing": (struct.pack(">i", 104857600), SILENT),
    "length -1": (struct.pack(">i", -1), CLOSED),
    "length at its minimum": (struct.pack(">i", -(2**31)), CLOSED),
    "length 0": (struct.pack(">i", 0), CLOSED),
    "a frame of 1 byte": (raw.frame(b"\0"), CLOSED),
    "a frame of 3 bytes": (raw.frame(b"\0\0\0"), CLOSED),
    "a header cut": (raw.frame(header(18, 0, 1)[:7]), CLOSED),
    "HTTP": (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", CLOSED),
    "TLS": (bytes.fromhex("16030100c8010000c40303") + b"\x11" * 200, CLOSED),
    "half a length": (b"\0\0", SILENT),
    "half a frame": (struct.pack(">i", 100) + b"12345", SILENT),
    "unknown key": (raw.frame(header(9999, 0, 1)), CLOSED),
    "negative key": (raw.frame(header(-1, 0, 1)), CLOSED),
    "removed key": (raw.frame(header(4, 0, 1)), CLOSED),
    "key of the controller's listener": (raw.frame(header(52, 0, 1, flexible=True)), CLOSED),
    "Metadata v99": (raw.frame(header(3, 99, 1, flexible=True)), CLOSED),
    "Metadata v-1": (raw.frame(header(3, -1, 1)), CLOSED),
    "Produce v2, advertised but gone": (raw.frame(header(0, 2, 1) + PRODUCE_BODY[2:]), CLOSED),
    "Fetch v3": (raw.frame(header(1, 3, 1)), CLOSED),
    "ApiVersions v99": (raw.frame(header(18, 99, 1, flexible=True)), API_VERSIONS_35),
    "ApiVersions v-1": (raw.frame(header(18, -1, 1)), API_VERSIONS_35),
    "ApiVersions v99, header without tags": (raw.frame(header(18, 99, 1)), CLOSED),
    "ApiVersions v3, bad client name": (raw.frame(header(18, 3, 1, flexible=True) + b"\x02!\x021\0"), "00000001002a010000000000"),
    "ApiVersions v3, cut": (raw.frame(header(18, 3, 1, flexible=True) + b"\x20ab"), CLOSED),
    "ApiVersions v0, bytes behind": (raw.frame(header(18, 0, 1) + b"trailing"), "000000010000"),
    "Metadata, bytes behind": (raw.frame(header(3, 4, 1) + raw.array([]) + b"\0xyz"), "000000010000000000000001"),
    "Metadata, cut": (raw.frame(header(3, 4, 1) + struct.pack(">i", 5)), CLOSED),
    "Metadata, count at its maximum": (raw.frame(header(3, 4, 1) + struct.pack(">i", 0x7FFFFFFF)), CLOSED),
    "Metadata, name beyond the frame": (raw.frame(header(3, 4, 1) + struct.pack(">ih", 1, 30000) + b"abc"), CLOSED),
    "Metadata, null name": (raw.frame(header(3, 4, 1) + struct.pack(">ih", 1, -1) + b"\0"), CLOSED),
    "Metadata v12, compact count huge": (raw.frame(header(3, 12, 1, flexible=True) + b"\xff\xff\xff\xff\x0f"), CLOSED),
    "client id beyond the frame": (raw.frame(struct.pack(">hhih", 18, 0, 1, 3000) + b"ab"), CLOSED),
    "client id of length -5": (raw.frame(struct.pack(">hhih", 18, 0, 1, -5)), "000000010000"),
    "tags of the header huge": (raw.frame(header(3, 9, 1) + b"\xff\xff\xff\xff\x0f"), CLOSED),
    "Produce, cut": (produce(PRODUCE_BODY[:40]), CLOSED),
    "Produce, topics at their maximum": (produce(raw.string(None) + struct.pack(">hii", -1, 1000, 0x7FFFFFFF)), CLOSED),
    "Produce, records beyond the frame": (
        produce(raw.string(None) + struct.pack(">hii", -1, 1000, 1) + raw.string("t") + struct.pack(">iii", 1, 0, 0x7FFFFFFF)), CLOSED),
}


@pytest.fixture
def healthy(broker):
    """A connection that was there before the bad input, and must not notice it."""
    with raw.connected(broker.port) as connection:
        ranges = connection.api_versions()
        yield connection
        assert connection.api_versions() == ranges


@pytest.fixture(scope="module")
def target(shared_server):
    with raw.connected(shared_server.port) as connection:
        connection.create_topic("bad-input")
    return "bad-input"


@pytest.mark.parametrize("name", BAD_BATCHES)
def test_a_bad_batch_is_answered_with_the_error_of_the_reference(broker, healthy, target, name):
    data, error = BAD_BATCHES[name]
    end = healthy.end_offset(target)
    with raw.connected(broker.port) as connection:
        assert connection.produce(target, data() if callable(data) else data) == (error, -1)
        assert connection.end_offset(target) == end, "a refused batch moved the end of the log"
        assert connection.produce(target, GOOD) == (0, end), "the connection can't produce after a refused batch"


@pytest.mark.parametrize("name", TAKEN_BATCHES)
def test_an_odd_batch_is_taken_as_by_the_reference(broker, healthy, target, name):
    end = healthy.end_offset(target)
    with raw.connected(broker.port) as connection:
        assert connection.produce(target, TAKEN_BATCHES[name]) == (0, end)
        stored = connection.read_all(target, end)
    assert [batches.base_offset(batch) for batch in stored] == [end], "exactly one batch is stored"
    assert stored[0][12:16] != b"\xff\xff\xff\xff", "the leader epoch is stamped"


def test_a_null_record_set_does_not_harm_others(broker, healthy, target):
    """The reference's handler dies of it and never answers; an error or a closed connection is as good."""
    with raw.connected(broker.port, seconds=2) as connection:
        try:
            assert connection.produce(target, None)[0] != 0
        except (raw.Closed, TimeoutError):
            pass


@pytest.mark.parametrize(("configs", "record", "error"), [
    ({"cleanup.policy": "compact"}, batches.record(0, None, b"v"), INVALID_RECORD),
    ({"max.message.bytes": "1000"}, batches.record(0, b"k", b"v" * 2000), 10),
], ids=["null key on a compacted topic", "larger than max.message.bytes"])
def test_what_the_topic_does_not_take_is_refused(broker, healthy, topic, configs, record, error):
    healthy.create_topic(topic, configs=configs)
    assert healthy.produce(topic, batches.batch([record])) == (error, -1)
    assert healthy.end_offset(topic) == 0


def test_unknown_targets_and_acks_are_refused_by_code(broker, healthy, target):
    assert healthy.produce("no-such-topic-here", GOOD) == (3, -1)
    assert healthy.produce("bad/name", GOOD) == (3, -1)
    assert healthy.produce(target, GOOD, partition=9) == (3, -1)
    assert healthy.produce(target, GOOD, partition=-1) == (3, -1)
    assert healthy.produce(target, GOOD, acks=2) == (21, -1)
    assert healthy.produce(target, GOOD, acks=-2) == (21, -1)


def test_acks_0_says_nothing_on_success_and_hangs_up_on_an_error(broker, healthy, target):
    end = healthy.end_offset(target)
    request = raw.frame(header(raw.PRODUCE, 7, 1) + raw.Connection.produce_body(target, GOOD, acks=0))
    with raw.connected(broker.port) as connection:
        connection.send(request)
        assert raw.eventually(lambda: healthy.end_offset(target) == end + 3)
        assert connection.api_versions(), "the next answer on the connection is that of the next request"
    bad = raw.frame(header(raw.PRODUCE, 7, 1) + raw.Connection.produce_body(target, batches.batch(RECORDS, crc=1), acks=0))
    with raw.connected(broker.port) as connection:
        connection.send(bad)
        assert connection.is_closed()
    assert healthy.end_offset(target) == end + 3


def outcome(port, data, seconds):
    with raw.connected(port, seconds) as connection:
        try:
            connection.send(data)
            return connection.receive()[:16].hex()
        except raw.Closed:
            return CLOSED
        except TimeoutError:
            return SILENT


@pytest.mark.parametrize("name", BAD_FRAMES)
def test_a_bad_frame_is_treated_as_by_the_reference(broker, healthy, name):
    data, expected = BAD_FRAMES[name]
    seen = outcome(broker.port, data, 0.5 if expected == SILENT else 10)
    assert seen == expected if expected in (CLOSED, SILENT) else seen.startswith(expected[:32]), seen


def test_a_connection_that_is_closed_in_the_middle_of_a_frame_is_forgotten(broker, healthy):
    for _ in range(50):
        with raw.connected(broker.port) as connection:
            connection.send(struct.pack(">i", 1000) + b"x" * 500)
    with raw.connected(broker.port) as connection:
        connection.send(struct.pack(">i", 100) + b"12345")
        connection.socket.shutdown(socket.SHUT_WR)
        assert connection.is_closed()


@pytest.mark.limit(240)
def test_random_frames_do_no_harm(broker, healthy, size):
    """Noise, noise behind a good length, and good requests with some bytes changed."""
    chance = random.Random(4400)
    before = broker.resident_bytes()
    good = [raw.frame(header(raw.METADATA, 4, 1) + raw.array([raw.string("random-frames")]) + b"\0"),
            produce(PRODUCE_BODY),
            raw.frame(header(raw.API_VERSIONS, 3, 1, flexible=True) + b"\x02a\x021\0"),
            raw.frame(header(raw.FETCH, 4, 1) + struct.pack(">iiiib", -1, 10, 1, 1000, 0) + raw.array([]))]
    for turn in range(300 if size == "short" else 10000):
        if turn % 3 == 0:
            data = chance.randbytes(chance.randrange(1, 300))
        elif turn % 3 == 1:
            data = raw.frame(chance.randbytes(chance.randrange(1, 300)))
        else:
            data = bytearray(chance.choice(good))
            for _ in range(chance.randrange(1, 4)):
                data[chance.randrange(4, len(data))] = chance.randrange(256)
        with raw.connected(broker.port) as connection:
            try:
                connection.send(bytes(data))
                connection.socket.settimeout(0.005)
                connection.socket.recv(1 << 16)
            except (raw.Closed, OSError):
                pass
    assert healthy.api_versions()
    broker.assert_grown_less(before, MEMORY_GROWTH_BYTES_MAX)


@pytest.mark.only("dohle", "the reference takes what is announced from its heap, and runs out of it")
def test_announced_bytes_take_no_memory(broker, healthy, server_kind):
    """Sixty connections announce 100 MiB each and send a little of it."""
    before = broker.resident_bytes()
    announced = [raw.Connection(broker.port) for _ in range(60)]
    try:
        for connection in announced:
            connection.send(struct.pack(">i", 104857600) + header(raw.PRODUCE, 7, 1) + b"x" * 1000)
        time.sleep(0.3)
        assert healthy.api_versions()
        broker.assert_grown_less(before, MEMORY_GROWTH_BYTES_MAX)
    finally:
        for connection in announced:
            connection.close()


def one_gib_in_32_kib():
    """One record with a value of 1 GiB of the letter x: a zstd frame of run-length blocks."""
    value = 1 << 30
    body = b"\0\0\0" + batches.varint(-1) + batches.varint(value)
    blocks = [("raw", batches.varint(len(body) + value + 1) + body), *[("rle", b"x", 1 << 17)] * (value >> 17), ("raw", b"\0")]
    return batches.batch(batches.zstd_frame(blocks), count=1, codec="zstd")


def many_records_in_gzip():
    """400,000 equal records of 1 KiB, a thousandth of that as gzip; the count is one too high, so it must be walked."""
    import zlib

    stream = zlib.compressobj(9, zlib.DEFLATED, 31)
    out = bytearray()
    count = 400_000
    for n in range(count):
        out += stream.compress(batches.record(n, None, b"x" * 1000))
    return batches.batch(bytes(out + stream.flush()), count=count + 1, codec="gzip")


@pytest.mark.parametrize(("make", "expected"), [(one_gib_in_32_kib, 0), (many_records_in_gzip, INVALID_RECORD)],
                         ids=["one record of 1 GiB", "many records"])
def test_a_batch_that_inflates_a_thousandfold_takes_no_memory(broker, healthy, topic, make, expected):
    healthy.create_topic(topic, configs={"max.message.bytes": 8 << 20})
    data = make()
    before = broker.resident_bytes()
    with raw.connected(broker.port, seconds=60) as connection:
        connection.send(raw.frame(header(raw.PRODUCE, 7, 1) + raw.Connection.produce_body(topic, data)))
        started = time.monotonic()
        assert healthy.api_versions()
        assert time.monotonic() - started < 2, "another connection waited for the inflation"
        answer = raw.Reader(connection.receive())
    answer.take("ii"), answer.string(), answer.take("ii")
    assert answer.take("h") == expected
    broker.assert_grown_less(before, MEMORY_GROWTH_BYTES_MAX)
    assert healthy.end_offset(topic) == (1 if expected == 0 else 0)


@pytest.mark.only("dohle", "the reference writes a stack trace for each bad batch")
def test_bad_input_leaves_no_line_per_request(broker, healthy, target, server_kind):
    before = broker.log().count("\n")
    for _ in range(100):
        assert healthy.produce(target, batches.batch(RECORDS, crc=1)) == (CORRUPT_MESSAGE, -1)
        outcome(broker.port, raw.frame(b"\x7f" * 40), 10)
    assert broker.log().count("\n") - before < 20
