"""Our schema is Kafka's: every message JSON of the 4.4.0 jars against protocol/schema, field by field."""

import pytest

import crosscheck
import reference
import schema  # crosscheck puts the generator's folder on the path

PAGES = reference.ROOT / "protocol/schema"


@pytest.fixture(scope="module")
def kafka():
    reference.require()
    return reference.message_json()


def test_every_message_has_the_fields_of_kafka_in_every_version(kafka):
    messages, versions, differences = crosscheck.compare(kafka, schema.read_pages(PAGES))
    print(f"{messages} messages, {versions} versions, {len(differences)} differences")
    reference.report(schema_messages=messages, schema_versions=versions, schema_differences=len(differences))
    assert messages >= 286 and versions >= 744
    assert not differences, "\n".join(differences[:50])


# One error of each kind, planted in a page: (kind, page, text, what it becomes, a word of the report).
PLANTED = [
    ("name", "03_metadata", "AllowAutoTopicCreation:", "AllowAutoTopicCreate:", "is missing"),
    ("missing field", "03_metadata", "  ControllerId: int32 @1+ = -1 ignorable entity brokerId\n", "", "is missing"),
    ("extra field", "03_metadata", "  ClusterId: string", "  Added: int8\n  ClusterId: string", "is not in Kafka"),
    ("order", "03_metadata", "    Host: string\n    Port: int32\n", "    Port: int32\n    Host: string\n", "order"),
    ("type", "03_metadata", "Port: int32", "Port: uint16", "type is"),
    ("array", "03_metadata", "ReplicaNodes: []int32", "ReplicaNodes: int32", "type is"),
    ("tag", "01_fetch", "ClusterId: string @12+ tag 0", "ClusterId: string @12+ tag 7", "tag is"),
    ("tagged versions", "01_fetch", "ClusterId: string @12+ tag 0", "ClusterId: string @12+ tag 0 tagged 13+", "tag is"),
    ("nullability", "03_metadata", "Topics: []MetadataRequestTopic nullable 1+", "Topics: []MetadataRequestTopic nullable 2+", "nullable is"),
    ("version range", "03_metadata", "AllowAutoTopicCreation: bool @4+", "AllowAutoTopicCreation: bool @5+", "is missing"),
    ("upper version", "03_metadata", "IncludeClusterAuthorizedOperations: bool @8-10", "IncludeClusterAuthorizedOperations: bool @8-11", "is not in Kafka"),
    ("default", "03_metadata", "ControllerId: int32 @1+ = -1", "ControllerId: int32 @1+ = -2", "default is"),
    ("default null", "03_metadata", "Rack: string @1+ nullable = null", "Rack: string @1+ nullable", "default is"),
    ("ignorable", "03_metadata", "ThrottleTimeMs: int32 @3+ ignorable", "ThrottleTimeMs: int32 @3+", "ignorable is"),
    ("map key", "03_metadata", "NodeId: int32 key", "NodeId: int32", "key is"),
    ("entity", "03_metadata", "NodeId: int32 key entity brokerId", "NodeId: int32 key", "entity is"),
    ("valid versions", "03_metadata", "request 0-13", "request 0-12", "versions is"),
    ("flexible since", "03_metadata", "request 0-13 flexible 9+", "request 0-13 flexible 10+", "flexible is"),
    ("listeners", "03_metadata", "listeners broker", "listeners broker controller", "listeners is"),
    ("api key", "03_metadata", "api 3 Metadata", "api 96 Metadata", "key is"),
    ("unstable", "22_init_producer_id", " unstable", "", "unstable is"),
    ("inflexible", "headers", " inflexible", "", "inflexible is"),
    ("zero copy", "58_envelope", " zerocopy", "", "zero_copy is"),
    ("record type", "cluster_metadata", "metadata 2 TopicRecord", "metadata 6 TopicRecord", "key is"),
]


@pytest.mark.parametrize("kind,page,text,planted,word", PLANTED, ids=[row[0] for row in PLANTED])
def test_a_planted_error_is_found(kafka, kind, page, text, planted, word):
    original = (PAGES / f"{page}.schema").read_text()
    assert text in original
    bad = schema.PageReader(page, original.replace(text, planted, 1)).read()
    pages = [bad if good.name == page else good for good in schema.read_pages(PAGES)]
    differences = crosscheck.compare(kafka, pages)[2]
    assert differences, f"{kind} was not noticed"
    assert any(word in difference for difference in differences), differences


def test_a_message_that_is_missing_or_too_many_is_found(kafka):
    pages = schema.read_pages(PAGES)
    assert crosscheck.compare(kafka, pages[1:])[2] == ["ProduceRequest is missing", "ProduceResponse is missing"]
    less = {name: message for name, message in kafka.items() if name != "TopicRecord"}
    assert crosscheck.compare(less, pages)[2] == ["TopicRecord is not in Kafka"]
