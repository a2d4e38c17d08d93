#!/usr/bin/env python3
"""Measures what a transaction costs against a plain idempotent write, on Dohle and on the reference by turns.

    compat-tests/bench/transactions.py [--rounds 3] [--count 2000]

Prints the table of docs/transactions.md: medians over the rounds with the smallest and the largest. Each server has its
defaults but for replication factors of one, and the reference the JVM options of its own start script; the client is
Kafka's Java producer (clients/java/TransactionBench.java).
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from bench.measured import Server  # noqa: E402
from harness import raw, toolchain  # noqa: E402


def measure(kind, folder, count):
    server = Server(kind, folder).start()
    try:
        with raw.connected(server.port) as connection:
            connection.create_topic("bench")
        command = [toolchain.java(), "-Xmx256m", "-XX:+UseSerialGC", "-cp", f"{toolchain.java_classes()}:{toolchain.reference_libs()}/*",
                   f"-Dlog4j2.configurationFile={toolchain.SETUP / 'tools-log4j2.properties'}", "TransactionBench", server.bootstrap,
                   "bench", str(count)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
        return json.loads(done.stdout.splitlines()[-1])
    finally:
        server.kill()


def cell(values, form):
    return f"{form(statistics.median(values))} ({form(min(values))} to {form(max(values))})"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", type=int, default=2000)
    options = parser.parse_args()
    kinds = ("dohle", "reference")
    results = {kind: [] for kind in kinds}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(options.rounds):
            for kind in kinds:
                results[kind].append(measure(kind, pathlib.Path(folder, f"{kind}-{turn}"), options.count))
    milliseconds = lambda micros: f"{micros / 1000:.2f}"
    rows = [
        ("transactions per second", lambda r: r["transactional"]["per_second"], lambda v: f"{v:.0f}"),
        ("idempotent writes per second", lambda r: r["idempotent"]["per_second"], lambda v: f"{v:.0f}"),
        ("transaction, median, ms", lambda r: r["transactional"]["p50"], milliseconds),
        ("transaction, 99th percentile, ms", lambda r: r["transactional"]["p99"], milliseconds),
        ("idempotent write, median, ms", lambda r: r["idempotent"]["p50"], milliseconds),
        ("idempotent write, 99th percentile, ms", lambda r: r["idempotent"]["p99"], milliseconds),
        ("added by the transaction, median, ms", lambda r: r["transactional"]["p50"] - r["idempotent"]["p50"], milliseconds),
    ]
    print("| one after another, 100-byte records | Dohle | Apache Kafka 4.4.0 |\n|---|---|---|")
    for name, value, form in rows:
        print(f"| {name} | " + " | ".join(cell([value(r) for r in results[kind]], form) for kind in kinds) + " |")


if __name__ == "__main__":
    main()
