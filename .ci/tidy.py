"""clang-tidy over the product's sources, quick by three means and honest about them.

On a developer's machine only what changed since the branch left main is looked at; with CI=true or --all everything,
the newest first, until LINT_TIDY_MINUTES (8) are over; what was not reached is counted. A file that was clean is not
looked at again while it, what it includes of ours, its compile command and .clang-tidy stay the same. Tests are left to
the compiler's warnings.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

from repository import PRODUCT_FOLDERS, ROOT

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "dohle" / "tidy"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
# The compile commands are g++'s.
CLANG_TIDY = ["clang-tidy-19", "--quiet", "--extra-arg=-Wno-unknown-warning-option",
              "--extra-arg=-Wno-deprecated-declarations"]


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, check=False, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


def sources(build: pathlib.Path) -> dict[str, str]:
    """Path from the root -> compile command, of the product's own sources without tests."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        path = os.path.relpath(os.path.join(entry["directory"], entry["file"]), ROOT)
        if path.startswith(PRODUCT_FOLDERS) and not path.endswith("_test.cc"):
            found[path] = entry["command"]
    return found


def included(path: str, build: pathlib.Path) -> dict[str, str]:
    """The file and all of ours that it includes, generated headers too: path -> text."""
    found: dict[str, str] = {}
    waiting = [path]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        for base in (ROOT, build / "generated"):
            if (base / name).is_file():
                found[name] = (base / name).read_text(encoding="utf-8")
                waiting += INCLUDE.findall(found[name])
                break
    return found


def changed_files() -> set[str]:
    base = next((found for name in ("origin/main", "main") if (found := git("merge-base", "HEAD", name).strip())), "HEAD")
    return set(git("diff", "--name-only", base).split()) | set(git("ls-files", "--others", "--exclude-standard").split())


def touched_by(changed: set[str], texts: dict[str, dict[str, str]]) -> list[str]:
    """The changed sources, and for each changed header one source that includes it."""
    chosen = [path for path in texts if path in changed]
    for header in sorted(path for path in changed if path.endswith(".h")):
        includers = [path for path in texts if header in texts[path]]
        if includers and not set(includers) & set(chosen):
            chosen.append(includers[0])
    return chosen


def newest_first(paths: list[str]) -> list[str]:
    order = {path: place for place, path in reversed(list(enumerate(
        git("log", "-n", "300", "--format=", "--name-only").split())))}
    return sorted(paths, key=lambda path: order.get(path, len(order)))


def fingerprint(command: str, texts: dict[str, str]) -> str:
    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes())
    digest.update(" ".join(CLANG_TIDY).encode())
    digest.update(command.replace(str(ROOT), "").encode())
    for name in sorted(texts):
        digest.update(f"\0{name}\0{texts[name]}".encode())
    return digest.hexdigest()


def examine(path: str, build: pathlib.Path) -> tuple[str, bool, str]:
    done = subprocess.run([*CLANG_TIDY, "-p", str(build), path], cwd=ROOT, check=False, capture_output=True, text=True)
    # On stderr are only counts of suppressed warnings, unless the tool itself failed.
    return path, done.returncode == 0, done.stdout + (done.stderr if done.returncode and not done.stdout else "")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--all", action="store_true", default=os.environ.get("CI") == "true")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    deadline = time.monotonic() + 60 * float(os.environ.get("LINT_TIDY_MINUTES", "8"))

    commands = sources(build)
    texts = {path: included(path, build) for path in commands}
    chosen = newest_first(list(commands)) if arguments.all else touched_by(changed_files(), texts)
    marks = {path: CACHE / fingerprint(commands[path], texts[path]) for path in chosen}
    waiting = [path for path in chosen if not marks[path].exists()]
    CACHE.mkdir(parents=True, exist_ok=True)

    def examine_in_time(path: str) -> tuple[str, bool, str] | None:
        return examine(path, build) if time.monotonic() < deadline else None

    bad = unreached = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for result in pool.map(examine_in_time, waiting):
            if result is None:
                unreached += 1
            elif result[1]:
                marks[result[0]].touch()
            else:
                bad += 1
                print(result[2].strip(), flush=True)
    print(f"clang-tidy: {len(commands)} sources, {len(chosen)} chosen, {len(chosen) - len(waiting)} known to be clean, "
          f"{unreached} not reached in time, {bad} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
