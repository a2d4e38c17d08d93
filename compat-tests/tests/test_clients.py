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


def odd_records(client):
    """Null and empty keys and values, headers that repeat, that are empty, null and not ASCII, all bytes."""
    odd = [
        (None, b"a null key", []),
        (b"", b"an empty key", []),
        (b"a null value", None, []),
        (b"an empty value", b"", []),
        (None, None, []),
        (b"", b"", [("empty", b""), ("null", None)]),
        (b"headers", b"several", [("a", b"1"), ("b", b"2"), ("a", b"3"), ("Dohlenschnäbel", "größer".encode())]),
        (bytes(range(256)), bytes(reversed(range(256))), [("all", bytes(range(256)))]),
    ]
    if client.nulls:
        return odd
    return [record for record in odd if record[:2] != (None, None) and all(value is not None for _, value in record[2])]


def same(sent, offsets, received):
    assert [(key, value, headers) for _, key, value, headers in received] == sent
    assert [offset for offset, *_ in received] == offsets == list(range(len(sent)))


@pytest.mark.cell("{client_name}", "produce-consume-{codec}")
@pytest.mark.parametrize("codec", clients.CODECS)
@pytest.mark.parametrize("client_name", clients.NAMES)
def test_a_client_reads_back_what_it_produced(broker, topic, client, client_name, codec, tmp_path):
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic)
    sent = plain_records()
    offsets = client.produce(tmp_path, broker.bootstrap, topic, sent, codec)
    same(sent, offsets, client.consume(tmp_path, broker.bootstrap, topic, len(sent)))
    with raw.connected(broker.port) as connection:
        stored = {batches.codec_of(batch) for batch in connection.read_all(topic)}
    assert stored == {batches.CODEC_IDS[codec]}, "the batches are not stored with the producer's codec"


@pytest.mark.cell("{client_name}", "headers-null-empty")
@pytest.mark.parametrize("client_name", clients.NAMES)
def test_null_and_empty_keys_values_and_headers_come_back(broker, topic, client, client_name, tmp_path):
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic)
    sent = odd_records(client)
    offsets = client.produce(tmp_path, broker.bootstrap, topic, sent)
    same(sent, offsets, client.consume(tmp_path, broker.bootstrap, topic, len(sent)))


@pytest.mark.cell("{client_name}", "10-mb-record")
@pytest.mark.parametrize("client_name", clients.NAMES)
def test_a_record_of_10_mb_comes_back(broker, topic, client, client_name, tmp_path):
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic, configs={"max.message.bytes": 12 << 20})
    seed = b"".join(hashlib.sha512(b"%d" % n).digest() for n in range(TEN_MB // 64 + 1))
    sent = [(b"before", b"small", []), (b"large", seed[:TEN_MB], [("h", b"v")]), (b"after", b"small", [])]
    offsets = client.produce(tmp_path, broker.bootstrap, topic, sent)
    same(sent, offsets, client.consume(tmp_path, broker.bootstrap, topic, len(sent)))


@pytest.mark.cell("{client_name}", "auto-create")
@pytest.mark.parametrize("client_name", clients.NAMES)
def test_a_topic_is_created_by_the_first_record(broker, topic, client, client_name, tmp_path):
    sent = plain_records()[:10]
    offsets = client.produce(tmp_path, broker.bootstrap, topic, sent)
    same(sent, offsets, client.consume(tmp_path, broker.bootstrap, topic, len(sent)))


@pytest.mark.cell("{client_name}", "reads-{writer}")
@pytest.mark.parametrize(("writer", "client_name"), list(itertools.permutations(clients.NAMES, 2)))
def test_each_client_reads_what_the_others_wrote(broker, topic, client, client_name, writer, need, tool_jvm, tmp_path):
    other = clients.drivers(tool_jvm)[writer]
    need(other.prepare)
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic)
    sent = odd_records(other) + plain_records()[:50]
    offsets = other.produce(tmp_path, broker.bootstrap, topic, sent, "zstd")
    same(sent, offsets, client.consume(tmp_path, broker.bootstrap, topic, len(sent)))
