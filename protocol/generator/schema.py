"""Reads the pages in protocol/schema: the notation is described in protocol/schema/README.md."""

import re
from dataclasses import dataclass, field
from pathlib import Path

NO_UPPER_BOUND = 32767
SCALARS = {"bool", "int8", "int16", "uint16", "int32", "uint32", "int64", "float64", "uuid"}
VARIABLE = {"string", "bytes", "records"}
KINDS = {"header", "data", "metadata", "coordinator-key", "coordinator-value"}
NUMBER_BITS = {"int8": 8, "int16": 16, "uint16": 16, "int32": 32, "uint32": 32, "int64": 64}


class SchemaError(Exception):
    """A page that breaks a rule of the notation. The message names file and line."""


@dataclass(frozen=True)
class Versions:
    """A closed range of versions; `NEVER` is the empty one."""

    first: int
    last: int

    def __bool__(self):
        return self.first <= self.last

    def __contains__(self, version):
        return self.first <= version <= self.last

    def __iter__(self):
        return iter(range(self.first, self.last + 1))

    def intersect(self, other):
        result = Versions(max(self.first, other.first), min(self.last, other.last))
        return result if result else NEVER


NEVER = Versions(0, -1)


def parse_versions(text):
    """`3`, `3-5`, `3+` or `none`."""
    match = re.fullmatch(r"(\d+)(?:(\+)|-(\d+))?", text)
    if text == "none":
        return NEVER
    if not match:
        raise SchemaError(f"'{text}' is not a version range")
    first = int(match[1])
    return Versions(first, NO_UPPER_BOUND if match[2] else int(match[3] or first))


@dataclass
class Field:
    name: str
    type: str  # without [] : a scalar, string, bytes, records or the name of a struct
    is_array: bool
    versions: Versions  # where the field exists, inside the message's versions
    nullable: Versions = NEVER
    tag: int | None = None
    tagged: Versions = NEVER
    default: str | None = None
    ignorable: bool = False
    key: bool = False
    inflexible: bool = False
    zero_copy: bool = False
    entity: str | None = None
    struct: "Struct | None" = None  # what `type` names, if it is a struct


@dataclass
class Struct:
    name: str
    versions: Versions
    fields: list = field(default_factory=list)


@dataclass
class Message:
    kind: str  # request, response, header, data, metadata, coordinator-key, coordinator-value
    name: str
    key: int | None  # api key or record type
    versions: Versions
    flexible: Versions
    unstable: bool
    root: Struct
    structs: list = field(default_factory=list)  # nested ones, each after those that it uses


@dataclass
class Page:
    """One file: an API with its request and response, or some messages that belong together."""

    name: str
    api_key: int | None = None
    api_name: str | None = None
    listeners: list = field(default_factory=list)
    messages: list = field(default_factory=list)


class PageReader:
    """One pass over the lines; the struct that a line belongs to is found by its indentation."""

    def __init__(self, name, text):
        self.page = Page(name)
        self.text = text

    def read(self):
        line_number = 0
        try:
            for line_number, line in enumerate(self.text.splitlines(), 1):
                content = line.split("#")[0].rstrip()
                if not content:
                    continue
                indent = len(content) - len(content.lstrip(" "))
                if indent % 2:
                    raise SchemaError("indentation is two spaces a level")
                if indent == 0:
                    self._head(content.split())
                else:
                    self._line(indent // 2, content.split())
            for message in self.page.messages:
                finish(message)
        except SchemaError as error:
            raise SchemaError(f"{self.page.name}.schema:{line_number}: {error}") from None
        return self.page

    def _head(self, words):
        page, kind = self.page, words[0]
        if kind == "api" and len(words) == 3:
            page.api_key, page.api_name = int(words[1]), words[2]
            return
        if kind == "listeners":
            page.listeners = words[1:]
            return
        key, rest = page.api_key, words[1:]
        if kind in ("request", "response"):
            if page.api_name is None:
                raise SchemaError(f"{kind} before api")
            name = page.api_name + kind.capitalize()
        elif kind in KINDS:
            key = int(rest.pop(0)) if rest and rest[0].isdigit() else None
            name = rest.pop(0)
        else:
            raise SchemaError(f"'{kind}' begins no message")
        versions = parse_versions(rest.pop(0))
        flexible, unstable = NEVER, False
        while rest:
            word = rest.pop(0)
            if word == "flexible" and rest:
                flexible = parse_versions(rest.pop(0)).intersect(versions)
            elif word == "unstable":
                unstable = True
            else:
                raise SchemaError(f"'{word}' says nothing about a message")
        root = Struct(name, versions)
        self.message = Message(kind, name, key, versions, flexible, unstable, root)
        self.page.messages.append(self.message)
        self.open = [root]

    def _line(self, level, words):
        if not self.page.messages or level > len(self.open) or self.open[level - 1] is None:
            raise SchemaError("a field without a struct around it")
        del self.open[level:]
        parent = self.open[-1]
        if words[0] == "struct":
            if level != 1:
                raise SchemaError("a shared struct stands at the top of its message")
            versions = self.message.versions
            if len(words) == 3 and words[2][0] == "@":
                versions = parse_versions(words[2][1:]).intersect(versions)
            self._add_struct(Struct(words[1], versions))
            return
        parsed = self._field(parent, words)
        parent.fields.append(parsed)
        self.open.append(None)
        if parsed.struct is None and parsed.type not in SCALARS | VARIABLE:
            known = [struct for struct in self.message.structs if struct.name == parsed.type]
            if not known:
                # Either its fields follow, or a shared struct of that name does: finish() finds out.
                self.open.pop()
                parsed.struct = Struct(parsed.type, parsed.versions)
                self.open.append(parsed.struct)
            else:
                parsed.struct = known[0]

    def _add_struct(self, struct):
        if any(other.name == struct.name for other in self.message.structs):
            raise SchemaError(f"struct {struct.name} is there twice")
        self.message.structs.append(struct)
        self.open.append(struct)

    def _field(self, parent, words):
        if len(words) < 2 or not words[0].endswith(":"):
            raise SchemaError("a field is 'Name: type ...'")
        kind = words[1].removeprefix("[]")
        result = Field(words[0][:-1], kind, words[1].startswith("[]"), parent.versions)
        rest = words[2:]
        if rest and rest[0][0] == "@":
            result.versions = parse_versions(rest.pop(0)[1:]).intersect(parent.versions)
        while rest:
            self._attribute(result, rest)
        check_field(result, parent, self.message)
        return result

    def _attribute(self, result, rest):
        word = rest.pop(0)

        def optional_versions():
            if rest and rest[0][0].isdigit():
                return parse_versions(rest.pop(0)).intersect(result.versions)
            return result.versions

        if word == "tag":
            result.tag, result.tagged = int(rest.pop(0)), result.versions
        elif word == "tagged":
            result.tagged = optional_versions()
        elif word == "nullable":
            result.nullable = optional_versions()
        elif word == "=":
            result.default = rest.pop(0).strip('"')
        elif word == "entity":
            result.entity = rest.pop(0)
        elif word in ("ignorable", "key", "inflexible"):
            setattr(result, word, True)
        elif word == "zerocopy":
            result.zero_copy = True
        else:
            raise SchemaError(f"'{word}' says nothing about a field")


def check_field(entry, parent, message):
    """The rules that a single field can break."""
    if not entry.versions:
        raise SchemaError(f"{entry.name} exists in no version")
    if any(other.name == entry.name for other in parent.fields):
        raise SchemaError(f"{entry.name} is there twice")
    if entry.tag is not None and any(other.tag == entry.tag for other in parent.fields):
        raise SchemaError(f"tag {entry.tag} is there twice")
    if entry.tagged and entry.tagged.intersect(message.flexible) != entry.tagged:
        raise SchemaError(f"{entry.name} has a tag in a version without tags")
    if entry.type == "records" and (entry.is_array or entry.tag is not None):
        raise SchemaError("records are neither in an array nor tagged")
    if entry.is_array and entry.type == "bool":
        raise SchemaError("an array of bool has no view in C++")
    if entry.nullable and not entry.is_array and entry.type in SCALARS:
        raise SchemaError(f"{entry.name}: {entry.type} has no null")
    check_default(entry)


def check_default(entry):
    default = entry.default
    if default is None:
        return
    if default == "null":
        good = bool(entry.nullable)
    elif entry.is_array or entry.type in ("bytes", "records", "uuid") or entry.type not in SCALARS | {"string"}:
        good = False
    elif entry.type == "bool":
        good = default in ("true", "false")
    elif entry.type in NUMBER_BITS:
        unsigned, bits = entry.type[0] == "u", NUMBER_BITS[entry.type]
        low, high = (0, 2**bits) if unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1))
        good = re.fullmatch(r"-?\d+", default) is not None and low <= int(default) < high
    elif entry.type == "float64":
        good = re.fullmatch(r"-?\d+", default) is not None
    else:
        good = True
    if not good:
        raise SchemaError(f"{entry.name}: '{default}' is no default for it")


def finish(message):
    """Ties fields to the shared structs that come later, and lists each struct after those that it uses."""
    shared = {struct.name: struct for struct in message.structs}
    ordered, visiting = [], []

    def visit(struct):
        if any(struct is done for done in ordered):
            return
        if struct.name in visiting:
            raise SchemaError(f"{message.name}: {struct.name} contains itself")
        visiting.append(struct.name)
        for entry in struct.fields:
            if entry.struct is None:
                continue
            if not entry.struct.fields and entry.type in shared:
                entry.struct = shared[entry.type]
            visit(entry.struct)
        visiting.pop()
        if any(struct.name == done.name for done in ordered):
            raise SchemaError(f"{message.name}: struct {struct.name} is there twice")
        ordered.append(struct)

    visit(message.root)
    message.structs = ordered[:-1]
    for struct in message.structs:
        if not struct.fields:
            raise SchemaError(f"{message.name}: {struct.name} has no fields")


def read_page(path):
    path = Path(path)
    return PageReader(path.stem, path.read_text()).read()


def read_pages(folder):
    return [read_page(path) for path in sorted(Path(folder).glob("*.schema"))]
