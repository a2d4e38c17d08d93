"""A text file of real lines from the system's own documentation, licences and package lists.

Valid UTF-8, no empty line (kcat drops them), no carriage return (the console producer drops it), no NUL. The same
machine gives the same file; where the system has less text than asked for, it is repeated with numbered lines.
"""

import pathlib
import subprocess

from . import toolchain

SHORT_BYTES = 5 << 20
LONG_BYTES = 52 << 20
LINE_BYTES_MAX = 20000
FOLDERS = ("/usr/share/common-licenses", "/var/lib/dpkg/info", "/usr/share/doc", "/usr/share/perl", "/usr/include")
TEXT_NAMES = ("copyright", "README", "NEWS", "TODO", "AUTHORS", "THANKS")
TEXT_SUFFIXES = (".txt", ".md", ".rst", ".list", ".md5sums", ".templates", ".html", ".pod", ".pm", ".h", ".hpp", ".gz")


def _sources():
    yield "/var/lib/dpkg/status"
    for folder in FOLDERS:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.is_file() and (folder.endswith("licenses") or path.suffix in TEXT_SUFFIXES or path.stem in TEXT_NAMES):
                yield str(path)


def _text(path):
    if path.endswith(".gz"):
        done = subprocess.run(["gzip", "-dc", path], capture_output=True, timeout=60, check=False)
        return done.stdout if done.returncode == 0 else b""
    return pathlib.Path(path).read_bytes()


def _lines(data):
    for line in data.replace(b"\r", b"").split(b"\n"):
        if not line or len(line) > LINE_BYTES_MAX or b"\0" in line:
            continue
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            continue
        yield line


def _collect(size_bytes):
    chunks = []
    total = 0
    for path in _sources():
        text = b"".join(line + b"\n" for line in _lines(_text(path)))
        chunks.append(text)
        total += len(text)
        if total >= size_bytes:
            break
    base = b"".join(chunks)
    turn = 0
    while total < size_bytes:
        turn += 1
        again = b"".join(b"%d: %s\n" % (turn, line) for line in base.splitlines())
        chunks.append(again)
        total += len(again)
    text = b"".join(chunks)
    return text[: text.index(b"\n", size_bytes - 1) + 1]


def corpus(size_bytes):
    """The path of a cached corpus of at least `size_bytes`, ending with a line feed."""
    path = toolchain.CACHE / "corpus" / f"{size_bytes}.txt"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        fresh.write_bytes(_collect(size_bytes))
        fresh.rename(path)
    return path


def line_count(path):
    return pathlib.Path(path).read_bytes().count(b"\n")
