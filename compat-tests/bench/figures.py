#!/usr/bin/env python3
"""Measures the figures of docs/figures.md: start, memory, CPU seconds per GB, beside the bare loops.

    ninja -C build dohle dohle_load dohle_floor && compat-tests/bench/figures.py [--build build] [--rounds 5]

Each round runs the bare loop and the server one after another; printed are medians with minimum and maximum. CPU is
the server process's user and system time from /proc/PID/stat. 1 GB is 10^9 bytes of record batches.
"""

import argparse
import json
import os
import pathlib
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from bench.measured import cpu_seconds, memory_mib  # noqa: E402

def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def request(port, key, version, body, timeout=5.0):
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        header = struct.pack(">hhih", key, version, 1, 7) + b"figures"
        connection.sendall(struct.pack(">i", len(header + body)) + header + body)
        size = struct.unpack(">i", connection.recv(4, socket.MSG_WAITALL))[0]
        return connection.recv(size, socket.MSG_WAITALL)


class Server:
    def __init__(self, build, folder):
        self.port, controller = free_port(), free_port()
        settings = {"listeners": f"PLAINTEXT://127.0.0.1:{self.port},CONTROLLER://127.0.0.1:{controller}",
                    "advertised.listeners": f"PLAINTEXT://127.0.0.1:{self.port},CONTROLLER://127.0.0.1:{controller}",
                    "log.dirs": str(folder / "data")}
        command = [str(build / "dohle")]
        for key, value in settings.items():
            command += ["--override", f"{key}={value}"]
        began = time.perf_counter()
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while True:
            try:
                request(self.port, 18, 0, b"")
                break
            except OSError:
                if self.process.poll() is not None or time.perf_counter() - began > 30:
                    raise
                time.sleep(0.0005)
        self.started_ms = (time.perf_counter() - began) * 1000

    def create(self, topic, partitions):
        name = topic.encode()
        body = struct.pack(">ih", 1, len(name)) + name + struct.pack(">ihii", partitions, 1, 0, 0)
        request(self.port, 19, 2, body + struct.pack(">iB", 30000, 0), timeout=60)

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


def run_load(build, mode, port, topic, batch, total):
    command = [str(build / "dohle_load"), mode, str(port), topic, str(batch), str(total), "1024", "1", "none"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def floor(build, folder, mode, batch, total):
    port = free_port()
    command = [str(build / "dohle_floor"), mode, str(port), str(folder / "floor")]
    process = subprocess.Popen(command + ([str(1 << 20)] if mode == "send" else []), stdout=subprocess.DEVNULL)
    time.sleep(0.1)
    load = subprocess.Popen([str(build / "dohle_load"), "produce" if mode == "append" else "fetch", str(port), "t",
                             str(batch), str(total), "1024", "1", "none"], stdout=subprocess.PIPE, text=True)
    answer = json.loads(load.communicate()[0])
    # The loop ends with its connection: its times are those of the child that was waited for.
    _, _, usage = os.wait4(process.pid, 0)
    return (usage.ru_utime + usage.ru_stime) / (answer["bytes"] / 1e9)


def against_server(build, folder, batch, total):
    server = Server(build, folder)
    server.create("load", 1)
    result = {}
    for mode in ("produce", "fetch"):
        before = cpu_seconds(server.process.pid)
        answer = run_load(build, mode, server.port, "load", batch, total)
        result[mode] = (cpu_seconds(server.process.pid) - before) / (answer["bytes"] / 1e9)
    server.stop()
    return result


def shown(values, digits=3):
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def with_folder(work):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="figures-"))
    try:
        return work(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def start_and_memory(build, rounds):
    def once(folder):
        Server(build, folder).stop()  # the first start formats
        server = Server(build, folder)
        started = server.started_ms
        time.sleep(0.5)
        idle = memory_mib(server.process.pid)
        server.create("many", 1000)
        time.sleep(0.5)
        many = memory_mib(server.process.pid)
        server.stop()
        return started, idle, many
    rows = [with_folder(once) for _ in range(rounds)]
    print(f"exec to first ApiVersions answer: {shown([r[0] for r in rows], 1)} ms")
    print(f"resident memory idle: {shown([r[1] for r in rows], 1)} MiB")
    print(f"resident memory with 1,000 partitions: {shown([r[2] for r in rows], 1)} MiB")


def throughput(build, rounds, batch, total):
    floors = {"append": [], "send": []}
    servers = {"produce": [], "fetch": []}
    for _ in range(rounds):
        def bare(folder):
            floors["append"].append(floor(build, folder, "append", batch, total))
            floors["send"].append(floor(build, folder, "send", batch, total))
        with_folder(bare)
        for mode, value in with_folder(lambda folder: against_server(build, folder, batch, total)).items():
            servers[mode].append(value)
    size = f"{batch >> 10} KiB batches"
    for mode, bare, what in (("produce", "append", "recv + CRC + pwrite"), ("fetch", "send", "sendfile")):
        ratio = statistics.median(servers[mode]) / statistics.median(floors[bare])
        print(f"{mode}, {size}: {shown(servers[mode])} CPU s/GB; bare {what}: {shown(floors[bare])}; ratio {ratio:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--bytes", type=int, default=1_000_000_000)
    options = parser.parse_args()
    start_and_memory(options.build, options.rounds)
    for batch in (64 << 10, 1 << 20):
        throughput(options.build, options.rounds, batch, options.bytes)


if __name__ == "__main__":
    main()
