"""kill -9 in a loop under an acks=all producer and a consumer: what was acknowledged is there once, in order."""

import os
import random
import subprocess
import time

import pytest

from harness import batches, raw, toolchain

SUITE = "kill-loop"
TOPIC = "killed"


class End:
    """The producer or the consumer: a process that writes "number offset" lines and stops when its input is closed."""

    def __init__(self, mode, interpreter, bootstrap, folder):
        self.path = folder / f"{mode}.txt"
        self.errors = folder / f"{mode}.err"
        with open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(
                [interpreter, toolchain.CLIENTS / "python" / "kill_loop_client.py", mode, "--bootstrap", bootstrap,
                 "--topic", TOPIC, "--out", self.path], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors)

    def lines(self):
        """[(number, offset)] so far, and the last word ("done", "failed ...") or None."""
        if not self.path.exists():
            return [], None
        text = self.path.read_text()
        lines = text[: text.rfind("\n") + 1].splitlines()
        last = lines.pop() if lines and not lines[-1][0].isdigit() else None
        return [tuple(map(int, line.split())) for line in lines], last

    def finish(self, seconds):
        self.process.stdin.close()
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            pass
        finally:
            self.process.kill()
        return self.lines()


@pytest.mark.limit(900)
def test_acknowledged_records_survive_every_kill(make_server, server_kind, size, tmp_path, need):
    interpreter = need(toolchain.python_clients)
    kills = 5 if size == "short" else 50
    chance = random.Random(os.environ.get("DOHLE_SEED", "kill"))
    sessions = {"broker.session.timeout.ms": "1500", "broker.heartbeat.interval.ms": "500"}
    server = make_server(server_kind, {**sessions, "log.segment.bytes": str(1 << 20)}).start()
    with raw.connected(server.port) as connection:
        connection.create_topic(TOPIC)
    producer = End("produce", interpreter, server.bootstrap, tmp_path)
    consumer = End("consume", interpreter, server.bootstrap, tmp_path)
    try:
        for turn in range(kills):
            before = len(producer.lines()[0])
            assert raw.eventually(lambda: len(producer.lines()[0]) > before + 100, seconds=60), \
                f"turn {turn}: nothing is acknowledged any more: {producer.errors.read_text()[-2000:]}"
            time.sleep(chance.uniform(0, 0.3))
            server.kill()
            acknowledged = producer.lines()[0]
            server.start()
            check(numbers_in_log(server), acknowledged, f"after kill {turn + 1}")
        sent, last = producer.finish(60)
        assert last == f"done {len(sent)}", f"the producer: {last}, {len(sent)} acknowledged; {producer.errors.read_text()[-2000:]}"
        check(numbers_in_log(server), sent, "at the end")
        read, last = consumer.finish(60)
        assert last == "done", f"the consumer: {last}; {consumer.errors.read_text()[-2000:]}"
        assert read == [(number, number) for number in range(len(sent))], "the consumer got each record once, in order"
    finally:
        producer.process.kill()
        consumer.process.kill()
    server.stop()


def numbers_in_log(server):
    """The number of each record of the log, by its offset, read over the wire by a fresh connection."""
    numbers = []
    with raw.connected(server.port, seconds=30) as connection:
        for batch in connection.read_all(TOPIC):
            for offset, _, value in batches.records_of(batch):
                assert offset == len(numbers), f"offset {offset} where {len(numbers)} is due"
                numbers.append(int(value.split()[0]))
    return numbers


def check(numbers, acknowledged, when):
    """The producer sends 0, 1, 2, ... to one partition: record n must be at offset n, and all acknowledged ones there."""
    wrong = next((offset for offset, number in enumerate(numbers) if number != offset), None)
    assert wrong is None, f"{when}: offset {wrong} holds record {numbers[wrong]}: one was lost, doubled or moved"
    for number, offset in acknowledged:
        assert number == offset, f"{when}: record {number} was acknowledged at offset {offset}"
    highest = max((number for number, _ in acknowledged), default=-1)
    assert highest < len(numbers), f"{when}: record {highest} was acknowledged, but the log ends at {len(numbers)}"
