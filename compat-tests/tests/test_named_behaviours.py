"""Each behaviour of the data path (behaviours.md, sections A, B, C, D, E and O) has a test that names its number."""

import pathlib
import re

SUITE = "core"
ROOT = pathlib.Path(__file__).resolve().parents[2]
WANTED = {*range(1, 85), *range(194, 198)}
NAMED = re.compile(r"behaviou?rs?(?:\.md)?(?:,? [A-Z])? ((?:\d+(?:, and |, | and | to |-)?)+)", re.IGNORECASE)


def numbers(text):
    """'34, 36 and 67 to 71' -> those."""
    for first, last in re.findall(r"(\d+)(?:(?: to |-)(\d+))?", text):
        yield from range(int(first), int(last or first) + 1)


def test_every_behaviour_has_a_test_that_names_it():
    files = [*ROOT.glob("server/**/*_test.cc"), *ROOT.glob("protocol/**/*_test.cc"), *ROOT.glob("compat-tests/tests/test_*.py")]
    named = {number for path in files if path.name != pathlib.Path(__file__).name
             for match in NAMED.findall(path.read_text(encoding="utf-8")) for number in numbers(match)}
    assert not WANTED - named, sorted(WANTED - named)
