"""Transactional producers over raw connections, one request at a time."""

import time

from . import batches, messages, raw

NONE, TIMED_OUT, LOADING, NOT_AVAILABLE, NOT_COORDINATOR = 0, 7, 14, 15, 16
ILLEGAL_GENERATION, UNKNOWN_MEMBER, OUT_OF_ORDER, DUPLICATE_SEQUENCE, INVALID_EPOCH, INVALID_STATE = 22, 25, 45, 46, 47, 48
INVALID_MAPPING, INVALID_TIMEOUT, CONCURRENT, FENCED_INSTANCE, INVALID_RECORD = 49, 50, 51, 82, 87
UNSTABLE_OFFSET, PRODUCER_FENCED, ABORTABLE = 88, 90, 120
TRANSACTIONAL = 0x10
PASSING = (LOADING, NOT_AVAILABLE, NOT_COORDINATOR)
SECONDS_MAX = 30


def patient(ask, *codes):
    """What `ask` gives when it is none of `codes` any more."""
    deadline = time.monotonic() + SECONDS_MAX
    while True:
        answer = ask()
        code = answer["errorCode"] if isinstance(answer, dict) else answer
        if code not in codes or time.monotonic() > deadline:
            return answer
        time.sleep(0.02)


class Producer:
    def __init__(self, port, name, timeout_ms=60000):
        self.name, self.timeout_ms = name, timeout_ms
        self.connection = messages.Connection(port, seconds=40)
        self.id, self.epoch = -1, -1
        self.sequences = {}
        patient(lambda: self.connection.call("FindCoordinator", 4, keyType=1, coordinatorKeys=[name])["coordinators"][0], *PASSING)

    def close(self):
        self.connection.close()

    def init_once(self, version=5, **other):
        answer = patient(lambda: self.connection.call("InitProducerId", version, transactionalId=self.name,
                                                      **{"transactionTimeoutMs": self.timeout_ms, **other}), *PASSING)
        if answer["errorCode"] == NONE:
            self.become(answer)
        return answer["errorCode"]

    def init(self, **other):
        return patient(lambda: self.init_once(**other), CONCURRENT)

    def become(self, answer):
        self.id, self.epoch = answer["producerId"], answer["producerEpoch"]
        self.sequences = {}

    @property
    def me(self):
        return {"transactionalId": self.name, "producerId": self.id, "producerEpoch": self.epoch}

    def add_once(self, *places, version=3, **other):
        """The codes of (topic, partition)s. From v4 on with verifyOnly=..."""
        topics = [{"name": topic, "partitions": [partition]} for topic, partition in places]
        if version < 4:
            answer = self.connection.call("AddPartitionsToTxn", version, v3AndBelowTransactionalId=self.name,
                                          v3AndBelowProducerId=self.id, v3AndBelowProducerEpoch=self.epoch, v3AndBelowTopics=topics)
            found = answer["resultsByTopicV3AndBelow"]
        else:
            answer = self.connection.call("AddPartitionsToTxn", version, transactions=[{**self.me, "topics": topics, **other}])
            found = answer["resultsByTransaction"][0]["topicResults"]
        return [partition["partitionErrorCode"] for topic in found for partition in topic["resultsByPartition"]]

    def add(self, *places, version=3):
        return patient(lambda: self.add_once(*places, version=version)[0], CONCURRENT)

    def produce_once(self, topic, *values, partition=0, version=7, sequence=None, attributes=TRANSACTIONAL, timestamp=None):
        """(code, base offset)."""
        first = self.sequences.get((topic, partition), 0) if sequence is None else sequence
        records = [batches.record(n, None, value.encode()) for n, value in enumerate(values)]
        batch = batches.batch(records, attributes=attributes, producer=(self.id, self.epoch, first),
                              timestamp=timestamp or int(time.time() * 1000))
        name = self.name if attributes & TRANSACTIONAL else None
        answer = self.connection.call("Produce", version, transactionalId=name, acks=-1, timeoutMs=30000,
                                      topicData=[{"name": topic, "partitionData": [{"index": partition, "records": batch}]}])
        result = answer["responses"][0]["partitionResponses"][0]
        if result["errorCode"] == NONE and sequence is None:
            self.sequences[topic, partition] = first + len(values)
        return result["errorCode"], result["baseOffset"]

    def produce(self, topic, *values, **other):
        deadline = time.monotonic() + SECONDS_MAX
        while True:
            result = self.produce_once(topic, *values, **other)
            if result[0] not in (CONCURRENT, raw.NOT_LEADER_OR_FOLLOWER, *PASSING) or time.monotonic() > deadline:
                return result
            time.sleep(0.02)

    def add_offsets(self, group, version=3):
        return patient(lambda: self.connection.call("AddOffsetsToTxn", version, groupId=group, **self.me)["errorCode"],
                       CONCURRENT, *PASSING)

    def commit_offset(self, group, topic, offset, version=3, **other):
        topics = [{"name": topic, "partitions": [{"partitionIndex": 0, "committedOffset": offset, "committedMetadata": ""}]}]

        def ask():
            answer = self.connection.call("TxnOffsetCommit", version, groupId=group, topics=topics, **self.me, **other)
            return answer["topics"][0]["partitions"][0]["errorCode"]

        return patient(ask, CONCURRENT, *PASSING)

    def end_once(self, commit, version=4, **other):
        """The whole answer."""
        return self.connection.call("EndTxn", version, committed=commit, **{**self.me, **other})

    def end(self, commit, version=4):
        answer = patient(lambda: self.end_once(commit, version), CONCURRENT, *PASSING)
        if version >= 5 and answer["errorCode"] == NONE:
            self.become(answer)
        return answer["errorCode"]

    def describe(self):
        return self.connection.call("DescribeTransactions", 0, transactionalIds=[self.name])["transactionStates"][0]

    def wait_for_state(self, state):
        assert raw.eventually(lambda: self.describe()["transactionState"] == state), self.describe()


def stable(connection, topic, partition=0):
    """The values that read_committed may see, and the last stable offset, by Fetch v4 and its aborted list."""
    answer = connection.call("Fetch", 4, maxWaitMs=0, minBytes=0, maxBytes=1 << 24, isolationLevel=1, topics=[
        {"topic": topic, "partitions": [{"partition": partition, "fetchOffset": 0, "partitionMaxBytes": 1 << 24}]}])
    part = answer["responses"][0]["partitions"][0]
    assert part["errorCode"] == NONE, part
    aborted = sorted((each["firstOffset"], each["producerId"]) for each in part["abortedTransactions"] or [])
    values, dropping = [], set()
    for batch in batches.split(part["records"] or b""):
        base, producer = batches.base_offset(batch), int.from_bytes(batch[43:51], "big", signed=True)
        while aborted and aborted[0][0] <= base:
            dropping.add(aborted.pop(0)[1])
        if batches.is_control(batch):
            dropping.discard(producer)
        elif producer not in dropping:
            values += [value.decode() for _, _, value in batches.records_of(batch)]
    return values, part["lastStableOffset"]
