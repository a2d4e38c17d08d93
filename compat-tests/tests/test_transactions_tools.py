"""Transactions through Kafka's own tools: producers of the second generation, kafka-transactions, the decoded log."""

import re

import pytest

from harness import raw

SUITE = "transactions-tools"
OWN_WARNINGS = [r"deprecated"]


@pytest.fixture
def transactions(broker, tools):
    def run(*arguments):
        done = tools("kafka-transactions", "--bootstrap-server", broker.bootstrap, *arguments, seconds=60)
        return done.must_succeed(OWN_WARNINGS).out

    return run


def perform(broker, tools, topic, records=2000):
    """Transactions of 50 ms with the Java producer."""
    return tools("kafka-producer-perf-test", "--topic", topic, "--num-records", records, "--record-size", 50,
                 "--throughput", 4000, "--transactional-id", topic, "--transaction-duration-ms", 50, "--producer-props",
                 f"bootstrap.servers={broker.bootstrap}", seconds=90).must_succeed(OWN_WARNINGS)


@pytest.fixture
def written(broker, tools, topic):
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic)
    perform(broker, tools, topic)
    return topic


@pytest.mark.cell("kafka-tools", "transactions")
def test_the_java_producer_commits_its_transactions(broker, tools, written):
    """132: no AddPartitionsToTxn, and a new epoch for each."""
    read = tools("kafka-console-consumer", "--bootstrap-server", broker.bootstrap, "--topic", written, "--from-beginning",
                 "--isolation-level", "read_committed", "--max-messages", 2000, "--timeout-ms", 30000, seconds=90)
    assert len(read.out.split()) == 2000


@pytest.mark.cell("kafka-tools", "transactions-list")
def test_transactions_are_listed_and_described(written, transactions):
    """144."""
    listed = transactions("list")
    row = re.search(rf"^{re.escape(written)}\s+(\d+)\s+(\d+)\s+(\S+)", listed, re.MULTILINE)
    assert row and row.group(3) == "CompleteCommit", listed
    described = transactions("describe", "--transactional-id", written)
    assert row.group(2) in described and "CompleteCommit" in described, described
    assert re.search(r"^CoordinatorId\s+TransactionalId\s+ProducerId\s+ProducerEpoch", described), described
    producers = transactions("describe-producers", "--topic", written, "--partition", "0")
    assert re.search(rf"^{row.group(2)}\s+\d+\s+0\s+(-1|\d+)\s+\d+\s+None", producers, re.MULTILINE), producers
    assert written not in transactions("find-hanging", "--broker-id", "1")


def test_the_log_of_the_transactions_is_decoded(broker, tools, written):
    paths = sorted(broker.data.glob("__transaction_state-*/*.log"))
    filled = [path for path in paths if path.stat().st_size > 0]
    assert filled
    texts = [tools("kafka-dump-log", "--files", path, "--transaction-log-decoder", seconds=60).must_succeed(OWN_WARNINGS).out
             for path in filled]
    text = "\n".join(texts)
    assert f'{{"transactionalId":"{written}"}}' in text, text[-2000:]
    for status in ("Empty", "Ongoing", "PrepareCommit", "CompleteCommit"):
        assert f'"transactionStatus":"{status}"' in text, text[-2000:]
    assert "baseSequence: 0" not in text, text[-2000:]
