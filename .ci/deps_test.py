"""`.ci/deps` against a dpkg and an apt of the test's own: what it asks for, and when it leaves apt alone."""

import os
import pathlib
import subprocess
import tempfile
import unittest

DEPS = pathlib.Path(__file__).resolve().parent / "deps"

# dpkg-query as Debian's answers: a line for each package it knows, exit code 1 if there is one that it doesn't.
DPKG_QUERY = """#!/bin/bash
for package in "${@:4}"; do grep -qx "$package" "$FAKE/installed" && echo "installed $package" || code=1; done
exit ${code:-0}
"""
APT_GET = """#!/bin/bash
echo "$*" >>"$FAKE/apt"
for package in "$@"; do
  grep -qx -- "$package" "$FAKE/refused" && exit 100
done
[[ $* != *" install "* ]] || printf '%s\\n' "$@" >>"$FAKE/installed"
"""


class Deps(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.fake = pathlib.Path(self.folder.name)
        for name in ("installed", "apt", "refused"):
            (self.fake / name).write_text("", encoding="utf-8")
        for name, text in (("dpkg-query", DPKG_QUERY), ("apt-get", APT_GET), ("sudo", '#!/bin/bash\nexec "$@"\n')):
            (self.fake / name).write_text(text, encoding="utf-8")
            (self.fake / name).chmod(0o755)
        # The commands that a fresh Debian has; neither java nor kcat nor python3 is among them.
        for name in ("bash", "env", "grep", "sed", "sort", "find", "cat", "mkdir"):
            (self.fake / name).symlink_to(f"/usr/bin/{name}")

    def deps(self, *arguments: str) -> subprocess.CompletedProcess:
        environment = {"PATH": str(self.fake), "FAKE": str(self.fake), "HOME": str(self.fake)}
        return subprocess.run([self.fake / "bash", DEPS, *arguments], env=environment, check=False, capture_output=True,
                              text=True)

    def apt_calls(self) -> list[str]:
        return (self.fake / "apt").read_text(encoding="utf-8").splitlines()

    def test_a_fresh_machine_lists_what_is_missing_and_installs_nothing(self):
        listed = self.deps("--list", "build").stdout.split()
        self.assertTrue({"g++", "cmake", "python3", "libisal-dev"} <= set(listed))
        self.assertNotIn("clang-19", listed)
        self.assertEqual([], self.apt_calls())

    def test_missing_packages_are_installed_in_one_call_after_one_update(self):
        (self.fake / "installed").write_text("cmake\ng++\n", encoding="utf-8")
        self.assertEqual(0, self.deps("build").returncode)
        update, install = self.apt_calls()
        self.assertIn(" update", update)
        self.assertIn(" install ", install)
        self.assertIn(" libzstd-dev", install)
        self.assertNotIn(" cmake", install)

    def test_the_second_time_apt_is_left_alone(self):
        self.assertEqual(0, self.deps("build", "test", "lint", "fuzz").returncode)
        self.assertNotEqual([], self.apt_calls())
        (self.fake / "apt").write_text("", encoding="utf-8")
        self.assertEqual(0, self.deps("build", "test", "lint", "fuzz").returncode)
        self.assertEqual([], self.apt_calls())

    def test_a_command_from_elsewhere_is_as_good_as_the_package(self):
        (self.fake / "kcat").symlink_to("/bin/true")
        listed = self.deps("--list", "test").stdout.split()
        self.assertNotIn("kcat", listed)
        self.assertIn("maven", listed)

    def test_a_required_package_that_apt_refuses_is_an_error(self):
        (self.fake / "refused").write_text("cmake\n", encoding="utf-8")
        self.assertNotEqual(0, self.deps("build").returncode)

    def test_an_optional_one_is_named_and_not_asked_for_again_that_day(self):
        (self.fake / "refused").write_text("maven\n", encoding="utf-8")
        first = self.deps("test")
        self.assertEqual(0, first.returncode)
        self.assertIn("no usable maven", first.stderr)
        (self.fake / "apt").write_text("", encoding="utf-8")
        self.assertEqual(0, self.deps("test").returncode)
        self.assertEqual([], self.apt_calls())

    def test_an_unknown_group_is_an_error(self):
        self.assertEqual(2, self.deps("nonsense").returncode)


if __name__ == "__main__":
    unittest.main()
