"""Compares Kafka's message JSON with our schema pages, version by version.

Both sides become the same thing: for each message its head (kind, key, versions, flexible versions, listeners), and for
each version the list of its fields in order, nested ones with the path to them. What differs is reported in words.
"""

import sys
from dataclasses import dataclass

from reference import ROOT

sys.path.insert(0, str(ROOT / "protocol/generator"))

import schema  # noqa: E402

NATURAL_DEFAULTS = {None, "", "0", "false"}


@dataclass(frozen=True)
class FieldFacts:
    """A field in one version."""

    type: str
    nullable: bool
    tag: int | None
    default: str | None
    ignorable: bool
    key: bool
    inflexible: bool
    zero_copy: bool
    entity: str | None


@dataclass
class MessageFacts:
    head: dict
    versions: dict  # version -> {path: FieldFacts}, in order


def head(kind, key, versions, flexible, unstable, listeners):
    return {"kind": kind, "key": key, "versions": versions, "flexible": flexible, "unstable": unstable,
            "listeners": sorted(listeners)}


def normal_default(default):
    default = str(default).lower() if isinstance(default, bool) else default
    if isinstance(default, int):
        default = str(default)
    if default in NATURAL_DEFAULTS:
        return None
    return str(int(default, 16)) if default.startswith("0x") else default


def kafka_facts(message):
    valid = schema.parse_versions(message["validVersions"])
    flexible = schema.parse_versions(message.get("flexibleVersions", "none")).intersect(valid)
    shared = {struct["name"]: struct["fields"] for struct in message.get("commonStructs", [])}
    kind = message["type"]
    # A key that no version is left of has no listeners in the JSON; on both sides none count.
    listeners = message.get("listeners", []) if kind == "request" else []
    facts = MessageFacts(head(kind, message.get("apiKey"), valid if valid else schema.NEVER, flexible,
                              bool(message.get("latestVersionUnstable")), listeners), {})
    for version in valid:
        facts.versions[version] = {}
        kafka_fields(message["fields"], shared, version, "", facts.versions[version])
    return facts


def kafka_fields(fields, shared, version, prefix, out):
    for field in fields:
        # A field without versions has those in which it is tagged (FieldSpec).
        if version not in schema.parse_versions(field.get("versions", field.get("taggedVersions", "none"))):
            continue
        path = prefix + field["name"]
        tagged = version in schema.parse_versions(field.get("taggedVersions", "none"))
        out[path] = FieldFacts(
            field["type"], version in schema.parse_versions(field.get("nullableVersions", "none")),
            field["tag"] if tagged else None, normal_default(field.get("default")), bool(field.get("ignorable")),
            bool(field.get("mapKey")), field.get("flexibleVersions") == "none", bool(field.get("zeroCopy")),
            field.get("entityType"))
        name = field["type"].removeprefix("[]")
        kafka_fields(shared.get(name, field.get("fields", [])), shared, version, path + ".", out)


def our_facts(page, message):
    listeners = page.listeners if message.kind == "request" else []
    facts = MessageFacts(head(message.kind, message.key, message.versions, message.flexible, message.unstable,
                              listeners), {})
    for version in message.versions:
        facts.versions[version] = {}
        our_fields(message.root, version, "", facts.versions[version])
    return facts


def our_fields(struct, version, prefix, out):
    for field in struct.fields:
        if version not in field.versions:
            continue
        path = prefix + field.name
        out[path] = FieldFacts(
            ("[]" if field.is_array else "") + field.type, version in field.nullable,
            field.tag if version in field.tagged else None, normal_default(field.default), field.ignorable, field.key,
            field.inflexible, field.zero_copy, field.entity)
        if field.struct:
            our_fields(field.struct, version, path + ".", out)


def message_differences(name, kafka, ours):
    for what, value in kafka.head.items():
        if ours.head[what] != value:
            yield f"{name}: {what} is {value} in Kafka, {ours.head[what]} here"
    for version in sorted(set(kafka.versions) & set(ours.versions)):
        yield from field_differences(f"{name} v{version}", kafka.versions[version], ours.versions[version])


def field_differences(label, kafka, ours):
    for path in kafka.keys() - ours.keys():
        yield f"{label}: {path} is missing"
    for path in ours.keys() - kafka.keys():
        yield f"{label}: {path} is not in Kafka"
    shared = [path for path in kafka if path in ours]
    if shared != [path for path in ours if path in kafka]:
        yield f"{label}: the order of the fields differs"
    for path in shared:
        for attribute, value in vars(kafka[path]).items():
            other = getattr(ours[path], attribute)
            if other != value:
                yield f"{label}: {path}: {attribute} is {value} in Kafka, {other} here"


def compare(kafka_messages, pages):
    """(messages compared, versions compared, list of differences)."""
    ours = {message.name: our_facts(page, message) for page in pages for message in page.messages}
    kafka = {name: kafka_facts(message) for name, message in kafka_messages.items()}
    differences = [f"{name} is missing" for name in sorted(kafka.keys() - ours.keys())]
    differences += [f"{name} is not in Kafka" for name in sorted(ours.keys() - kafka.keys())]
    versions = 0
    for name in sorted(kafka.keys() & ours.keys()):
        versions += len(kafka[name].versions)
        differences += message_differences(name, kafka[name], ours[name])
    return len(kafka), versions, differences
