"""A compressed batch leaves the server with the payload that it came with: request, .log file and fetch answer agree
(behaviours 46 and 48 of behaviours.md)."""

import base64

import pytest

from harness import batches, raw

SUITE = "payload-identity"
TIME = 1_700_000_000_000
RECORDS = 500


def ours(codec):
    """The same payload in a framing that Kafka's own compressor never makes."""
    section = b"".join(batches.record(n, b"key %d" % n, b"jackdaw " * (n % 7)) for n in range(RECORDS))
    make = {"gzip": batches.gzip_stream, "snappy": batches.literal_snappy, "zstd": batches.raw_zstd}[codec]
    return batches.batch(make(section), count=RECORDS, codec=codec, timestamp=TIME)


def in_two_frames():
    section = b"".join(batches.record(n, b"key %d" % n, b"jackdaw " * (n % 7)) for n in range(RECORDS))
    half = len(section) // 2
    return batches.batch(batches.raw_zstd(section[:half]) + batches.raw_zstd(section[half:]), count=RECORDS, codec="zstd", timestamp=TIME)


@pytest.mark.parametrize("kind", ["none", "gzip", "snappy", "lz4", "zstd", "foreign gzip", "foreign snappy", "foreign zstd", "two-framed zstd"])
def test_the_payload_is_stored_and_sent_as_it_came(broker, tools, kind):
    codec = kind.split()[-1]
    if kind == codec:
        made = tools("batches", codec, RECORDS, TIME).must_succeed().out
        sent = base64.b64decode(made)
    else:
        sent = in_two_frames() if kind == "two-framed zstd" else ours(codec)
    topic = "identity-" + kind.replace(" ", "-")
    assert batches.codec_of(sent) == batches.CODEC_IDS[codec]
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic)
        offsets = [connection.produce(topic, sent) for _ in range(3)]
        assert offsets == [(0, 0), (0, RECORDS), (0, 2 * RECORDS)]
        fetched = connection.read_all(topic)
    on_disk = list(batches.split((broker.data / f"{topic}-0" / "00000000000000000000.log").read_bytes()))
    assert fetched == on_disk, "the fetch answer is not what is on disk"
    assert len(on_disk) == 3
    for number, batch in enumerate(on_disk):
        assert batches.base_offset(batch) == number * RECORDS
        assert batch[12:16] == b"\0\0\0\0", "the leader epoch of a new partition is 0"
        # Only the base offset and the leader epoch are the server's; the rest is the producer's, CRC included.
        assert batch[8:12] + batch[16:] == sent[8:12] + sent[16:]


@pytest.mark.parametrize("codec", ["none", "gzip", "snappy", "zstd"])
def test_a_wrong_maximum_timestamp_is_mended_in_the_header_alone(broker, topic, codec):
    section = b"".join(batches.record(n, None, b"value", timestamp_delta=n) for n in range(5))
    make = {"none": bytes, "gzip": batches.gzip_stream, "snappy": batches.literal_snappy, "zstd": batches.raw_zstd}[codec]
    sent = batches.batch(make(section), count=5, codec=codec, timestamp=TIME, max_timestamp=TIME + 77)
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic)
        assert connection.produce(topic, sent) == (0, 0)
        (batch,) = connection.read_all(topic)
    right = batches.batch(make(section), count=5, codec=codec, timestamp=TIME, max_timestamp=TIME + 4, leader_epoch=0)
    assert batch == right
