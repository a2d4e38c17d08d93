"""What protocol/schema says of an API: its key, its versions, and from which on it is flexible."""

import dataclasses
import functools
import re

from harness import toolchain


@dataclasses.dataclass(frozen=True)
class Api:
    name: str
    key: int
    first: int
    last: int
    flexible: int

    def header(self, version, correlation_id=7, client_id=b"walk"):
        """The request header, as it lies before the body."""
        head = self.key.to_bytes(2, "big") + version.to_bytes(2, "big", signed=True) + correlation_id.to_bytes(4, "big")
        return head + len(client_id).to_bytes(2, "big") + client_id + (b"\0" if version >= self.flexible else b"")


@functools.cache
def apis():
    """{name: Api} of every schema file."""
    found = {}
    for path in sorted((toolchain.ROOT / "protocol" / "schema").glob("[0-9]*.schema")):
        text = path.read_text()
        head = re.search(r"^api (\d+) (\w+)", text, re.M)
        request = re.search(r"^request (\d+)(?:-(\d+))?(?: flexible (\d+)\+)?", text, re.M)
        if head and request:
            first, last, flexible = request.groups()
            last = first if last is None else last
            found[head[2]] = Api(head[2], int(head[1]), int(first), int(last), int(flexible) if flexible else 1 << 15)
    return found
