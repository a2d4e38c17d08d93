#!/usr/bin/env python3
"""Measures Apache Kafka, Dohle and the bare loops in one run: the entry of `make bench`.

    make bench [WORKLOAD=W1-32[,W2-64K...]] [ROUNDS=5]

Each round measures every subject once, in alternating order; what has ROUNDS rounds for this commit already is not measured again.
Results go to build/reports/bench.json, and docs/benchmarks.md is written from it. Kafka's figure is the better of its
default and a tuned run. The machine should do nothing else meanwhile.
"""

import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from bench import measured  # noqa: E402
from bench.workloads import WORKLOADS  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUBJECTS = ("floor", "dohle", "kafka", "kafka-tuned")
HIGHER_IS_BETTER = {"MB/s", "requests/s"}
RELIABLE_SPREAD = 0.15


def commit():
    return subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def steal_share(before):
    """The share of time that the hypervisor gave to others since `before`."""
    now = steal_times()
    total = sum(now) - sum(before)
    return (now[7] - before[7]) / total if total else 0.0


def steal_times():
    return [int(word) for word in pathlib.Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]]


class Results:
    """{workload: {placement: {subject: {metric: [values]}}}} of one commit, kept between runs."""

    def __init__(self, path):
        self.path_ = path
        stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        self.values = stored["values"] if stored.get("commit") == commit() else {}

    def add(self, workload, placement, subject, metrics):
        metrics_of = self.values.setdefault(workload, {}).setdefault(placement, {}).setdefault(subject, {})
        for name, value in metrics.items():
            metrics_of.setdefault(name, []).append(value)
        self.path_.parent.mkdir(parents=True, exist_ok=True)
        self.path_.write_text(json.dumps({"commit": commit(), "values": self.values}, indent=1), encoding="utf-8")

    def rounds(self, workload, placement):
        of_dohle = self.values.get(workload, {}).get(placement, {}).get("dohle", {})
        return max((len(values) for values in of_dohle.values()), default=0)


def better_kafka(subjects, metric):
    """The better of Kafka's two runs, by the median."""
    lists = [subjects[name][metric] for name in ("kafka", "kafka-tuned") if metric in subjects.get(name, {})]
    if not lists:
        return None
    pick = max if metric.split()[-1] in HIGHER_IS_BETTER else min
    return pick(lists, key=lambda values: measured.spread(values)["median"])


def rows(values):
    """The list of bench.json: a row a workload, metric and placement."""
    for workload, placements in values.items():
        for placement, subjects in placements.items():
            for metric, dohle in subjects["dohle"].items():
                kafka, floor = better_kafka(subjects, metric), subjects.get("floor", {}).get(metric)
                middle = measured.spread(dohle)["median"]
                ratio = {name: middle / measured.spread(other)["median"] if other and measured.spread(other)["median"] else None
                         for name, other in (("kafka", kafka), ("floor", floor))}
                yield {"workload": workload, "metric": metric, "unit": metric.rsplit(" ", 1)[-1], "placement": placement,
                       "dohle": measured.spread(dohle), "kafka": kafka and measured.spread(kafka),
                       "floor": floor and measured.spread(floor), "ratio_kafka": ratio["kafka"], "ratio_floor": ratio["floor"],
                       "runs": len(dohle)}


def shown(figures):
    if figures is None:
        return ""
    digits = 3 if figures["median"] < 1 else 2 if figures["median"] < 10 else 0
    return f"{figures['median']:,.{digits}f} ({figures['min']:,.{digits}f} to {figures['max']:,.{digits}f})"


def is_wide(row):
    """Whether the rounds of one subject differ too much for its ratio to mean something."""
    return any(figures and figures["median"] and (figures["max"] - figures["min"]) / figures["median"] > 2 * RELIABLE_SPREAD
               for figures in (row["dohle"], row["kafka"], row["floor"]))


def page(table):
    congestion = pathlib.Path("/proc/sys/net/ipv4/tcp_congestion_control").read_text(encoding="ascii").strip()
    lines = [
        "# Benchmarks", "",
        f"Written by `make bench` on {time.strftime('%-d %B %Y')} at commit {commit()}: {os.cpu_count()} cores, Linux {platform.release()},"
        f" congestion control {congestion}. Medians with minimum and maximum. Kafka is Apache Kafka 4.4.0, the better of its default"
        " and a tuned run; the floor is a bare loop that does only what must be done (`compat-tests/bench/floor.cc`). Pinned:"
        " the server on one core, the load on the other; free: as the kernel places them. A ratio below 1 means that Dohle takes less;"
        " `~` marks a row whose rounds differ by more than 30 per cent: not reliable.", "",
    ]
    for workload, (title, _, _) in WORKLOADS.items():
        mine = [row for row in table if row["workload"] == workload]
        if not mine:
            lines += [f"## {workload}: {title}", "", "Not measured.", ""]
            continue
        lines += [f"## {workload}: {title}", "", "| metric | placement | Dohle | Kafka | floor | to Kafka | to the floor |",
                  "|---|---|---|---|---|---|---|"]
        for row in mine:
            ratios = ["" if row[key] is None else f"{row[key]:.2f}{' ~' if is_wide(row) else ''}" for key in ("ratio_kafka", "ratio_floor")]
            lines.append(f"| {row['metric']} | {row['placement']} | {shown(row['dohle'])} | {shown(row['kafka'])} | {shown(row['floor'])} "
                         f"| {ratios[0]} | {ratios[1]} |")
        lines.append("")
    return "\n".join(lines)


def measure(results, workload, rounds, build):
    _, once, placements = WORKLOADS[workload]
    for placement in placements:
        for number in range(results.rounds(workload, placement), rounds):
            order = SUBJECTS if number % 2 == 0 else SUBJECTS[::-1]
            for subject in order:
                before = steal_times()
                metrics = once(subject, build, placement)
                results.add(workload, placement, subject, metrics)
                shares = ", ".join(f"{name} {value:.3g}" for name, value in metrics.items())
                print(f"{workload} {placement} round {number + 1} {subject}: {shares or 'nothing to measure'}"
                      f" (steal {steal_share(before):.1%})", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--workload", default="", help="names, by commas; all without")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    asked = [name for name in options.workload.split(",") if name] or list(WORKLOADS)
    if unknown := [name for name in asked if name not in WORKLOADS]:
        parser.error(f"no workload {', '.join(unknown)}; there are {', '.join(WORKLOADS)}")
    build = options.build.resolve()
    os.environ.setdefault("DOHLE_SERVER", str(build / "dohle"))
    results = Results(build / "reports" / "bench-rounds.json")
    times = []
    for workload in asked:
        began = time.monotonic()
        measure(results, workload, options.rounds, build)
        times.append(f"{(time.monotonic() - began) / 60:6.1f} minutes  {workload}")
    table = list(rows(results.values))
    (build / "reports" / "bench.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    (ROOT / "docs" / "benchmarks.md").write_text(page(table) + "\n", encoding="utf-8")
    print("\n".join(times))
    return 0


if __name__ == "__main__":
    sys.exit(main())
