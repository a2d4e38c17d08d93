"""Produce and InitProducerId: what the validator and the producer state say."""

from harness import batches

from .walker import b64

PAST = 1_700_000_000_000
FAR_FUTURE = 4_000_000_000_000


def recs(count, key=b"k", headers=()):
    return [batches.record(n, key, b"value %d" % n, headers) for n in range(count)]


def plain(count=3, **options):
    return batches.batch(recs(count), **options)


def squeezed(codec, squeeze, count=3, **options):
    return batches.batch(squeeze(b"".join(recs(count))), count=count, codec=codec, **options)


def bent(data, at, value):
    """The batch with one byte changed and the CRC left as it was."""
    return data[:at] + bytes([value]) + data[at + 1 :]


GZIP = squeezed("gzip", batches.gzip_stream)
SNAPPY = squeezed("snappy", batches.literal_snappy)
ZSTD = squeezed("zstd", batches.raw_zstd)
NO_ID = "AAAAAAAAAAAAAAAAAAAAAA"
UNKNOWN_ID = "d2Fsa2luZy13YWxraW5nIQ"


def message(magic, key=b"k", value=b"v"):
    """A message set of one message in the formats before 2."""
    import struct
    import zlib
    body = struct.pack(">bb", magic, 0) + (struct.pack(">q", PAST) if magic else b"")
    body += struct.pack(">i", len(key)) + key + struct.pack(">i", len(value)) + value
    body = struct.pack(">I", zlib.crc32(body)) + body
    return struct.pack(">qi", 0, len(body)) + body


def produce(records, topic="produce-{v}", partition=0, acks=-1, transactional_id=None, topic_id=None):
    return {"transactionalId": transactional_id, "acks": acks, "timeoutMs": 30000, "topicData": [
        {"name@-12": topic, "topicId@13-": topic_id or {"$id": topic}, "partitionData": [
            {"index": partition, "records": None if records is None else b64(records)}]}]}


def case(name, records, why=None, **options):
    extra = {key: options.pop(key) for key in ("wait", "versions", "settle", "ignore", "connection", "timeout_ms") if key in options}
    return {"case": name, "body": produce(records, **options), **extra}


def fetched(name, topic="produce-{v}", partition=0, offset=0):
    """What lies in the log after all of it, byte by byte."""
    return {"case": name, "api": "Fetch", "version": 11, "body": {
        "replicaId": -1, "maxWaitMs": 0, "minBytes": 0, "maxBytes": 1 << 24, "isolationLevel": 0, "sessionId": 0,
        "sessionEpoch": -1, "forgottenTopicsData": [], "rackId": "", "topics": [{"topic": topic, "partitions": [
            {"partition": partition, "currentLeaderEpoch": -1, "fetchOffset": offset, "logStartOffset": -1,
             "partitionMaxBytes": 1 << 24}]}]}}


GOOD = [
    case("acks all", plain()),
    case("acks one", plain(1), acks=1),
    case("acks none", plain(2), acks=0, wait=False),
    case("after acks none", plain(1)),
    case("gzip", GZIP), case("snappy", SNAPPY), case("zstd", ZSTD),
    case("headers", batches.batch(recs(2, headers=[("h", b"x"), ("h", None), ("", b"")]))),
    case("null key and value", batches.batch([batches.record(0, None, None)])),
    case("leader epoch of the client is noise", plain(leader_epoch=99)),
    case("base offset of the client is overwritten", plain(base_offset=0)),
    case("timestamps that go down", batches.batch([batches.record(n, b"k", b"v", timestamp_delta=-n) for n in range(3)])),
    case("max timestamp too small", batches.batch([batches.record(n, b"k", b"v", timestamp_delta=n) for n in range(3)])),
    case("no timestamp", plain(timestamp=-1)),
    case("time zero", plain(timestamp=0)),
]

BAD = [
    case("null records", None, connection="null", timeout_ms=300),
    case("empty records", b""),
    case("eleven bytes", b"\0" * 11),
    case("seventeen bytes", b"\0" * 17),
    case("a cut batch", plain()[:-1]),
    case("only a header", plain()[:61]),
    case("bytes after the batch", plain() + b"\0" * 5),
    case("two batches", plain() + plain()),
    case("two batches, the second compressed", plain() + GZIP),
    case("two compressed batches", GZIP + GZIP),
    case("bad CRC", plain(crc=1)),
    case("a flipped bit", bent(plain(), 70, 0xFF)),
    case("magic 0", message(0)),
    case("magic 1", message(1)),
    case("magic 3", plain(magic=3)),
    case("magic -1", bent(plain(), 16, 0xFF)),
    case("count too large", batches.batch(recs(3), count=4)),
    case("count too small", batches.batch(recs(3), count=2, last_offset_delta=2)),
    case("count zero", batches.batch(b"", count=0)),
    case("count negative", batches.batch(recs(1), count=-1)),
    case("last offset delta too large", batches.batch(recs(3), last_offset_delta=5)),
    case("last offset delta negative", batches.batch(recs(3), last_offset_delta=-1)),
    case("base offset not zero", plain(base_offset=5)),
    case("base offset negative", plain(base_offset=-1)),
    case("gap in the offsets", batches.batch([batches.record(n * 2, b"k", b"v") for n in range(3)], last_offset_delta=2)),
    case("gap in compressed offsets", batches.batch(batches.gzip_stream(b"".join(
        batches.record(n * 2, b"k", b"v") for n in range(3))), count=3, codec="gzip")),
    case("control batch", plain(attributes=0x20)),
    case("control and transactional", plain(attributes=0x30, producer=(5, 0, -1))),
    case("transactional without a producer", plain(attributes=0x10)),
    case("transactional without an id", plain(attributes=0x10, producer=(5, 0, 0))),
    case("unknown codec 5", plain(attributes=5)),
    case("unknown codec 7", plain(attributes=7)),
    case("unused attribute bits", plain(attributes=0x80)),
    case("LogAppendTime bit of the client", plain(attributes=0x08)),
    case("delete horizon bit", plain(attributes=0x40)),
    case("gzip that is none", batches.batch(b"nonsense", count=3, codec="gzip")),
    case("zstd that is none", batches.batch(b"nonsense", count=3, codec="zstd")),
    case("snappy that is none", batches.batch(b"nonsense", count=3, codec="snappy")),
    case("lz4 that is none", batches.batch(b"nonsense", count=3, codec="lz4")),
    case("gzip with fewer records", squeezed("gzip", batches.gzip_stream, 3)[:0] + batches.batch(
        batches.gzip_stream(b"".join(recs(2))), count=3, codec="gzip")),
    case("gzip with more records", batches.batch(batches.gzip_stream(b"".join(recs(4))), count=3, codec="gzip")),
    case("time far ahead", plain(timestamp=FAR_FUTURE)),
    case("time far ahead in the second record", batches.batch(
        [batches.record(0, b"k", b"v"), batches.record(1, b"k", b"v", timestamp_delta=FAR_FUTURE - PAST)])),
    case("compressed time far ahead", squeezed("gzip", batches.gzip_stream, timestamp=FAR_FUTURE)),
    case("time negative", plain(timestamp=-2)),
    case("record of no length", batches.batch([b"\x00"])),
    case("record with a negative length", batches.batch([batches.varint(-5)])),
    case("record longer than the batch", batches.batch([batches.varint(1000) + b"\0\0\0\1\1\0"])),
    case("acks 2", plain(), acks=2),
    case("acks -2", plain(), acks=-2),
    case("unknown topic", plain(), topic="nowhere", topic_id=UNKNOWN_ID),
    case("bad topic name", plain(), topic="a/b", topic_id=UNKNOWN_ID),
    case("empty topic name", plain(), topic="", topic_id=NO_ID),
    case("unknown partition", plain(), partition=9),
    case("negative partition", plain(), partition=-1),
    case("largest partition", plain(), partition=2147483647),
    {"case": "no topics", "body": {"transactionalId": None, "acks": -1, "timeoutMs": 1000, "topicData": []}},
    {"case": "no partitions", "body": {"transactionalId": None, "acks": -1, "timeoutMs": 1000, "topicData": [
        {"name@-12": "produce-{v}", "topicId@13-": {"$id": "produce-{v}"}, "partitionData": []}]}},
    {"case": "good and bad beside each other", "body": {"transactionalId": None, "acks": -1, "timeoutMs": 1000, "topicData": [
        {"name@-12": "produce-{v}", "topicId@13-": {"$id": "produce-{v}"}, "partitionData": [
            {"index": 0, "records": b64(plain())}, {"index": 1, "records": b64(plain(crc=3))}, {"index": 9, "records": b64(plain())}]},
        {"name@-12": "nowhere", "topicId@13-": UNKNOWN_ID, "partitionData": [{"index": 0, "records": b64(plain())}]},
        {"name@-12": "append-{v}", "topicId@13-": {"$id": "append-{v}"}, "partitionData": [{"index": 0, "records": b64(plain())}]}]},
     "any_order": ["responses", "responses.partitionResponses"], "why": "the reference collects answers in hash maps"},
    {"case": "a partition twice", "body": {"transactionalId": None, "acks": -1, "timeoutMs": 1000, "topicData": [
        {"name@-12": "produce-{v}", "topicId@13-": {"$id": "produce-{v}"}, "partitionData": [
            {"index": 0, "records": b64(plain(1))}, {"index": 0, "records": b64(plain(2))}]}]}},
    case("a negative timeout", plain()),
]

# Producer 5 of the request's own; the reference believes any id in a batch without a transaction.
IDEMPOTENT = [
    case("idempotent first", plain(2, producer=(77, 0, 0))),
    case("idempotent next", plain(2, producer=(77, 0, 2))),
    case("idempotent duplicate", plain(2, producer=(77, 0, 2))),
    case("idempotent duplicate of the first", plain(2, producer=(77, 0, 0))),
    case("idempotent gap", plain(2, producer=(77, 0, 9))),
    case("idempotent overlap", plain(2, producer=(77, 0, 3))),
    case("idempotent new epoch not at zero", plain(2, producer=(77, 1, 4))),
    case("idempotent new epoch", plain(2, producer=(77, 1, 0))),
    case("idempotent old epoch", plain(2, producer=(77, 0, 4))),
    case("idempotent negative sequence", plain(2, producer=(77, 1, -1))),
    case("idempotent negative epoch", plain(2, producer=(77, -1, 2))),
    case("idempotent unknown producer in the middle", plain(2, producer=(78, 0, 50))),
    case("idempotent sequence wraps", plain(2, producer=(79, 0, 2147483646))),
    case("idempotent sequence wrapped", plain(2, producer=(79, 0, 0))),
    case("two idempotent batches", plain(1, producer=(80, 0, 0)) + plain(1, producer=(80, 0, 1))),
    case("negative producer", plain(1, producer=(-5, 0, 0))),
    case("with a transactional id", plain(1), transactional_id="tx", ignore=[]),
]

CONFIGURED = [
    case("LogAppendTime", plain(), topic="append-{v}"),
    case("LogAppendTime compressed", GZIP, topic="append-{v}"),
    case("LogAppendTime far ahead", plain(timestamp=FAR_FUTURE), topic="append-{v}"),
    fetched("LogAppendTime read back", topic="append-{v}"),
    case("small limit, small batch", plain(1), topic="small-{v}"),
    case("small limit, large batch", batches.batch([batches.record(0, b"k", b"x" * 400)]), topic="small-{v}"),
    case("small limit, two batches", plain(1) + plain(1), topic="small-{v}"),
    case("compacted, with a key", plain(), topic="compact-{v}"),
    case("compacted, without a key", batches.batch([batches.record(0, b"k", b"v"), batches.record(1, None, b"v")]), topic="compact-{v}"),
    case("compacted, all without a key", batches.batch(recs(3, key=None)), topic="compact-{v}"),
    case("compacted, compressed without a key", batches.batch(
        batches.gzip_stream(b"".join(recs(3, key=None))), count=3, codec="gzip"), topic="compact-{v}"),
    case("too old", plain(timestamp=1000), topic="window-{v}"),
    case("not too old", plain(timestamp=PAST), topic="window-{v}"),
    case("uncompressed topic, gzip batch", GZIP, topic="uncompressed-{v}"),
    case("uncompressed topic, plain batch", plain(), topic="uncompressed-{v}"),
    fetched("uncompressed topic read back", topic="uncompressed-{v}"),
]

TOPICS = {
    "produce-{v}": {"partitions": 2},
    "append-{v}": {"configs": {"message.timestamp.type": "LogAppendTime"}},
    "small-{v}": {"configs": {"max.message.bytes": "200"}},
    "compact-{v}": {"configs": {"cleanup.policy": "compact"}},
    "window-{v}": {"configs": {"message.timestamp.before.max.ms": "315360000000"}},
    "uncompressed-{v}": {"configs": {"compression.type": "uncompressed"}},
}

INIT = {"transactionalId": None, "transactionTimeoutMs": 60000, "producerId@3-": -1, "producerEpoch@3-": -1}

WALKS = [
    {"api": "Produce", "first": 3, "topics": TOPICS,
     "steps": [*GOOD, fetched("read back what was good"), *BAD, *IDEMPOTENT, fetched("read back all of it"), *CONFIGURED]},
    {"api": "InitProducerId", "last": 5, "steps": [
        {"case": "a fresh id", "body": INIT, "settle": True, "ignore": ["producerId"],
         "why": "the settling asks of one server more than of the other would make the numbers drift"},
        {"case": "an id with an old one given", "versions": "3-", "body": {**INIT, "producerId": 5, "producerEpoch": 3},
         "ignore": ["producerId"]},
        {"case": "a timeout of zero without an id", "body": {**INIT, "transactionTimeoutMs": 0}, "ignore": ["producerId"]},
        {"case": "a negative timeout without an id", "body": {**INIT, "transactionTimeoutMs": -1}, "ignore": ["producerId"]},
        {"case": "an epoch without an id", "versions": "3-", "body": {**INIT, "producerEpoch": 3}, "ignore": ["producerId"]},
        {"case": "an id without an epoch", "versions": "3-", "body": {**INIT, "producerId": 3}, "ignore": ["producerId"]},
        {"case": "an empty transactional id", "body": {**INIT, "transactionalId": ""}},
    ]},
]
