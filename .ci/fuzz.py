"""Runs each fuzz target for a bounded time and says how many inputs each saw. Exit code 1 if one of them crashed.

A target `x_fuzz` starts from what lies in `<folder>/fuzz/corpus/x_fuzz/`, if that is there. What it finds is kept in the
build tree, inputs in `corpus/x_fuzz/`, crashes in `crashes/`.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

from repository import PRODUCT_FOLDERS, ROOT

EXECUTED = re.compile(r"stat::number_of_executed_units:\s*(\d+)")


def run(target: pathlib.Path, build: pathlib.Path, seconds: int) -> tuple[int, int, str]:
    """Executions, exit code and output."""
    found = build / "corpus" / target.name
    found.mkdir(parents=True, exist_ok=True)
    (build / "crashes").mkdir(exist_ok=True)
    seeds = [path for folder in PRODUCT_FOLDERS for path in (ROOT / folder).glob(f"**/fuzz/corpus/{target.name}")]
    done = subprocess.run(
        [target, f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1",
         f"-artifact_prefix={build}/crashes/{target.name}-", found, *seeds],
        cwd=ROOT, check=False, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
    )
    executed = EXECUTED.search(done.stderr)
    return int(executed[1]) if executed else 0, done.returncode, done.stderr


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=int, default=30)
    arguments = parser.parse_args()
    build = arguments.build.resolve()

    targets = sorted(path for path in (build / "fuzz").glob("*_fuzz") if path.is_file())
    results, total = [], 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = pool.map(lambda target: run(target, build, arguments.seconds), targets)
        for target, (executed, code, output) in zip(targets, runs):
            passed = code == 0 and executed > 0
            results.append(passed)
            total += executed
            if not passed:
                print(output[-8000:])
            print(f"{target.name}: {executed} executions, {'no crash' if passed else 'FAILED'}", flush=True)
    print(f"{total} executions, {sum(results)} passed, {len(results) - sum(results)} failed, 0 skipped")
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
