"""Turns between Apache Kafka and Dohle on one directory, stopped and killed: each reads what the other left, record by
record, batch by batch and config by config, goes on writing, and kafka-dump-log finds nothing to complain about."""

import itertools
import struct
import time

import pytest

from harness import batches, clients, dump_log, raw, toolchain

SUITE = "swap-core"
# After a kill -9 the reference's controller waits for the old incarnation's session to end.
PROPERTIES = {"broker.session.timeout.ms": "2000", "broker.heartbeat.interval.ms": "500", "log.cleaner.backoff.ms": "500",
              "log.segment.delete.delay.ms": "500", "log.initial.task.delay.ms": "300",
              "log.flush.start.offset.checkpoint.interval.ms": "300"}
# How the server of each turn ends; together with two kinds of server every pair occurs in four turns.
IS_KILLED = (False, True, True, False)

DELETE_RECORDS, DESCRIBE_CONFIGS, INCREMENTAL_ALTER_CONFIGS = 21, 32, 44
TOPIC, BROKER, GROUP = 2, 4, 32
UNSUPPORTED_COMPRESSION_TYPE = 76
SEGMENT_BYTES = 1 << 20
RECORDS_PER_TURN = 40

# Each with what its configs do to records; written by a client with the codec of that name, or with none.
TOPICS = {
    **{codec: {} for codec in clients.CODECS},
    "append-time": {"message.timestamp.type": "LogAppendTime"},
    "to-gzip": {"compression.type": "gzip", "compression.gzip.level": "9"},
    "to-zstd": {"compression.type": "zstd", "compression.zstd.level": "3"},
    "small-segments": {"segment.bytes": SEGMENT_BYTES, "index.interval.bytes": "512"},
    "cut": {"segment.bytes": SEGMENT_BYTES},
    "retained": {"retention.ms": "123456789", "retention.bytes": "987654321", "min.insync.replicas": "1"},
}
COMPACTED = {"cleanup.policy": "compact", "segment.ms": "1000", "min.cleanable.dirty.ratio": "0.01"}


def delete_records(connection, topic, offset):
    body = raw.array([raw.string(topic) + raw.array([struct.pack(">iq", 0, offset)])]) + struct.pack(">i", 30000)
    answer = connection.request(DELETE_RECORDS, 1, body)
    answer.take("i")
    found = []
    answer.array(lambda: (answer.string(), answer.array(lambda: found.append(answer.take("iqh")))))
    assert found == [(0, offset, 0)]


def delete_topic(connection, name):
    answer = connection.request(raw.DELETE_TOPICS, 3, raw.array([raw.string(name)]) + struct.pack(">i", 30000))
    answer.take("i")
    assert answer.array(lambda: (answer.string(), answer.take("h"))) == [(name, 0)]


def alter_configs(connection, kind, name, **changes):
    """None deletes a key; underscores stand for dots."""
    configs = [raw.string(key.replace("_", ".")) + struct.pack(">b", 1 if value is None else 0) + raw.string(value)
               for key, value in changes.items()]
    body = raw.array([struct.pack(">b", kind) + raw.string(name) + raw.array(configs)]) + b"\0"
    answer = connection.request(INCREMENTAL_ALTER_CONFIGS, 0, body)
    answer.take("i")
    results = answer.array(lambda: (answer.take("h"), answer.string(), answer.take("b"), answer.string()))
    assert [result[0] for result in results] == [0], results


def describe_configs(connection, resources):
    """{(type, name, key): (value, read only, source, sensitive, synonyms, type)} by DescribeConfigs v3."""
    asked = [struct.pack(">b", kind) + raw.string(name) + struct.pack(">i", -1) for kind, name in resources]
    answer = connection.request(DESCRIBE_CONFIGS, 3, raw.array(asked) + b"\x01\x00")
    answer.take("i")

    def synonym():
        return answer.string(), answer.string(), answer.take("b")

    def config():
        key = answer.string()
        value = (answer.string(), *answer.take("?b?"), tuple(answer.array(synonym)), answer.take("b"))
        answer.string()
        return key, value

    def resource():
        error, message, kind, name = answer.take("h"), answer.string(), answer.take("b"), answer.string()
        assert error == 0, (kind, name, error, message)
        return [((kind, name, key), value) for key, value in answer.array(config)]

    described = dict(itertools.chain.from_iterable(answer.array(resource)))
    answer.end()
    return described


class Story:
    """What was done to the directory so far, and so what each server must find in it."""

    def __init__(self, server, java, folder, tools):
        self.server, self.java, self.folder, self.tools = server, java, folder, tools
        self.records = {name: [] for name in TOPICS}  # (key, value, headers), by offset
        self.compacted = {}  # key: (offset, value) of its last record
        self.compacted_end = 0
        self.cut_at = 0
        self.producers = {}  # (id, epoch): the batch, sequence and offset of its last
        self.gone = []
        self.configs = {}
        self.batches = {}
        self.ids = {}
        self.epochs = {}

    # -- writing ---------------------------------------------------------------------------------------------------

    def begin(self, connection):
        for name, configs in TOPICS.items():
            connection.create_topic(name, configs=configs)
        connection.create_topic("compacted", configs=COMPACTED)
        connection.create_topic("producers", partitions=3)

    def write(self, connection, turn):
        for name in TOPICS:
            self.write_records(name, turn)
        for size in range(3):
            padding = batches.batch([batches.record(0, b"padding", b"x" * 400_000)], timestamp=self.now())
            self.records["small-segments"].append((b"padding", b"x" * 400_000, []))
            assert connection.produce("small-segments", padding) == (0, len(self.records["small-segments"]) - 1), size
        self.cut_at += RECORDS_PER_TURN // 2
        delete_records(connection, "cut", self.cut_at)
        self.write_compacted(connection, turn)
        self.write_as_producers(connection)
        self.change_topics(connection, turn)
        self.change_configs(connection, turn)

    def write_records(self, name, turn):
        wanted = [(f"{turn}/{n}".encode() if n % 5 else None, f"{name} {turn} {'Dohle ' * (n % 7)}{n}".encode() if n % 7 else b"",
                   [("turn", str(turn).encode()), ("empty", b""), ("null", None)] if n % 3 == 0 else [])
                  for n in range(RECORDS_PER_TURN)]
        offsets = self.java.produce(self.folder, self.server.bootstrap, name, wanted, name if name in clients.CODECS else "none")
        first = len(self.records[name])
        assert offsets == list(range(first, first + len(wanted)))
        self.records[name] += wanted

    def write_compacted(self, connection, turn):
        for n in range(10):
            key, value = b"key %d" % (n if n < 5 else n * 1000 + turn), b"value %d of %d" % (n, turn)
            batch = batches.batch([batches.record(0, key, value)], timestamp=self.now())
            assert connection.produce("compacted", batch) == (0, self.compacted_end)
            self.compacted[key] = (self.compacted_end, value)
            self.compacted_end += 1

    def write_as_producers(self, connection):
        fresh = connection.init_producer_id()
        assert fresh[1] == 0 and all(fresh[0] > known[0] for known in self.producers), "producer ids are not given out twice"
        self.producers[fresh] = None
        for producer, last in self.producers.items():
            sequence = 0 if last is None else last["sequence"] + 3
            partition = producer[0] % 3
            batch = batches.batch([batches.record(n, b"k", b"%d" % n) for n in range(3)], producer=(*producer, sequence), timestamp=self.now())
            error, offset = connection.produce("producers", batch, partition)
            assert error == 0
            self.producers[producer] = {"batch": batch, "sequence": sequence, "offset": offset, "partition": partition}

    def change_topics(self, connection, turn):
        """One topic that is deleted in its turn, one that the next server deletes, one that comes again under its name."""
        for name in self.gone[-1:] if turn else []:
            delete_topic(connection, name)
        if turn:
            delete_topic(connection, "again")
        connection.create_topic("again", partitions=1 + turn % 3)
        self.records["again"] = []
        connection.create_topic(f"short-lived-{turn}")
        connection.create_topic(f"next-turn-{turn}", configs={"retention.ms": str(1000000 + turn)})
        for name in ("again", f"short-lived-{turn}", f"next-turn-{turn}"):
            batch = batches.batch([batches.record(0, b"turn", b"%d" % turn)], timestamp=self.now())
            assert connection.produce(name, batch) == (0, 0)
        self.records["again"].append((b"turn", b"%d" % turn, []))
        delete_topic(connection, f"short-lived-{turn}")
        self.gone += [f"short-lived-{turn}", f"next-turn-{turn}"]

    def change_configs(self, connection, turn):
        alter_configs(connection, TOPIC, "retained", retention_ms=str(200_000_000 + turn), max_message_bytes=None if turn % 2 else "1000000",
                      preallocate="true" if turn % 3 == 1 else None)
        alter_configs(connection, BROKER, "", log_retention_ms=str(300_000_000 + turn))
        alter_configs(connection, BROKER, "1", message_max_bytes=None if turn % 2 else str(2_000_000 + turn))
        alter_configs(connection, GROUP, "some-group", consumer_session_timeout_ms=str(45_000 + turn))

    @staticmethod
    def now():
        # A state is thrown away at its loading if its last batch is older than producer.id.expiration.ms: so, now.
        return int(time.time() * 1000)

    # -- remembering, and finding it again -------------------------------------------------------------------------

    def resources(self, turn):
        names = [*TOPICS, "compacted", "producers", "again", f"next-turn-{turn}"]
        return [(TOPIC, name) for name in names] + [(BROKER, ""), (BROKER, "1"), (GROUP, "some-group")]

    def stored_batches(self, connection):
        """As they are sent: with base offset, leader epoch and all. Fetch v4 is refused where a topic wants zstd."""
        names = [name for name in self.records if name != "to-zstd"]
        found = {name: connection.read_all(name, self.cut_at if name == "cut" else 0) for name in names}
        for partition in range(3):
            found["producers", partition] = connection.read_all("producers", partition=partition)
        return found

    def remember(self, connection, turn):
        # Where a log starts is written down now and then, not at once; a kill -9 takes back what is not.
        checkpoint = self.server.data / "log-start-offset-checkpoint"
        assert raw.eventually(lambda: f"cut 0 {self.cut_at}" in checkpoint.read_text().splitlines())
        self.configs = raw.eventually(lambda: self.configs_with_changes(connection, turn))
        self.batches = self.stored_batches(connection)
        self.ids = {path.parent.name: path.read_text() for path in self.server.data.glob("*-[0-9]/partition.metadata")
                    if not path.parent.name.endswith("-delete")}
        assert {f"{name}-0" for name in self.records} < set(self.ids)

    def configs_with_changes(self, connection, turn):
        """Nothing before the broker has taken the changes of its own configs over, which Kafka does behind its answer."""
        described = describe_configs(connection, self.resources(turn))
        is_live = (described[TOPIC, "none", "retention.ms"][0] == str(300_000_000 + turn)
                   and described[TOPIC, "none", "max.message.bytes"][0] == ("1048588" if turn % 2 else str(2_000_000 + turn)))
        return described if is_live else None

    def configs_that_differ(self, connection, turn):
        described = describe_configs(connection, self.resources(turn))
        return {key: (self.configs.get(key), described.get(key)) for key in {**self.configs, **described}
                if self.configs.get(key) != described.get(key)}

    def check(self, connection, turn):
        """What the server of the turn finds, before it writes."""
        assert raw.eventually(lambda: self.all_are_led(connection), seconds=20)
        assert raw.eventually(lambda: self.configs_that_differ(connection, turn) == {}), self.configs_that_differ(connection, turn)
        stored = self.stored_batches(connection)
        assert stored == self.batches, [name for name in stored if stored[name] != self.batches[name]]
        for name, written in self.records.items():
            first = self.cut_at if name == "cut" else 0
            expected = [(offset, *record) for offset, record in enumerate(written) if offset >= first]
            assert self.java.consume(self.folder, self.server.bootstrap, name, len(expected)) == expected, name
        assert connection.end_offset("cut") == len(self.records["cut"])
        assert connection.fetch("cut", self.cut_at - 1)[0] == 1, "what was deleted stays deleted"
        self.check_compacted(connection)
        self.check_producers(connection)
        for name in self.gone[:-1]:
            assert connection.metadata([name], create=False)[name][0] == raw.UNKNOWN_TOPIC_OR_PARTITION
            # The reference looks after half a minute for the first time for what is to be deleted.
            assert raw.eventually(lambda name=name: not self.folders_of(name, self.server.kind == "dohle")), f"files of {name} are left"
        for folder, text in self.ids.items():
            assert (self.server.data / folder / "partition.metadata").read_text() == text, folder
        self.check_leader_epochs()

    def all_are_led(self, connection):
        found = connection.metadata([*self.records, "compacted", "producers"], create=False)
        return all(error == 0 and all(each[0] == 0 for each in partitions) for error, partitions in found.values())

    def folders_of(self, topic, doomed):
        """`doomed`: those too whose deletion has only been delayed."""
        return [path for path in self.server.data.glob(f"{topic}-*") if doomed or not path.name.endswith("-delete")]

    def check_compacted(self, connection):
        found = {}
        for batch in connection.read_all("compacted"):
            for offset, key, value in batches.records_of(batch):
                found[key] = (offset, value)
        assert found == self.compacted
        assert connection.end_offset("compacted") == self.compacted_end

    def check_producers(self, connection):
        """Each one's last batch again is a duplicate; a gap is refused; what follows is taken, in `write`."""
        for producer, last in self.producers.items():
            assert connection.produce("producers", last["batch"], last["partition"]) == (0, last["offset"]), producer
            gap = batches.batch([batches.record(0, b"k", b"gap")], producer=(*producer, last["sequence"] + 5), timestamp=self.now())
            assert connection.produce("producers", gap, last["partition"])[0] == 45, producer

    def check_leader_epochs(self):
        """The checkpoint's lines of former turns are still there: each server adds its own."""
        lines = (self.server.data / "small-segments-0" / "leader-epoch-checkpoint").read_text().splitlines()[2:]
        known = self.epochs.get("small-segments", [])
        assert lines[: len(known)] == known
        self.epochs["small-segments"] = lines


@pytest.mark.limit(1500)
def test_the_servers_take_turns(make_server, server_pair, size, tool_jvm, tools, need, tmp_path):
    need(toolchain.reference_libs)
    # A start of the reference is what takes long.
    turns = 10 if size == "long" else 1 if server_pair[0] == "reference" else 2
    kinds = [server_pair[turn % 2] for turn in range(turns + 1)]
    server = make_server(kinds[0], PROPERTIES)
    java = clients.JavaDriver(tool_jvm)
    need(java.prepare)
    story = Story(server, java, tmp_path, tools)
    for turn, kind in enumerate(kinds):
        server.swap(kind).start()
        with raw.connected(server.port, seconds=30) as connection:
            if turn:
                story.check(connection, turn - 1)
            else:
                story.begin(connection)
            story.write(connection, turn)
            story.remember(connection, turn)
        killed = IS_KILLED[turn % 4]
        server.kill() if killed else server.stop()
        dump_log.dump_directory(tools, server.data, clean=not killed)
    assert len(list((server.data / "small-segments-0").glob("*.log"))) > turns
