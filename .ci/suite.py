"""Runs the tests and counts them: the C++ unit tests of one build tree, the Python tests of our own tools, and the black
box of compat-tests. The last line is the count; exit code 1 if anything failed or nothing ran.

With --long a unit test that has a long form finds DOHLE_LONG=1 in its environment.

Reports of each part go to BUILD/reports. compat-tests get the server under test in DOHLE_SERVER. They skip, and so count
and name, what needs a language that is not on this machine; with CI=true they fail it.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree

from repository import ROOT, files

UNIT_TIMEOUT_S = 900
PYTEST_TIMEOUT_S = 4 * 3600  # compat-tests have limits of their own, per test
NO_TESTS_COLLECTED = 5  # pytest's exit code
BLACK_BOX_FILES_AT_ONCE = 2  # the short forms mostly wait: for servers that start, for sessions that end

@dataclasses.dataclass
class Count:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def add(self, other: "Count") -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def read_gtest(report: dict) -> tuple[Count, list[str]]:
    """The count of one GoogleTest JSON report, and the names of what failed or was skipped."""
    count, named = Count(), []
    for suite in report["testsuites"]:
        for test in suite["testsuite"]:
            name = f"{suite['name']}.{test['name']}"
            if test.get("failures"):
                count.failed += 1
                named.append(f"failed {name}")
            elif test["status"] == "NOTRUN" or test["result"] == "SKIPPED":
                count.skipped += 1
                named.append(f"skipped {name}")
            else:
                count.passed += 1
    return count, named


def read_junit(text: str) -> Count:
    """The count of one report of pytest. An error outside a test (collection, fixture) is a failure."""
    count = Count()
    for case in xml.etree.ElementTree.fromstring(text).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            count.failed += 1
        elif case.find("skipped") is not None:
            count.skipped += 1
        else:
            count.passed += 1
    return count


def run_unit(binary: pathlib.Path, reports: pathlib.Path, long: bool = False) -> Count:
    report = reports / f"{binary.name}.json"
    report.unlink(missing_ok=True)
    command = [str(binary), f"--gtest_output=json:{report}", "--gtest_brief=1"]
    if "build-tsan" in str(binary) and shutil.which("setarch"):
        command = ["setarch", "-R", *command]  # TSan of gcc 12 fails where the kernel randomises more bits than it knew
    print(f"== {binary.name}", flush=True)
    try:
        code = subprocess.run(
            command, cwd=ROOT, check=False, stdin=subprocess.DEVNULL, timeout=UNIT_TIMEOUT_S,
            env={**os.environ, **({"DOHLE_LONG": "1"} if long else {})},
        ).returncode
    except subprocess.TimeoutExpired:
        code = -1
        print(f"{binary.name} did not end in {UNIT_TIMEOUT_S} s")
    return judge_unit(binary.name, code, report.read_text(encoding="utf-8") if report.exists() else None)


def judge_unit(name: str, code: int, report: str | None) -> Count:
    """A binary that died, ran nothing, or failed outside its tests (a sanitizer at exit) has failed."""
    count, named = read_gtest(json.loads(report)) if report else (Count(), [])
    for line in named:
        print(line)
    if code != 0 and count.failed == 0:
        print(f"failed {name}: exit code {code}")
        count.failed += 1
    elif count.passed + count.failed + count.skipped == 0:
        print(f"failed {name}: no test in it")
        count.failed += 1
    return count


def run_pytest(name: str, arguments: list[str], reports: pathlib.Path, environment: dict[str, str]) -> Count:
    report = reports / f"{name}.xml"
    report.unlink(missing_ok=True)
    began = time.monotonic()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", f"--junitxml={report}", *arguments],
            cwd=ROOT, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", timeout=PYTEST_TIMEOUT_S, env={**os.environ, **environment},
        )
        code, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        code, output = -1, f"{name} did not end in {PYTEST_TIMEOUT_S} s\n"
    # In one piece: other files may run at the same time.
    print(f"== {name}, {time.monotonic() - began:.0f} s\n{output}", end="", flush=True)
    count = read_junit(report.read_text(encoding="utf-8")) if report.exists() else Count()
    if code not in (0, NO_TESTS_COLLECTED) and count.failed == 0:
        print(f"failed {name}: exit code {code}")
        count.failed += 1
    return count


def own_python_tests(paths: list[str]) -> list[str]:
    """The tests of our tools: the scripts of .ci and the generator. compat-tests are run apart."""
    return [path for path in paths if path.endswith("_test.py") and not path.startswith("compat-tests/")]


def compat_tests(paths: list[str]) -> list[str]:
    return [path for path in paths if re.match(r"compat-tests/(.*/)?(test_[^/]*|[^/]*_test)\.py$", path)]


def run_units(build: pathlib.Path, reports: pathlib.Path, long: bool, total: Count) -> None:
    for binary in sorted((build / "tests").glob("*_test")):
        total.add(run_unit(binary, reports, long))


def run_python(build: pathlib.Path, reports: pathlib.Path, long: bool, total: Count) -> None:
    paths = files()
    if own := own_python_tests(paths):
        total.add(run_pytest("tools", own, reports, {}))
    if not compat_tests(paths):
        print("compat-tests: none yet")
        return
    server = {"DOHLE_SERVER": os.environ.get("DOHLE_SERVER", str(build / "dohle")), "DOHLE_REPORTS": str(reports)}
    forms = ["--long"] if long else ["-m", "not long"]

    def run(path: str) -> Count:
        return run_pytest(pathlib.Path(path).stem, [path, *forms], reports, server)

    with concurrent.futures.ThreadPoolExecutor(1 if long else BLACK_BOX_FILES_AT_ONCE) as pool:
        for count in pool.map(run, compat_tests(paths)):
            total.add(count)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--long", action="store_true", help="the long forms too")
    parser.add_argument("--only", choices=["unit"], help="the C++ unit tests alone")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    reports = build / "reports"
    reports.mkdir(parents=True, exist_ok=True)

    total = Count()
    run_units(build, reports, arguments.long, total)
    if arguments.only is None:
        run_python(build, reports, arguments.long, total)
    (reports / "count.json").write_text(json.dumps(dataclasses.asdict(total)), encoding="utf-8")
    print(total, flush=True)
    return 1 if total.failed or not total.passed else 0


if __name__ == "__main__":
    sys.exit(main())
