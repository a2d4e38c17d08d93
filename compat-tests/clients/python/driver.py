"""What the Python client drivers share: arguments and records as lines of JSON (README.md, "Client drivers")."""

import argparse
import base64
import json
import sys


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=["produce", "consume"])
    parser.add_argument("--bootstrap", required=True)
    parser.add_argument("--topic", required=True)
    parser.add_argument("--partition", type=int, default=0)
    parser.add_argument("--codec", default="none")
    parser.add_argument("--count", type=int, default=0)
    return parser.parse_args()


def to_bytes(text):
    return None if text is None else base64.b64decode(text)


def to_text(data):
    return None if data is None else base64.b64encode(data).decode()


def records_in():
    for line in sys.stdin:
        node = json.loads(line)
        yield to_bytes(node["key"]), to_bytes(node["value"]), [(k, to_bytes(v)) for k, v in node["headers"]]


def record_out(offset, key, value, headers):
    node = {
        "offset": offset,
        "key": to_text(key),
        "value": to_text(value),
        "headers": [[k, to_text(v)] for k, v in headers or []],
    }
    print(json.dumps(node))
