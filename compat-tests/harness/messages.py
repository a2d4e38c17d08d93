"""Requests and answers as dicts, by the pages of protocol/schema: names begin with a small letter, as in Kafka's JSON.

    with messages.Connection(port) as connection:
        answer = connection.call("JoinGroup", 9, groupId="g", sessionTimeoutMs=10000, ...)

(Fields that are tagged or inflexible in some versions only are not known here.)
Absent fields have their defaults; a field that the version does not have is left out. `send` without an answer gives a
Call, whose `answer` waits and whose `is_parked` says that none has come.
"""

import dataclasses
import functools
import re
import select
import struct
import uuid

from . import raw, toolchain

NUMBERS = {"int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint16": "H", "uint32": "I", "float64": "d", "bool": "?"}
LINE = re.compile(r"^( *)(\w+): (\[\])?(\w+)(.*)$")
STRUCT = re.compile(r"^( *)struct (\w+)")


@dataclasses.dataclass
class Field:
    name: str
    type: str
    is_array: bool
    words: list
    fields: list

    @property
    def versions(self):
        return next((word[1:] for word in self.words if word.startswith("@")), "0+")

    @property
    def tag(self):
        return int(self.words[self.words.index("tag") + 1]) if "tag" in self.words else None

    def default(self, version):
        if "=" in self.words:
            text = self.words[self.words.index("=") + 1].strip('"')
            if text == "null":
                return None
            return text if self.type == "string" else text == "true" if self.type == "bool" else int(text, 0)
        if self.is_array:
            return []
        if self.type in NUMBERS:
            return 0
        return {"string": "", "bytes": b"", "records": None, "uuid": uuid.UUID(int=0)}.get(self.type, {})


def within(versions, version):
    low, _, high = versions.partition("-")
    if versions.endswith("+"):
        return version >= int(versions[:-1])
    return int(low) <= version <= int(high or low)


@dataclasses.dataclass
class Api:
    key: int
    flexible: int
    request: list
    response: list


def parse(lines):
    """The fields of one message by their indentation."""
    root = Field("", "", False, [], [])
    open_ = [root]
    # What the page declares at its top, by name; each may speak of one that comes after it.
    structs = {match[2]: [] for match in map(STRUCT.match, lines) if match}
    for line in lines:
        if declared := STRUCT.match(line):
            open_[len(declared[1]) // 2:] = [Field("", declared[2], False, [], structs[declared[2]])]
            continue
        match = LINE.match(line)
        if not match:
            continue
        depth = len(match[1]) // 2
        name = match[2][0].lower() + match[2][1:]
        field = Field(name, match[4], bool(match[3]), match[5].split(), structs.get(match[4], []))
        open_[depth:] = [field]
        open_[depth - 1].fields.append(field)
    return root.fields


@functools.cache
def api(name):
    for path in (toolchain.ROOT / "protocol" / "schema").glob("[0-9]*.schema"):
        text = re.sub(r"#.*", "", path.read_text())
        head = re.search(rf"^api (\d+) {name}$", text, re.MULTILINE)
        if head:
            _, request, response = re.split(r"^(?:request|response)\b", text, flags=re.MULTILINE)
            flexible = re.search(r"flexible (\d+)\+", request)
            return Api(int(head[1]), int(flexible[1]) if flexible else 1 << 15,
                       parse(request.splitlines()[1:]), parse(response.splitlines()[1:]))
    raise KeyError(name)


def uvarint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def encode(fields, version, flexible, values):
    unknown = set(values) - {field.name for field in fields}
    assert not unknown, f"no such fields: {unknown}"
    out, tagged = b"", {}
    for field in fields:
        if not within(field.versions, version):
            continue
        value = values.get(field.name, field.default(version))
        if field.tag is None:
            out += encode_value(field, version, flexible, value)
        elif field.name in values:
            tagged[field.tag] = encode_value(field, version, flexible, value)
    if flexible:
        out += uvarint(len(tagged)) + b"".join(uvarint(tag) + uvarint(len(data)) + data for tag, data in sorted(tagged.items()))
    return out


def encode_value(field, version, flexible, value):
    if field.is_array:
        size = -1 if value is None else len(value)
        items = b"".join(encode_item(field, version, flexible, each) for each in value or [])
        return (uvarint(size + 1) if flexible else struct.pack(">i", size)) + items
    return encode_item(field, version, flexible, value)


def encode_item(field, version, flexible, value):
    if field.type in NUMBERS:
        return struct.pack(">" + NUMBERS[field.type], value)
    if field.type == "uuid":
        return value.bytes
    if field.type in ("string", "bytes", "records"):
        data = value.encode() if isinstance(value, str) else value
        size = -1 if data is None else len(data)
        head = uvarint(size + 1) if flexible else struct.pack(">h" if field.type == "string" else ">i", size)
        return head + (data or b"")
    return encode(field.fields, version, flexible, value)


class Reader(raw.Reader):
    def size(self, flexible, form):
        return self.uvarint() - 1 if flexible else self.take(form)


def decode(reader, fields, version, flexible):
    result = {}
    tags = {}
    for field in fields:
        if not within(field.versions, version):
            continue
        if field.tag is None:
            result[field.name] = decode_value(reader, field, version, flexible)
        else:
            tags[field.tag] = field
            result[field.name] = field.default(version)
    if flexible:
        for _ in range(reader.uvarint()):
            field, data = tags[reader.uvarint()], Reader(reader.bytes_(reader.uvarint()))
            result[field.name] = decode_value(data, field, version, flexible)
    return result


def decode_value(reader, field, version, flexible):
    if not field.is_array:
        return decode_item(reader, field, version, flexible)
    size = reader.size(flexible, "i")
    return None if size < 0 else [decode_item(reader, field, version, flexible) for _ in range(size)]


def decode_item(reader, field, version, flexible):
    if field.type in NUMBERS:
        return reader.take(NUMBERS[field.type])
    if field.type == "uuid":
        return uuid.UUID(bytes=reader.bytes_(16))
    if field.type in ("string", "bytes", "records"):
        size = reader.size(flexible, "h" if field.type == "string" else "i")
        data = None if size < 0 else reader.bytes_(size)
        return data.decode() if field.type == "string" and data is not None else data
    return decode(reader, field.fields, version, flexible)


class Call:
    """A request that has been sent."""

    def __init__(self, connection, name, version):
        self.connection, self.name, self.version = connection, name, version

    def is_parked(self, seconds=0.4):
        return not select.select([self.connection.socket], [], [], seconds)[0]

    def answer(self):
        about = api(self.name)
        flexible = self.version >= about.flexible
        reader = Reader(self.connection.receive())
        reader.take("i")
        if flexible and self.name != "ApiVersions":
            assert reader.uvarint() == 0
        result = decode(reader, about.response, self.version, flexible)
        reader.end()
        return result


class Connection(raw.Connection):
    def send_call(self, name, version, **values):
        about = api(name)
        flexible = version >= about.flexible
        self.correlation += 1
        head = raw.header(about.key, version, self.correlation, flexible=flexible)
        self.send(raw.frame(head + encode(about.request, version, flexible, values)))
        return Call(self, name, version)

    def call(self, name, version, **values):
        return self.send_call(name, version, **values).answer()
