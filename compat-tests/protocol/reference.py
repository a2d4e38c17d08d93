"""Where the 4.4.0 jars are, and what their message JSON says."""

import json
import os
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIBS = Path(os.environ.get("DOHLE_REFERENCE_LIBS", Path.home() / ".cache/dohle/reference/libs"))
# Jars whose messages a broker writes or reads; kafka-streams has one that only clients know.
JARS = ("kafka-clients", "kafka-metadata", "kafka-group-coordinator", "kafka-transaction-coordinator",
        "kafka-share-coordinator", "kafka-raft", "kafka-storage")
MESSAGE_JSON = re.compile(r"(common/)?(message|metadata)/[A-Za-z]+\.json")


def require():
    """Skips without the jars; fails where nothing may be skipped."""
    missing = [jar for jar in JARS if not (LIBS / f"{jar}-4.4.0.jar").exists()]
    if not missing:
        return
    text = f"no {', '.join(missing)} 4.4.0 in {LIBS} (DOHLE_REFERENCE_LIBS)"
    if os.environ.get("CI") == "true":
        pytest.fail(text)
    pytest.skip(text)


def build_folder():
    """The build tree under test: the one that DOHLE_SERVER lies in, or build/."""
    server = os.environ.get("DOHLE_SERVER")
    return Path(server).resolve().parent if server else ROOT / "build"


def tool(name):
    path = build_folder() / name
    if not path.exists():
        pytest.fail(f"{path} is not built")
    return path


def without_comments(text):
    return re.sub(r"^\s*//.*$|(?<=[,\[\]{}])\s*//.*$", "", text, flags=re.M)


def message_json():
    """{name: JSON} of every message in the jars."""
    result = {}
    for jar in JARS:
        with zipfile.ZipFile(LIBS / f"{jar}-4.4.0.jar") as archive:
            for entry in archive.namelist():
                if MESSAGE_JSON.fullmatch(entry):
                    message = json.loads(without_comments(archive.read(entry).decode()))
                    assert message["name"] not in result, f"{message['name']} is in two jars"
                    result[message["name"]] = message
    return result


def java(*arguments, out):
    """Runs a source file of this folder over the jars."""
    command = ["java", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", f"{LIBS}/*", *map(str, arguments)]
    subprocess.run(command, stdout=out, check=True, timeout=300, cwd=Path(__file__).parent)


def report(**counts):
    """Adds to build/reports/protocol.json."""
    path = build_folder() / "reports" / "protocol.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    old = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**old, **counts}, indent=2) + "\n")
