"""Our codec is Kafka's: the bytes, the refusals and the JSON of Kafka's own classes, for every message and version.

The vectors are made here from the 4.4.0 jars, not committed: docs/protocol.md says why.
"""

import json
import os
import subprocess

import pytest

import reference

SEEDS = [int(seed) for seed in os.environ.get("DOHLE_GOLDEN_SEEDS", "1,2,3").split(",")]


def run_golden(vectors, *arguments):
    """(exit code, lines of differences, counts)"""
    with open(vectors, "rb") as file:
        done = subprocess.run([reference.tool("dohle_golden"), *arguments], stdin=file, capture_output=True, text=True,
                              timeout=300, check=False)
    lines = done.stdout.splitlines()
    return done.returncode, lines[:-1], json.loads(lines[-1]) if lines else {}


@pytest.fixture(scope="module")
def vectors(tmp_path_factory):
    reference.require()
    files = []
    for seed in SEEDS:
        path = tmp_path_factory.mktemp("golden") / f"vectors_{seed}.jsonl"
        with open(path, "wb") as file:
            reference.java("GoldenVectors.java", reference.LIBS, seed, out=file)
        files.append(path)
    return files


def test_every_message_and_version_has_the_bytes_of_kafka(vectors):
    total = {"vectors": 0, "refusals": 0, "garbage": 0, "differences": 0}
    shown = []
    for path in vectors:
        code, differences, counts = run_golden(path)
        assert counts["messages"] == 278 and counts["versions"] == 744
        assert code == (1 if differences else 0)
        shown += differences
        for name in total:
            total[name] += counts[name]
    print({**counts, **total})
    reference.report(messages=counts["messages"], versions=counts["versions"], **total)
    assert total["vectors"] > 12000 * len(SEEDS)
    assert total["refusals"] > 300 * len(SEEDS), "the wild instances are too tame"
    assert not shown, "\n".join(line[:500] for line in shown[:20])


# One error of each kind, planted in our tables.
PLANTED = [
    ("type", "MetadataResponse", "controllerId"),
    ("type", "FetchRequest", "fetchOffset"),
    ("order", "MetadataResponse", "host"),
    ("tag", "FetchRequest", "clusterId"),
    ("nullability", "MetadataRequest", "topics"),
    ("versions", "MetadataRequest", "allowAutoTopicCreation"),
    ("default", "FetchRequest", "replicaEpoch"),
    ("ignorable", "MetadataResponse", "clusterId"),
]


@pytest.mark.parametrize("kind,message,field", PLANTED, ids=[" ".join(row) for row in PLANTED])
def test_a_planted_error_is_found(vectors, kind, message, field):
    code, differences, counts = run_golden(vectors[0], "--plant", kind, message, field)
    assert code == 1 and counts["differences"] > 0
    assert all(line.startswith(f"{message} v") for line in differences)


def test_changed_vectors_are_found(vectors, tmp_path):
    """A byte, a refusal and a verdict that are not Kafka's."""
    lines = [json.loads(line) for line in open(vectors[0], encoding="utf-8")]
    written = next(line for line in lines if line["message"] == "TopicRecord" and len(line.get("bytes", "")) > 20)
    damaged = next(line for line in lines if "garbage" in line and line["accepted"])
    flipped = written["bytes"][:-3] + ("0" if written["bytes"][-3] != "0" else "1") + written["bytes"][-2:]
    refused = {name: written[name] for name in ("message", "version", "value")} | {"refused": "planted"}
    for planted in ({**written, "bytes": flipped}, refused, {**damaged, "accepted": False},
                    {**damaged, "left": damaged["left"] + 1}, {**written, "message": "NoSuchMessage"}):
        path = tmp_path / "planted.jsonl"
        path.write_text(json.dumps(planted) + "\n")
        code, _, counts = run_golden(path)
        assert code == 1 and counts["differences"] > 0, planted


def test_error_codes_api_keys_and_header_versions_are_those_of_kafka(tmp_path):
    reference.require()
    path = tmp_path / "tables.txt"
    with open(path, "wb") as file:
        reference.java("GoldenVectors.java", reference.LIBS, "tables", out=file)
    ours = subprocess.run([reference.tool("dohle_golden"), "--tables"], capture_output=True, text=True, check=True)
    assert len(ours.stdout.splitlines()) > 600
    assert ours.stdout == path.read_text()
