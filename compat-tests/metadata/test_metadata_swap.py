"""The metadata directory goes to and fro between us and Apache Kafka 4.4.0.

Our small node (swap_tool.cc) formats, starts, creates topics and stops; DumpLogSegments reads its files; Kafka starts on
the directory, sees the same topics with leaders, creates one more; our node reads Kafka's result. After clean stops and
after kills of either.
"""

import os
import pathlib
import re
import signal
import socket
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBS = pathlib.Path(os.environ.get("DOHLE_REFERENCE_LIBS", pathlib.Path.home() / ".cache/dohle/reference/libs"))
TOOL = pathlib.Path(os.environ.get("DOHLE_SERVER", ROOT / "build" / "dohle")).resolve().parent / "metadata_swap_tool"
JAVA = ["java", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", f"{LIBS}/*"]

pytestmark = [
    pytest.mark.skipif(not LIBS.is_dir(), reason="the reference's jars are not there"),
    pytest.mark.skipif(not TOOL.exists(), reason="build/metadata_swap_tool is not built (ninja metadata_swap_tool)"),
]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Cluster:
    def __init__(self, tmp):
        self.data = tmp / "data"
        self.tmp = tmp
        self.broker, self.controller = free_port(), free_port()
        (tmp / "server.properties").write_text(
            f"""process.roles=broker,controller
node.id=1
listeners=PLAINTEXT://127.0.0.1:{self.broker},CONTROLLER://127.0.0.1:{self.controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{self.broker}
controller.listener.names=CONTROLLER
controller.quorum.bootstrap.servers=127.0.0.1:{self.controller}
offsets.topic.replication.factor=1
log.dirs={self.data}
""")

    def ours(self, mode, *steps):
        """Runs our node; gives {topic: (id, partitions, leader of 0, ISR size of 0)}."""
        done = subprocess.run([TOOL, self.data, str(self.controller), str(self.broker), mode, *steps],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        topics = {}
        for line in done.stdout.splitlines():
            _, name, topic_id, partitions, leader, isr, _ = line.split()
            topics[name] = (topic_id, int(partitions), int(leader), int(isr))
        return topics

    def kafka(self, create, how=signal.SIGTERM):
        """Starts Kafka, lists and creates, stops; gives {topic: (id, partitions, {leaders})} as it was before."""
        log = open(self.tmp / "server.out", "wb")
        server = subprocess.Popen([*JAVA, "kafka.Kafka", self.tmp / "server.properties"], stdout=log, stderr=log)
        try:
            for _ in range(300):
                assert server.poll() is None, (self.tmp / "server.out").read_text()[-3000:]
                try:
                    socket.create_connection(("127.0.0.1", self.broker), 0.2).close()
                    break
                except OSError:
                    time.sleep(0.2)
            topics = {}
            for line in self.topic_command("--describe").splitlines():
                if head := re.match(r"Topic: (\S+)\s+TopicId: (\S+)\s+PartitionCount: (\d+)", line):
                    topics[head[1]] = (head[2], int(head[3]), set())
                elif part := re.search(r"Topic: (\S+)\s+Partition: \d+\s+Leader: (\S+)", line):
                    topics[part[1]][2].add(part[2])
            self.topic_command("--create", "--topic", create, "--partitions", "2")
            return topics
        finally:
            server.send_signal(how)
            server.wait(60)

    def topic_command(self, *arguments):
        done = subprocess.run([*JAVA, "org.apache.kafka.tools.TopicCommand", "--bootstrap-server",
                               f"127.0.0.1:{self.broker}", *arguments], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def dump(self):
        """The names of the record types in each file of the metadata log, as DumpLogSegments gives them."""
        types = {}
        for file in sorted((self.data / "__cluster_metadata-0").iterdir()):
            if file.suffix not in (".log", ".checkpoint"):
                continue
            done = subprocess.run([*JAVA, "org.apache.kafka.tools.DumpLogSegments", "--cluster-metadata-decoder",
                                   "--files", file], capture_output=True, text=True, timeout=120)
            assert done.returncode == 0, done.stderr
            assert "isvalid: false" not in done.stdout and "Found" not in done.stdout, done.stdout
            assert "Could not" not in done.stdout, done.stdout
            types[file.name] = re.findall(r'"type":"(\w+)"', done.stdout)
        return types


def test_the_directory_goes_to_and_fro(tmp_path):
    cluster = Cluster(tmp_path)
    topics = cluster.ours("clean", "create:one:3", "create:gone:2", "delete:gone", "snapshot", "create:two:1")
    assert {name: t[1] for name, t in topics.items()} == {"one": 3, "two": 1}

    files = cluster.dump()
    assert len(files) == 3
    log = files["00000000000000000000.log"]
    assert log[:9] == ["BEGIN_TRANSACTION_RECORD"] + ["FEATURE_LEVEL_RECORD"] * 6 + \
        ["CONFIG_RECORD", "END_TRANSACTION_RECORD"]
    assert log[9:13] == ["REGISTER_CONTROLLER_RECORD", "REGISTER_BROKER_RECORD"] + \
        ["BROKER_REGISTRATION_CHANGE_RECORD"] * 2

    # Kafka after our clean stop: the same ids, every partition with its leader.
    seen = cluster.kafka("a")
    assert seen == {name: (t[0], t[1], {"1"}) for name, t in topics.items()}

    # We after Kafka's clean stop, and killed; Kafka after that, and killed; we again.
    topics = cluster.ours("kill", "create:three:1")
    assert {name: t[2:] for name, t in topics.items()} == {name: (1, 1) for name in ("a", "one", "two", "three")}
    seen = cluster.kafka("b", signal.SIGKILL)
    assert seen == {name: (t[0], t[1], {"1"}) for name, t in topics.items()}
    topics = cluster.ours("clean")
    assert {name: t[2:] for name, t in topics.items()} == {n: (1, 1) for n in ("a", "b", "one", "two", "three")}
    seen = cluster.kafka("c")
    assert seen == {name: (t[0], t[1], {"1"}) for name, t in topics.items()}
    assert set(cluster.ours("describe")) == {"a", "b", "c", "one", "two", "three"}
