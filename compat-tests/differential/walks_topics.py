"""Topics: Metadata, CreateTopics, DeleteTopics, CreatePartitions, DescribeTopicPartitions, elections and reassignments."""

from .walks_produce import NO_ID, UNKNOWN_ID

LONG = "x" * 250
HASHED = "the reference keeps these in a hash table"


def wanted(*topics, auto=False, **options):
    return {"topics": None if topics == (None,) else list(topics), "allowAutoTopicCreation@4-": auto, **options}


def named(name):
    return {"topicId@10-": NO_ID, "name": name}


METADATA = {"api": "Metadata", "topics": {"meta-one": {"partitions": 2}, "meta-two": {"partitions": 1}}, "steps": [
    {"case": "one", "body": wanted(named("meta-one"))},
    {"case": "two", "body": wanted(named("meta-two"), named("meta-one")), "any_order": ["topics"], "why": HASHED},
    {"case": "a topic twice", "body": wanted(named("meta-one"), named("meta-one"))},
    {"case": "no topics", "body": wanted(), "versions": "1-"},
    {"case": "all topics", "body": wanted(None), "versions": "1-", "any_order": ["topics"], "why": HASHED},
    {"case": "all topics by an empty list", "body": wanted(), "versions": "0", "any_order": ["topics"], "why": HASHED},
    {"case": "unknown", "body": wanted(named("nowhere")), "versions": "4-"},
    {"case": "unknown and known", "body": wanted(named("nowhere"), named("meta-one")), "versions": "4-"},
    {"case": "bad name", "body": wanted(named("a/b"))},
    {"case": "empty name", "body": wanted(named(""))},
    {"case": "one dot", "body": wanted(named("."))},
    {"case": "two dots", "body": wanted(named(".."))},
    {"case": "long name", "body": wanted(named(LONG))},
    {"case": "non-ASCII name", "body": wanted(named("käfer"))},
    {"case": "auto creation", "body": wanted(named("auto-meta-{v}"), auto=True), "versions": "4-", "pause": 0.3},
    {"case": "after auto creation", "body": wanted(named("auto-meta-{v}")), "versions": "4-", "settle": True},
    {"case": "auto creation of a bad name", "body": wanted(named("a b"), auto=True)},
    {"case": "authorized operations of topics", "body": wanted(named("meta-one"), **{"includeTopicAuthorizedOperations@8-": True}), "versions": "8-"},
    {"case": "authorized operations of the cluster", "body": wanted(named("meta-one"), **{"includeClusterAuthorizedOperations@8-10": True}),
     "versions": "8-10"},
    {"case": "by id", "body": wanted({"topicId": {"$id": "meta-one"}, "name": None}), "versions": "12-"},
    {"case": "by unknown id", "body": wanted({"topicId": UNKNOWN_ID, "name": None}), "versions": "12-"},
    {"case": "by id and name", "body": wanted({"topicId": {"$id": "meta-one"}, "name": "meta-one"}), "versions": "12-"},
    {"case": "by id in a version without", "body": wanted({"topicId": {"$id": "meta-one"}, "name": "meta-one"}), "versions": "10-11"},
    {"case": "by neither", "body": wanted({"topicId": NO_ID, "name": None}), "versions": "12-"},
    {"case": "null name in a version without", "body": wanted({"topicId": NO_ID, "name": None}), "versions": "10-11"},
    {"case": "by id beside by name", "body": wanted({"topicId": {"$id": "meta-one"}, "name": None}, named("meta-two")), "versions": "12-",
     "any_order": ["topics"], "why": HASHED},
]}


def described(*names, limit=2000, cursor=None):
    return {"topics": [{"name": name} for name in names], "responsePartitionLimit": limit, "cursor": cursor}


def at(name, index):
    return {"topicName": name, "partitionIndex": index}


DESCRIBE = {"api": "DescribeTopicPartitions", "topics": {"page-a": {"partitions": 3}, "page-b": {"partitions": 4}, "page-c": {"partitions": 1}}, "steps": [
    {"case": name, "body": body} for name, body in {
        "one": described("page-a"),
        "in the order of names": described("page-b", "page-a"),
        "unknown": described("nowhere"),
        "unknown beside known": described("nowhere", "page-a", "zzz"),
        "bad name": described("a/b"),
        "empty name": described(""),
        "twice": described("page-a", "page-a"),
        "limit one": described("page-a", "page-b", limit=1),
        "limit at a border": described("page-a", "page-b", limit=3),
        "limit inside the second": described("page-a", "page-b", limit=5),
        "limit of all": described("page-a", "page-b", limit=7),
        "limit zero": described("page-a", limit=0),
        "limit negative": described("page-a", limit=-1),
        "limit above the server's": described("page-a", limit=100000),
        "from a cursor": described("page-a", "page-b", "page-c", cursor=at("page-b", 2)),
        "from a cursor with a limit": described("page-a", "page-b", "page-c", limit=2, cursor=at("page-a", 2)),
        "from a cursor at the end of a topic": described("page-a", "page-b", cursor=at("page-a", 3)),
        "from a cursor far beyond": described("page-a", "page-b", cursor=at("page-a", 99)),
        "from a negative cursor": described("page-a", "page-b", cursor=at("page-a", -1)),
        "from a topic that is not asked for": described("page-a", "page-c", cursor=at("page-b", 1)),
        "from a topic that is not there": described("page-a", "page-c", cursor=at("page-bb", 1)),
        "from after everything": described("page-a", cursor=at("zzz", 0)),
    }.items()] + [
    {"case": "all from a cursor", "body": described(cursor=at("page-a", 1), limit=4)},
]}


def topic(name, partitions=1, factor=1, assignments=(), **configs):
    return {"name": name, "numPartitions": partitions, "replicationFactor": factor, "configs": [
        {"name": key.replace("_", "."), "value": value} for key, value in configs.items()], "assignments": [
            {"partitionIndex": index, "brokerIds": list(brokers)} for index, brokers in assignments]}


def create(*topics, check=False, timeout=30000):
    return {"topics": list(topics), "timeoutMs": timeout, "validateOnly": check}


CREATE = {"api": "CreateTopics", "steps": [
    {"case": name, "body": body} for name, body in {
        "one": create(topic("made-{v}")),
        "again": create(topic("made-{v}")),
        "three partitions": create(topic("made-3-{v}", 3)),
        "defaults": create(topic("made-default-{v}", -1, -1)),
        "checked only": create(topic("made-checked-{v}", 2), check=True),
        "checked only is not there": create(topic("made-checked-{v}", 2)),
        "checked only of an existing one": create(topic("made-{v}"), check=True),
        "with configs": create(topic("made-configs-{v}", retention_ms="1000", cleanup_policy="compact")),
        "unknown config": create(topic("made-bad-1-{v}", no_such_config="1")),
        "bad config": create(topic("made-bad-2-{v}", retention_ms="abc")),
        "config out of range": create(topic("made-bad-3-{v}", max_message_bytes="-1")),
        "null config": create(topic("made-bad-4-{v}", retention_ms=None)),
        "bad cleanup policy": create(topic("made-bad-5-{v}", cleanup_policy="burn")),
        "empty list config": create(topic("made-bad-12-{v}", cleanup_policy="")),
        "list config with spaces": create(topic("made-spaces-{v}", cleanup_policy="compact, delete")),
        "lags that conflict": create(topic("made-bad-6-{v}", min_compaction_lag_ms="10", max_compaction_lag_ms="5")),
        "tiered without tiers": create(topic("made-bad-7-{v}", remote_storage_enable="true")),
        "zero partitions": create(topic("made-bad-8-{v}", 0)),
        "minus two partitions": create(topic("made-bad-9-{v}", -2)),
        "zero replicas": create(topic("made-bad-10-{v}", 1, 0)),
        "more replicas than brokers": create(topic("made-bad-11-{v}", 1, 3)),
        "too many partitions": create(topic("made-bad-13-{v}", 10001)),
        "far too many partitions": create(topic("made-bad-14-{v}", 2147483647)),
        "empty name": create(topic("")),
        "dot": create(topic(".")),
        "two dots": create(topic("..")),
        "slash": create(topic("a/b")),
        "space": create(topic("a b")),
        "non-ASCII": create(topic("käfer")),
        "longest name": create(topic("y" * 246 + "{v}-z")),
        "too long": create(topic(LONG)),
        "collides": create(topic("made_3.{v}"), topic("made-3_{v}")),
        "collides with one that is there": create(topic("col.lide-{v}")),
        "collides indeed": create(topic("col_lide-{v}")),
        "twice in one request": create(topic("twice-{v}"), topic("twice-{v}")),
        "good and bad": create(topic("mixed-{v}"), topic("a/b"), topic("mixed-bad-{v}", 0)),
        "internal name": create(topic("__cluster_metadata")),
        "assigned": create(topic("assigned-{v}", -1, -1, [(0, [1]), (1, [1])])),
        "assigned with a count": create(topic("assigned-2-{v}", 2, -1, [(0, [1]), (1, [1])])),
        "assigned with a factor": create(topic("assigned-3-{v}", -1, 1, [(0, [1])])),
        "assigned with a gap": create(topic("assigned-4-{v}", -1, -1, [(0, [1]), (2, [1])])),
        "assigned from one": create(topic("assigned-5-{v}", -1, -1, [(1, [1])])),
        "assigned twice": create(topic("assigned-6-{v}", -1, -1, [(0, [1]), (0, [1])])),
        "assigned to an unknown broker": create(topic("assigned-7-{v}", -1, -1, [(0, [9])])),
        "assigned to nobody": create(topic("assigned-8-{v}", -1, -1, [(0, [])])),
        "assigned to a broker twice": create(topic("assigned-9-{v}", -1, -1, [(0, [1, 1])])),
        "assigned with differing factors": create(topic("assigned-10-{v}", -1, -1, [(0, [1]), (1, [1, 9])])),
        "nothing": create(),
        "no time": create(topic("made-hurried-{v}"), timeout=0),
        "configs twice": {"topics": [{"name": "cfg-twice-{v}", "numPartitions": 1, "replicationFactor": 1, "assignments": [], "configs": [
            {"name": "retention.ms", "value": "1"}, {"name": "retention.ms", "value": "2"}]}], "timeoutMs": 1000, "validateOnly": False},
    }.items()]}
for each in CREATE["steps"]:
    if len(each["body"]["topics"]) > 1:
        each["any_order"], each["why"] = ["topics"], HASHED

REMOVE_TOPICS = {name: {} for name in ("remove-a-{v}", "remove-b-{v}", "remove-c-{v}")}


def remove(*names, **options):
    return {"timeoutMs": 30000, "topicNames@-5": list(names), "topics@6-": [{"name": name, "topicId": NO_ID} for name in names], **options}


def remove_ids(*ids):
    return {"timeoutMs": 30000, "topics": [{"name": None, "topicId": each} for each in ids]}


DELETE = {"api": "DeleteTopics", "topics": REMOVE_TOPICS, "steps": [
    {"case": "one", "body": remove("remove-a-{v}")},
    {"case": "again", "body": remove("remove-a-{v}")},
    {"case": "unknown", "body": remove("nowhere")},
    {"case": "bad name", "body": remove("a/b")},
    {"case": "empty name", "body": remove("")},
    {"case": "known and unknown", "body": remove("remove-b-{v}", "nowhere"), "any_order": ["responses"], "why": HASHED},
    {"case": "twice in one request", "body": remove("remove-c-{v}", "remove-c-{v}")},
    {"case": "nothing", "body": remove()},
    {"case": "by id", "body": remove_ids({"$id": "remove-c-{v}"}), "versions": "6-"},
    {"case": "by an id that is gone", "body": remove_ids({"$id": "remove-c-{v}"}), "versions": "6-"},
    {"case": "by an unknown id", "body": remove_ids(UNKNOWN_ID), "versions": "6-"},
    {"case": "by neither", "body": remove_ids(NO_ID), "versions": "6-"},
    {"case": "by both", "body": {"timeoutMs": 1000, "topics": [{"name": "meta-one", "topicId": {"$id": "meta-one"}}]}, "versions": "6-"},
    {"case": "an id twice", "body": remove_ids({"$id": "meta-one"}, {"$id": "meta-one"}), "versions": "6-"},
    {"case": "an id and its name", "body": {"timeoutMs": 1000, "topics": [
        {"name": "meta-two", "topicId": NO_ID}, {"name": None, "topicId": {"$id": "meta-two"}}]}, "versions": "6-",
     "any_order": ["responses"], "why": HASHED},
    {"case": "no time", "body": {**remove("meta-one"), "timeoutMs": 0}},
    {"case": "metadata of what is gone", "api": "Metadata", "version": 12, "settle": True,
     "body": wanted(named("remove-a-{v}")), "any_order": ["topics"], "why": HASHED},
]}


def grow(name, count, assignments=None, check=False):
    return {"topics": [{"name": name, "count": count, "assignments": None if assignments is None else [
        {"brokerIds": brokers} for brokers in assignments]}], "timeoutMs": 30000, "validateOnly": check}


GROW = {"api": "CreatePartitions", "topics": {"grow-{v}": {"partitions": 2}}, "steps": [
    {"case": name, "body": body} for name, body in {
        "one more": grow("grow-{v}", 3), "the same": grow("grow-{v}", 3), "fewer": grow("grow-{v}", 2), "zero": grow("grow-{v}", 0),
        "negative": grow("grow-{v}", -1), "checked only": grow("grow-{v}", 5, check=True), "assigned": grow("grow-{v}", 5, [[1], [1]]),
        "assigned too few": grow("grow-{v}", 7, [[1]]), "assigned too many": grow("grow-{v}", 6, [[1], [1]]),
        "assigned to an unknown broker": grow("grow-{v}", 6, [[9]]), "assigned to nobody": grow("grow-{v}", 6, [[]]),
        "assigned to more than the others": grow("grow-{v}", 6, [[1, 2]]), "assigned to a broker twice": grow("grow-{v}", 6, [[1, 1]]),
        "assigned none": grow("grow-{v}", 6, []), "unknown topic": grow("nowhere", 5), "bad name": grow("a/b", 5), "empty name": grow("", 5),
        "far too many": grow("grow-{v}", 100000), "nothing": {"topics": [], "timeoutMs": 1000, "validateOnly": False},
        "twice": {"topics": [{"name": "grow-{v}", "count": 8, "assignments": None}, {"name": "grow-{v}", "count": 9, "assignments": None}],
                  "timeoutMs": 1000, "validateOnly": False},
    }.items()] + [
    {"case": "no time", "body": {**grow("grow-{v}", 20), "timeoutMs": 0}},
    {"case": "what came of it", "api": "Metadata", "version": 9, "settle": True, "body": {"topics": [{"name": "grow-{v}"}], "allowAutoTopicCreation": False}},
]}
GROW["steps"][-3]["any_order"], GROW["steps"][-3]["why"] = ["results"], HASHED


def elect(kind, *partitions):
    return {"electionType@1-": kind, "timeoutMs": 1000, "topicPartitions": None if partitions == (None,) else [
        {"topic": name, "partitions": indexes} for name, indexes in partitions]}


ELECT = {"api": "ElectLeaders", "topics": {"elect": {"partitions": 2}, "elect-too": {}}, "steps": [
    {"case": "preferred", "body": elect(0, ("elect", [0]))},
    {"case": "preferred of two", "body": elect(0, ("elect", [0, 1]), ("elect-too", [0])), "any_order": ["replicaElectionResults"], "why": HASHED},
    {"case": "preferred of all", "body": elect(0, None), "any_order": ["replicaElectionResults"], "why": HASHED},
    {"case": "unclean", "body": elect(1, ("elect", [0])), "versions": "1-"},
    {"case": "unclean of all", "body": elect(1, None), "versions": "1-", "any_order": ["replicaElectionResults"], "why": HASHED},
    {"case": "unknown kind", "body": elect(2, ("elect", [0])), "versions": "1-"},
    {"case": "unknown topic", "body": elect(0, ("nowhere", [0]))},
    {"case": "unknown partition", "body": elect(0, ("elect", [5]))},
    {"case": "negative partition", "body": elect(0, ("elect", [-1]))},
    {"case": "bad name", "body": elect(0, ("a/b", [0]))},
    {"case": "none", "body": elect(0)},
    {"case": "a partition twice", "body": elect(0, ("elect", [0, 0]))},
    {"case": "no time", "body": {**elect(0, ("elect", [0])), "timeoutMs": 0}},
]}


def move(*partitions, name="move", **options):
    return {"timeoutMs": 1000, "topics": [{"name": name, "partitions": [
        {"partitionIndex": index, "replicas": replicas} for index, replicas in partitions]}], **options}


MOVE = {"api": "AlterPartitionReassignments", "topics": {"move": {"partitions": 2}}, "steps": [
    {"case": name, "body": body} for name, body in {
        "to where it is": move((0, [1])), "to an unknown broker": move((0, [9])), "to one more": move((0, [1, 9])), "to nobody": move((0, [])),
        "to a broker twice": move((0, [1, 1])), "to a negative broker": move((0, [-1])), "cancelled": move((0, None)),
        "unknown partition": move((5, [1])), "negative partition": move((-1, [1])), "unknown partition cancelled": move((5, None)),
        "unknown topic": move((0, [1]), name="nowhere"), "bad name": move((0, [1]), name="a/b"),
        "several": move((1, [1]), (0, [9])), "a partition twice": move((0, [1]), (0, [1])), "nothing": {"timeoutMs": 1000, "topics": []},
        "no time": {**move((0, [1])), "timeoutMs": 0},
        "factor kept": move((0, [1]), **{"allowReplicationFactorChange@1-": False}),
        "factor changed": move((0, [1, 9]), **{"allowReplicationFactorChange@1-": False}),
    }.items()]}

MOVES = {"api": "ListPartitionReassignments", "topics": {"move": {"partitions": 2}}, "steps": [
    {"case": "all", "body": {"timeoutMs": 1000, "topics": None}},
    {"case": "one", "body": {"timeoutMs": 1000, "topics": [{"name": "move", "partitionIndexes": [0, 1]}]}},
    {"case": "unknown", "body": {"timeoutMs": 1000, "topics": [{"name": "nowhere", "partitionIndexes": [0]}]}},
    {"case": "unknown partition", "body": {"timeoutMs": 1000, "topics": [{"name": "move", "partitionIndexes": [7]}]}},
    {"case": "none", "body": {"timeoutMs": 1000, "topics": []}},
    {"case": "bad name", "body": {"timeoutMs": 1000, "topics": [{"name": "a/b", "partitionIndexes": [0]}]}},
    {"case": "no time", "body": {"timeoutMs": 0, "topics": None}},
]}

WALKS = [METADATA, DESCRIBE, CREATE, DELETE, GROW, ELECT, MOVE, MOVES]
