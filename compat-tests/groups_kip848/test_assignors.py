"""The server-side assignors of KIP-848 against Kafka's own: random groups, equal assignments, in the same order."""

import os
import pathlib
import subprocess

import pytest

from harness import toolchain

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
JAVA = ["java", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]


@pytest.mark.parametrize("seed", [1, 848])
def test_assignments_equal_kafkas_in_1500_random_groups(seed, tmp_path):
    binary = pathlib.Path(os.environ.get("DOHLE_GROUPS_TEST", TOP / "build" / "tests" / "groups_test"))
    if not binary.exists():
        pytest.skip(f"{binary} is not built")
    cases = tmp_path / "cases.txt"
    with cases.open("w") as out:
        subprocess.run([*JAVA, "-cp", f"{toolchain.reference_libs()}/*", str(HERE / "AssignorCases.java"), str(seed), "1500"],
                       stdout=out, check=True)
    assert cases.read_text().count("\nend") == 1500
    replay = subprocess.run([str(binary), "--gtest_filter=PartitionAssignor.SaysWhatKafkasSaysAndInItsOrder"], cwd=TOP,
                            env={**os.environ, "DOHLE_ASSIGNOR_CASES": str(cases)}, capture_output=True, text=True)
    assert replay.returncode == 0, replay.stdout[-3000:]
    assert "1 test" in replay.stdout
