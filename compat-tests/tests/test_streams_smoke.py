"""Kafka Streams' own smoke test with exactly_once_v2 and the classic group protocol, through kills of its instances and of
the server: the driver, which knows the right results, says SUCCESS."""

import subprocess
import time

import pytest

from harness import raw, toolchain

SUITE = "streams-smoke"
VERSION = "4.3.1"
TOPICS = ("data", "echo", "min", "min-suppressed", "min-raw", "max", "sum", "sws-raw", "sws-suppressed", "dif", "cnt", "avg", "wcnt",
          "tagg")
RESULTS_SECONDS_MAX = 600


class Smoke:
    """The driver and the instances of the application."""

    def __init__(self, server, folder, libs):
        self.server = server
        self.folder = folder
        self.libs = libs
        self.processes = {}

    def start(self, name, command):
        properties = self.folder / f"{name}.properties"
        properties.write_text("".join(f"{key}={value}\n" for key, value in {
            "bootstrap.servers": self.server.bootstrap, "processing.guarantee": "exactly_once_v2", "group.protocol": "classic",
            "application.id": "SmokeTest", "num.stream.threads": 2, "replication.factor": 1, "session.timeout.ms": 6000,
            "state.dir": self.folder / f"state-{name}"}.items()))
        java = [toolchain.java(), "-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp", f"{self.libs}/*",
                f"-Dlog4j2.configurationFile={toolchain.SETUP / 'tools-log4j2.properties'}",
                "org.apache.kafka.streams.tests.StreamsSmokeTest", properties, command]
        with open(self.folder / f"{name}.out", "ab") as out:
            self.processes[name] = subprocess.Popen([str(word) for word in java], stdin=subprocess.DEVNULL, stdout=out,
                                                    stderr=subprocess.STDOUT)
        return self.processes[name]

    def output(self, name):
        path = self.folder / f"{name}.out"
        return path.read_text(errors="replace") if path.exists() else ""

    def kill(self, name):
        self.processes[name].kill()
        self.processes[name].wait()

    def end(self):
        for name in self.processes:
            self.kill(name)


@pytest.mark.long
@pytest.mark.limit(900)
@pytest.mark.cell("kafka-streams-4.3.1", "smoke-exactly-once")
def test_the_smoke_test_of_streams_succeeds(make_server, server_kind, tmp_path, need):
    libs = need(toolchain.streams_smoke_libs)
    server = make_server(server_kind, {"broker.session.timeout.ms": "1500", "broker.heartbeat.interval.ms": "500"}).start()
    with raw.connected(server.port) as connection:
        for topic in TOPICS:
            connection.create_topic(topic, partitions=5)
    smoke = Smoke(server, tmp_path, libs)
    try:
        for name in ("a", "b"):
            smoke.start(name, "process")
        driver = smoke.start("driver", "run")
        assert raw.eventually(lambda: "processed" in smoke.output("a") and "processed" in smoke.output("b"), seconds=90), \
            smoke.output("a")[-3000:]
        # The driver writes for 30 seconds.
        time.sleep(3)
        smoke.kill("a")
        smoke.start("a", "process")
        time.sleep(5)
        server.kill()
        server.start()
        time.sleep(5)
        smoke.kill("b")
        smoke.start("b", "process")
        driver.wait(RESULTS_SECONDS_MAX)
        lines = smoke.output("driver").splitlines()
        assert "SUCCESS" in lines and "ALL-RECORDS-DELIVERED" in lines, "\n".join(lines[-40:])
        assert "PROCESSED-MORE-THAN-GENERATED" not in lines, "something was processed twice"
    finally:
        smoke.end()
    server.stop()
