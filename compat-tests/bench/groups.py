#!/usr/bin/env python3
"""Measures the figures of docs/consumer-groups.md: 1,000 members in one group, and 5,000 groups with one member each.

    ninja -C build dohle dohle_group_load && compat-tests/bench/groups.py [--build build] [--rounds 3] [--seconds 30]

Each round runs Dohle and then the reference, on fresh directories, with the same load: raw connections, one a member,
heartbeats every 3 s. Printed are medians with minimum and maximum. CPU is the server process's user and system time
from /proc/PID/stat; the reference runs with the options that kafka-server-start.sh gives it (1 GiB of heap, G1).
"""

import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from bench.measured import Server, cpu_seconds, memory_mib  # noqa: E402
from harness import raw, toolchain  # noqa: E402

SHAPES = {"1 group of 1,000 members": (1, 1000), "5,000 groups of 1 member": (5000, 1)}
PROPERTIES = {"group.initial.rebalance.delay.ms": "3000", "offsets.topic.num.partitions": "50"}


def coordinator_is_there(port):
    """FindCoordinator v0 makes __consumer_offsets; OffsetFetch v5 says when all of its partitions are loaded."""

    def loaded(connection, group):
        answer = connection.request(9, 5, raw.string(f"load-{group}") + raw.array([]))
        answer.take("i")
        answer.array(lambda: None)
        return answer.take("h") == 0

    with raw.connected(port) as connection:
        assert raw.eventually(lambda: connection.request(10, 0, raw.string("load-0")).take("h") == 0, seconds=60)
        assert raw.eventually(lambda: all(loaded(connection, group) for group in range(300)), seconds=60)


def measure(kind, program, groups, members, seconds):
    """{part: {figure: value}}"""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="groups-"))
    server = Server(kind, folder, PROPERTIES)
    result = {}
    try:
        server.start()
        coordinator_is_there(server.port)
        memory = memory_mib(server.pid)
        cpu = cpu_seconds(server.pid)
        load = subprocess.Popen([program, str(server.port), str(groups), str(members), str(seconds)], text=True,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for line in load.stdout:
            part = json.loads(line)
            part["cpu"], cpu = cpu_seconds(server.pid) - cpu, cpu_seconds(server.pid)
            part["memory"], part["memory_before"] = memory_mib(server.pid), memory
            result[part.pop("part")] = part
            load.stdin.write("\n")
            load.stdin.flush()
        assert load.wait() == 0, f"{kind}: the load failed"
        server.check()
        return result
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)


def shown(values, digits=2):
    return f"{statistics.median(values):,.{digits}f} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"


def report(shape, rounds):
    """`rounds` is {kind: [what measure() gave]}."""
    print(f"| {shape} | Dohle | Kafka |\n|---|---|---|")

    def row(name, part, value, digits=2):
        cells = [shown([value(each[part]) for each in rounds[kind]], digits) for kind in ("dohle", "reference")]
        print(f"| {name} | {cells[0]} | {cells[1]} |")

    row("first rebalance, s", "join", lambda part: part["seconds"])
    row("its CPU, s", "join", lambda part: part["cpu"])
    row("heartbeats a second", "heartbeats", lambda part: part["heartbeats"] / part["seconds"], 0)
    row("CPU per 10,000 heartbeats, s", "heartbeats", lambda part: part["cpu"] / part["heartbeats"] * 10_000, 3)
    row("heartbeat's median, ms", "heartbeats", lambda part: part["p50_us"] / 1000)
    row("heartbeat's 99 %, ms", "heartbeats", lambda part: part["p99_us"] / 1000)
    if all("rebalance" in each for kind in rounds for each in rounds[kind]):
        row("rebalance after a member left, s", "rebalance", lambda part: part["seconds"])
        row("its CPU, s", "rebalance", lambda part: part["cpu"])
    row("resident memory before, MiB", "heartbeats", lambda part: part["memory_before"], 1)
    row("resident memory with them, MiB", "heartbeats", lambda part: part["memory"], 1)
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=toolchain.ROOT / "build")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=30)
    options = parser.parse_args()
    for shape, (groups, members) in SHAPES.items():
        rounds = {"dohle": [], "reference": []}
        for _ in range(options.rounds):
            for kind, results in rounds.items():
                results.append(measure(kind, options.build / "dohle_group_load", groups, members, options.seconds))
        report(shape, rounds)


if __name__ == "__main__":
    main()
