"""What the Python group members share: arguments, events as lines of JSON, SIGTERM (README.md, "Group members")."""

import argparse
import json
import signal
import sys
import time


class Log:
    """Partitions are (topic, partition), positions (topic, partition, next offset)."""

    def write_(self, event, **rest):
        sys.stdout.write(json.dumps({"t": time.monotonic_ns(), "event": event, **rest}) + "\n")

    def record(self, topic, partition, offset):
        self.write_("record", at=[topic, partition, offset])

    def owned(self, event, partitions):
        """`event` is assigned, revoked or lost."""
        self.write_(event, partitions=[list(each) for each in partitions])
        self.flush()

    def committed(self, positions):
        self.write_("committed", offsets=[list(each) for each in positions])
        self.flush()

    def closed(self):
        self.write_("closed")
        self.flush()

    def flush(self):
        sys.stdout.flush()


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bootstrap", required=True)
    parser.add_argument("--topic", required=True)
    parser.add_argument("--group", required=True)
    parser.add_argument("--protocol", default="classic")
    parser.add_argument("--assignor", default="range")
    return parser.parse_args()


def stop_flag():
    """A list that is empty until SIGTERM."""
    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    return stopped
