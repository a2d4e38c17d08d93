"""The notation's rules, and the generator's output for the two pages in testdata/, letter by letter.

After a wanted change of the output: python3 protocol/generator/generator_test.py --write, then read the difference.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
TESTDATA = FOLDER / "testdata"
sys.path.insert(0, str(FOLDER))

import cpp  # noqa: E402
import schema  # noqa: E402


def outputs():
    return cpp.outputs(schema.read_pages(TESTDATA), 1)


def read(text):
    return schema.PageReader("page", text).read()


class Golden(unittest.TestCase):
    maxDiff = None

    def test_every_file_is_as_expected(self):
        made = outputs()
        self.assertEqual(set(made), {path.stem for path in (TESTDATA / "expected").iterdir()})
        for name, text in made.items():
            self.assertEqual(text, (TESTDATA / "expected" / f"{name}.txt").read_text(), name)

    def test_the_command_lists_what_it_writes_and_touches_only_what_changed(self):
        command = [sys.executable, "-B", FOLDER / "generate.py", "--schema", TESTDATA]
        listed = subprocess.run([*command, "--list"], capture_output=True, text=True, check=True).stdout.split(";")
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder)
            (out / "gone.h").write_text("from a page that is no more")
            subprocess.run([*command, "--out", out], check=True)
            self.assertEqual(sorted(path.name for path in out.iterdir()), listed)
            (out / "example.h").write_text("changed")
            before = {path.name: path.stat().st_mtime_ns for path in out.iterdir()}
            subprocess.run([*command, "--out", out], check=True)
            touched = {path.name for path in out.iterdir() if path.stat().st_mtime_ns != before[path.name]}
            self.assertEqual(touched, {"example.h"})

    def test_a_bad_page_ends_the_command_with_file_and_line(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "bad.schema").write_text("data X 0\n  A: nothing\n")
            done = subprocess.run([sys.executable, "-B", FOLDER / "generate.py", "--schema", folder, "--list"],
                                  capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("bad.schema:2: X: nothing has no fields", done.stderr)


class Notation(unittest.TestCase):
    def test_fields_take_the_versions_around_them(self):
        message = read("data X 1-5 flexible 3+\n  A: []S @2-4\n    B: int8\n    C: int8 @3+\n").messages[0]
        field = message.root.fields[0]
        self.assertEqual(field.versions, schema.Versions(2, 4))
        self.assertEqual([inner.versions for inner in field.struct.fields], [schema.Versions(2, 4), schema.Versions(3, 4)])

    def test_a_shared_struct_may_be_used_before_another_that_it_contains(self):
        text = "data X 0\n  struct A\n    B: B\n  struct B\n    C: int8\n  One: A\n  Two: []B\n"
        self.assertEqual([struct.name for struct in read(text).messages[0].structs], ["B", "A"])

    def test_names_become_snake_case(self):
        for name, expected in (("TopicId", "topic_id"), ("timeoutMs", "timeout_ms"), ("KRaftVersion", "kraft_version"),
                               ("LastKnownElr", "last_known_elr"), ("NewISRList", "new_isr_list"), ("Default", "default_")):
            self.assertEqual(cpp.snake_case(name), expected)

    def test_the_least_size_of_a_struct_is_that_of_its_smallest_version(self):
        message = read("data X 0-2 flexible 2+\n  A: string\n  B: int64 @1+\n  C: []int8 @2+ tag 0\n").messages[0]
        self.assertEqual(cpp.min_size(message.root, message), 2)

    def test_rules_that_a_page_can_break(self):
        for text, reason in (
            ("  A: int8\n", "a field without a struct around it"),
            ("nonsense X 0\n", "begins no message"),
            ("request 0\n", "request before api"),
            ("data X 0\n A: int8\n", "two spaces a level"),
            ("data X 0\n  A int8\n", "a field is"),
            ("data X 0-1\n  A: int8 @3+\n", "exists in no version"),
            ("data X 0\n  A: int8\n  A: int8\n", "A is there twice"),
            ("data X 0\n  A: int8 tag 0\n", "a tag in a version without tags"),
            ("data X 0 flexible 0+\n  A: int8 tag 0\n  B: int8 tag 0\n", "tag 0 is there twice"),
            ("data X 0\n  A: int8 nullable\n", "int8 has no null"),
            ("data X 0\n  A: []bool\n", "array of bool"),
            ("data X 0\n  A: []records\n", "records are neither"),
            ("data X 0\n  A: int8 = 128\n", "no default"),
            ("data X 0\n  A: uint16 = -1\n", "no default"),
            ("data X 0\n  A: string = null\n", "no default"),
            ("data X 0\n  A: bool = 1\n", "no default"),
            ("data X 0\n  A: []int8 = 1\n", "no default"),
            ("data X 0\n  A: int8 wrong\n", "says nothing about a field"),
            ("data X 0 wrong\n", "says nothing about a message"),
            ("data X x\n", "is not a version range"),
            ("data X 0\n  struct S\n    A: S\n  B: S\n", "contains itself"),
            ("data X 0\n  A: S\n    B: int8\n  C: S\n    D: int8\n", "is there twice"),
            ("data X 0\n  A: int8\n    B: int8\n", "a field without a struct around it"),
        ):
            with self.subTest(text), self.assertRaisesRegex(schema.SchemaError, reason):
                read(text)

    def test_two_messages_cannot_share_a_header(self):
        pages = [schema.PageReader(name, "data X 0\n  A: int8\n").read() for name in ("a", "b")]
        with self.assertRaisesRegex(ValueError, "two messages want x.h"):
            cpp.outputs(pages, 1)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        for name, text in outputs().items():
            (TESTDATA / "expected" / f"{name}.txt").write_text(text)
    else:
        unittest.main()
