"""kill -9 again and again while producers write, consumers read, the cleaner compacts and retention removes: what was
acknowledged is there, nothing that was compacted away comes back, and no more is removed than retention allows."""

import os
import random
import subprocess
import threading
import time

import pytest

from harness import batches, raw, toolchain

SUITE = "kills"
KAFKA_STORAGE_ERROR = 56
OFFSET_OUT_OF_RANGE = 1
RETENTION_SECONDS = 1
KEYS = 20
SETTINGS = {
    "broker.session.timeout.ms": "1500",
    "broker.heartbeat.interval.ms": "500",
    "log.initial.task.delay.ms": "100",
    "log.retention.check.interval.ms": "200",
    "log.cleaner.backoff.ms": "100",
    "log.flush.offset.checkpoint.interval.ms": "300",
    "log.flush.start.offset.checkpoint.interval.ms": "300",
    "replica.high.watermark.checkpoint.interval.ms": "300",
    "log.segment.delete.delay.ms": "300",
}
TOPICS = {
    "killed": {"segment.ms": 700},
    "compacted": {"cleanup.policy": "compact", "min.cleanable.dirty.ratio": 0, "segment.ms": 300, "delete.retention.ms": 500},
    "retained": {"segment.ms": 300, "retention.ms": RETENTION_SECONDS * 1000},
}


class Loop(threading.Thread):
    """Works on one topic over a connection of its own until it is told to stop; a lost connection is made again."""

    def __init__(self, server, topic):
        super().__init__(daemon=True)
        self.server, self.topic = server, topic
        self.stopping = threading.Event()
        self.lock = threading.Lock()
        self.failure = None

    def run(self):
        while not self.stopping.is_set() and self.failure is None:
            try:
                with raw.connected(self.server.port, seconds=10) as connection:
                    while not self.stopping.is_set():
                        self.turn(connection)
            except (OSError, raw.Closed):
                time.sleep(0.02)
            except AssertionError as failure:
                self.failure = failure

    def end(self):
        self.stopping.set()
        self.join(30)
        if self.failure is not None:
            raise self.failure


class Writer(Loop):
    """Sends the numbers 0, 1, 2, ..., some in each batch; number n has the key n modulo KEYS. Every seventh is a tombstone
    where `tombstones` says so. What was not acknowledged is sent again, so that a number may be there twice."""

    def __init__(self, server, topic, tombstones):
        super().__init__(server, topic)
        self.tombstones = tombstones
        self.next = 0
        self.attempted = 0
        self.acknowledged = {}  # number -> offset

    def value(self, number):
        return None if self.tombstones and number % 7 == 6 else b"%d " % number + b"x" * 200

    def turn(self, connection):
        numbers = range(self.next, self.next + 5)
        records = [batches.record(i, b"%d" % (number % KEYS), self.value(number)) for i, number in enumerate(numbers)]
        with self.lock:
            self.attempted = numbers[-1] + 1
        error, base = connection.produce(self.topic, batches.batch(records, timestamp=int(time.time() * 1000)))
        if error != 0:  # the topic is being loaded, or has no leader yet
            assert error in (3, 5, 6, 7, KAFKA_STORAGE_ERROR), f"{self.topic}: error {error}"
            time.sleep(0.05)
            return
        with self.lock:
            self.acknowledged.update({number: base + i for i, number in enumerate(numbers)})
            self.next = numbers[-1] + 1
        time.sleep(0.003)

    def state(self):
        with self.lock:
            return self.attempted, dict(self.acknowledged)


class Reader(Loop):
    """Follows a topic to its end for as long as it lives; offsets only grow, also where records were removed before it."""

    def __init__(self, server, topic):
        super().__init__(server, topic)
        self.offset = 0
        self.count = 0

    def turn(self, connection):
        error, _, data = connection.fetch(self.topic, self.offset, max_bytes=1 << 20, wait_ms=100)
        if error == OFFSET_OUT_OF_RANGE:
            start, end = offset_at(connection, self.topic, -2), offset_at(connection, self.topic, -1)
            assert start > self.offset or self.offset <= end, f"{self.topic}: {self.offset} is outside [{start}, {end}]"
            self.offset = max(self.offset, start)
            return
        if error != 0:
            assert error in (3, 5, 6, KAFKA_STORAGE_ERROR), f"{self.topic}: error {error}"
            time.sleep(0.05)
            return
        for batch in batches.split(data):
            for offset, _, _ in batches.records_of(batch):
                if offset >= self.offset:
                    self.offset = offset + 1
                    self.count += 1
            self.offset = max(self.offset, batches.last_offset(batch) + 1)


def offset_at(connection, topic, when):
    """ListOffsets v1: -1 the end, -2 the start."""
    part = (0).to_bytes(4, "big") + when.to_bytes(8, "big", signed=True)
    answer = connection.request(2, 1, (-1).to_bytes(4, "big", signed=True) + raw.array([raw.string(topic) + raw.array([part])]))
    result = []
    answer.array(lambda: (answer.string(), answer.array(lambda: result.append(answer.take("ihqq")))))
    assert result[0][1] == 0, f"ListOffsets {topic}: error {result[0][1]}"
    return result[0][3]


class Numbers:
    """The producer with idempotence, and the consumer, of librdkafka: processes that write "number offset" lines."""

    def __init__(self, mode, interpreter, bootstrap, folder):
        self.path, self.errors = folder / f"{mode}.txt", folder / f"{mode}.err"
        with open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(
                [interpreter, toolchain.CLIENTS / "python" / "kill_loop_client.py", mode, "--bootstrap", bootstrap,
                 "--topic", "killed", "--out", self.path], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors)

    def lines(self):
        text = self.path.read_text() if self.path.exists() else ""
        lines = text[: text.rfind("\n") + 1].splitlines()
        last = lines.pop() if lines and not lines[-1][0].isdigit() else None
        return [tuple(map(int, line.split())) for line in lines], last

    def finish(self):
        self.process.stdin.close()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
        return self.lines()


def check_compacted(server, writer, before):
    """Who reads all of it learns for each key the last acknowledged value, or one that was sent after it."""
    attempted, acknowledged = before
    with raw.connected(server.port, seconds=30) as connection:
        view = {}
        for batch in connection.read_all("compacted"):
            for _, key, value in batches.records_of(batch):
                view[int(key)] = value
    now_attempted, _ = writer.state()
    attempted = max(attempted, now_attempted)
    for key in range(KEYS):
        newest = max((number for number in acknowledged if number % KEYS == key), default=None)
        if newest is None:
            continue
        later = [number for number in range(newest, attempted, KEYS) if number % KEYS == key]
        seen = view.get(key)
        if seen is None:
            assert any(writer.value(number) is None for number in later), f"key {key}: {newest} was acknowledged, and is gone"
        else:
            assert int(seen.split()[0]) in later, f"key {key}: {newest} was acknowledged, but {seen.split()[0]} is there"


def check_retained(server, before, sent_at):
    """What was acknowledged and is young is there, where it was said to be; the rest may be gone, from the start on."""
    _, acknowledged = before
    with raw.connected(server.port, seconds=30) as connection:
        started = time.time()
        start, found = read_what_stays(connection, "retained")
    floor = min(found, default=0)
    for number, offset in acknowledged.items():
        if offset in found:
            assert found[offset] == number, f"offset {offset} holds {found[offset]}, acknowledged was {number}"
        else:
            assert offset < floor or not found, f"{number} was acknowledged at {offset}, and is gone from the middle"
            age = started - sent_at(number)
            assert age > RETENTION_SECONDS * 0.9, f"{number} at {offset} is gone after {age:.2f} s"
    return start


def read_what_stays(connection, topic):
    """(log start, {offset: number}), read anew from the start when retention was faster."""
    while True:
        start = offset = offset_at(connection, topic, -2)
        found = {}
        while True:
            error, high, data = connection.fetch(topic, offset, wait_ms=100)
            if error == OFFSET_OUT_OF_RANGE:
                break
            assert error == 0, f"Fetch {topic} at {offset}: error {error}"
            for batch in batches.split(data):
                found.update({at: int(value.split()[0]) for at, _, value in batches.records_of(batch) if at >= start})
                offset = batches.last_offset(batch) + 1
            if offset >= high:
                return start, found


@pytest.mark.limit(1500)
def test_kills_under_producers_consumers_compaction_and_retention(make_server, server_kind, size, tmp_path, need):
    interpreter = need(toolchain.python_clients)
    kills = 20 if size == "short" else 200
    seed = os.environ.get("DOHLE_SEED", str(random.SystemRandom().randrange(1 << 30)))
    print(f"kills: seed {seed}")
    chance = random.Random(seed)
    server = make_server(server_kind, SETTINGS).start()
    with raw.connected(server.port) as connection:
        for topic, configs in TOPICS.items():
            connection.create_topic(topic, configs=configs)
    times = []
    compacted, retained = Writer(server, "compacted", True), TimedWriter(server, "retained", times)
    loops = [compacted, retained, Reader(server, "compacted"), Reader(server, "retained")]
    ends = [Numbers(mode, interpreter, server.bootstrap, tmp_path) for mode in ("produce", "consume")]
    producer, consumer = ends
    starts, cleaned = [0], 0
    try:
        for loop in loops:
            loop.start()
        for turn in range(kills):
            counts = [len(producer.lines()[0]), compacted.next, retained.next]
            assert raw.eventually(lambda c=counts: len(producer.lines()[0]) > c[0] + 50 and compacted.next > c[1] + 50
                                  and retained.next > c[2] + 50, seconds=60), f"turn {turn}: nobody gets on: {counts}, {loops[0].failure}"
            time.sleep(chance.uniform(0, 0.8))
            cleaned += server.log().count("Cleaned log compacted-0")
            server.check()
            server.kill()
            numbers, states = producer.lines()[0], (compacted.state(), retained.state())
            server.start()
            assert all(number == offset for number, offset in numbers), "records were acknowledged out of place"
            with raw.connected(server.port, seconds=30) as connection:
                end = raw.eventually(lambda c=connection: c.end_offset("killed"), seconds=15)
                assert end > max((offset for _, offset in numbers), default=-1), f"turn {turn}: acknowledged records are gone"
            check_compacted(server, compacted, states[0])
            starts.append(check_retained(server, states[1], lambda number: times[number // 5]))
        for loop in loops:
            loop.end()
        sent, last = producer.finish()
        assert last == f"done {len(sent)}", f"the producer: {last}, {len(sent)} acknowledged; {producer.errors.read_text()[-2000:]}"
        read, last = consumer.finish()
        assert last == "done", f"the consumer: {last}; {consumer.errors.read_text()[-2000:]}"
        assert read == [(number, number) for number in range(len(sent))], "the consumer got each record once, in order"
    finally:
        for end in ends:
            end.process.kill()
        for loop in loops:
            loop.stopping.set()
    check_compacted(server, compacted, compacted.state())
    # All of it has happened: compaction, retention, and reading.
    if server_kind == "dohle":
        assert cleaned >= 3, "nothing was compacted"
    assert starts[-1] > 0, "retention removed nothing"
    assert all(reader.count > 100 for reader in loops[2:])
    server.stop()


class TimedWriter(Writer):
    """Also knows when each batch was first sent."""

    def __init__(self, server, topic, times):
        super().__init__(server, topic, False)
        self.times = times

    def turn(self, connection):
        if len(self.times) == self.next // 5:
            self.times.append(time.time())
        super().turn(connection)
