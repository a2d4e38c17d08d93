"""A worker of the exactly-once history over librdkafka, as clients/java/EosWorker.java: the same options, the same history.

    work     a transactional producer and a consume-transform-produce loop, until the standard input closes
    observe  reads the topics with read_committed, and writes "topic partition offset value" for each record, until the
             standard input closes and their ends have been reached; then "done"
    fence    initialises a producer for each transactional id, which ends what was left open
    offsets  prints the committed offsets of the groups: {group: {partition: offset}}
"""

import argparse
import faulthandler
import json
import os
import random
import signal
import sys
import threading
import time

import confluent_kafka
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, Producer, TopicPartition

COMMIT_TRIES_MAX = 20
# With the other recovery strategy librdkafka 2.16 throws its broker away when all are down, and may go on with a handle
# that is terminating: send_offsets_to_transaction() then waits for ever.
RECONNECT = {"reconnect.backoff.ms": 20, "reconnect.backoff.max.ms": 200, "retry.backoff.ms": 20,
             "metadata.recovery.strategy": "none", "log_level": 0}
PASSING = (KafkaError._TRANSPORT, KafkaError._ALL_BROKERS_DOWN, KafkaError._TIMED_OUT, KafkaError._MAX_POLL_EXCEEDED)
stopped = threading.Event()


def stop_with_stdin():
    def wait():
        sys.stdin.read()
        stopped.set()

    threading.Thread(target=wait, daemon=True).start()


class BeginAnew(Exception):
    """The producer is of no use any more."""


class Worker:
    def __init__(self, options, role):
        self.options = options
        self.id = options.name + role
        self.role = role
        self.history = open(f"{options.history}-{role}.jsonl", "a", encoding="ascii")
        self.number = 0

    def run(self):
        try:
            while not stopped.is_set():
                try:
                    producer = self.producer()
                    self.produce(producer) if self.role == "p" else self.transform(producer)
                except (BeginAnew, KafkaException) as failure:
                    print(f"{self.id} begins anew: {failure!r}", file=sys.stderr, flush=True)
        except BaseException as failure:  # of a thread: the process must not live on without it
            print(f"{self.id} failed: {failure!r}", file=sys.stderr, flush=True)
            os._exit(1)

    def producer(self):
        made = Producer({"bootstrap.servers": self.options.bootstrap, "transactional.id": self.id, "linger.ms": 0,
                         "transaction.timeout.ms": 15000, "message.timeout.ms": 12000, "socket.timeout.ms": 4000, **RECONNECT})
        while True:
            try:
                made.init_transactions(5)
                return made
            except KafkaException as failure:
                if stopped.is_set() or not failure.args[0].retriable():
                    raise

    def note(self, event, **fields):
        self.history.write(json.dumps({"event": event, **fields}) + "\n")
        self.history.flush()

    def transaction(self, producer, topic, outputs, offsets=None):
        """Tells whether it was committed."""
        name = f"{self.id}.{self.options.incarnation}.{self.number}"
        self.number += 1
        sent = [[partition, f"{name}.{index}{value}"] for index, (partition, value) in enumerate(outputs)]
        positions = [None] * len(sent)
        self.note("begin", txn=name, topic=topic, records=sent)
        asked = False
        try:
            producer.begin_transaction()
            for index, (partition, value) in enumerate(sent):
                def delivered(error, message, index=index):
                    positions[index] = None if error else message.offset()

                producer.produce(topic, value.encode(), partition=partition, on_delivery=delivered)
            if offsets is not None:
                offsets()
            if random.randrange(100) < self.options.abort_percent:
                if random.random() < 0.5:
                    producer.flush(5)
                producer.abort_transaction(10)
                self.note("aborted", txn=name)
                return False
            self.note("committing", txn=name)
            asked = True
            self.commit(producer)
            self.note("committed", txn=name, offsets=positions)
            return True
        except KafkaException as failure:
            self.note("failed", txn=name, why=str(failure))
            if not failure.args[0].txn_requires_abort() and asked:
                raise BeginAnew(str(failure)) from failure
            producer.abort_transaction(10)
            self.note("aborted", txn=name, asked=asked)
            return False

    @staticmethod
    def commit(producer):
        for _ in range(COMMIT_TRIES_MAX):
            try:
                producer.commit_transaction(5)
                return
            except KafkaException as failure:
                if not failure.args[0].retriable():
                    raise
        raise BeginAnew("the commit has no answer")

    def produce(self, producer):
        pause = 1 / self.options.rate
        due = time.monotonic()
        while not stopped.is_set():
            outputs = [(random.randrange(self.options.partitions), "") for _ in range(random.randint(1, 3))]
            self.transaction(producer, "input", outputs)
            due = max(due + pause, time.monotonic() - 10 * pause)
            time.sleep(max(0, due - time.monotonic()))

    def transform(self, producer):
        consumer = Consumer({"bootstrap.servers": self.options.bootstrap, "group.id": self.options.group,
                             "isolation.level": "read_committed", "auto.offset.reset": "earliest",
                             "enable.auto.commit": False, "session.timeout.ms": 3000, "heartbeat.interval.ms": 500,
                             "fetch.wait.max.ms": 100, "socket.timeout.ms": 4000, **RECONNECT})
        consumer.subscribe(["input"])
        try:
            while not stopped.is_set():
                outputs, offsets = [], {}
                for message in consumer.consume(30, timeout=0.1):
                    error = message.error()
                    if error is not None:
                        if error.code() not in PASSING:
                            raise KafkaException(error)
                        continue
                    partition, offset = message.partition(), message.offset()
                    outputs.append((partition, f"|{partition}|{offset}|{message.value().decode()}"))
                    offsets[partition] = offset + 1
                if not outputs:
                    continue
                positions = [TopicPartition("input", partition, offset) for partition, offset in offsets.items()]

                def send(positions=positions):
                    producer.send_offsets_to_transaction(positions, consumer.consumer_group_metadata(), 10)

                if not self.transaction(producer, self.options.output, outputs, send):
                    self.rewind(consumer)
        finally:
            consumer.close()

    @staticmethod
    def rewind(consumer):
        while True:
            try:
                for each in consumer.committed(consumer.assignment(), 10):
                    consumer.seek(TopicPartition(each.topic, each.partition,
                                                 each.offset if each.offset >= 0 else OFFSET_BEGINNING))
                return
            except KafkaException as failure:
                # A partition that is being taken away can't be sought in, and need not.
                if failure.args[0].code() == KafkaError._STATE:
                    return
                if stopped.is_set() or failure.args[0].code() not in PASSING:
                    raise


def work(options):
    stop_with_stdin()
    threads = [threading.Thread(target=Worker(options, role).run) for role in options.roles.split(",")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def observe(options):
    stop_with_stdin()
    consumer = Consumer({"bootstrap.servers": options.bootstrap, "group.id": "observer", "isolation.level": "read_committed",
                         "enable.auto.commit": False, "auto.offset.reset": "error", "enable.partition.eof": True,
                         "fetch.wait.max.ms": 100, "socket.timeout.ms": 4000, **RECONNECT})
    every = [TopicPartition(topic, partition, 0) for topic in options.topics.split(",") for partition in range(options.partitions)]
    consumer.assign(every)
    ends = {}
    with open(options.history, "w", encoding="ascii") as out:
        while not (stopped.is_set() and all_read(consumer, every, ends)):
            for message in consumer.consume(1000, timeout=0.2):
                error = message.error()
                if error is None:
                    out.write(f"{message.topic()} {message.partition()} {message.offset()} {message.value().decode()}\n")
                elif error.code() == KafkaError._PARTITION_EOF:
                    ends[message.topic(), message.partition()] = message.offset()
                elif error.code() not in PASSING:
                    out.write(f"failed {error}\n")
                    return
            out.flush()
        out.write("done\n")
    consumer.close()


def all_read(consumer, every, ends):
    return all(ends.get((each.topic, each.partition)) == consumer.get_watermark_offsets(each, timeout=10)[1] for each in every)


def fence(options):
    for transactional_id in options.ids.split(","):
        producer = Producer({"bootstrap.servers": options.bootstrap, "transactional.id": transactional_id, **RECONNECT})
        producer.init_transactions(30)


def offsets(options):
    answer = {}
    for group in options.groups.split(","):
        consumer = Consumer({"bootstrap.servers": options.bootstrap, "group.id": group, **RECONNECT})
        committed = consumer.committed([TopicPartition("input", partition) for partition in range(options.partitions)], 30)
        answer[group] = {each.partition: max(each.offset, 0) for each in committed}
        consumer.close()
    print(json.dumps(answer))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=["work", "observe", "fence", "offsets"])
    parser.add_argument("--bootstrap", required=True)
    for name in ("name", "history", "roles", "group", "group-protocol", "output", "topics", "ids", "groups"):
        parser.add_argument(f"--{name}")
    for name in ("incarnation", "partitions", "rate", "abort-percent"):
        parser.add_argument(f"--{name}", type=int, default=0)
    options = parser.parse_args()
    {"work": work, "observe": observe, "fence": fence, "offsets": offsets}[options.mode](options)


if __name__ == "__main__":
    assert confluent_kafka.version()
    faulthandler.register(signal.SIGUSR1)  # tells where it hangs
    main()
