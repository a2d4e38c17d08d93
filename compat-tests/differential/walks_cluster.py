"""The cluster: ApiVersions, DescribeCluster, DescribeQuorum, UpdateFeatures, configurations, log directories."""

from . import allowed

HASHED = "the reference keeps these in a hash table"
TOPIC, BROKER, LOGGER, METRICS, GROUP = 2, 4, 8, 16, 32
SOFTWARE = {"clientSoftwareName@3-": "walk", "clientSoftwareVersion@3-": "1.0"}


def known_apis(body):
    """Without the APIs of later issues: what is not advertised by both is left out. See allowed.py."""
    return {**body, "apiKeys": [each for each in body["apiKeys"] if each["apiKey"] not in allowed.APIS_TO_COME]}


def known_controller_apis(body):
    return {**body, "apiKeys": [each for each in body["apiKeys"] if each["apiKey"] not in allowed.CONTROLLER_APIS_TO_COME]}


API_VERSIONS = {"api": "ApiVersions", "steps": [
    {"case": "what there is", "body": SOFTWARE, "reshape": known_apis},
    {"case": "again on the same connection", "body": SOFTWARE, "reshape": known_apis},
    *({"case": f"software {name}", "versions": "3-", "body": {**SOFTWARE, **body}, "reshape": known_apis} for name, body in {
        "name empty": {"clientSoftwareName": ""}, "version empty": {"clientSoftwareVersion": ""},
        "name with a space": {"clientSoftwareName": "a b"}, "name that begins with a dot": {"clientSoftwareName": ".a"},
        "name that ends with a dash": {"clientSoftwareName": "a-"}, "name of one letter": {"clientSoftwareName": "a"},
        "name with non-ASCII": {"clientSoftwareName": "dö"}, "version with a dash": {"clientSoftwareVersion": "1.0-SNAPSHOT"},
        "version with a plus": {"clientSoftwareVersion": "1+0"}}.items()),
    {"case": "the right cluster", "versions": "5-", "body": {**SOFTWARE, "clusterId": {"$saved": "cluster"}}, "reshape": known_apis},
    {"case": "another cluster", "versions": "5-", "body": {**SOFTWARE, "clusterId": "another"}, "reshape": known_apis},
    {"case": "the right node", "versions": "5-", "body": {**SOFTWARE, "nodeId": 1}, "reshape": known_apis},
    {"case": "another node", "versions": "5-", "body": {**SOFTWARE, "nodeId": 9}, "reshape": known_apis},
    {"case": "the right cluster and node", "versions": "5-", "body": {**SOFTWARE, "clusterId": {"$saved": "cluster"}, "nodeId": 1}, "reshape": known_apis},
    {"case": "the right cluster and another node", "versions": "5-", "body": {**SOFTWARE, "clusterId": {"$saved": "cluster"}, "nodeId": 9},
     "reshape": known_apis},
]}

for each in API_VERSIONS["steps"]:
    each["any_order"], each["why"] = ["supportedFeatures", "finalizedFeatures"], HASHED

CLUSTER = {"api": "DescribeCluster", "steps": [
    {"case": name, "body": body, **({"versions": versions} if versions else {})} for name, body, versions in [
        ("brokers", {}, None), ("operations", {"includeClusterAuthorizedOperations": True}, None),
        ("endpoint type brokers", {"endpointType": 1}, "1-"), ("endpoint type controllers", {"endpointType": 2}, "1-"),
        ("endpoint type unknown", {"endpointType": 3}, "1-"), ("endpoint type zero", {"endpointType": 0}, "1-"),
        ("endpoint type negative", {"endpointType": -1}, "1-"),
        ("fenced brokers", {"includeFencedBrokers": True}, "2-"),
        ("fenced controllers", {"includeFencedBrokers": True, "endpointType": 2}, "2-")]]}
CLUSTER["steps"][0]["save"] = {"cluster": "clusterId"}


def quorum(name, *indexes):
    return {"topics": [{"topicName": name, "partitions": [{"partitionIndex": index} for index in indexes]}]}


QUORUM_NOISE = ["topics.partitions.highWatermark", "topics.partitions.leaderEpoch", "topics.partitions.currentVoters.logEndOffset",
                "topics.partitions.observers.logEndOffset"]
QUORUM = {"api": "DescribeQuorum", "steps": [
    {"case": name, "body": body, "ignore": QUORUM_NOISE, "why": "offsets and the epoch of two different logs"} for name, body in {
        "the quorum": quorum("__cluster_metadata", 0), "another topic": quorum("nowhere", 0), "another partition": quorum("__cluster_metadata", 1),
        "two partitions": quorum("__cluster_metadata", 0, 1), "no partitions": quorum("__cluster_metadata"), "no topics": {"topics": []},
        "two topics": {"topics": quorum("__cluster_metadata", 0)["topics"] + quorum("nowhere", 0)["topics"]},
    }.items()]}


def feature(name, level, kind=1, down=False, check=True):
    return {"timeoutMs": 1000, "validateOnly@1-": check, "featureUpdates": [
        {"feature": name, "maxVersionLevel": level, "allowDowngrade@0": down, "upgradeType@1-": kind}]}


# v0 cannot check without changing: there only what is refused.
FEATURES = {"api": "UpdateFeatures", "steps": [
    {"case": "unknown feature", "body": feature("no.such.feature", 1)},
    {"case": "empty name", "body": feature("", 1)},
    {"case": "level above ours", "body": feature("metadata.version", 99)},
    {"case": "negative level", "body": feature("metadata.version", -1)},
    {"case": "level zero upgraded", "body": feature("metadata.version", 0)},
    {"case": "metadata.version removed", "body": feature("metadata.version", 0, 2, True)},
    {"case": "down without leave", "body": feature("metadata.version", 7)},
    {"case": "down far with leave", "body": feature("metadata.version", 7, 2, True)},
    {"case": "down a little", "versions": "1-", "body": feature("metadata.version", 25, 2)},
    {"case": "down a little unsafely", "versions": "1-", "body": feature("metadata.version", 25, 3)},
    {"case": "down to below the first", "versions": "1-", "body": feature("metadata.version", 6, 3)},
    {"case": "the same level", "versions": "1-", "body": feature("group.version", 1)},
    {"case": "group.version removed", "versions": "1-", "body": feature("group.version", 0, 2)},
    {"case": "group.version removed unsafely", "versions": "1-", "body": feature("group.version", 0, 3)},
    {"case": "group.version above", "versions": "1-", "body": feature("group.version", 9)},
    {"case": "transaction.version down", "versions": "1-", "body": feature("transaction.version", 1, 2)},
    {"case": "transaction.version above", "versions": "1-", "body": feature("transaction.version", 7)},
    {"case": "kraft.version the same", "versions": "1-", "body": feature("kraft.version", 1)},
    {"case": "kraft.version above", "versions": "1-", "body": feature("kraft.version", 9)},
    {"case": "kraft.version down", "versions": "1-", "body": feature("kraft.version", 0, 2)},
    {"case": "unknown kind", "versions": "1-", "body": feature("group.version", 1, 9)},
    {"case": "kind zero", "versions": "1-", "body": feature("group.version", 1, 0)},
    {"case": "none", "body": {"timeoutMs": 1000, "featureUpdates": []}},
    {"case": "no time", "versions": "1-", "body": {**feature("group.version", 1), "timeoutMs": 0}},
    {"case": "two, one of them bad", "versions": "1-", "body": {"timeoutMs": 1000, "validateOnly": True, "featureUpdates": [
        {"feature": "group.version", "maxVersionLevel": 1, "upgradeType": 1}, {"feature": "nope", "maxVersionLevel": 1, "upgradeType": 1}]}},
]}


def wanted(kind, name, keys=None, synonyms=False, words=False):
    return {"resources": [{"resourceType": kind, "resourceName": name, "configurationKeys": keys}], "includeSynonyms": synonyms,
            "includeDocumentation@3-": words}


DESCRIBE = {"api": "DescribeConfigs", "topics": {"config-plain": {}, "config-set": {"configs": {"retention.ms": "1000", "cleanup.policy": "compact,delete"}}}, "steps": [
    {"case": name, "body": body} for name, body in {
        "topic": wanted(TOPIC, "config-plain"), "topic with configs": wanted(TOPIC, "config-set"),
        "topic with synonyms": wanted(TOPIC, "config-set", synonyms=True), "topic with words": wanted(TOPIC, "config-plain", words=True),
        "topic, some keys": wanted(TOPIC, "config-set", ["retention.ms", "segment.bytes"]),
        "topic, unknown key": wanted(TOPIC, "config-set", ["no.such.key"]), "topic, no keys": wanted(TOPIC, "config-set", []),
        "unknown topic": wanted(TOPIC, "nowhere"), "empty topic": wanted(TOPIC, ""), "bad topic": wanted(TOPIC, "a/b"),
        "broker": wanted(BROKER, "1"), "broker with synonyms": wanted(BROKER, "1", synonyms=True), "broker with words": wanted(BROKER, "1", words=True),
        "broker, some keys": wanted(BROKER, "1", ["num.partitions", "log.retention.ms", "listeners"]),
        "cluster default": wanted(BROKER, ""), "another broker": wanted(BROKER, "9"), "negative broker": wanted(BROKER, "-1"), "no broker id": wanted(BROKER, "abc"),
        "group": wanted(GROUP, "some-group"), "group with synonyms": wanted(GROUP, "some-group", synonyms=True), "empty group": wanted(GROUP, ""),
        "client metrics": wanted(METRICS, "some-metrics"), "empty client metrics": wanted(METRICS, ""),
        "unknown type": wanted(3, "x"), "type zero": wanted(0, "x"), "nothing": {"resources": [], "includeSynonyms": False},
        "logger of another broker": wanted(LOGGER, "9"), "logger without a name": wanted(LOGGER, ""), "logger of no number": wanted(LOGGER, "abc"),
        "two": {"resources": [*wanted(TOPIC, "config-plain", ["retention.ms"])["resources"], *wanted(BROKER, "1", ["num.partitions"])["resources"]],
                "includeSynonyms": False},
        "a topic twice": {"resources": wanted(TOPIC, "config-plain", ["retention.ms"])["resources"] * 2, "includeSynonyms": False},
    }.items()]}
for each in DESCRIBE["steps"]:
    each["any_order"], each["why"] = ["results", "results.configs"], HASHED

SET, REMOVE, APPEND, SUBTRACT = 0, 1, 2, 3


def change(kind, name, *operations, check=False):
    return {"resources": [{"resourceType": kind, "resourceName": name, "configs": [
        {"name": key, "configOperation": operation, "value": value} for key, operation, value in operations]}], "validateOnly": check}


def look(kind, name, *keys):
    return {"api": "DescribeConfigs", "version": 4, "settle": True, "body": wanted(kind, name, list(keys) or None, synonyms=True),
            "any_order": ["results.configs"], "why": HASHED}


# Not here: an operation that nobody knows on what the controller decides. The reference's controller trips over it and
# resigns; Dohle answers UNKNOWN_SERVER_ERROR as the reference does, and stays.
OPERATIONS = {
    "topic set": change(TOPIC, "alter-{v}", ("retention.ms", SET, "12345")),
    "topic two keys": change(TOPIC, "alter-{v}", ("retention.bytes", SET, "777"), ("segment.ms", SET, "60000")),
    "topic append": change(TOPIC, "alter-{v}", ("cleanup.policy", APPEND, "compact")),
    "topic append what is there": change(TOPIC, "alter-{v}", ("cleanup.policy", APPEND, "compact")),
    "topic subtract": change(TOPIC, "alter-{v}", ("cleanup.policy", SUBTRACT, "delete")),
    "topic subtract what is not there": change(TOPIC, "alter-{v}", ("cleanup.policy", SUBTRACT, "delete")),
    "topic append to no list": change(TOPIC, "alter-{v}", ("retention.ms", APPEND, "1")),
    "topic remove": change(TOPIC, "alter-{v}", ("retention.bytes", REMOVE, None)),
    "topic remove what is not set": change(TOPIC, "alter-{v}", ("flush.ms", REMOVE, None)),
    "topic remove with a value": change(TOPIC, "alter-{v}", ("segment.ms", REMOVE, "abc")),
    "topic remove unknown": change(TOPIC, "alter-{v}", ("no.such.key", REMOVE, None)),
    "topic unknown key": change(TOPIC, "alter-{v}", ("no.such.key", SET, "1")),
    "topic bad value": change(TOPIC, "alter-{v}", ("retention.ms", SET, "abc")),
    "topic out of range": change(TOPIC, "alter-{v}", ("min.insync.replicas", SET, "0")),
    "topic null value": change(TOPIC, "alter-{v}", ("retention.ms", SET, None)),
    "topic empty value": change(TOPIC, "alter-{v}", ("retention.ms", SET, "")),
    "topic checked only": change(TOPIC, "alter-{v}", ("retention.ms", SET, "99"), check=True),
    "topic checked only, bad": change(TOPIC, "alter-{v}", ("retention.ms", SET, "x"), check=True),
    "topic a key twice": change(TOPIC, "alter-{v}", ("retention.ms", SET, "1"), ("retention.ms", SET, "2")),
    "topic no operations": change(TOPIC, "alter-{v}"),
    "topic unknown": change(TOPIC, "nowhere", ("retention.ms", SET, "1")),
    "topic bad name": change(TOPIC, "a/b", ("retention.ms", SET, "1")),
    "topic empty name": change(TOPIC, "", ("retention.ms", SET, "1")),
    "topic good and bad key": change(TOPIC, "alter-{v}", ("retention.ms", SET, "5"), ("segment.bytes", SET, "1")),
    "broker set": change(BROKER, "1", ("log.retention.ms", SET, "-1")),
    "broker set threads": change(BROKER, "1", ("log.cleaner.threads", SET, "2")),
    "broker threads far up": change(BROKER, "1", ("log.cleaner.threads", SET, "50")),
    "broker read-only key": change(BROKER, "1", ("node.id", SET, "7")),
    "broker unknown key": change(BROKER, "1", ("no.such.key", SET, "1")),
    "broker bad value": change(BROKER, "1", ("log.cleaner.threads", SET, "abc")),
    "broker null value": change(BROKER, "1", ("log.cleaner.threads", SET, None)),
    "broker append to no list": change(BROKER, "1", ("log.cleaner.threads", APPEND, "1")),
    "broker append unknown": change(BROKER, "1", ("no.such.key", APPEND, "1")),
    "broker append": change(BROKER, "1", ("log.cleanup.policy", APPEND, "compact")),
    "broker subtract": change(BROKER, "1", ("log.cleanup.policy", SUBTRACT, "compact")),
    "broker remove": change(BROKER, "1", ("log.cleaner.threads", REMOVE, None), ("log.cleanup.policy", REMOVE, None)),
    "broker unknown operation": change(BROKER, "1", ("log.cleaner.threads", 9, "1")),
    "broker another": change(BROKER, "9", ("log.cleaner.threads", SET, "1")),
    "broker no number": change(BROKER, "abc", ("log.cleaner.threads", SET, "1")),
    "broker checked only": change(BROKER, "1", ("log.cleaner.threads", SET, "2"), check=True),
    "default set": change(BROKER, "", ("message.max.bytes", SET, "2000000")),
    "default per-broker key": change(BROKER, "", ("listener.name.external.ssl.keystore.location", SET, "/x")),
    "default unprefixed security key": change(BROKER, "", ("ssl.keystore.location", SET, "/x")),
    "default read-only key": change(BROKER, "", ("process.roles", SET, "broker")),
    "default remove": change(BROKER, "", ("message.max.bytes", REMOVE, None)),
    "group set": change(GROUP, "group-{v}", ("consumer.session.timeout.ms", SET, "50000")),
    "group unknown key": change(GROUP, "group-{v}", ("no.such.key", SET, "1")),
    "group bad value": change(GROUP, "group-{v}", ("consumer.session.timeout.ms", SET, "abc")),
    "group out of range": change(GROUP, "group-{v}", ("consumer.session.timeout.ms", SET, "1")),
    "group empty name": change(GROUP, "", ("consumer.session.timeout.ms", SET, "50000")),
    "group remove": change(GROUP, "group-{v}", ("consumer.session.timeout.ms", REMOVE, None)),
    "metrics set": change(METRICS, "metrics-{v}", ("interval.ms", SET, "1000"), ("metrics", SET, "a.,b.")),
    "metrics bad interval": change(METRICS, "metrics-{v}", ("interval.ms", SET, "1")),
    "metrics unknown key": change(METRICS, "metrics-{v}", ("nope", SET, "1")),
    "metrics bad match": change(METRICS, "metrics-{v}", ("match", SET, "nonsense")),
    "metrics empty name": change(METRICS, "", ("interval.ms", SET, "1000")),
    "metrics remove": change(METRICS, "metrics-{v}", ("interval.ms", REMOVE, None), ("metrics", REMOVE, None)),
    "logger set": change(LOGGER, "1", ("root", SET, "INFO")),
    "logger unknown level": change(LOGGER, "1", ("root", SET, "LOUD")),
    "logger unknown logger": change(LOGGER, "1", ("no.such.logger", SET, "INFO")),
    "logger append": change(LOGGER, "1", ("root", APPEND, "INFO")),
    "logger subtract": change(LOGGER, "1", ("root", SUBTRACT, "INFO")),
    "logger root removed": change(LOGGER, "1", ("root", REMOVE, None)),
    "logger unknown operation": change(LOGGER, "1", ("root", 9, "INFO")),
    "logger of another broker": change(LOGGER, "9", ("root", SET, "INFO")),
    "logger of no number": change(LOGGER, "abc", ("root", SET, "INFO")),
    "logger checked only": change(LOGGER, "1", ("root", SET, "INFO"), check=True),
    "unknown type": change(3, "x", ("a", SET, "1")),
    "type zero": change(0, "x", ("a", SET, "1")),
    "nothing": {"resources": [], "validateOnly": False},
    "a resource twice": {"resources": change(TOPIC, "alter-{v}", ("retention.ms", SET, "1"))["resources"] * 2, "validateOnly": False},
    "two resources": {"resources": [*change(TOPIC, "alter-{v}", ("retention.ms", SET, "8"))["resources"],
                                    *change(TOPIC, "nowhere", ("retention.ms", SET, "8"))["resources"],
                                    *change(BROKER, "9", ("a", SET, "8"))["resources"]], "validateOnly": False},
}


def steps_with_looks(bodies):
    steps = []
    for name, body in bodies.items():
        steps.append({"case": name, "body": body})
        if name in ("topic remove with a value", "topic good and bad key"):
            steps.append({"case": f"after {name}", **look(TOPIC, "alter-{v}")})
        if name in ("broker append", "broker remove", "default set"):
            steps.append({"case": f"after {name}", **look(BROKER, "1", "log.cleanup.policy", "log.cleaner.threads", "message.max.bytes", "log.retention.ms")})
        if name == "default set":
            steps.append({"case": "topic after default set", **look(TOPIC, "alter-{v}", "max.message.bytes")})
            steps.append({"case": "cluster default after default set", **look(BROKER, "")})
        if name in ("group set", "group remove"):
            steps.append({"case": f"after {name}", **look(GROUP, "group-{v}")})
        if name in ("metrics set", "metrics remove"):
            steps.append({"case": f"after {name}", **look(METRICS, "metrics-{v}")})
    return steps


INCREMENTAL = {"api": "IncrementalAlterConfigs", "topics": {"alter-{v}": {}}, "steps": steps_with_looks(OPERATIONS)}


def replace(kind, name, check=False, **configs):
    return {"resources": [{"resourceType": kind, "resourceName": name, "configs": [
        {"name": key.replace("__", "."), "value": value} for key, value in configs.items()]}], "validateOnly": check}


LEGACY = {"api": "AlterConfigs", "topics": {"legacy-{v}": {}}, "steps": [
    {"case": "topic", "body": replace(TOPIC, "legacy-{v}", retention__ms="500", segment__ms="70000")},
    {"case": "after topic", **look(TOPIC, "legacy-{v}")},
    {"case": "topic replaced", "body": replace(TOPIC, "legacy-{v}", retention__ms="600")},
    {"case": "after topic replaced", **look(TOPIC, "legacy-{v}", "retention.ms", "segment.ms")},
    {"case": "topic checked only", "body": replace(TOPIC, "legacy-{v}", True, retention__ms="700")},
    {"case": "topic null", "body": replace(TOPIC, "legacy-{v}", retention__ms=None)},
    {"case": "topic bad value", "body": replace(TOPIC, "legacy-{v}", retention__ms="x")},
    {"case": "topic unknown key", "body": replace(TOPIC, "legacy-{v}", nope="x")},
    {"case": "topic cleared", "body": replace(TOPIC, "legacy-{v}")},
    {"case": "after topic cleared", **look(TOPIC, "legacy-{v}", "retention.ms")},
    {"case": "topic unknown", "body": replace(TOPIC, "nowhere", retention__ms="1")},
    {"case": "topic bad name", "body": replace(TOPIC, "a/b", retention__ms="1")},
    {"case": "topic empty name", "body": replace(TOPIC, "", retention__ms="1")},
    {"case": "a key twice", "body": {"resources": [{"resourceType": TOPIC, "resourceName": "legacy-{v}", "configs": [
        {"name": "retention.ms", "value": "1"}, {"name": "retention.ms", "value": "2"}]}], "validateOnly": False}},
    {"case": "broker", "body": replace(BROKER, "1", log__cleaner__threads="2")},
    {"case": "broker bad value", "body": replace(BROKER, "1", log__cleaner__threads="abc")},
    {"case": "broker read-only", "body": replace(BROKER, "1", node__id="7")},
    {"case": "broker cleared", "body": replace(BROKER, "1")},
    {"case": "broker another", "body": replace(BROKER, "9", log__cleaner__threads="2")},
    {"case": "broker no number", "body": replace(BROKER, "x", log__cleaner__threads="2")},
    {"case": "default", "body": replace(BROKER, "", message__max__bytes="3000000")},
    {"case": "default cleared", "body": replace(BROKER, "")},
    {"case": "group", "body": replace(GROUP, "legacy-group-{v}", consumer__session__timeout__ms="50000")},
    {"case": "group cleared", "body": replace(GROUP, "legacy-group-{v}")},
    {"case": "metrics", "body": replace(METRICS, "legacy-metrics-{v}", interval__ms="5000")},
    {"case": "metrics cleared", "body": replace(METRICS, "legacy-metrics-{v}")},
    {"case": "logger", "body": replace(LOGGER, "1", root="INFO")},
    {"case": "unknown type", "body": replace(3, "x", a="1")},
    {"case": "nothing", "body": {"resources": [], "validateOnly": False}},
    {"case": "a resource twice", "connection": "twice", "timeout_ms": 300,
     "body": {"resources": replace(TOPIC, "legacy-{v}", retention__ms="1")["resources"] * 2, "validateOnly": False}},
]}

RESOURCES = {"api": "ListConfigResources", "topics": {"listed": {"configs": {"retention.ms": "5"}}}, "steps": [
    {"api": "IncrementalAlterConfigs", "version": 1, "body": change(GROUP, "listed-group", ("consumer.session.timeout.ms", SET, "50000"))},
    {"api": "IncrementalAlterConfigs", "version": 1, "body": change(METRICS, "listed-metrics", ("interval.ms", SET, "5000")), "pause": 0.2},
    *({"case": name, "body": {"resourceTypes@1-": types}, "versions": versions, "settle": True, "any_order": ["configResources"], "why": HASHED}
      for name, types, versions in [
          ("all", [], "0-"), ("topics", [TOPIC], "1-"), ("brokers", [BROKER], "1-"), ("loggers", [LOGGER], "1-"), ("client metrics", [METRICS], "1-"),
          ("groups", [GROUP], "1-"), ("brokers and groups", [GROUP, BROKER], "1-"), ("a type twice", [BROKER, BROKER], "1-"), ("unknown type", [3], "1-"),
          ("type zero", [0], "1-"), ("known and unknown", [BROKER, 99], "1-"), ("negative type", [-1], "1-")]),
]}


def dirs(*topics):
    return {"topics": None if topics == (None,) else [{"topic": name, "partitions": list(indexes)} for name, indexes in topics]}


DIRS = {"api": "DescribeLogDirs", "topics": {"dirs": {"partitions": 2}}, "steps": [
    {"case": name, "body": body, "any_order": ["results.topics", "results.topics.partitions"], "why": HASHED} for name, body in {
        "one": dirs(("dirs", [0])), "two": dirs(("dirs", [1, 0])), "unknown topic": dirs(("nowhere", [0])), "unknown partition": dirs(("dirs", [9])),
        "none": dirs(), "known and unknown": dirs(("dirs", [0, 9]), ("nowhere", [0])), "bad name": dirs(("a/b", [0])),
        "all": dirs(None)}.items()]}

WALKS = [CLUSTER, API_VERSIONS, QUORUM, FEATURES, DESCRIBE, INCREMENTAL, LEGACY, RESOURCES, DIRS]
