"""Real clients publish a real file and read it back; the output must be the same, byte for byte."""

import filecmp

import pytest

from harness import clients, corpus, kcat, toolchain

SUITE = "files"


@pytest.mark.limit(300)
@pytest.mark.cell("kcat", "file-{codec}")
@pytest.mark.parametrize("codec", clients.CODECS)
def test_kcat_reads_back_the_file_that_it_published(broker, topic, text, codec, tmp_path, need):
    need(toolchain.kcat)
    kcat.publish(broker.bootstrap, topic, text, codec)
    kcat.read(broker.bootstrap, topic, tmp_path / "back.txt")
    assert filecmp.cmp(text, tmp_path / "back.txt", shallow=False)


@pytest.mark.limit(300)
@pytest.mark.cell("kafka-console", "file-{codec}")
@pytest.mark.parametrize("codec", clients.CODECS)
def test_console_consumer_reads_back_the_file_that_the_console_producer_published(broker, topic, text, codec, tools):
    tools("kafka-topics", "--bootstrap-server", broker.bootstrap, "--create", "--topic", topic).must_succeed()
    tools("kafka-console-producer", "--bootstrap-server", broker.bootstrap, "--topic", topic, "--compression-codec", codec,
          stdin=text, seconds=240).must_succeed()
    read = tools("kafka-console-consumer", "--bootstrap-server", broker.bootstrap, "--topic", topic, "--partition", 0,
                 "--offset", "earliest", "--max-messages", corpus.line_count(text), "--timeout-ms", 30000, seconds=240)
    read.must_succeed()
    assert filecmp.cmp(text, read.stdout, shallow=False)


@pytest.mark.cell("kcat", "cross-read")
def test_console_consumer_reads_what_kcat_published_with_zstd(broker, topic, tools, need):
    need(toolchain.kcat)
    text = corpus.corpus(corpus.SHORT_BYTES)
    kcat.publish(broker.bootstrap, topic, text, "zstd")
    read = tools("kafka-console-consumer", "--bootstrap-server", broker.bootstrap, "--topic", topic, "--partition", 0,
                 "--offset", "earliest", "--max-messages", corpus.line_count(text), "--timeout-ms", 30000, seconds=90)
    read.must_succeed()
    assert filecmp.cmp(text, read.stdout, shallow=False)


@pytest.mark.cell("kcat", "metadata")
def test_kcat_lists_the_server_and_the_topic(broker, topic, need):
    need(toolchain.kcat)
    from harness import raw

    with raw.connected(broker.port) as connection:
        connection.create_topic(topic, partitions=3)
    listing = kcat.metadata(broker.bootstrap)
    assert f"broker 1 at {broker.bootstrap}" in listing
    assert f'topic "{topic}" with 3 partitions:' in listing
