"""Kafka's own command-line tools, many calls in one JVM (setup/java/ToolRunner.java)."""

import dataclasses
import json
import pathlib
import re
import select
import subprocess
import tempfile

from . import toolchain

CLASSES = {
    "kafka-broker-api-versions": "org.apache.kafka.tools.BrokerApiVersionsCommand",
    "kafka-configs": "org.apache.kafka.tools.ConfigCommand",
    "kafka-console-consumer": "org.apache.kafka.tools.consumer.ConsoleConsumer",
    "kafka-console-producer": "org.apache.kafka.tools.ConsoleProducer",
    "kafka-consumer-groups": "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
    "kafka-consumer-perf-test": "org.apache.kafka.tools.ConsumerPerformance",
    "kafka-dump-log": "org.apache.kafka.tools.DumpLogSegments",
    "kafka-features": "org.apache.kafka.tools.FeatureCommand",
    "kafka-get-offsets": "org.apache.kafka.tools.GetOffsetShell",
    "kafka-groups": "org.apache.kafka.tools.GroupsCommand",
    "kafka-log-dirs": "org.apache.kafka.tools.LogDirsCommand",
    "kafka-producer-perf-test": "org.apache.kafka.tools.ProducerPerformance",
    "kafka-reassign-partitions": "org.apache.kafka.tools.reassign.ReassignPartitionsCommand",
    "kafka-storage": "kafka.tools.StorageTool",
    "kafka-topics": "org.apache.kafka.tools.TopicCommand",
    "kafka-transactions": "org.apache.kafka.tools.TransactionsCommand",
    "java-client": "JavaClient",
    "batches": "Batches",
}
JVM = ["-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"]
LOGGED = re.compile(r"^\[[^]]*\] (WARN|ERROR|FATAL) ", re.MULTILINE)


@dataclasses.dataclass
class Outcome:
    """How a call ended: `exit` is the process's exit code, `stdout` and `stderr` are files."""

    call: str
    exit: int
    stdout: pathlib.Path
    stderr: pathlib.Path

    @property
    def out(self):
        return self.stdout.read_text(encoding="utf-8", errors="replace")

    @property
    def err(self):
        return self.stderr.read_text(encoding="utf-8", errors="replace")

    def complaints(self, allow=()):
        """The warnings, errors and stack traces of the call, without the lines that match a pattern of `allow`."""
        lines = [line for line in (self.err + "\n" + self.out[-20000:]).splitlines()
                 if LOGGED.match(line) or re.search(r"Exception|^Error|^WARNING", line)]
        return [line for line in lines if not any(re.search(pattern, line) for pattern in allow)]

    def must_succeed(self, allow=()):
        assert self.exit == 0, f"{self.call}: exit code {self.exit}\n{self.err[-3000:]}\n{self.out[-3000:]}"
        assert not self.complaints(allow), f"{self.call}: complaints:\n" + "\n".join(self.complaints(allow)[:20])
        return self


class ToolRunner:
    """One JVM for all calls of a session; a call that outlives its time ends the JVM, and the next call gets a new one."""

    def __init__(self, folder):
        self.folder_ = pathlib.Path(folder)
        self.process_ = None
        self.calls_ = 0

    def start_(self):
        libs = toolchain.reference_libs()
        classes = toolchain.java_classes()
        command = [toolchain.java(), *JVM, "-cp", f"{classes}:{libs}/*",
                   f"-Dlog4j2.configurationFile={toolchain.SETUP / 'tools-log4j2.properties'}", "ToolRunner"]
        with open(self.folder_ / "tool-runner.log", "ab") as log:
            self.process_ = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)
        self.answer_(60)

    def answer_(self, seconds):
        ready, _, _ = select.select([self.process_.stdout], [], [], seconds)
        line = self.process_.stdout.readline() if ready else ""
        if not line:
            self.stop()
            raise TimeoutError(f"the tool did not end within {seconds} s" if not ready else "the tool's JVM ended")
        return line

    def __call__(self, tool, *args, stdin=None, seconds=60):
        """Runs `tool` (a name of CLASSES) with `args`, reading the file `stdin`. Never raises for a tool that failed."""
        if self.process_ is None or self.process_.poll() is not None:
            self.start_()
        self.calls_ += 1
        base = tempfile.mkdtemp(prefix=f"{self.calls_:04d}-{tool}-", dir=self.folder_)
        stdout, stderr = pathlib.Path(base, "stdout"), pathlib.Path(base, "stderr")
        call = {"main": CLASSES[tool], "args": [str(a) for a in args], "stdin": None if stdin is None else str(stdin),
                "stdout": str(stdout), "stderr": str(stderr)}
        self.process_.stdin.write(json.dumps(call) + "\n")
        self.process_.stdin.flush()
        answer = json.loads(self.answer_(seconds))
        if answer["exit"] != 0:
            self.stop()  # a tool that fails leaves its client behind, which would warn in the output of the next ones
        return Outcome(" ".join([tool, *call["args"]]), answer["exit"], stdout, stderr)

    def stop(self):
        if self.process_ is not None:
            self.process_.kill()
            self.process_.wait()
            self.process_ = None
