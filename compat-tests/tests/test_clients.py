"""Each client library produces and consumes by assignment, with every codec, and gets back exactly what it sent."""

import hashlib
import itertools

import pytest

from harness import batches, clients, raw

SUITE = "clients"
TEN_MB = 10 * 1000 * 1000


def plain_records():
    text = "Eine Dohle sitzt auf dem Kirchturm und ruft. "
    return [(f"key {n}".encode(), (text * (n % 9) + str(n)).encode(), []) for n in range(1000)]


def each_client(names=clients.NAMES, short=clients.SHORT_NAMES):
    return [pytest.param(name, marks=[] if name in short else pytest.mark.long) for name in names]


def codec_cells():
    """In the short form the clients of the short form have every codec, and kafkajs and the oldest Java client one."""
    more = {("java-kafka-clients-2.1.0", "zstd"), ("kafkajs-2.2.4", "gzip")}
    return [
        pytest.param(name, codec, marks=[] if name in clients.SHORT_NAMES or (name, codec) in more else pytest.mark.long)
        for name in clients.NAMES for codec in clients.CODECS
    ]


def odd_records(client):
    """Null and empty keys and values, headers that repeat, that are empty, null and not ASCII, all bytes: what it can write."""
    odd = [
        (None, b"a null key", []),
        (b"", b"an empty key", []),
        (b"a null value", None, []),
        (b"an empty value", b"", []),
        (None, None, []),
        (b"", b"", [("empty", b""), ("null", None)]),
        (b"headers", b"several", [("a", b"1"), ("b", b"2"), ("a", b"3"), ("Dohlenschnäbel", "größer".encode())]),
        (b"more headers", b"one of each", [("a", b"1"), ("Dohlenschnäbel", "größer".encode())]),
        (bytes(range(256)), bytes(reversed(range(256))), [("all", bytes(range(256)))]),
    ]

    def has_nulls(record):
        return record[:2] == (None, None) or any(value is None for _, value in record[2])

    def repeats(record):
        return len({name for name, _ in record[2]}) < len(record[2])

    return [record for record in odd if (client.nulls or not has_nulls(record)) and (client.headers or not record[2])
            and (client.repeated_headers or not repeats(record))]


@pytest.fixture
def reader(client, need, tool_jvm):
    """The client itself, or another if it can't read without a group."""
    if client.consumes:
        return client
    other = clients.drivers(tool_jvm)[clients.READER]
    need(other.prepare)
    return other


def same(sent, offsets, received, reader):
    assert [(key, value, headers) for _, key, value, headers in received] == reader.view(sent)
    assert [offset for offset, *_ in received] == offsets == list(range(len(sent)))


@pytest.mark.cell("{client_name}", "produce-consume-{codec}")
@pytest.mark.parametrize(("client_name", "codec"), codec_cells())
def test_a_client_reads_back_what_it_produced(broker, topic, client, client_name, reader, codec, tmp_path):
    if codec not in client.codecs:
        pytest.skip(f"{client_name} has no {codec}")
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic)
    sent = plain_records()
    offsets = client.produce(tmp_path, broker.bootstrap, topic, sent, codec)
    same(sent, offsets, reader.consume(tmp_path, broker.bootstrap, topic, len(sent)), reader)
    with raw.connected(broker.port) as connection:
        stored = {batches.codec_of(batch) for batch in connection.read_all(topic)}
    assert stored == {batches.CODEC_IDS[codec]}, "the batches are not stored with the producer's codec"


@pytest.mark.cell("{client_name}", "headers-null-empty")
@pytest.mark.parametrize("client_name", each_client())
def test_null_and_empty_keys_values_and_headers_come_back(broker, topic, client, client_name, reader, tmp_path):
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic)
    sent = odd_records(client)
    offsets = client.produce(tmp_path, broker.bootstrap, topic, sent)
    same(sent, offsets, reader.consume(tmp_path, broker.bootstrap, topic, len(sent)), reader)


@pytest.mark.cell("{client_name}", "10-mb-record")
@pytest.mark.parametrize("client_name", each_client())
def test_a_record_of_10_mb_comes_back(broker, topic, client, client_name, reader, tmp_path):
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic, configs={"max.message.bytes": 12 << 20})
    seed = b"".join(hashlib.sha512(b"%d" % n).digest() for n in range(TEN_MB // 64 + 1))
    sent = [(b"before", b"small", []), (b"large", seed[:TEN_MB], [("h", b"v")] if client.headers else []), (b"after", b"small", [])]
    offsets = client.produce(tmp_path, broker.bootstrap, topic, sent)
    same(sent, offsets, reader.consume(tmp_path, broker.bootstrap, topic, len(sent)), reader)


@pytest.mark.cell("{client_name}", "auto-create")
@pytest.mark.parametrize("client_name", each_client())
def test_a_topic_is_created_by_the_first_record(broker, topic, client, client_name, reader, tmp_path):
    if not client.creates:
        pytest.skip(f"{client_name} gives up at the first answer, that the topic is not known")
    sent = plain_records()[:10]
    offsets = client.produce(tmp_path, broker.bootstrap, topic, sent)
    same(sent, offsets, reader.consume(tmp_path, broker.bootstrap, topic, len(sent)), reader)


def pairs():
    return [
        pytest.param(writer, name, marks=[] if {writer, name} <= set(clients.SHORT_NAMES) else pytest.mark.long)
        for writer in clients.NAMES for name in clients.CONSUMERS if writer != name
    ]


@pytest.mark.cell("{client_name}", "reads-{writer}")
@pytest.mark.parametrize(("writer", "client_name"), pairs())
def test_each_client_reads_what_the_others_wrote(broker, topic, client, client_name, writer, need, tool_jvm, tmp_path):
    other = clients.drivers(tool_jvm)[writer]
    need(other.prepare)
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic)
    codec = "zstd" if {"zstd"} <= set(client.codecs) & set(other.codecs) else "gzip"
    sent = odd_records(other) + plain_records()[:50]
    offsets = other.produce(tmp_path, broker.bootstrap, topic, sent, codec)
    same(sent, offsets, client.consume(tmp_path, broker.bootstrap, topic, len(sent)), client)
