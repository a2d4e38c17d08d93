"""Brings two answers to one form: what may differ by nature (ids, times, ports, paths) becomes a name.

What a field is told by its name alone; a rule that needs more belongs to the case ("ignore").
"""

import base64
import re
import struct

ZERO_ID = "A" * 22
# Numbers that no two servers share. A special value (-1, 0) stays, so that its absence is still a difference.
NUMBERS = {
    "logAppendTimeMs": "time", "lastFetchTimestamp": "time", "lastCaughtUpTimestamp": "time", "lastTimestamp": "time",
    "finalizedFeaturesEpoch": "offset", "totalBytes": "bytes", "usableBytes": "bytes", "sessionId": "session",
}
IDS = {"topicId": "topic", "replicaDirectoryId": "directory", "clusterId": "cluster"}
# DescribeConfigs: one line in our own words, where Kafka has HTML.
TEXTS = {"documentation": "text"}
LOG_APPEND_TIME = 0x08


def records(text):
    """The record set with the times that the broker gave, and the CRCs over them, blanked out."""
    data = bytearray(base64.b64decode(text))
    at = 0
    while at + 61 <= len(data):
        size = 12 + struct.unpack_from(">i", data, at + 8)[0]
        if data[at + 16] == 2 and struct.unpack_from(">h", data, at + 21)[0] & LOG_APPEND_TIME:
            data[at + 17 : at + 21] = b"\0" * 4
            data[at + 35 : at + 43] = b"\0" * 8
        if size <= 12:
            break
        at += size
    return data.hex()


class Normaliser:
    """For one server: knows its ports and its folder."""

    def __init__(self, server):
        self.ports = {server.port: "<port>", server.controller_port: "<controller port>"}
        self.texts = [(str(server.data), "<data>"), (str(server.folder), "<folder>"),
                      *((str(port), name) for port, name in self.ports.items())]

    def text(self, value):
        for literal, name in self.texts:
            value = value.replace(literal, name)
        value = re.sub(r"within \[-?\d+, -?\d+\]", "within <times>", value)
        return re.sub(r"@[0-9a-f]{5,8}\b", "@<hash>", value)

    def value(self, name, value):
        if isinstance(value, dict):
            return {key: self.value(key, each) for key, each in value.items()}
        if isinstance(value, list):
            return [self.value(name, each) for each in value]
        if name == "throttleTimeMs":
            return 0
        if name in NUMBERS and isinstance(value, int) and value > 0:
            return f"<{NUMBERS[name]}>"
        if name in IDS and isinstance(value, str) and value != ZERO_ID:
            return f"<{IDS[name]}>"
        if name in TEXTS and value:
            return f"<{TEXTS[name]}>"
        if name == "port":
            return self.ports.get(value, value)
        if name == "records" and value:
            return records(value)
        return self.text(value) if isinstance(value, str) else value


def without(value, path):
    """`value` with what lies at `path` ("topics.partitions.leaderEpoch", through lists) taken out."""
    head, _, rest = path.partition(".")
    if isinstance(value, list):
        return [without(each, path) for each in value]
    if not isinstance(value, dict) or head not in value:
        return value
    copy = dict(value)
    if rest:
        copy[head] = without(copy[head], rest)
    else:
        del copy[head]
    return copy


def in_order(value, path):
    """`value` with the list at `path` sorted: where the reference's order is that of a hash table."""
    head, _, rest = path.partition(".")
    if isinstance(value, list):
        return [in_order(each, path) for each in value]
    if not isinstance(value, dict) or head not in value:
        return value
    copy = dict(value)
    if rest:
        copy[head] = in_order(copy[head], rest)
    elif isinstance(copy[head], list):
        copy[head] = sorted(copy[head], key=repr)
    return copy


def differences(left, right, path=""):
    """Lines that say where two normal forms differ."""
    if isinstance(left, dict) and isinstance(right, dict):
        lines = []
        for key in [*left, *(key for key in right if key not in left)]:
            if key not in left or key not in right:
                which = "the reference" if key in left else "Dohle"
                lines.append(f"{path}.{key}: only {which} has it: {left.get(key, right.get(key))!r:.200}")
            else:
                lines += differences(left[key], right[key], f"{path}.{key}")
        return lines
    if isinstance(left, list) and isinstance(right, list):
        lines = [] if len(left) == len(right) else [f"{path}: {len(left)} and {len(right)} elements"]
        for index, (one, other) in enumerate(zip(left, right)):
            lines += differences(one, other, f"{path}[{index}]")
        return lines
    return [] if left == right and type(left) is type(right) else [f"{path}: reference {left!r:.300} Dohle {right!r:.300}"]
