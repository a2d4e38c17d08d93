"""Exactly once under kill -9 of workers and of the server and under cut connections, judged from recorded histories.

Workers of both clients (clients/java/EosWorker.java: implicit adds and epoch bumps, KIP-848 group;
clients/python/eos_worker.py: AddPartitionsToTxn, classic group) produce to "input" and transform it to an output topic
per client. harness/eos_checker.py says what must hold.
"""

import collections
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from harness import eos_checker, raw, server as servers, toolchain, transaction_log

SUITE = "eos-history"
PARTITIONS = 3
OUTPUTS = {"java": "output-java", "python": "output-python"}
GROUP_PROTOCOL = {"java": "consumer", "python": "classic"}
WORKER = toolchain.CLIENTS / "python" / "eos_worker.py"
# At least so many seconds, worker kills, server kills and transactions; and the transactions of a producer per second.
FORMS = {"short": (40, 7, 4, 1000, 40), "long": (1800, 110, 22, 100_000, 20)}
STALL_SECONDS_MAX = 90


class Process:
    """A program that ends when its standard input closes."""

    def __init__(self, command, errors):
        self.errors = errors
        with open(errors, "ab") as err:
            self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=err, text=True)

    def finish(self, seconds):
        self.process.stdin.close()
        code = self.process.wait(seconds)
        assert code == 0, f"{self.process.args}: exit code {code}: {self.tail()}"
        return self.process.stdout.read()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def tail(self):
        if self.process.poll() is None and str(self.process.args[1]).endswith(".py"):
            self.process.send_signal(signal.SIGUSR1)
            time.sleep(0.5)
        return self.errors.read_text(errors="replace")[-3000:]


class Chaos:
    """The server behind a proxy that cuts connections, the workers, and an observer."""

    def __init__(self, server, folder, interpreter, classes, seed):
        self.server = server
        self.folder = folder
        self.interpreter = interpreter
        self.classes = classes
        self.seed = seed
        self.incarnations = collections.Counter()
        self.workers = {}
        self.others = []
        self.proxy_port = None

    def start_proxy(self, listen, target, mean_seconds):
        self.proxy_port = listen
        proxy = Process([sys.executable, toolchain.COMPAT / "harness" / "cutting_proxy.py", "--listen", listen, "--target", target,
                         "--mean-seconds", mean_seconds, "--seed", self.seed], self.folder / "proxy.err")
        self.others.append(proxy)
        assert proxy.process.stdout.readline() == "ready\n", proxy.tail()
        return proxy

    @property
    def bootstrap(self):
        return f"127.0.0.1:{self.proxy_port}"

    def start_worker(self, name, rate=1, roles="p,t", abort_percent=15):
        client = "java" if name[0] == "j" else "python"
        self.incarnations[name] += 1
        number = self.incarnations[name]
        options = ["--bootstrap", self.bootstrap, "--name", name, "--incarnation", number, "--roles", roles,
                   "--history", self.folder / f"history-{name}-{number}", "--partitions", PARTITIONS, "--rate", rate,
                   "--abort-percent", abort_percent, "--group", client, "--group-protocol", GROUP_PROTOCOL[client],
                   "--output", OUTPUTS[client]]
        if client == "java":
            libs = toolchain.reference_libs()
            program = [toolchain.java(), "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp",
                       f"{self.classes}:{libs}/*", f"-Dlog4j2.configurationFile={toolchain.SETUP / 'tools-log4j2.properties'}",
                       "EosWorker"]
        else:
            program = [self.interpreter, WORKER, "work"]
        self.workers[name] = Process([*program, *options], self.folder / f"{name}.err")

    def start_observer(self):
        observer = Process([self.interpreter, WORKER, "observe", "--bootstrap", self.bootstrap, "--history",
                            self.folder / "observed.txt", "--topics", ",".join(["input", *OUTPUTS.values()]),
                            "--partitions", PARTITIONS], self.folder / "observer.err")
        self.others.append(observer)
        return observer

    def ask(self, *words):
        """A mode of eos_worker.py that ends by itself, around the proxy."""
        done = subprocess.run([str(w) for w in (self.interpreter, WORKER, *words, "--bootstrap", self.server.bootstrap)],
                              capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    def histories(self):
        return sorted(self.folder.glob("history-*.jsonl"))

    def committed_count(self, role):
        """How many transactions have been committed, to see whether there is progress."""
        return {path.name: path.read_bytes().count(b'"event":"committed"') + path.read_bytes().count(b'"event": "committed"')
                for path in self.histories() if path.name.endswith(f"-{role}.jsonl")}

    def newest(self, name, role):
        path = self.folder / f"history-{name}-{self.incarnations[name]}-{role}.jsonl"
        return path.stat().st_size if path.exists() else 0

    def wait_for_progress(self, names, grown=1500):
        """Each of `names` has written as much history as a few transactions make."""
        for name in names:
            before = self.newest(name, "p")
            assert raw.eventually(lambda: self.newest(name, "p") > before + grown or self.workers[name].process.poll() is not None,
                                  seconds=STALL_SECONDS_MAX), f"{name} comes to nothing: {self.workers[name].tail()}"
            assert self.workers[name].process.poll() is None, f"{name} ended: {self.workers[name].tail()}"

    def kill_worker(self, name):
        assert self.workers[name].process.poll() is None, f"{name} ended by itself: {self.workers[name].tail()}"
        self.workers[name].kill()

    def end(self):
        for process in [*self.workers.values(), *self.others]:
            process.kill()


@pytest.fixture
def chaos(make_server, server_kind, tmp_path, need):
    interpreter, classes = need(toolchain.python_clients), need(toolchain.java_classes)
    need(toolchain.reference_libs)
    behind, proxy_port = servers.free_port(), servers.free_port()
    server = make_server(server_kind, {
        "broker.session.timeout.ms": "1500", "broker.heartbeat.interval.ms": "500", "group.min.session.timeout.ms": "1000",
        "group.consumer.min.session.timeout.ms": "1000", "group.consumer.session.timeout.ms": "3000",
        "group.consumer.min.heartbeat.interval.ms": "200", "group.consumer.heartbeat.interval.ms": "500",
        "transaction.abort.timed.out.transaction.cleanup.interval.ms": "1000", "log.segment.bytes": str(4 << 20),
        "transaction.state.log.segment.bytes": str(1 << 20), "offsets.topic.segment.bytes": str(1 << 20),
        "transaction.state.log.num.partitions": "5", "offsets.topic.num.partitions": "5"})
    properties = server.properties
    properties["listeners"] += f",CUT://127.0.0.1:{behind}"
    properties["advertised.listeners"] += f",CUT://127.0.0.1:{proxy_port}"
    properties["listener.security.protocol.map"] += ",CUT:PLAINTEXT"
    server.start()
    with raw.connected(server.port) as connection:
        for topic in ("input", *OUTPUTS.values()):
            connection.create_topic(topic, partitions=PARTITIONS)
    made = Chaos(server, tmp_path, interpreter, classes, os.environ.get("DOHLE_SEED", "eos"))
    made.proxy = made.start_proxy(proxy_port, behind, mean_seconds=0.7)
    yield made
    made.end()


def run_and_kill(chaos, size):
    """Kills workers and the server in turn until the form's numbers are reached."""
    seconds, worker_kills, server_kills, transactions, rate = FORMS[size]
    chance = random.Random(chaos.seed)
    names = ["j1", "j2", "p1", "p2"]
    for name in names:
        chaos.start_worker(name, rate)
    chaos.wait_for_progress(names)
    started = time.monotonic()
    done = {"worker kills": 0, "server kills": 0}
    pause = seconds / (worker_kills + server_kills) * 0.6
    for turn in itertools.count():
        everything = done["worker kills"] >= worker_kills and done["server kills"] >= server_kills
        if everything and time.monotonic() - started > seconds and count(chaos) >= transactions:
            break
        assert time.monotonic() - started < 3 * seconds + 120, f"too slow: {done}, {count(chaos)} transactions"
        time.sleep(chance.uniform(0.5, 1.5) * pause)
        if turn % (1 + worker_kills // server_kills) == 1:
            chaos.server.kill()
            time.sleep(chance.uniform(0, 0.5))
            chaos.server.start()
            done["server kills"] += 1
            chaos.wait_for_progress([name for name in names if chance.random() < 0.5])
        else:
            name = names[chance.randrange(4)]
            chaos.kill_worker(name)
            chaos.start_worker(name, rate)
            done["worker kills"] += 1
            if chance.random() < 0.3:
                chaos.wait_for_progress([name])
    chaos.wait_for_progress(names)
    return done


def count(chaos):
    return sum(path.read_bytes().count(b'"begin"') for path in chaos.histories())


def committed_of(views):
    return {partition: view.committed for partition, view in views.items()}


def judge(chaos, is_drained):
    """All anomalies of what is there now, when no transaction is open."""
    found = []
    transactions = eos_checker.load(chaos.histories())
    views = {topic: transaction_log.read_logs(chaos.server.port, topic, PARTITIONS) for topic in ("input", *OUTPUTS.values())}
    for topic, partitions in views.items():
        for partition, view in partitions.items():
            faults = view.faults + (["a transaction is still open"] if view.open else [])
            found += [eos_checker.Anomaly("log", f"{topic}-{partition}: {fault}") for fault in faults]
        found += eos_checker.check_transactions(transactions, topic, committed_of(partitions))
    told = json.loads(chaos.ask("offsets", "--groups", ",".join(OUTPUTS), "--partitions", PARTITIONS))
    for group, output in OUTPUTS.items():
        offsets = {int(partition): offset for partition, offset in told[group].items()}
        inputs = committed_of(views["input"])
        found += eos_checker.check_outputs(inputs, committed_of(views[output]), offsets)
        if is_drained:
            assert all(offsets[partition] > records[-1][0] for partition, records in inputs.items() if records)
    return found, transactions, views


def is_drained(chaos, ends):
    told = json.loads(chaos.ask("offsets", "--groups", ",".join(OUTPUTS), "--partitions", PARTITIONS))
    return all(told[group][str(partition)] >= end for group in OUTPUTS for partition, end in ends.items())


def observed(path):
    lines = path.read_text().splitlines()
    assert lines and lines[-1] == "done", f"the observer: {lines[-1:]}"
    seen = collections.defaultdict(lambda: collections.defaultdict(list))
    for line in lines[:-1]:
        topic, partition, offset, value = line.split(" ", 3)
        seen[topic][int(partition)].append((int(offset), value))
    return seen


@pytest.mark.limit(5400)
def test_exactly_once_survives_every_kill(chaos, size):
    """136, 138, 139, 141 and 143 among the rest."""
    observer = chaos.start_observer()
    done = run_and_kill(chaos, size)

    # All die at once; what they left open is fenced off. Offsets and outputs must agree in the middle of the work, too.
    for name in list(chaos.workers):
        chaos.kill_worker(name)
        done["worker kills"] += 1
    chaos.ask("fence", "--ids", ",".join(name + role for name in chaos.workers for role in "pt"))
    found, _, views = judge(chaos, False)
    assert not found, show(found)

    # Then the rest of the input is transformed, still over the proxy that cuts.
    ends = {partition: view.committed[-1][0] + 1 for partition, view in views["input"].items()}
    for name in ("j1", "p1"):
        chaos.start_worker(name, roles="t", abort_percent=0)
    assert raw.eventually(lambda: is_drained(chaos, ends), seconds=STALL_SECONDS_MAX, every=0.5), \
        f"the input is not read to its end: {chaos.workers['j1'].tail()}\n{chaos.workers['p1'].tail()}"
    for name in ("j1", "p1"):
        chaos.workers[name].finish(60)
    found, transactions, views = judge(chaos, True)
    observer.finish(60)
    seen = observed(chaos.folder / "observed.txt")
    for topic, partitions in views.items():
        found += eos_checker.check_observed(topic, committed_of(partitions), seen[topic])
    cuts = json.loads(chaos.proxy.finish(20))
    outcomes = collections.Counter(each.outcome for each in transactions.values())
    records = sum(len(view.committed) for partitions in views.values() for view in partitions.values())
    aborted = sum(len(view.aborted) for partitions in views.values() for view in partitions.values())
    print(f"{size}: {done}, cuts {cuts}, {len(transactions)} transactions {dict(outcomes)}, {records} records committed, "
          f"{aborted} aborted")
    assert not found, show(found)
    # A run in which nothing happened proves nothing.
    assert len(transactions) >= FORMS[size][3] and outcomes["committed"] > len(transactions) // 2
    assert outcomes["aborted"] > 0 and aborted > 0 and min(cuts.values()) > 0
    chaos.server.stop()


def show(found):
    counts = collections.Counter(anomaly.kind for anomaly in found)
    return f"{dict(counts)}\n" + "\n".join(map(str, found[:20]))
