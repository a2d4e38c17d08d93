"""clang-format over all C++ of the project: rewrites the files, or with --check names what is not as it would be."""

import subprocess
import sys

from repository import ROOT, files, is_cpp


def main() -> int:
    sources = [path for path in files() if is_cpp(path)]
    if not sources:
        return 0
    mode = ["--dry-run", "-Werror"] if "--check" in sys.argv[1:] else ["-i"]
    done = subprocess.run(["clang-format-19", *mode, *sources], cwd=ROOT, check=False)
    print(f"format: {len(sources)} files" + (", not as they should be (make format)" if done.returncode else ""))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
