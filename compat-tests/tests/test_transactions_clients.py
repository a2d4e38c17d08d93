"""Transactions with librdkafka, step by step: what is seen before and after their end, fencing, time-outs, kill -9.

The numbers are those of behaviours.md.
"""

import json
import subprocess
import time

import pytest

from harness import raw, toolchain

SUITE = "transactions"
ALL = 1_000_000


class Client:
    """clients/python/transaction_client.py as an object: client.begin("p") asks, and gives the answer or raises."""

    def __init__(self, interpreter, bootstrap):
        self.process = subprocess.Popen(
            [interpreter, toolchain.CLIENTS / "python" / "transaction_client.py", "--bootstrap", bootstrap],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def ask(self, *words):
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def __getattr__(self, command):
        def run(*arguments):
            answer = self.ask(command, *arguments)
            assert "ok" in answer, f"{command}{arguments}: {answer}"
            return answer["ok"]

        return run

    def write(self, name, topic, *values, commit=True):
        self.begin(name)
        self.produce(name, topic, values)
        self.commit(name) if commit else self.abort(name)


@pytest.fixture
def connect(need):
    interpreter = need(toolchain.python_clients)
    made = []

    def start(server):
        made.append(Client(interpreter, server.bootstrap))
        return made[-1]

    yield start
    for client in made:
        client.process.kill()


@pytest.fixture
def client(connect, broker, topic):
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic)
    return connect(broker)


@pytest.mark.cell("confluent", "transactions")
def test_only_what_is_committed_is_read(client, topic):
    client.producer("p", {"transactional.id": topic})
    client.write("p", topic, "a", "b")
    client.write("p", topic, "x", "y", commit=False)
    client.write("p", topic, "c")
    assert client.read(topic, "read_committed", ALL) == ["a", "b", "c"]
    assert client.read(topic, "read_uncommitted", ALL) == ["a", "b", "x", "y", "c"]


def test_an_open_transaction_hides_what_comes_after_it(client, topic):
    """143: visibility depends on the last stable offset."""
    client.producer("p", {"transactional.id": topic + "-p"})
    client.producer("q", {"transactional.id": topic + "-q"})
    client.begin("p")
    client.produce("p", topic, ["open"])
    client.write("q", topic, "later")
    assert client.read(topic, "read_committed", ALL) == []
    assert client.read(topic, "read_uncommitted", ALL) == ["open", "later"]
    client.abort("p")
    assert client.read(topic, "read_committed", 1) == ["later"]


def test_a_new_producer_fences_the_old_one(client, topic):
    """129 and 131."""
    client.producer("old", {"transactional.id": topic})
    client.begin("old")
    client.produce("old", topic, ["lost"])
    client.producer("new", {"transactional.id": topic})
    answer = client.ask("commit", "old")
    assert answer["fatal"] and answer["error"] == "_FENCED", answer
    client.write("new", topic, "kept")
    assert client.read(topic, "read_committed", ALL) == ["kept"]


def test_offsets_move_with_their_transaction(client, topic):
    """141: staged offsets are invisible until the marker."""
    group = topic + "-g"
    client.producer("p", {"transactional.id": topic})
    for commit, offset, expected in ((True, 5, 5), (False, 7, 5), (True, 9, 9)):
        client.begin("p")
        client.offsets("p", group, topic, offset)
        client.produce("p", topic, [str(offset)])
        client.commit("p") if commit else client.abort("p")
        assert client.committed(group, topic) == expected
    assert client.read(topic, "read_committed", ALL) == ["5", "9"]


def test_many_small_transactions(client, topic):
    """136: the markers are written in milliseconds."""
    client.producer("p", {"transactional.id": topic})
    started = time.monotonic()
    for number in range(100):
        client.write("p", topic, str(number), commit=number % 10 != 9)
    assert time.monotonic() - started < 60
    assert client.read(topic, "read_committed", ALL) == [str(n) for n in range(100) if n % 10 != 9]


def test_a_transaction_that_takes_too_long_is_aborted(make_server, server_kind, connect, topic):
    """138."""
    server = make_server(server_kind, {"transaction.abort.timed.out.transaction.cleanup.interval.ms": "200"}).start()
    with raw.connected(server.port) as connection:
        connection.create_topic(topic)
    client = connect(server)
    client.producer("slow", {"transactional.id": topic + "-slow", "transaction.timeout.ms": 2000})
    client.producer("other", {"transactional.id": topic + "-other"})
    client.begin("slow")
    client.produce("slow", topic, ["late"])
    client.write("other", topic, "on time")
    assert client.read(topic, "read_committed", ALL) == []
    deadline = time.monotonic() + 20
    while client.read(topic, "read_committed", ALL) != ["on time"]:
        assert time.monotonic() < deadline, "the transaction holds the last stable offset"
        time.sleep(0.2)
    answer = client.ask("commit", "slow")
    assert "error" in answer, answer


@pytest.mark.limit(240)
def test_a_kill_in_the_middle_keeps_what_was_committed(make_server, server_kind, connect, topic):
    server = make_server(server_kind).start()
    with raw.connected(server.port) as connection:
        connection.create_topic(topic)
    expected = []
    for turn in range(3):
        client = connect(server)
        client.producer("p", {"transactional.id": topic})
        client.write("p", topic, f"{turn}-kept")
        client.write("p", topic, f"{turn}-aborted", commit=False)
        expected.append(f"{turn}-kept")
        client.begin("p")
        client.produce("p", topic, [f"{turn}-open"])
        server.restart(kill=True)
        client.process.kill()
    client = connect(server)
    client.producer("p", {"transactional.id": topic})
    client.write("p", topic, "end")
    assert client.read(topic, "read_committed", ALL) == [*expected, "end"]


@pytest.mark.limit(240)
def test_the_other_server_goes_on_with_the_transactions(make_server, server_pair, connect, topic):
    first, second = server_pair
    server = make_server(first).start()
    with raw.connected(server.port) as connection:
        connection.create_topic(topic)
    client = connect(server)
    client.producer("p", {"transactional.id": topic})
    client.write("p", topic, "a")
    client.write("p", topic, "x", commit=False)
    client.begin("p")
    client.produce("p", topic, ["open"])
    server.kill()
    client.process.kill()
    server.swap(second).start()
    client = connect(server)
    assert client.read(topic, "read_committed", ALL) == ["a"]
    client.producer("p", {"transactional.id": topic})
    client.write("p", topic, "b")
    assert client.read(topic, "read_committed", ALL) == ["a", "b"]
