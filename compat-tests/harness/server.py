"""One server process on a directory of its own: the reference (Apache Kafka 4.4.0) or Dohle, with the same properties."""

import base64
import contextlib
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import time
import uuid

from . import toolchain

KINDS = ("dohle", "reference")
READY_LINE = "Kafka Server started"
RUNNING_LINE = "Transitioning from RECOVERY to RUNNING"
START_SECONDS_MAX = {"dohle": 15, "reference": 60}
STOP_SECONDS_MAX = 30
# A JVM that SIGTERM ended says 143 even after a clean shutdown; Dohle says 0 (conventions.md, 3.6).
CLEAN_EXIT = {"dohle": 0, "reference": 143}
SEVERE = re.compile(r"^\[[^]]*\] (ERROR|FATAL) ")
FIRST_PORT = 21000


class ServerDied(AssertionError):
    """The server ended, or did not become ready, when nobody asked for it."""


def _ports():
    """Ports that nobody listens on, below the range that the kernel gives to outgoing connections."""
    port = FIRST_PORT + (os.getpid() * 37) % 9000
    while True:
        port = FIRST_PORT if port >= 32000 else port + 1
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        yield port


_free_ports = _ports()


def free_port():
    return next(_free_ports)


def dohle_binary():
    path = pathlib.Path(os.environ.get("DOHLE_SERVER") or toolchain.ROOT / "build" / "dohle").resolve()
    assert path.exists(), f"{path} is missing: build it first (make build), or name another by DOHLE_SERVER"
    return path


def default_properties(port, controller_port, data):
    """What every server of the harness starts with: combined mode, one node, replication factors of one."""
    return {
        "process.roles": "broker,controller",
        "node.id": "1",
        "controller.quorum.bootstrap.servers": f"127.0.0.1:{controller_port}",
        "controller.listener.names": "CONTROLLER",
        "listeners": f"PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port}",
        "advertised.listeners": f"PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port}",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "log.dirs": str(data),
        "num.partitions": "1",
        "default.replication.factor": "1",
        "offsets.topic.replication.factor": "1",
        "transaction.state.log.replication.factor": "1",
        "transaction.state.log.min.isr": "1",
        "share.coordinator.state.topic.replication.factor": "1",
        "share.coordinator.state.topic.min.isr": "1",
        "group.initial.rebalance.delay.ms": "0",
        "log.cleaner.dedupe.buffer.size": "16777216",
    }


class Server:
    """Starts, stops, kills and restarts a server; `swap` lets the other kind take over the directory and the ports."""

    def __init__(self, kind, folder, properties=None, open_files=None):
        self.kind = kind
        self.folder = pathlib.Path(folder)
        self.data = self.folder / "data"
        self.port = free_port()
        self.controller_port = free_port()
        self.properties = {**default_properties(self.port, self.controller_port, self.data), **(properties or {})}
        self.open_files = open_files  # (soft, hard) limit of the process, or None for what the tests have
        self.log_path = self.folder / "server.log"
        self.overrides = []
        self.process = None
        self.start_offset_ = 0
        self.checked_offset_ = 0
        self.expected_errors_ = []

    @property
    def bootstrap(self):
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self):
        return self.process.pid

    # -- commands ----------------------------------------------------------------------------------------------------

    def write_properties(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / "server.properties"
        path.write_text("".join(f"{key}={value}\n" for key, value in self.properties.items()))
        return path

    def java_(self, *arguments, heap="512m"):
        libs = toolchain.reference_libs()
        return [toolchain.java(), "-Xms64m", f"-Xmx{heap}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-cp", f"{libs}/*", f"-Dkafka.logs.dir={self.folder}",
                f"-Dlog4j2.configurationFile={toolchain.SETUP / 'log4j2.properties'}", *arguments]

    def command_(self):
        properties = self.write_properties()
        overrides = [word for override in self.overrides for word in ("--override", override)]
        if self.kind == "dohle":
            return [str(dohle_binary()), str(properties), *overrides]
        return self.java_("kafka.Kafka", str(properties), *overrides)

    def format(self):
        """Formats the directory with the reference's StorageTool; Dohle formats an empty one by itself."""
        cluster_id = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        command = self.java_("kafka.tools.StorageTool", "format", f"--cluster-id={cluster_id}", "-c", str(self.write_properties()),
                             "--standalone", heap="128m")
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, f"kafka-storage format failed:\n{done.stdout}\n{done.stderr}"

    def formatted_(self):
        return any(pathlib.Path(folder, "meta.properties").exists() for folder in self.properties["log.dirs"].split(","))

    # -- life ---------------------------------------------------------------------------------------------------------

    def spawn(self):
        """Starts the process and does not wait: for starts that are meant to fail. See `start`."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.start_offset_ = self.log_path.stat().st_size if self.log_path.exists() else 0
        self.checked_offset_ = self.start_offset_
        limit = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, self.open_files)) if self.open_files else None
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(self.command_(), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            cwd=self.folder, preexec_fn=limit)
        return self

    def start(self):
        """Starts the server (formatting an empty directory first if it is the reference) and waits until it is ready."""
        assert self.process is None, "the server runs already"
        if self.kind == "reference" and not self.formatted_():
            self.format()
        self.spawn()
        deadline = time.monotonic() + START_SECONDS_MAX[self.kind]
        while READY_LINE not in self.log():
            self.check_alive_while_starting_(deadline)
            time.sleep(0.01)
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            self.check_alive_while_starting_(deadline)
            time.sleep(0.01)

    def check_alive_while_starting_(self, deadline):
        if self.process.poll() is not None:
            code, self.process = self.process.returncode, None
            raise ServerDied(f"{self.kind} ended at its start with exit code {code}:\n{self.log()[-4000:]}")
        if time.monotonic() > deadline:
            self.kill()
            raise ServerDied(f"{self.kind} was not ready within {START_SECONDS_MAX[self.kind]} s:\n{self.log()[-4000:]}")

    def stop(self):
        """SIGTERM; the server must end cleanly. Returns the exit code."""
        self.check()
        self.process.send_signal(signal.SIGTERM)
        code = self.wait(STOP_SECONDS_MAX)
        assert code == CLEAN_EXIT[self.kind], f"{self.kind} ended with {code} after SIGTERM:\n{self.log()[-4000:]}"
        self.check_log()
        return code

    def kill(self):
        """kill -9, and waits until the process is gone."""
        if self.process is not None:
            self.process.kill()
            self.wait(STOP_SECONDS_MAX)

    def wait(self, seconds):
        """Waits for the process to end by itself and returns its exit code; a hang is killed and is a failure."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            self.process = None
            raise ServerDied(f"{self.kind} did not end within {seconds} s:\n{self.log()[-4000:]}") from None
        self.process = None
        return code

    def restart(self, kill=False):
        if kill:
            self.kill()
        else:
            self.stop()
        return self.start()

    def swap(self, kind):
        """The stopped server's directory, ports and properties now belong to a server of `kind`."""
        assert self.process is None, "stop or kill the server first"
        self.kind = kind
        return self

    # -- judgement ----------------------------------------------------------------------------------------------------

    def log(self):
        """What the server has written since its last start."""
        if not self.log_path.exists():
            return ""
        with open(self.log_path, "rb") as log:
            log.seek(self.start_offset_)
            return log.read().decode("utf-8", "replace")

    def expect_error(self, pattern):
        """An ERROR line that matches `pattern` is what this test provokes."""
        self.expected_errors_.append(re.compile(pattern))

    def check(self):
        """Fails if the server ended unexpectedly, or if Dohle wrote an ERROR line since the last check."""
        if self.process is not None and self.process.poll() is not None:
            code, self.process = self.process.returncode, None
            raise ServerDied(f"{self.kind} ended unexpectedly with exit code {code}:\n{self.log()[-4000:]}")
        self.check_log()

    def check_log(self):
        if self.kind != "dohle" or not self.log_path.exists():
            return
        with open(self.log_path, "rb") as log:
            log.seek(self.checked_offset_)
            text = log.read().decode("utf-8", "replace")
            self.checked_offset_ = log.tell()
        errors = [line for line in text.splitlines()
                  if SEVERE.match(line) and not any(pattern.search(line) for pattern in self.expected_errors_)]
        assert not errors, "the server logged errors:\n" + "\n".join(errors[:20])

    def resident_bytes(self):
        for line in pathlib.Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise ServerDied(f"{self.kind} has no VmRSS")

    def assert_grown_less(self, before_bytes, growth_bytes_max):
        """Bounds what Dohle keeps resident; a JVM grows into its heap and gives nothing back, so it has only its -Xmx."""
        grown = self.resident_bytes() - before_bytes
        assert self.kind != "dohle" or grown < growth_bytes_max, f"{grown >> 20} MiB more are resident"
