"""What is measured of a process, and a server as it is started in production."""

import contextlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from harness import server as servers  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")
# What kafka-server-start.sh and kafka-run-class.sh of 4.4.0 give, and another collector with as many threads as cores.
HEAPS = {
    "default": ["-Xmx1G", "-Xms1G", "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20", "-XX:InitiatingHeapOccupancyPercent=35",
                "-XX:+ExplicitGCInvokesConcurrent"],
    "tuned": ["-Xmx1G", "-Xms1G", "-XX:+UseParallelGC", "-XX:+AlwaysPreTouch"],
}
TUNED_PROPERTIES = {"num.network.threads": "2", "num.io.threads": "2"}
PLACEMENTS = ("free", "pinned")


def cpu_seconds(pid):
    """User and system time of all threads, to the kernel's 10 ms."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory_mib(pid, field="VmRSS"):
    """VmRSS is what is resident now, VmHWM the most that ever was."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"no {field}")


def open_files(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


class Server(servers.Server):
    """As it is started in production. `kind` is dohle or kafka-tuned; any other is the reference as it comes."""

    def __init__(self, kind, folder, properties=None):
        tuned = TUNED_PROPERTIES if kind == "kafka-tuned" else {}
        super().__init__("dohle" if kind == "dohle" else "reference", folder, {**tuned, **(properties or {})})
        self.heap_ = HEAPS["tuned" if kind == "kafka-tuned" else "default"]

    def java_(self, *arguments, heap=None):
        command = super().java_(*arguments)
        if heap is None and arguments[0] == "kafka.Kafka":
            command = [word for word in command if not word.startswith(("-Xm", "-XX:"))]
            command[1:1] = self.heap_
        return command

    def place(self, placement):
        """Pinned: the server on the last core, what loads it on the first (see `load_command`)."""
        if placement == "pinned":
            cpu = os.cpu_count() - 1
            for task in os.listdir(f"/proc/{self.pid}/task"):
                with contextlib.suppress(ProcessLookupError):
                    os.sched_setaffinity(int(task), {cpu})


def load_command(placement, *command):
    return ["taskset", "-c", "0", *map(str, command)] if placement == "pinned" else list(map(str, command))


@contextlib.contextmanager
def running(kind, properties=None, placement="free"):
    """A server on a fresh directory, killed and removed at the end."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="bench-"))
    server = Server(kind, folder, properties)
    try:
        server.start()
        server.place(placement)
        yield server
        server.check()
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)


def spread(values):
    """Median, smallest and largest."""
    return {"median": statistics.median(values), "min": min(values), "max": max(values), "runs": len(values)}


def run_json(command, timeout=600):
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=timeout)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr[-2000:]}")
    return json.loads(done.stdout)
