"""What is recorded of Kafka's configuration is what the reference's jars say.

The tests of server/config compare Dohle's table, parser, messages and descriptions with the same records; together they
say that the table is Kafka's. `recorded/alter_cases.tsv` and the descriptions came from a running node that was started
with server.properties, by ConfigProbe.java.
"""

import pathlib
import subprocess

import pytest

from harness import toolchain

HERE = pathlib.Path(__file__).parent
RECORDED = HERE / "recorded"


def run(program, *arguments):
    java = [toolchain.java(), "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8"]
    command = [*java, "-cp", f"{toolchain.reference_libs()}/*", str(HERE / program), *map(str, arguments)]
    done = subprocess.run(command, check=True, capture_output=True, encoding="utf-8")
    # Kafka's own log lines may stand between the answers.
    return [line for line in done.stdout.split("\n") if " main ERROR " not in line and line]


def recorded(name):
    return [line for line in (RECORDED / name).read_text(encoding="utf-8").split("\n") if line]


def test_recorded_keys_are_those_of_the_jars():
    keys = recorded("keys.tsv")
    assert len(keys) == 450
    assert run("ConfigKeys.java") == keys


@pytest.mark.parametrize("mode, name", [
    ("properties", "properties_cases.tsv"), ("doubles", "doubles.tsv"), ("durations", "durations.tsv"),
])
def test_recorded_cases_are_what_java_says(mode, name):
    assert run("ConfigCases.java", mode, RECORDED / name) == recorded(name)


def test_recorded_refusals_are_what_kafka_says():
    cases = RECORDED / "start_cases.tsv"
    assert run("ConfigCases.java", "start", HERE / "sample.properties", cases) == recorded("start_cases.tsv")
