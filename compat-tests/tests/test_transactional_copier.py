"""Kafka's TransactionalMessageCopier with random aborts, kill -9 of copiers and of the server: each input exactly once."""

import json
import os
import random
import subprocess
import time

import pytest

from harness import batches, raw, toolchain, transaction_log

SUITE = "transactional-copier"
PARTITIONS = 3
# Messages of a partition, messages of a transaction, kills of copiers, ends of the server (by turns kill -9 and SIGTERM).
FORMS = {"short": (400, 10, 3, 2), "long": (20_000, 20, 30, 10)}


class Copiers:
    """Copiers of two kinds: one for each partition of the input, and two that share it as a group."""

    def __init__(self, server, folder, messages_per_transaction):
        self.server = server
        self.folder = folder
        self.size = messages_per_transaction
        self.kinds = {f"assigned-{n}": ["--consumer-group", "assigned", "--output-topic", "assigned-out", "--input-partition", n]
                      for n in range(PARTITIONS)}
        for n in range(2):
            self.kinds[f"group-{n}"] = ["--consumer-group", "group", "--output-topic", "group-out", "--input-partition", -1,
                                        "--group-mode", "--use-group-metadata"]
        self.processes = {}

    def start(self, name):
        command = [toolchain.java(), "-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp",
                   f"{toolchain.reference_libs()}/*", f"-Dlog4j2.configurationFile={toolchain.SETUP / 'tools-log4j2.properties'}",
                   "org.apache.kafka.tools.TransactionalMessageCopier", "--broker-list", self.server.bootstrap,
                   "--input-topic", "input", "--transactional-id", name, "--transaction-size", self.size,
                   "--transaction-timeout", 15000, "--enable-random-aborts", *self.kinds[name]]
        with open(self.folder / f"{name}.out", "ab") as out, open(self.folder / f"{name}.err", "ab") as err:
            self.processes[name] = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=out, stderr=err)

    def processed(self, name):
        """What the newest incarnation of it says that it has copied."""
        path = self.folder / f"{name}.out"
        lines = path.read_text().splitlines() if path.exists() else []
        for line in reversed(lines):
            try:
                return json.loads(line)["totalProcessed"]
            except (ValueError, KeyError):
                continue
        return 0

    def running(self):
        return [name for name, process in self.processes.items() if process.poll() is None]

    def kill(self, name):
        self.processes[name].kill()
        self.processes[name].wait()

    def end(self):
        for name in self.processes:
            self.kill(name)


@pytest.fixture
def copiers(make_server, server_kind, size, tmp_path, need):
    need(toolchain.reference_libs)
    need(toolchain.java_classes)
    server = make_server(server_kind, {"broker.session.timeout.ms": "1500", "broker.heartbeat.interval.ms": "500",
                                       "transaction.abort.timed.out.transaction.cleanup.interval.ms": "1000"}).start()
    made = Copiers(server, tmp_path, FORMS[size][1])
    yield made
    made.end()


def fill(port, messages):
    """The numbers 0, 1, 2, ... in each partition of "input"."""
    with raw.connected(port) as connection:
        for topic in ("input", "assigned-out", "group-out"):
            connection.create_topic(topic, partitions=PARTITIONS)
        for partition in range(PARTITIONS):
            for first in range(0, messages, 100):
                records = [batches.record(n, b"k", b"%d" % (first + n)) for n in range(min(100, messages - first))]
                assert connection.produce("input", batches.batch(records), partition) == (0, first)


def end_server(server, turn):
    if turn % 2 == 0:
        server.kill()
    else:
        server.stop()
    server.start()


@pytest.mark.limit(3000)
@pytest.mark.cell("kafka-tools", "transactional-copier")
def test_each_input_is_copied_exactly_once(copiers, size):
    messages, _, copier_kills, server_ends = FORMS[size]
    chance = random.Random(os.environ.get("DOHLE_SEED", "copier"))
    fill(copiers.server.port, messages)
    for name in copiers.kinds:
        copiers.start(name)
    deadline = time.monotonic() + (150 if size == "short" else 2400)
    assert raw.eventually(lambda: any(copiers.processed(name) > 0 for name in copiers.kinds), seconds=90), "nothing is copied"

    def is_done(name):
        return copiers.processes[name].poll() == 0

    killed = ended = 0
    while killed < copier_kills or ended < server_ends or not all(is_done(name) for name in copiers.kinds):
        assert time.monotonic() < deadline, f"not copied in time: {[(n, copiers.processed(n)) for n in copiers.running()]}"
        for name in copiers.kinds:
            # 1: the server was away, or its group was rebalanced while it read the end offsets; its successor goes on.
            if copiers.processes[name].poll() not in (None, 0):
                copiers.start(name)
        if ended * copier_kills <= killed * server_ends and ended < server_ends:
            end_server(copiers.server, ended)
            ended += 1
        elif killed < copier_kills:
            name = chance.choice(list(copiers.kinds))
            copiers.kill(name)
            copiers.start(name)
            killed += 1
        time.sleep(chance.uniform(0.5, 1.5))

    expected = {partition: [str(n) for n in range(messages)] for partition in range(PARTITIONS)}
    for topic in ("assigned-out", "group-out"):
        views = transaction_log.read_logs(copiers.server.port, topic, PARTITIONS, seconds=60)
        for partition, view in views.items():
            assert not view.faults and not view.open, f"{topic}-{partition}: {view.faults}, {view.open[:5]}"
            values = [value for _, value in view.committed]
            assert values == expected[partition], f"{topic}-{partition}: {difference(values, expected[partition])}"
        assert any(view.aborted for view in views.values()), "nothing was aborted: this run proves nothing"
    copiers.server.stop()


def difference(values, expected):
    missing = sorted(set(expected) - set(values), key=int)
    doubled = sorted({value for value in values if values.count(value) > 1}, key=int) if len(values) > len(set(values)) else []
    return f"{len(values)} of {len(expected)}; missing {missing[:10]}, doubled {doubled[:10]}, in order: {values == sorted(values, key=int)}"
