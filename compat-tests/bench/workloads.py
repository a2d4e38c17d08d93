"""The workloads of the bench: each measures one server, or the bare loop, once.

A workload is a function of (subject, build, placement) that returns {metric: value}; subject is dohle, kafka,
kafka-tuned or floor. One that has no bare loop gives nothing for the floor. 1 GB is 10^9 bytes of record batches.
"""

import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

from bench import measured
from harness import batches, raw
from harness.server import free_port

GB = 1e9


def _floor(build, mode, load, arguments):
    """CPU seconds of a bare loop that ends with its connections, and what the load said."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="bench-floor-"))
    try:
        port, file = free_port(), folder / "floor"
        if mode == "send":
            file.write_bytes(os.urandom(64 << 20))
        command = [build / "dohle_floor", mode, port, *[file if word == "FILE" else word for word in arguments]]
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL)
        _wait_listening(port, process)
        answer = measured.run_json([word.replace("PORT", str(port)) for word in load])
        _, _, usage = os.wait4(process.pid, 0)
        return usage.ru_utime + usage.ru_stime, answer
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait_listening(port, process):
    """Looks at the kernel's table: connecting would be the one connection that the loop serves."""
    wanted = f":{port:04X}"
    for _ in range(1000):
        rows = pathlib.Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
        if any(row.split()[1].endswith(wanted) and row.split()[3] == "0A" for row in rows):
            return
        if process.poll() is not None:
            raise RuntimeError("the bare loop ended")
        time.sleep(0.005)
    raise RuntimeError("the bare loop does not listen")


def _create(server, topic, partitions=1, configs=None):
    with raw.connected(server.port, seconds=60) as connection:
        connection.create_topic(topic, partitions=partitions, configs=configs or {})


def _warm(kind, build, server, command):
    """A JVM compiles what it runs often: the load runs once unmeasured, against both servers alike."""
    for _ in range(3 if kind != "dohle" else 1):
        measured.run_json(command)


def batch(batch_bytes, partitions=1, codec="none", total=1_000_000_000):
    """W2 and W4: produce batches of 1 KiB records and read them back."""

    def load(mode, topic, amount):
        return [mode, "PORT", topic, batch_bytes, amount, 1024, partitions, codec]

    def measure(subject, build, placement):
        program = build / "dohle_load"
        if subject == "floor":
            wire = measured.load_command(placement, program, *load("produce", "t", total))
            cpu, answer = _floor(build, "append" if codec == "none" else "inflate", wire, ["FILE"])
            sent, read = _floor(build, "send", measured.load_command(placement, program, *load("fetch", "t", total)),
                                ["FILE", str(1 << 20)])
            return {"produce CPU s/GB": cpu / (answer["bytes"] / GB), "fetch CPU s/GB": sent / (read["bytes"] / GB)}
        with measured.running(subject, placement=placement) as server:
            result = {}
            _create(server, "warm", partitions)
            _create(server, "load", partitions)

            def command(mode, topic, amount):
                words = [str(word).replace("PORT", str(server.port)) for word in load(mode, topic, amount)]
                return measured.load_command(placement, program, *words)
            for mode in ("produce", "fetch"):
                _warm(subject, build, server, command(mode, "warm", total // 5))
                before = measured.cpu_seconds(server.pid)
                answer = measured.run_json(command(mode, "load", total))
                result[f"{mode} CPU s/GB"] = (measured.cpu_seconds(server.pid) - before) / (answer["bytes"] / GB)
                result[f"{mode} MB/s"] = answer["bytes"] / 1e6 / answer["seconds"]
            result["peak memory MiB"] = measured.memory_mib(server.pid, "VmHWM")
            return result

    return measure


def tiny(connections, in_flight, acks, rate=0, seconds=10):
    """W1 (rate 0: a closed loop) and W6 (an open loop of `rate` requests a second)."""

    def measure(subject, build, placement):
        def command(port, topic, for_seconds):
            return measured.load_command(placement, build / "dohle_rate", port, topic, 1, connections, in_flight, 100, acks,
                                         for_seconds, rate)
        if subject == "floor":
            cpu, answer = _floor(build, "echo", command("PORT", "t", seconds), [str(connections)])
            return {"CPU us/request": cpu * 1e6 / answer["answered"], "p50 us": answer["p50_us"], "p99 us": answer["p99_us"]}
        with measured.running(subject, placement=placement) as server:
            _create(server, "warm")
            _create(server, "load")
            _warm(subject, build, server, command(server.port, "warm", 5))
            before = measured.cpu_seconds(server.pid)
            answer = measured.run_json(command(server.port, "load", seconds))
            cpu = measured.cpu_seconds(server.pid) - before
            return {"CPU us/request": cpu * 1e6 / answer["answered"], "requests/s": answer["requests"] / answer["seconds"],
                    "p50 us": answer["p50_us"], "p99 us": answer["p99_us"], "p99.9 us": answer["p999_us"],
                    "peak memory MiB": measured.memory_mib(server.pid, "VmHWM")}

    return measure


def fan_out(readers=5, batch_bytes=64 << 10, total=400_000_000):
    """W5: what one producer wrote is read by several at once."""

    def measure(subject, build, placement):
        program = build / "dohle_load"
        if subject == "floor":
            return {}
        with measured.running(subject, placement=placement) as server:
            _create(server, "load")

            def command(mode):
                return measured.load_command(placement, program, mode, server.port, "load", batch_bytes, total, 1024, 1, "none")
            measured.run_json(command("produce"))
            _warm(subject, build, server, command("fetch"))
            before = measured.cpu_seconds(server.pid)
            processes = [subprocess.Popen(command("fetch"), stdout=subprocess.DEVNULL) for _ in range(readers)]
            assert all(process.wait() == 0 for process in processes), "a reader failed"
            return {"fetch CPU s/GB": (measured.cpu_seconds(server.pid) - before) / (readers * total / GB)}

    return measure


def many_partitions(count=10_000):
    """W8: one request makes them all, one record goes to each of a hundred, and the server starts again."""

    def measure(subject, build, placement):
        if subject == "floor":
            return {}
        with measured.running(subject, placement=placement) as server:
            empty = measured.memory_mib(server.pid)
            before, began = measured.cpu_seconds(server.pid), time.monotonic()
            with raw.connected(server.port, seconds=300) as connection:
                connection.create_topic("many", partitions=count)
                body = batches.batch([batches.record(0, None, b"x")])
                for partition in range(0, count, count // 100):
                    raw.eventually(lambda p=partition: connection.produce("many", body, partition=p)[0] == 0, seconds=300)
            result = {"create s": time.monotonic() - began, "create CPU s": measured.cpu_seconds(server.pid) - before,
                      "memory MiB": measured.memory_mib(server.pid) - empty, "open files": measured.open_files(server.pid)}
            server.stop()
            began = time.monotonic()
            server.start()
            result["start again s"] = time.monotonic() - began
            result["start again CPU s"] = measured.cpu_seconds(server.pid)
            return result

    return measure


def flushed(connections=16, seconds=10):
    """W12: every record is on the disk before it is acknowledged."""

    def measure(subject, build, placement):
        if subject == "floor":
            return {}
        with measured.running(subject, placement=placement) as server:
            _create(server, "load", configs={"flush.messages": 1})
            command = measured.load_command(placement, build / "dohle_rate", server.port, "load", 1, connections, 1, 1024, -1, seconds, 0)
            _warm(subject, build, server, command)
            before = measured.cpu_seconds(server.pid)
            answer = measured.run_json(command)
            return {"CPU us/request": (measured.cpu_seconds(server.pid) - before) * 1e6 / answer["answered"],
                    "requests/s": answer["requests"] / answer["seconds"], "p99 us": answer["p99_us"]}

    return measure


def start_and_idle(idle_seconds=20):
    """W14: from exec to the first answers, and what an idle server takes."""

    def measure(subject, build, placement):
        if subject == "floor":
            return {}
        with measured.running(subject, placement=placement) as server:
            server.stop()
            began = time.monotonic()
            server.spawn()
            while True:
                try:
                    with socket.create_connection(("127.0.0.1", server.port), 1), raw.connected(server.port) as connection:
                        connection.request(18, 0, b"")
                        result = {"first ApiVersions ms": (time.monotonic() - began) * 1e3}
                        break
                except (OSError, raw.Closed):
                    time.sleep(0.0005)
            _create(server, "first")
            with raw.connected(server.port, seconds=30) as connection:
                body = batches.batch([batches.record(0, None, b"x")])
                raw.eventually(lambda: connection.produce("first", body)[0] == 0, seconds=30)
            result["first record ms"] = (time.monotonic() - began) * 1e3
            time.sleep(2)
            before = measured.cpu_seconds(server.pid)
            time.sleep(idle_seconds)
            result["idle CPU ms/s"] = (measured.cpu_seconds(server.pid) - before) * 1e3 / idle_seconds
            result["idle memory MiB"] = measured.memory_mib(server.pid)
            return result

    return measure


# name -> (what it is, how it is measured, placements)
WORKLOADS = {
    "W1-1": ("100 B records, one connection, one in flight, acks=1", tiny(1, 1, 1), measured.PLACEMENTS),
    "W1-32": ("100 B records, 32 connections, one in flight each, acks=1", tiny(32, 1, 1), measured.PLACEMENTS),
    "W1-32-all": ("100 B records, 32 connections, five in flight each, acks=all", tiny(32, 5, -1), measured.PLACEMENTS),
    "W2-64K": ("1 KiB records, batches of 64 KiB, one partition", batch(64 << 10), measured.PLACEMENTS),
    "W2-1M": ("1 KiB records, batches just under 1 MiB, one partition", batch((1 << 20) - 4096), measured.PLACEMENTS),
    "W2-64K-16": ("1 KiB records, batches of 64 KiB, 16 partitions", batch(64 << 10, 16), measured.PLACEMENTS),
    "W4": ("lines of JSON in batches of 64 KiB with zstd, in compressed GB", batch(64 << 10, 1, "zstd", 200_000_000), ("free",)),
    "W5": ("five readers of what one producer wrote", fan_out(), measured.PLACEMENTS),
    "W6": ("100 B records at 2,000 a second, open loop, 16 connections", tiny(16, 1, -1, 2000, 30), ("free",)),
    "W8": ("10,000 partitions", many_partitions(), ("free",)),
    "W12": ("1 KiB records with flush.messages=1, 16 connections", flushed(), ("free",)),
    "W14": ("start and idle", start_and_idle(), ("free",)),
}
