"""The counting of suite.py and of .ci/run: nothing that failed, died or did not run may look as if it passed."""

import contextlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock

import suite
from suite import Count

CI_RUN = pathlib.Path(__file__).resolve().parent / "run"


def gtest(*tests: dict) -> str:
    rows = [{"name": f"t{i}", "status": "RUN", "result": "COMPLETED", **test} for i, test in enumerate(tests)]
    return json.dumps({"testsuites": [{"name": "S", "testsuite": rows}]})


def judge(code: int, report: str | None) -> Count:
    with contextlib.redirect_stdout(io.StringIO()):
        return suite.judge_unit("x_test", code, report)


class Units(unittest.TestCase):
    def test_passed_failed_skipped_and_disabled_are_counted(self):
        report = gtest({}, {"failures": [{"failure": "no"}]}, {"result": "SKIPPED"},
                       {"status": "NOTRUN", "result": "SUPPRESSED"})
        self.assertEqual(Count(1, 1, 2), judge(1, report))

    def test_a_binary_that_died_has_failed(self):
        self.assertEqual(Count(0, 1, 0), judge(-6, None))

    def test_a_sanitizer_that_speaks_at_the_end_is_a_failure(self):
        self.assertEqual(Count(1, 1, 0), judge(1, gtest({})))

    def test_a_binary_without_tests_has_failed(self):
        self.assertEqual(Count(0, 1, 0), judge(0, json.dumps({"testsuites": []})))


class Pytest(unittest.TestCase):
    def run_tests(self, text: str, *arguments: str) -> Count:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            (pathlib.Path(folder) / "test_x.py").write_text(text, encoding="utf-8")
            with unittest.mock.patch.object(suite, "ROOT", folder):
                return suite.run_pytest("x", [folder, *arguments], pathlib.Path(folder), {"DOHLE_SERVER": "/a/b"})

    def test_each_outcome_is_counted(self):
        text = ("import os, pytest\ndef test_a(): assert os.environ['DOHLE_SERVER'] == '/a/b'\ndef test_b(): assert 0\n"
                "def test_c(): pytest.skip('why')\n@pytest.fixture\ndef f(): assert 0\ndef test_d(f): pass\n")
        self.assertEqual(Count(1, 2, 1), self.run_tests(text))

    def test_a_file_that_cannot_be_read_is_a_failure(self):
        self.assertEqual(Count(0, 1, 0), self.run_tests("import no_such_thing\n"))

    def test_a_folder_without_tests_is_none(self):
        self.assertEqual(Count(), self.run_tests("x = 1\n"))

    def test_long_forms_are_left_out_unless_asked_for(self):
        text = "import pytest\n@pytest.mark.long\ndef test_a(): pass\ndef test_b(): pass\n"
        self.assertEqual(Count(1, 0, 0), self.run_tests(text, "-m", "not long"))
        self.assertEqual(Count(2, 0, 0), self.run_tests(text))


class Forms(unittest.TestCase):
    def arguments(self, long: bool) -> list:
        seen = []
        with contextlib.redirect_stdout(io.StringIO()), \
                unittest.mock.patch.object(suite, "files", lambda: ["compat-tests/tests/test_x.py", "a/x_test.py"]), \
                unittest.mock.patch.object(suite, "run_pytest", lambda *a: seen.append(a) or Count(5)), \
                unittest.mock.patch.dict(os.environ, {"DOHLE_SERVER": "/asan/dohle"}):
            total = Count()
            suite.run_python(pathlib.Path("/b"), pathlib.Path("/b/reports"), long, total)
        self.assertEqual(Count(10), total)
        self.assertEqual(["a/x_test.py"], seen[0][1])
        self.assertEqual({"DOHLE_SERVER": "/asan/dohle", "DOHLE_REPORTS": "/b/reports"}, seen[1][3])
        return seen[1][1]

    def test_the_black_box_is_asked_for_short_or_long_forms(self):
        self.assertEqual(["compat-tests/tests/test_x.py", "-m", "not long"], self.arguments(False))
        self.assertEqual(["compat-tests/tests/test_x.py", "--long"], self.arguments(True))


class WholeRun(unittest.TestCase):
    """.ci/run over a `make` of the test's own."""

    def ci(self, make: str) -> tuple[int, str]:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / ".ci").mkdir()
            shutil.copy(CI_RUN, root / ".ci/run")
            (root / "make").write_text("#!/bin/bash\n" + make, encoding="utf-8")
            (root / "make").chmod(0o755)
            done = subprocess.run(["bash", root / ".ci/run"], check=False, capture_output=True, text=True,
                                  env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
        return done.returncode, done.stdout.splitlines()[-1]

    count = ("write() { mkdir -p $1/reports; echo \"$2\" >$1/reports/count.json; }\n"
             "good='{\"passed\": 7, \"failed\": 0, \"skipped\": 1}'\nbad='{\"passed\": 3, \"failed\": 2, \"skipped\": 0}'\n")

    def test_all_is_well(self):
        make = self.count + "case $1 in test) write build \"$good\";; unit-asan) write build-asan \"$good\";; esac"
        self.assertEqual((0, "15 passed, 0 failed, 2 skipped"), self.ci(make))

    def test_a_part_that_fails_does_not_keep_the_others_from_running(self):
        make = self.count + ("case $1 in lint) exit 1;; test) write build \"$bad\"; exit 1;;"
                             "unit-asan) write build-asan \"$good\";; esac")
        self.assertEqual((1, "10 passed, 3 failed, 1 skipped"), self.ci(make))

    def test_a_build_that_fails_is_one_failure(self):
        self.assertEqual((1, "2 passed, 1 failed, 0 skipped"), self.ci("[[ $1 != test ]]"))


if __name__ == "__main__":
    unittest.main()
