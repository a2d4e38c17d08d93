#!/usr/bin/env python3
"""Makes kafka_logs.tar.xz: log directories that Apache Kafka 4.4.0 wrote, and what its own dump tool says of them.

    make_kafka_logs.py LIBS OUTPUT.tar.xz

LIBS is a directory with the jars of the reference. The archive holds
    killed/   the broker's log directory, copied after kill -9
    clean/    the same directory after the broker was started again and stopped in order
    dump/     for each directory and partition, what DumpLogSegments prints
"""
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

TOPICS = ["plain", "codecs", "appendtime", "transactions", "trimmed", "empty"]
JAVA = ["java", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Reference:
    def __init__(self, libs, home):
        self.classpath = f"{libs}/*"
        self.home = home
        self.data = home / "data"
        self.port, controller = free_port(), free_port()
        self.properties = home / "server.properties"
        self.properties.write_text(f"""process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers=127.0.0.1:{controller}
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://127.0.0.1:{self.port},CONTROLLER://127.0.0.1:{controller}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs={self.data}
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.num.partitions=1
log.index.size.max.bytes=4096
log.flush.offset.checkpoint.interval.ms=1000
log.flush.start.offset.checkpoint.interval.ms=1000
transaction.max.timeout.ms=900000
""")

    def java(self, *arguments, **more):
        return subprocess.run([*JAVA, "-cp", self.classpath, *arguments], check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more).stdout

    def format(self):
        self.java("kafka.tools.StorageTool", "format", "-t", "MkU3OEVBNTcwNTJENDM2Qk", "-c", str(self.properties),
                  "--standalone")

    def start(self):
        self.process = subprocess.Popen([*JAVA, "-cp", self.classpath, f"-Dkafka.logs.dir={self.home}/logs",
                                         "kafka.Kafka", str(self.properties)],
                                        stdout=open(self.home / "server.out", "a"), stderr=subprocess.STDOUT)
        for _ in range(600):
            if self.process.poll() is not None:
                sys.exit((self.home / "server.out").read_text())
            with socket.socket() as s:
                if s.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.1)
        sys.exit("the reference did not start")

    def stop(self, how):
        self.process.send_signal(how)
        self.process.wait(60)


def dump(reference, directory, output):
    """The tool's text for each partition. It fails on the zero tails of index files after a kill: those are left out."""
    suffixes = (".log", ".txnindex") if directory.name == "killed" else (".log", ".txnindex", ".index", ".timeindex",
                                                                         ".snapshot")
    for topic in TOPICS:
        partition = directory / f"{topic}-0"
        files = [str(file) for file in sorted(partition.iterdir()) if file.suffix in suffixes]
        text = reference.java("org.apache.kafka.tools.DumpLogSegments", "--deep-iteration", "--files", ",".join(files))
        output.mkdir(parents=True, exist_ok=True)
        (output / f"{partition.name}.txt").write_text(text.replace(str(directory) + "/", ""))


def main():
    libs, archive = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    here = pathlib.Path(__file__).resolve().parent
    with tempfile.TemporaryDirectory() as temporary:
        home = pathlib.Path(temporary)
        tree = home / "tree"
        tree.mkdir()
        reference = Reference(libs, home)
        reference.format()
        reference.start()
        print(reference.java(str(here / "ProduceLogs.java"), f"127.0.0.1:{reference.port}"))
        time.sleep(3)
        reference.stop(signal.SIGKILL)
        shutil.copytree(reference.data, tree / "killed")
        reference.start()
        time.sleep(5)
        reference.java(str(here / "ProduceLogs.java"), f"127.0.0.1:{reference.port}", "trim")
        reference.stop(signal.SIGTERM)
        shutil.copytree(reference.data, tree / "clean")
        for name in ("killed", "clean"):
            dump(reference, tree / name, tree / "dump" / name)
        subprocess.run(["tar", "-C", str(tree), "-cJf", str(archive), "."], check=True)


main()
