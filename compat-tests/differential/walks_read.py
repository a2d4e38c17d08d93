"""Fetch with its sessions, ListOffsets, OffsetForLeaderEpoch, DeleteRecords, DescribeProducers."""

from harness import batches

from .walks_produce import GZIP, NO_ID, UNKNOWN_ID, plain, produce

DATA = "read-data"
EMPTY = "read-empty"
TIMES = "read-times"


def put(records, topic=DATA, partition=0):
    return {"api": "Produce", "version": 9, "body": produce(records, topic=topic, partition=partition)}


def batch_at(timestamp, count=2, step=10, **options):
    return batches.batch([batches.record(n, b"k", b"v%d" % n, timestamp_delta=n * step) for n in range(count)],
                         timestamp=timestamp, max_timestamp=timestamp + (count - 1) * step, **options)


# Made once, by a walk of its own at one version.
FILL = {"api": "ApiVersions", "name": "Fill", "versions": "0", "topics": {
    DATA: {"partitions": 3}, EMPTY: {"partitions": 1}, TIMES: {"partitions": 2}}, "steps": [
        put(plain(3)), put(GZIP), put(plain(4)), put(plain(5), partition=1),
        put(batch_at(1000), TIMES), put(batch_at(3000, 3), TIMES), put(batch_at(2000), TIMES),
        put(batch_at(5000, 3, -10), TIMES), put(batch_at(4000), TIMES, 1)]}


def part(index=0, offset=0, epoch=-1, max_bytes=1 << 20, last_epoch=-1, **more):
    return {"partition": index, "currentLeaderEpoch@9-": epoch, "fetchOffset": offset, "logStartOffset@5-": -1,
            "lastFetchedEpoch@12-": last_epoch, "partitionMaxBytes": max_bytes, **more}


def topic(name, *parts, topic_id=None):
    return {"topic@-12": name, "topicId@13-": topic_id or {"$id": name}, "partitions": list(parts)}


def fetch(*topics, wait=0, min_bytes=0, max_bytes=1 << 24, isolation=0, session=0, epoch=-1, forgotten=(), replica=None):
    body = {"maxWaitMs": wait, "minBytes": min_bytes, "maxBytes": max_bytes, "isolationLevel": isolation,
            "sessionId@7-": session, "sessionEpoch@7-": epoch, "topics": list(topics),
            "forgottenTopicsData@7-": list(forgotten), "rackId@11-": "", "replicaId@-14": -1 if replica is None else replica}
    if replica is not None:
        body["replicaState@15-"] = {"replicaId": replica, "replicaEpoch": 1}
    return body


def forget(name, *partitions):
    return {"topic@-12": name, "topicId@13-": {"$id": name}, "partitions": list(partitions)}


def f(name, *topics, **options):
    extra = {key: options.pop(key) for key in ("versions", "save", "settle", "ignore", "any_order", "why", "connection") if key in options}
    return {"case": name, "body": fetch(*topics, **options), **extra}


SESSION = {"$saved": "session"}
FETCH = {"api": "Fetch", "topics": {"session-{v}": {"partitions": 3}, "gone-{v}": {"partitions": 1}}, "steps": [
    f("from the start", topic(DATA, part())),
    f("from inside a batch", topic(DATA, part(0, 1))),
    f("from inside a compressed batch", topic(DATA, part(0, 4))),
    f("the last offset", topic(DATA, part(0, 9))),
    f("the end", topic(DATA, part(0, 10))),
    f("beyond the end", topic(DATA, part(0, 11))),
    f("far beyond the end", topic(DATA, part(0, 1 << 60))),
    f("a negative offset", topic(DATA, part(0, -1))),
    f("an empty partition", topic(EMPTY, part())),
    f("an empty partition beyond", topic(EMPTY, part(0, 1))),
    f("one byte gives a whole batch", topic(DATA, part(max_bytes=1))),
    f("no bytes", topic(DATA, part(max_bytes=0))),
    f("negative bytes", topic(DATA, part(max_bytes=-1))),
    f("max bytes one", topic(DATA, part(), part(1)), max_bytes=1),
    f("max bytes zero", topic(DATA, part(), part(1)), max_bytes=0),
    f("max bytes for the first only", topic(DATA, part(), part(1)), max_bytes=150),
    f("all partitions", topic(DATA, part(), part(1), part(2)), topic(EMPTY, part())),
    f("partitions in another order", topic(DATA, part(2), part(0)), topic(EMPTY, part()), topic(DATA, part(1))),
    f("a partition twice", topic(DATA, part(0, 0), part(0, 3))),
    f("read committed", topic(DATA, part()), isolation=1),
    f("read committed at the end", topic(DATA, part(0, 10)), isolation=1),
    f("isolation 2", topic(DATA, part()), isolation=2),
    f("unknown partition", topic(DATA, part(7))),
    f("negative partition", topic(DATA, part(-1))),
    f("unknown topic", topic("nowhere", part(), topic_id=UNKNOWN_ID)),
    f("zero id", topic("", part(), topic_id=NO_ID)),
    f("unknown beside known", topic("nowhere", part(), topic_id=UNKNOWN_ID), topic(DATA, part())),
    f("epoch zero", topic(DATA, part(epoch=0)), versions="9-"),
    f("epoch too high", topic(DATA, part(epoch=5)), versions="9-"),
    f("last fetched epoch zero", topic(DATA, part(0, 3, last_epoch=0)), versions="12-"),
    f("last fetched epoch too high", topic(DATA, part(0, 3, epoch=0, last_epoch=4)), versions="12-"),
    f("no topics", ),
    f("wait for nothing", topic(EMPTY, part()), wait=30, min_bytes=1),
    f("wait beside an unknown topic", topic("nowhere", part(), topic_id=UNKNOWN_ID), topic(EMPTY, part()), wait=60, min_bytes=1),
    f("wait with data does not wait", topic(DATA, part()), wait=8000, min_bytes=1),
    f("min bytes more than there are", topic(DATA, part()), wait=50, min_bytes=1 << 20),
    f("a follower that is none", topic(DATA, part()), replica=5),
    f("a debugging replica", topic(DATA, part()), replica=-2),
    # Sessions: KIP-227.
    f("session begins", topic("session-{v}", part(0), part(1)), epoch=0, versions="7-", save={"session": "sessionId"}),
    f("session without news", session=SESSION, epoch=1, versions="7-"),
    {"api": "Produce", "version": 9, "body": produce(plain(2), topic="session-{v}"), "versions": "7-"},
    f("session with news", session=SESSION, epoch=2, versions="7-"),
    f("session moves on", topic("session-{v}", part(0, 2)), session=SESSION, epoch=3, versions="7-"),
    f("session adds a partition", topic("session-{v}", part(2)), session=SESSION, epoch=4, versions="7-"),
    f("session forgets a partition", forgotten=[forget("session-{v}", 1)], session=SESSION, epoch=5, versions="7-"),
    f("session with an unknown partition", topic("session-{v}", part(9)), session=SESSION, epoch=6, versions="7-"),
    f("session repeats the error", session=SESSION, epoch=7, versions="7-"),
    f("session with an unknown topic", topic("nowhere", part(), topic_id=UNKNOWN_ID), session=SESSION, epoch=8, versions="7-"),
    f("session with unknown again", session=SESSION, epoch=9, versions="7-"),
    f("session epoch too high", session=SESSION, epoch=99, versions="7-"),
    f("session epoch repeated", session=SESSION, epoch=9, versions="7-"),
    f("session reads beyond", topic("session-{v}", part(0, 50)), session=SESSION, epoch=10, versions="7-"),
    f("session after an error", topic("session-{v}", part(0, 0)), session=SESSION, epoch=11, versions="7-"),
    f("session forgets all", forgotten=[forget("session-{v}", 0, 2, 9), {"topic@-12": "nowhere", "topicId@13-": UNKNOWN_ID, "partitions": [0]}],
      session=SESSION, epoch=12, versions="7-"),
    f("session closes", session=SESSION, epoch=-1, versions="7-"),
    f("session is gone", session=SESSION, epoch=13, versions="7-"),
    f("unknown session", session=123456, epoch=1, versions="7-"),
    f("unknown session closed", topic(DATA, part()), session=123456, epoch=-1, versions="7-"),
    f("session id without an epoch", session=0, epoch=5, versions="7-"),
    f("full fetch with an unknown session", topic(DATA, part()), session=123456, epoch=0, versions="7-"),
    # KIP-227 with a topic that goes.
    f("session over a topic", topic("gone-{v}", part(0)), epoch=0, versions="7-", save={"session": "sessionId"}),
    {"api": "DeleteTopics", "version": 4, "body": {"topicNames": ["gone-{v}"], "timeoutMs": 30000}, "versions": "7-", "pause": 0.3},
    f("session whose topic is gone", session=SESSION, epoch=1, versions="7-"),
    f("session whose topic is gone again", session=SESSION, epoch=2, versions="7-"),
]}


def lookup(*partitions, topic_name=DATA, isolation=0, replica=-1):
    return {"replicaId": replica, "isolationLevel@2-": isolation, "timeoutMs@10-": 1000, "topics": [
        {"name": topic_name, "partitions": [
            {"partitionIndex": index, "timestamp": time, "currentLeaderEpoch@4-": epoch} for index, time, epoch in partitions]}]}


def lo(name, time, topic_name=DATA, index=0, epoch=-1, versions=None, **options):
    return {"case": name, "body": lookup((index, time, epoch), topic_name=topic_name, **options), **({"versions": versions} if versions else {})}


LIST_OFFSETS = {"api": "ListOffsets", "steps": [
    lo("latest", -1), lo("earliest", -2), lo("max timestamp", -3), lo("earliest local", -4), lo("latest tiered", -5),
    lo("earliest pending upload", -6), lo("special -7", -7), lo("special -100", -100), lo("smallest", -(1 << 63)),
    lo("latest of an empty one", -1, EMPTY), lo("earliest of an empty one", -2, EMPTY),
    lo("max timestamp of an empty one", -3, EMPTY), lo("time in an empty one", 5, EMPTY),
    lo("latest committed", -1, isolation=1), lo("earliest committed", -2, isolation=1), lo("max timestamp committed", -3, isolation=1),
    lo("isolation 2", -1, isolation=2),
    lo("time zero", 0, TIMES), lo("before all", 999, TIMES), lo("the first", 1000, TIMES), lo("inside a batch", 1001, TIMES),
    lo("the last of a batch", 1010, TIMES), lo("between batches", 1011, TIMES), lo("inside the second", 3011, TIMES),
    lo("out of order", 3021, TIMES), lo("falling times", 4985, TIMES), lo("the largest", 5000, TIMES), lo("after all", 5001, TIMES),
    lo("max timestamp out of order", -3, TIMES), lo("earliest of times", -2, TIMES), lo("second partition", 3000, TIMES, 1),
    lo("time committed", 3000, TIMES, isolation=1),
    lo("inside a gzip batch", 1_700_000_000_000), lo("largest time", (1 << 63) - 1),
    lo("unknown partition", -1, index=9), lo("negative partition", -1, index=-1), lo("unknown topic", -1, "nowhere"),
    lo("bad topic name", -1, "a/b"), lo("empty topic name", -1, ""),
    lo("epoch zero", -1, epoch=0, versions="4-"), lo("epoch too high", -1, epoch=5, versions="4-"),
    lo("epoch too high for a time", 5, epoch=5, versions="4-"), lo("epoch -2", -1, epoch=-2, versions="4-"),
    lo("a debugging replica", -1, replica=-2), lo("a follower that is none", -1, replica=5), lo("replica -3", -1, replica=-3),
    {"case": "several partitions", "body": lookup((2, -1, -1), (0, -2, -1), (1, -1, -1)), "any_order": ["topics.partitions"],
     "why": "the reference groups by hash maps"},
    {"case": "a partition twice", "body": lookup((0, -1, -1), (0, -2, -1))},
    {"case": "no topics", "body": {"replicaId": -1, "topics": []}},
    {"case": "no partitions", "body": {"replicaId": -1, "topics": [{"name": DATA, "partitions": []}]}},
]}


def epochs(name, topic_name, index, epoch, current=-1, replica=-1, versions=None):
    return {"case": name, "body": {"replicaId@3-": replica, "topics": [{"topic": topic_name, "partitions": [
        {"partition": index, "currentLeaderEpoch": current, "leaderEpoch": epoch}]}]}, **({"versions": versions} if versions else {})}


EPOCHS = {"api": "OffsetForLeaderEpoch", "steps": [
    epochs("current", DATA, 0, 0), epochs("newer", DATA, 0, 5), epochs("negative", DATA, 0, -1), epochs("very negative", DATA, 0, -7),
    epochs("largest", DATA, 0, 2147483647), epochs("empty", EMPTY, 0, 0), epochs("empty newer", EMPTY, 0, 1),
    epochs("leader epoch right", DATA, 0, 0, current=0), epochs("leader epoch too high", DATA, 0, 0, current=3),
    epochs("leader epoch -2", DATA, 0, 0, current=-2),
    epochs("unknown topic", "nowhere", 0, 0), epochs("unknown partition", DATA, 9, 0), epochs("negative partition", DATA, -1, 0),
    epochs("bad name", "a/b", 0, 0),
    epochs("a debugging replica", DATA, 0, 0, replica=-2, versions="3-"), epochs("a follower", DATA, 0, 0, replica=5, versions="3-"),
    {"case": "no topics", "body": {"topics": []}},
    {"case": "no partitions", "body": {"topics": [{"topic": DATA, "partitions": []}]}},
    {"case": "several", "body": {"topics": [{"topic": DATA, "partitions": [
        {"partition": 2, "leaderEpoch": 0}, {"partition": 0, "leaderEpoch": 0}]}, {"topic": "nowhere", "partitions": [
            {"partition": 0, "leaderEpoch": 0}]}, {"topic": EMPTY, "partitions": [{"partition": 0, "leaderEpoch": 0}]}]},
     "any_order": ["topics", "topics.partitions"], "why": "the reference groups by hash maps"},
]}


def cut(name, offset, topic_name="cut-{v}", index=0):
    return {"case": name, "body": {"timeoutMs": 1000, "topics": [{"name": topic_name, "partitions": [
        {"partitionIndex": index, "offset": offset}]}]}}


DELETE_RECORDS = {"api": "DeleteRecords", "topics": {
    "cut-{v}": {"partitions": 2}, "cut-compact-{v}": {"configs": {"cleanup.policy": "compact"}},
    "cut-both-{v}": {"configs": {"cleanup.policy": "compact,delete"}}}, "steps": [
        put(plain(3), "cut-{v}"), put(plain(4), "cut-{v}"), put(plain(4), "cut-compact-{v}"), put(plain(4), "cut-both-{v}"),
        cut("inside a batch", 2), cut("backwards", 1), cut("the same", 2), cut("beyond the end", 8), cut("negative", -2),
        f_check := {"case": "fetch below the start", "api": "Fetch", "version": 11, "body": {
            "replicaId": -1, "maxWaitMs": 0, "minBytes": 0, "maxBytes": 1 << 20, "isolationLevel": 0, "sessionId": 0, "sessionEpoch": -1,
            "forgottenTopicsData": [], "rackId": "", "topics": [{"topic": "cut-{v}", "partitions": [
                {"partition": 0, "currentLeaderEpoch": -1, "fetchOffset": 1, "logStartOffset": -1, "partitionMaxBytes": 1000}]}]}},
        {"case": "earliest after it", "api": "ListOffsets", "version": 7, "body": lookup((0, -2, -1), topic_name="cut-{v}")},
        cut("the high watermark", -1), cut("again the high watermark", -1),
        {"case": "produce after it", "api": "Produce", "version": 9, "body": produce(plain(2), topic="cut-{v}")},
        {"case": "fetch after it", **{key: value for key, value in f_check.items() if key != "case"}},
        cut("an empty partition", 0, index=1), cut("an empty partition beyond", 1, index=1),
        cut("unknown partition", 0, index=9), cut("negative partition", 0, index=-1), cut("unknown topic", 0, "nowhere"),
        cut("bad name", 0, "a/b"), cut("compacted", 1, "cut-compact-{v}"), cut("compacted and deleted", 1, "cut-both-{v}"),
        {"case": "several", "body": {"timeoutMs": 1000, "topics": [
            {"name": "cut-{v}", "partitions": [{"partitionIndex": 0, "offset": 8}, {"partitionIndex": 1, "offset": 0}]},
            {"name": "nowhere", "partitions": [{"partitionIndex": 0, "offset": 0}]}]},
         "any_order": ["topics", "topics.partitions"], "why": "the reference groups by hash maps"},
        {"case": "no topics", "body": {"timeoutMs": 1000, "topics": []}},
    ]}

PRODUCERS = {"api": "DescribeProducers", "topics": {"producers": {"partitions": 2}}, "steps": [
    put(plain(2, producer=(500, 1, 0)), "producers"), put(plain(2, producer=(500, 1, 2)), "producers"), put(plain(3, producer=(501, 0, 7)), "producers"),
    {"case": "active producers", "body": {"topics": [{"name": "producers", "partitionIndexes": [0, 1]}]},
     "any_order": ["topics.partitions.activeProducers"], "why": "a hash map of producers"},
    {"case": "unknown partition", "body": {"topics": [{"name": "producers", "partitionIndexes": [5, -1]}]}},
    {"case": "unknown topic", "body": {"topics": [{"name": "nowhere", "partitionIndexes": [0]}]}},
    {"case": "bad name", "body": {"topics": [{"name": "a/b", "partitionIndexes": [0]}]}},
    {"case": "long name", "body": {"topics": [{"name": "x" * 250, "partitionIndexes": [0]}]}},
    {"case": "no partitions", "body": {"topics": [{"name": "producers", "partitionIndexes": []}]}},
    {"case": "no topics", "body": {"topics": []}},
]}

WALKS = [FILL, FETCH, LIST_OFFSETS, EPOCHS, DELETE_RECORDS, PRODUCERS]
