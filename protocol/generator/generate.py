#!/usr/bin/env python3
"""Generates the messages' C++: generate.py --schema DIR --out DIR [--list].

With --list it writes nothing and prints the names of the files that it would write, for CMake's configure step.
A file whose text did not change is not touched, so that only what depends on a changed page is compiled again.
"""

import argparse
import sys
from pathlib import Path

import cpp
import schema

TRANSLATION_UNITS = 8


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--schema", required=True)
    parser.add_argument("--out")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    try:
        files = cpp.outputs(schema.read_pages(arguments.schema), TRANSLATION_UNITS)
    except (schema.SchemaError, ValueError) as error:
        sys.exit(f"generate.py: {error}")
    if arguments.list:
        print(";".join(sorted(files)), end="")
        return
    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = out / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    for stale in set(path.name for path in out.iterdir()) - set(files):
        (out / stale).unlink()


if __name__ == "__main__":
    main()
