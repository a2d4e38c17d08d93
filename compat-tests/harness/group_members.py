"""Members of consumer groups as processes, one program per client library; what they log is judged by group_history.py."""

import pathlib
import signal
import subprocess
import threading
import time

from . import batches, group_history, raw, toolchain

SETTLE_SECONDS_MAX = 60
# A JVM of its own per member: small, and quick to start.
JVM = ["-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"]


def _java():
    classes, libs = toolchain.java_classes(), toolchain.reference_libs()
    quiet = f"-Dlog4j2.configurationFile={toolchain.SETUP / 'tools-log4j2.properties'}"
    return [toolchain.java(), *JVM, "-cp", f"{classes}:{libs}/*", quiet, "JavaMember"]


def _python(program):
    return lambda: [toolchain.python_clients(), toolchain.CLIENTS / "python" / program]


def _node():
    return [*toolchain.node_client("kafkajs_client.js"), "member"]


# Client library -> (the program's first words, may raise NotRun; {protocol: assignors}).
PROGRAMS = {
    "java": (_java, {"classic": ("range", "cooperative"), "consumer": ("uniform",)}),
    "confluent": (_python("confluent_member.py"), {"classic": ("range", "cooperative"), "consumer": ("uniform",)}),
    "franz-go": (lambda: [toolchain.go_client("franz"), "member"],
                 {"classic": ("range", "cooperative"), "consumer": ("uniform",)}),
    "aiokafka": (_python("aiokafka_member.py"), {"classic": ("range",)}),
    "kafka-python": (_python("kafka_python_member.py"), {"classic": ("range",)}),
    "kafkajs": (_node, {"classic": ("range",)}),
    "sarama": (lambda: [toolchain.go_client("sarama"), "member"], {"classic": ("range",)}),
}


class Process:
    """A running member. Its log is a file, so that a member that is slow to be read is not slow to work."""

    def __init__(self, words, folder, name):
        self.name = name
        self.killed_at = None
        self.log_path = pathlib.Path(folder, f"{name}.jsonl")
        self.error_path = pathlib.Path(folder, f"{name}.stderr")
        with open(self.log_path, "wb") as log, open(self.error_path, "wb") as errors:
            self.process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=log, stderr=errors,
                                            env=toolchain.client_environment())

    def member(self):
        events = group_history.parse(self.log_path.read_text(encoding="ascii"))
        return group_history.Member(self.name, events, self.killed_at)

    def check(self):
        assert self.process.poll() is None, f"{self.name} ended with {self.process.returncode}:\n{self.complaint_()}"

    def complaint_(self):
        return self.error_path.read_text(encoding="utf-8", errors="replace")[-3000:]

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.killed_at = time.monotonic_ns()

    def leave(self):
        self.check()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)
        assert self.member().events[-1]["event"] == "closed", f"{self.name} did not leave in order:\n{self.complaint_()}"


class Load(threading.Thread):
    """Appends a few records to every partition, many times a second, until it is stopped."""

    def __init__(self, port, topic, partitions):
        super().__init__(daemon=True)
        self.port, self.topics, self.partitions = port, [topic], partitions
        self.stopped = threading.Event()
        self.failure = None
        self.start()

    def run(self):
        records = [batches.record(n, b"k", b"v" * 50) for n in range(2)]
        try:
            with raw.connected(self.port) as connection:
                while not self.stopped.wait(0.2):
                    batch = batches.batch(records, timestamp=int(time.time() * 1000))  # too young for the retention
                    for topic in list(self.topics):
                        for partition in range(self.partitions):
                            code = connection.produce(topic, batch, partition)[0]
                            assert code == 0, f"produce: error code {code}"
        except Exception as failure:  # It fails the test, in another thread.
            self.failure = failure

    def stop(self):
        self.stopped.set()
        self.join()
        if self.failure is not None:
            raise self.failure


class Group:
    """The members of one group, running or gone, and the load that they share."""

    def __init__(self, folder, port, topic, group, partitions, pattern=None):
        self.folder, self.port, self.group, self.partitions = folder, port, group, partitions
        self.subscription = pattern or topic
        self.everyone, self.live = [], []
        self.load = Load(port, topic, partitions)

    def join(self, program, protocol, assignor):
        words, _ = PROGRAMS[program]
        name = f"{len(self.everyone)}-{program}-{protocol}"
        process = Process([*words(), "--bootstrap", f"127.0.0.1:{self.port}", "--topic", self.subscription, "--group", self.group,
                           "--protocol", protocol, "--assignor", assignor], self.folder, name)
        self.everyone.append(process)
        self.live.append(process)
        return process

    def kill(self, process):
        self.live.remove(process)
        process.kill()

    def leave(self, process):
        self.live.remove(process)
        process.leave()

    def settled_(self, topics):
        owned = {process.name: group_history.owned_now(process.member()) for process in self.live}
        every = sorted(partition for each in owned.values() for partition in each)
        wanted = sorted((topic, partition) for topic in topics for partition in range(self.partitions))
        sizes = [len(each) for each in owned.values()]
        return every == wanted and max(sizes) - min(sizes) <= len(topics), owned

    def settle(self, *topics):
        """Waits until the live members share all partitions evenly, and each has gone on to process what it owns."""
        deadline = time.monotonic() + SETTLE_SECONDS_MAX
        while True:
            for process in self.live:
                process.check()
            done, owned = self.settled_(topics)
            if done and self.all_progress_():
                return
            assert time.monotonic() < deadline, f"the members do not share {topics}: {owned}"
            time.sleep(0.2)

    def all_progress_(self):
        """Since its last assignment each live member has processed and committed something."""
        for process in self.live:
            names = [event["event"] for event in process.member().events]
            last = len(names) - 1 - names[::-1].index("assigned")
            if not {"record", "committed"} <= set(names[last:]):
                return False
        return True

    def finish(self):
        """Stops the load, waits until all is processed, and lets everyone leave. Gives the violations of the whole history."""
        self.load.stop()
        ends = {}
        with raw.connected(self.port) as connection:
            for topic in self.load.topics:
                for partition in range(self.partitions):
                    ends[(topic, partition)] = connection.end_offset(topic, partition)
        deadline = time.monotonic() + SETTLE_SECONDS_MAX
        while group_history.lost_records([each.member() for each in self.everyone], ends) and time.monotonic() < deadline:
            time.sleep(0.2)
        for process in list(self.live):
            self.leave(process)
        members = [process.member() for process in self.everyone]
        return group_history.violations(members, ends, self.committed_(ends))

    def committed_(self, ends):
        """What the server says: {(topic, partition): offset}, by OffsetFetch 1."""
        with raw.connected(self.port) as connection:
            topics = sorted({topic for topic, _ in ends})
            asked = raw.array([raw.string(topic) + raw.array([partition.to_bytes(4, "big") for partition in range(self.partitions)])
                               for topic in topics])
            answer = connection.request(9, 1, raw.string(self.group) + asked)
            found = {}
            for _ in range(answer.take("i")):
                topic = answer.string()
                for _ in range(answer.take("i")):
                    partition, offset = answer.take("iq")
                    answer.string()
                    assert answer.take("h") == 0
                    found[(topic, partition)] = offset
            return found

    def end(self):
        """Whatever happened, nothing goes on."""
        self.load.stopped.set()
        for process in self.everyone:
            if process.process.poll() is None:
                process.process.kill()
                process.process.wait()
