"""Transactions that hang, and how an operator ends them; transaction.version up and down; the turns of two servers."""

import json
import re
import subprocess
import time

import pytest

from harness import messages, raw, toolchain, transaction_log, transactions
from harness.transactions import NONE, Producer, stable

SUITE = "transactions-tools"
# The tools leave a client behind when they end with an error; it warns when its server goes.
OWN_WARNINGS = [r"deprecated", r"Connection to node -?\d+ .* could not be established"]
SESSIONS = {"broker.session.timeout.ms": "1500", "broker.heartbeat.interval.ms": "500", "transaction.state.log.num.partitions": "3",
            "offsets.topic.num.partitions": "3"}
HOUR_MS = 3_600_000


@pytest.mark.limit(300)
@pytest.mark.cell("kafka-tools", "transactions-abort")
def test_144_a_hanging_transaction_is_found_and_aborted(make_server, server_kind, tools):
    """Without the verification a late write leaves a transaction open that no coordinator knows (133)."""
    server = make_server(server_kind, {"transaction.partition.verification.enable": "false"}).start()
    with messages.Connection(server.port) as connection:
        connection.create_topic("hung", partitions=2)
        producer = Producer(server.port, "late")
        assert producer.init() == NONE
        long_ago = int(time.time() * 1000) - HOUR_MS
        assert producer.produce("hung", "never", partition=1, timestamp=long_ago) == (NONE, 0)
        # And one that the coordinator knows, of the same age: it does not hang.
        sound = Producer(server.port, "sound")
        assert sound.init() == NONE and sound.add(("hung", 0)) == NONE
        assert sound.produce("hung", "open", timestamp=long_ago) == (NONE, 0)

        def run(*arguments):
            done = tools("kafka-transactions", "--bootstrap-server", server.bootstrap, *arguments, seconds=60)
            return done.must_succeed(OWN_WARNINGS).out

        for scope in (("--broker-id", 1), ("--topic", "hung"), ("--topic", "hung", "--partition", 1)):
            rows = [line.split() for line in run("find-hanging", *scope).splitlines()[1:] if line.strip()]
            assert [row[:6] for row in rows] == [["hung", "1", str(producer.id), str(producer.epoch), "-1", "0"]], rows
        run("abort", "--topic", "hung", "--partition", 1, "--start-offset", 0)
        assert raw.eventually(lambda: stable(connection, "hung", 1) == ([], 2)), stable(connection, "hung", 1)
        assert "hung" not in run("find-hanging", "--broker-id", 1)
        # The way of older brokers, with all that identifies it.
        assert producer.produce("hung", "again", partition=1, timestamp=long_ago) == (NONE, 2)
        run("abort", "--topic", "hung", "--partition", 1, "--producer-id", producer.id, "--producer-epoch", producer.epoch,
            "--coordinator-epoch", 0)
        assert stable(connection, "hung", 1) == ([], 4)
        assert stable(connection, "hung", 0) == ([], 0)
        assert sound.end(True) == NONE
        sound.wait_for_state("CompleteCommit")
        assert stable(connection, "hung", 0) == (["open"], 2)
        listed = run("list")
        assert re.search(r"^sound\s+\d+\s+\d+\s+CompleteCommit", listed, re.MULTILINE), listed
        described = run("describe", "--transactional-id", "late")
        assert re.search(rf"^\d+\s+late\s+{producer.id}\s+{producer.epoch}\s+Empty\s", described, re.MULTILINE), described


def write(producer, topic, value, level, end):
    """A transaction as a client does it that has learned the level: committed, aborted, or left open (None)."""
    version = 12 if level >= 2 else 11
    if level < 2:
        assert producer.add((topic, 0)) == NONE
    code, _ = producer.produce(topic, value, version=version)
    assert code == NONE, f"{value}: error {code}"
    if end is not None:
        assert producer.end(end, version=5 if level >= 2 else 4) == NONE


def level_of(tools, server):
    done = tools("kafka-features", "--bootstrap-server", server.bootstrap, "describe", seconds=60).must_succeed(OWN_WARNINGS)
    return int(re.search(r"Feature: transaction\.version\s.*FinalizedVersionLevel: (\d+)", done.out)[1])


@pytest.mark.limit(400)
@pytest.mark.parametrize("end", ["killed", pytest.param("stopped", marks=pytest.mark.long)])
def test_transaction_version_goes_down_and_up(make_server, server_kind, tools, end):
    """The records of each level are read by each other one, whatever state the transactions are in."""
    server = make_server(server_kind, SESSIONS).start()
    with messages.Connection(server.port) as connection:
        connection.create_topic("t")
    kept = []
    for turn, (way, level) in enumerate([(None, 2), ("downgrade", 0), ("upgrade", 1), ("upgrade", 2), ("downgrade", 1)]):
        if way is not None:
            done = tools("kafka-features", "--bootstrap-server", server.bootstrap, way, "--feature", f"transaction.version={level}",
                         seconds=60)
            assert done.exit == 0, done.err + done.out
        with messages.Connection(server.port) as connection:
            assert raw.eventually(lambda: level_of(tools, server) == level)
            producer = Producer(server.port, "p")
            # Ends what the turn before left open, with records of another level.
            assert producer.init() == NONE
            write(producer, "t", f"{turn}-kept", level, True)
            write(producer, "t", f"{turn}-aborted", level, False)
            kept.append(f"{turn}-kept")
            assert raw.eventually(lambda: stable(connection, "t")[0] == kept), stable(connection, "t")
            write(producer, "t", f"{turn}-open", level, None)
            assert producer.describe()["transactionState"] == "Ongoing"
            producer.close()
        server.stop() if end == "stopped" else server.kill()
        server.start()
    with messages.Connection(server.port) as connection:
        producer = Producer(server.port, "p")
        assert producer.init() == NONE
        assert raw.eventually(lambda: stable(connection, "t")[0] == kept and not transaction_log.read_log(server.port, "t", 0).open)
        assert transaction_log.read_log(server.port, "t", 0).faults == []
        producer.close()


def test_transaction_version_is_not_lowered_by_an_upgrade(make_server, server_kind, tools):
    server = make_server(server_kind).start()
    for arguments in (("upgrade", "--feature", "transaction.version=1"), ("upgrade", "--feature", "transaction.version=9"),
                      ("downgrade", "--feature", "transaction.version=9")):
        done = tools("kafka-features", "--bootstrap-server", server.bootstrap, *arguments, seconds=60)
        assert done.exit == 1, f"{arguments}: {done.out}{done.err}"
        assert level_of(tools, server) == 2


class Librdkafka:
    """clients/python/transaction_client.py: the first generation."""

    def __init__(self, interpreter, server):
        self.process = subprocess.Popen(
            [interpreter, toolchain.CLIENTS / "python" / "transaction_client.py", "--bootstrap", server.bootstrap],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def ask(self, *words):
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert "ok" in answer, f"{words}: {answer}"
        return answer["ok"]


@pytest.fixture
def librdkafka(need):
    interpreter = need(toolchain.python_clients)
    made = []
    yield lambda server: made.append(Librdkafka(interpreter, server)) or made[-1]
    for client in made:
        client.process.kill()


def described(tools, server, name):
    """Producer id, epoch, state and partitions of a transactional id, as kafka-transactions has them."""
    done = tools("kafka-transactions", "--bootstrap-server", server.bootstrap, "describe", "--transactional-id", name, seconds=60)
    row = done.must_succeed(OWN_WARNINGS).out.splitlines()[1].split("\t")
    _, told, producer, epoch, state, _, _, _, partitions = [cell.strip() for cell in row][:9]
    assert told == name
    return int(producer), int(epoch), state, sorted(filter(None, partitions.split(",")))


def listed(tools, server):
    out = tools("kafka-transactions", "--bootstrap-server", server.bootstrap, "list", seconds=60).must_succeed(OWN_WARNINGS).out
    rows = [line.split() for line in out.splitlines()[1:] if line.strip()]
    return sorted((name, int(producer), state) for name, _, producer, state in rows)


@pytest.mark.limit(400)
@pytest.mark.parametrize("end", ["killed", pytest.param("stopped", marks=pytest.mark.long)])
def test_transactions_survive_the_turns_of_two_servers(make_server, server_pair, tools, librdkafka, need, end):
    need(toolchain.reference_libs)
    first, second = server_pair
    server = make_server(first, SESSIONS).start()
    with messages.Connection(server.port) as connection:
        connection.create_topic("t", partitions=2)
    kept, expected, producers = [], None, {}
    for turn, kind in enumerate((first, second, first)):
        if turn > 0:
            server.stop() if end == "stopped" else server.kill()
            server.swap(kind).start()
            with messages.Connection(server.port) as connection:
                Producer(server.port, "waits-until-it-is-loaded").close()
                assert raw.eventually(lambda: len(listed(tools, server)) == len(expected), seconds=20)
                assert listed(tools, server) == expected, f"{kind} has what {first} and {second} left"
                # One that was open goes on where it was, under the same id and epoch.
                still = producers["open"]
                assert described(tools, server, "open") == (still.id, still.epoch, "Ongoing", ["t-1"])
                still.connection = messages.Connection(server.port)
                assert stable(connection, "t")[0] == kept
                assert stable(connection, "t", 1)[0] == [f"{n}-open{part}" for n in range(turn - 1) for part in "ab"]
                assert still.produce("t", f"{turn - 1}-openb", partition=1, version=12)[0] == NONE
                assert still.end(True, version=5) == NONE
                still.wait_for_state("CompleteCommit")
        with messages.Connection(server.port) as connection:
            for name, outcome in (("committed", True), ("aborted", False)):
                old = producers.get(name)
                new = producers[name] = Producer(server.port, name)
                assert new.init() == NONE
                if old is not None:
                    assert (new.id, new.epoch) == (old.id, old.epoch + 1)
                write(new, "t", f"{turn}-{name}", 2, outcome)
            kept.append(f"{turn}-committed")
            new = producers["open"] = Producer(server.port, "open")
            assert new.init() == NONE
            assert new.produce("t", f"{turn}-opena", partition=1, version=12)[0] == NONE
            client = librdkafka(server)
            client.ask("producer", "p", {"transactional.id": "librdkafka"})
            client.ask("begin", "p")
            client.ask("produce", "p", "t", [f"{turn}-librdkafka"])
            client.ask("commit", "p")
            kept.append(f"{turn}-librdkafka")
            for name, state in (("committed", "CompleteCommit"), ("aborted", "CompleteAbort")):
                producers[name].wait_for_state(state)
            assert raw.eventually(lambda: stable(connection, "t")[0] == kept)
            expected = listed(tools, server)
        for producer in producers.values():
            producer.close()
    server.kill()
    for path in sorted(server.data.glob("__transaction_state-*/*.log")):
        if path.stat().st_size > 0:
            tools("kafka-dump-log", "--files", path, "--transaction-log-decoder", seconds=60).must_succeed(OWN_WARNINGS)
