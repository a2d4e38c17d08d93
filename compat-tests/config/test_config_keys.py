"""The recorded list of configuration keys is the one of the reference's jars.

server/config/config_table_test.cc compares Dohle's table with the same list, key by key; together they say that the
table is Kafka's.
"""

import os
import pathlib
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).parent
LIBS = pathlib.Path(os.environ.get("DOHLE_REFERENCE", pathlib.Path.home() / ".cache/dohle/reference")) / "libs"


def test_recorded_keys_are_those_of_the_jars():
    if shutil.which("java") is None or not LIBS.is_dir():
        pytest.skip("needs Java and the reference's jars")
    java = ["java", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", f"{LIBS}/*"]
    printed = subprocess.run(java + [str(HERE / "ConfigKeys.java")], check=True, capture_output=True, text=True).stdout
    recorded = (HERE / "recorded/keys.tsv").read_text()
    assert printed.splitlines() == recorded.splitlines()
    assert len(recorded.splitlines()) > 400
