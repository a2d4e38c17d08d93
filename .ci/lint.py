"""What STYLE.md and DESIGN.md ask for and a script can see. Prints `path:line: rule: what`, exit code 1 if there is any.

Generated code lies in the build tree and is not looked at. Exceptions stand with their reasons in .ci/excused.txt; only
the rules "untested" and "locks" have any.
"""

import ast
import collections.abc
import pathlib
import re
import sys

import cpp_text
from repository import PRODUCT_FOLDERS, ROOT, files, is_cpp, is_product

FILE_LINES_MAX = 600
FUNCTION_LINES_MAX = 70
EXCUSED = ".ci/excused.txt"
EXCUSABLE = ("untested", "locks")

# The arrows of DESIGN.md, "Layers": a folder may include what it points at, and what these point at.
ARROWS = {
    "codec": [],
    "protocol": ["codec"],
    "server/runtime": ["protocol"],
    "server/config": ["server/runtime"],
    "server/testing": ["server/runtime"],
    "server/log": ["server/config"],
    "server/metadata": ["server/log"],
    "server/replica": ["server/metadata"],
    "server/coordinator": ["server/replica"],
    "server/groups": ["server/coordinator"],
    "server/transactions": ["server/coordinator"],
    "server/share": ["server/coordinator"],
    "server/streams": ["server/coordinator"],
    "server/security": ["server/metadata"],
    "server/net": ["server/runtime"],
    "server/api": ["server/groups", "server/transactions", "server/share", "server/streams", "server/security"],
    "server/http": ["server/security", "server/replica"],
}
# Contracts that another folder may include although no arrow leads there.
CONTRACTS = {"server/api": ["server/net/request.h"]}
# The fuzz target of api drives whole connections.
FUZZ_CONTRACTS = {"server/api": ["server/net/connection_over_pair.h"]}
# Folders whose tests stand on the fake disk and clock.
TESTED_WITH_FAKES = [folder for folder in ARROWS if folder not in ("codec", "protocol", "server/runtime")]

ASIO_FOLDERS = ("server/runtime", "server/net", "server/api", "server/coordinator", "server/http", "server")
LOCK_FOLDERS = ("server/runtime", "server/replica", "server/testing", "server")
LOCK_FILES = ("server/api/fetch_session", "server/log/segment_list")  # the latter is one of log's published fields
ATOMIC_FOLDERS = LOCK_FOLDERS + ("server/log",)
LOCK_HEADERS = ("mutex", "shared_mutex", "condition_variable", "semaphore")
# log and metadata reach files through runtime/file.h only; codec and protocol do no I/O at all.
NO_FILES_FOLDERS = ("codec", "protocol", "server/log", "server/metadata", "server/replica", "server/coordinator",
                    "server/groups", "server/transactions", "server/share", "server/streams")
FILE_HEADERS = ("fstream", "filesystem", "fcntl.h", "unistd.h", "sys/stat.h", "sys/mman.h", "sys/uio.h", "dirent.h")
# State machines: time and threads come to them as arguments, or not at all.
PURE_FOLDERS = ("server/groups", "server/transactions", "server/share", "server/streams")
IMPURE_HEADERS = ("chrono", "ctime", "time.h", "thread", "future", "stop_token")
SOCKET_HEADERS = ("sys/socket.h", "netinet/in.h", "netinet/tcp.h", "netdb.h", "sys/epoll.h")
SOCKET_FOLDERS = ("server/runtime", "server/net", "server/http", "server/testing", "server")

NAMES = ("Manager", "Helper", "Helpers", "Util", "Utils", "Utility", "Common", "Impl", "Data")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
TYPE_NAME = re.compile(r"\b(?:class|struct|union|enum(?:\s+class|\s+struct)?|concept|using)\s+(?:\[\[\w+\]\]\s*)?([A-Z]\w*)")

Violations = collections.abc.Iterator[tuple[int, str, str]]


def folder_of(path: str) -> str:
    """The layer a file belongs to: `fuzz/` and other folders inside a layer belong to it."""
    parts = path.split("/")
    if parts[0] != "server":
        return parts[0]
    return "/".join(parts[:2]) if len(parts) > 2 else "server"


def reachable(folder: str) -> set[str]:
    found: set[str] = set()
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            waiting += ARROWS.get(here, [])
    return found


def line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def check_length(path: str, text: str) -> Violations:
    lines = text.count("\n")
    if lines > FILE_LINES_MAX:
        yield 1, "file-length", f"{lines} lines; at {FILE_LINES_MAX} it is two things"
    if path.endswith(".py"):
        spans = [(node.name, node.lineno, node.end_lineno) for node in ast.walk(ast.parse(text))
                 if isinstance(node, ast.FunctionDef)]
    else:
        spans = list(cpp_text.functions(cpp_text.parse(text))) if is_cpp(path) else []
    for name, first, last in spans:
        if last - first + 1 > FUNCTION_LINES_MAX:
            yield first, "function-length", f"{name} has {last - first + 1} lines; at {FUNCTION_LINES_MAX} it is two"


def check_names(path: str, text: str) -> Violations:
    words = pathlib.PurePath(path).stem.removesuffix("_test").split("_")
    bad = [name for name in NAMES if words[-1].lower() == name.lower() or (name != "Data" and name.lower() in words)]
    for name in bad:
        yield 1, "name", f"a file is not a {name}: name the thing that is in it"
    if not is_cpp(path):
        return
    for match in TYPE_NAME.finditer(without_comments(text)):
        for name in NAMES:
            if match[1].endswith(name):
                yield line_of(text, match.start()), "name", f"{match[1]}: {name} says nothing; Kafka's noun does"


def without_comments(text: str) -> str:
    """The text with comments and literals blanked; every line stays where it was."""
    def blank(match: re.Match) -> str:
        if match["skip"] and match["skip"].lstrip().startswith("#"):
            return match[0]
        return re.sub(r"[^\n]", " ", match[0]) if match["skip"] or match["literal"] else match[0]
    return cpp_text.TOKEN.sub(blank, text)


def is_test_source(path: str) -> bool:
    return path.endswith("_test.cc") or "/fuzz/" in path


def test_headers(texts: dict[str, str]) -> set[str]:
    """Headers that only tests, and other such headers, include: they are test code too."""
    includes = {path: {match[1] for match in INCLUDE.finditer(text) if match[1]} for path, text in texts.items()}
    found: set[str] = set()
    while True:
        by_tests: set[str] = set()
        by_others: set[str] = set()
        for path, included in includes.items():
            (by_tests if is_test_source(path) or path in found else by_others).update(included)
        grown = {path for path in texts if path.endswith(".h") and path in by_tests - by_others}
        if grown == found:
            return found
        found = grown


def check_includes(path: str, text: str, is_test: bool) -> Violations:
    folder = folder_of(path)
    if folder not in ARROWS and folder != "server":
        yield 1, "arrows", f"{folder} is not in the table of .ci/lint.py: say what it may include"
        return
    contracts = CONTRACTS.get(folder, []) + (FUZZ_CONTRACTS.get(folder, []) if "/fuzz/" in path else [])
    allowed = reachable(folder) | ({"server/testing"} if is_test and folder in TESTED_WITH_FAKES else set())
    for match in INCLUDE.finditer(text):
        line, ours, system = line_of(text, match.start()), match[1], match[2]
        if system:
            yield from ((line, rule, what) for rule, what in system_include(path, folder, is_test, system))
            continue
        if "/" not in ours or ours.startswith("."):
            yield line, "include-path", f'"{ours}": includes of ours are written from the root of the repository'
        elif ours.startswith(PRODUCT_FOLDERS) and folder != "server" and folder_of(ours) not in allowed and ours not in contracts:
            yield line, "arrows", f'{folder} may not include "{ours}" (DESIGN.md, Layers)'


def system_include(path: str, folder: str, is_test: bool, header: str) -> collections.abc.Iterator[tuple[str, str]]:
    if header.startswith(PRODUCT_FOLDERS):
        yield "include-path", f"<{header}>: includes of ours have quotes"
    if header.startswith(("boost/asio", "boost/beast")) and folder not in ASIO_FOLDERS:
        yield "asio", f"{folder} knows no Asio: <{header}>"
    if is_test:
        return
    if header in LOCK_HEADERS and folder not in LOCK_FOLDERS and not path.startswith(LOCK_FILES):
        yield "locks", f"{folder} has no locks: <{header}> (STYLE.md, Ownership)"
    if header == "atomic" and folder not in ATOMIC_FOLDERS and not path.startswith(LOCK_FILES):
        yield "locks", f"{folder} has no atomics (STYLE.md, Ownership)"
    if header in IMPURE_HEADERS and folder in PURE_FOLDERS:
        yield "pure", f"{folder} has no clock and no thread: <{header}>"
    if header in FILE_HEADERS and folder in NO_FILES_FOLDERS:
        yield "files", f"{folder} reaches files only through server/runtime/file.h: <{header}>"
    if header in SOCKET_HEADERS and folder not in SOCKET_FOLDERS:
        yield "sockets", f"{folder} knows no socket: <{header}>"


def check_coroutines(path: str, text: str) -> Violations:
    """g++ 12 destroys twice what braces and by-value captures make in an expression with co_await (STYLE.md)."""
    root = cpp_text.parse(text)
    for group in cpp_text.walk(root):
        if group.kind == "lambda" and group.captures.children and cpp_text.own_awaits(group):
            yield group.line, "lambda-coroutine", "a lambda with captures that is a coroutine: its captures die with it"
        if group.kind not in ("function", "lambda", "block"):
            continue
        for statement in cpp_text.statements(group):
            yield from check_expression(statement)


def check_expression(statement: list) -> Violations:
    awaits, suspects = False, []
    for nodes, index in cpp_text.expression_nodes(statement):
        node = nodes[index]
        awaits = awaits or node.text == "co_await"
        if isinstance(node, cpp_text.Group) and node.kind == "init":
            suspects.append((node.line, "co-await-braces", "braces in an expression with co_await: name it first"))
        elif cpp_text.is_capture_list(nodes, index) and cpp_text.captures_by_value(node):
            suspects.append((node.line, "co-await-captures", "by-value captures in an expression with co_await"))
    if awaits:
        yield from suspects


def check_header(path: str, text: str) -> Violations:
    if path.endswith(".h") and "#pragma once" not in text:
        yield 1, "pragma-once", "a header without #pragma once"


def check_tests(paths: list[str]) -> collections.abc.Iterator[tuple[str, int, str, str]]:
    there = set(paths)
    for path in paths:
        if not path.endswith(".cc") or path.endswith("_test.cc") or "/fuzz/" in path or not is_product(path):
            continue
        if path.removesuffix(".cc") + "_test.cc" not in there:
            yield path, 1, "untested", f"no {pathlib.PurePath(path).stem}_test.cc beside it"


def read_excuses(text: str) -> dict[tuple[str, str], str]:
    """Lines of `rule path: reason`, as (path, rule) -> reason; blank ones and those that begin with # say nothing."""
    excuses = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            subject, _, reason = line.partition(":")
            rule, _, path = subject.strip().partition(" ")
            excuses[path.strip(), rule] = reason.strip()
    return excuses


def excuse(found: list[tuple[str, int, str, str]], excuses: dict[tuple[str, str], str],
           paths: list[str]) -> list[tuple[str, int, str, str]]:
    """What is left of `found`, and what is wrong with the excuses: one for a file not written yet may wait for it."""
    left = [row for row in found if (row[0], row[2]) not in excuses or row[2] not in EXCUSABLE]
    broken = {(path, rule) for path, _, rule, _ in found}
    for (path, rule), reason in excuses.items():
        if rule not in EXCUSABLE or (path in paths and (path, rule) not in broken):
            left.append((EXCUSED, 1, "excuse", f"{rule} {path} is excused without need or right"))
        elif len(reason.split()) < 3:
            left.append((EXCUSED, 1, "excuse", f"{rule} {path} is excused without a reason"))
    return left


def check_file(path: str, text: str, is_test: bool) -> Violations:
    yield from check_length(path, text)
    yield from check_names(path, text)
    if is_cpp(path) and is_product(path):
        yield from check_header(path, text)
        yield from check_includes(path, text, is_test)
        yield from check_coroutines(path, text)


def lint(root: pathlib.Path) -> tuple[int, list[str]]:
    """How many files were looked at, and the violations as lines."""
    paths = [path for path in files(root) if is_cpp(path) or path.endswith(".py")]
    texts = {path: (root / path).read_text(encoding="utf-8") for path in paths}
    for_tests = test_headers(texts)
    found = []
    for path, text in texts.items():
        is_test = is_test_source(path) or path in for_tests
        found += [(path, *violation) for violation in check_file(path, text, is_test)]
    found += check_tests(paths)
    excused = root / EXCUSED
    found = excuse(found, read_excuses(excused.read_text(encoding="utf-8")) if excused.exists() else {}, paths)
    return len(paths), [f"{path}:{line}: {rule}: {what}" for path, line, rule, what in found]


def main() -> int:
    count, found = lint(ROOT)
    for line in found:
        print(line)
    print(f"lint: {count} files, {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
