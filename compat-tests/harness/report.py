"""The only writer of build/reports/compat.json.

The form is fixed: {"server", "date", "clients": {client: {scenario: "pass|fail|skip"}},
"suites": {name: {"version", "passed", "failed", "skipped", "reference_passed"}}}; a suite whose tests are cases of an
API also has "cases": {API: {version: count}}.
compat.json is about Dohle; a run on the reference gives its suites their "reference_passed" and leaves the reference's
own cells in compat-reference.json, of the same form. Runs are merged: a test's last outcome counts, kept in
compat-outcomes.json beside the reports.
"""

import datetime
import fcntl
import json
import os
import pathlib

from . import toolchain

RANK = {"skip": 0, "pass": 1, "fail": 2}


def folder():
    return pathlib.Path(os.environ.get("DOHLE_REPORTS") or toolchain.ROOT / "build" / "reports")


def _load(path):
    return json.loads(path.read_text()) if path.exists() else {}


def _store(path, value):
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(value, indent=2, sort_keys=True) + "\n")
    fresh.replace(path)


def _suites(outcomes):
    suites = {}
    for outcome in outcomes.values():
        suite = suites.setdefault(outcome["suite"], {"version": outcome["version"], "passed": 0, "failed": 0, "skipped": 0})
        suite[{"pass": "passed", "fail": "failed", "skip": "skipped"}[outcome["result"]]] += 1
        if outcome.get("case"):
            api, version = outcome["case"]
            cases = suite.setdefault("cases", {}).setdefault(api, {})
            cases[f"v{version}"] = cases.get(f"v{version}", 0) + 1
    return suites


def _clients(outcomes):
    """A cell that several tests share is as bad as its worst test."""
    clients = {}
    for outcome in outcomes.values():
        if outcome["client"] is not None:
            cells = clients.setdefault(outcome["client"], {})
            before = cells.get(outcome["scenario"], "skip")
            cells[outcome["scenario"]] = max(before, outcome["result"], key=RANK.get)
    return clients


def merge(fresh):
    """Merges {server kind: {test id: {suite, version, client, scenario, result}}} into the reports."""
    target = folder()
    target.mkdir(parents=True, exist_ok=True)
    with open(target / ".compat.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        outcomes = _load(target / "compat-outcomes.json")
        for server, tests in fresh.items():
            outcomes.setdefault(server, {}).update(tests)
        _store(target / "compat-outcomes.json", outcomes)
        reference = _suites(outcomes.get("reference", {}))
        date = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
        for server, name in (("dohle", "compat.json"), ("reference", "compat-reference.json")):
            tests = outcomes.get(server, {})
            suites = _suites(tests)
            if server == "dohle":
                for suite, counts in reference.items():
                    suites.setdefault(suite, {"version": counts["version"], "passed": 0, "failed": 0, "skipped": 0})
            for suite, counts in suites.items():
                counts["reference_passed"] = reference.get(suite, {}).get("passed", 0)
            if suites:
                _store(target / name, {"server": server, "date": date, "clients": _clients(tests), "suites": suites})
