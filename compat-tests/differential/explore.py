"""python -m differential.explore REFERENCE_FOLDER: walks and prints what differs, for those who extend the table."""

import collections
import pathlib
import sys
import tempfile
import time

from harness import server as servers

from . import table, walker


def main():
    names = [word for word in sys.argv[1:] if not word.startswith("-")]
    kinds = ("reference", "reference") if "--self" in sys.argv else ("reference", "dohle")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="walk-"))
    pair = [servers.Server(kind, folder / f"{index}-{kind}", table.PROPERTIES) for index, kind in enumerate(kinds)]
    try:
        for each in pair:
            each.start()
        walk = walker.Walker(*pair)
        walk.slow_seconds = 1.0
        for each in table.WALKS:
            if names and each.get("name", each["api"]) not in (*names, "Fill"):
                continue
            begun, before = time.monotonic(), len(walk.results)
            walk.walk(each)
            bad = [result for result in walk.results[before:] if result.lines]
            print(f"== {each.get('name', each['api'])}: {len(walk.results) - before} cases, {len(bad)} differ, {time.monotonic() - begun:.1f} s", flush=True)
            grouped = collections.defaultdict(list)
            for result in bad:
                grouped[(result.case, tuple(result.lines[:6]))].append(result.version)
            for (case, lines), versions in grouped.items():
                print(f"  {case} v{versions}")
                for line in lines:
                    print(f"      {line}")
        walk.stop()
        print(f"{len(walk.results)} cases, {sum(1 for result in walk.results if result.lines)} differ; {folder}")
    finally:
        for each in pair:
            each.kill()


if __name__ == "__main__":
    main()
