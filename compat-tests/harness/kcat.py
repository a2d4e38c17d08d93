"""kcat (librdkafka) as a publisher and a reader of files."""

import subprocess

from . import toolchain

SECONDS_MAX = 300


def _run(arguments, stdout):
    command = [toolchain.kcat(), "-b", *arguments]
    done = subprocess.run([str(word) for word in command], stdout=stdout, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                          text=True, timeout=SECONDS_MAX, check=False)
    lines = [line for line in done.stderr.splitlines() if line and not line.startswith("% Reached end of topic")]
    assert done.returncode == 0 and not lines, f"{' '.join(map(str, command))}: {done.returncode}\n" + "\n".join(lines[:20])
    return done


def publish(bootstrap, topic, path, codec="none", partition=0, batch_records=10000):
    """Each line of the file becomes a record; any word of kcat on its standard error is a failure."""
    _run([bootstrap, "-q", "-P", "-t", topic, "-p", partition, "-z", codec, "-X", "linger.ms=20",
          "-X", f"batch.num.messages={batch_records}", "-l", path], subprocess.DEVNULL)


def read(bootstrap, topic, path, partition=0):
    """Writes the partition from its beginning to its end into the file, a line a record."""
    with open(path, "wb") as out:
        _run([bootstrap, "-q", "-C", "-t", topic, "-p", partition, "-o", "beginning", "-e", "-u"], out)


def metadata(bootstrap):
    """The text of kcat -L."""
    return _run([bootstrap, "-L"], subprocess.PIPE).stdout
