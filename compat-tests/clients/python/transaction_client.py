"""Transactions step by step with librdkafka: commands come as lines of JSON, each is answered with a line of JSON.

    ["producer", NAME, {config}]      a transactional producer, initialised
    ["begin", NAME]
    ["produce", NAME, TOPIC, [values]]   waits until they are acknowledged
    ["offsets", NAME, GROUP, TOPIC, OFFSET]   sends an offset of partition 0 as part of the transaction
    ["commit", NAME] ["abort", NAME]
    ["read", TOPIC, ISOLATION, COUNT]    the values of partition 0 from the beginning: COUNT of them, or all at its end
    ["committed", GROUP, TOPIC]          the committed offset of partition 0

An answer is {"ok": value} or {"error": name, "fatal": bool, "abortable": bool}.
"""

import argparse
import json
import sys

import confluent_kafka
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, Producer, TopicPartition

SECONDS = 30


class Client:
    def __init__(self, bootstrap):
        self.bootstrap = bootstrap
        self.producers = {}

    def producer(self, name, config):
        made = Producer({"bootstrap.servers": self.bootstrap, "linger.ms": 0, **config})
        made.init_transactions(SECONDS)
        self.producers[name] = made

    def begin(self, name):
        self.producers[name].begin_transaction()

    def produce(self, name, topic, values):
        failed = []
        for value in values:
            self.producers[name].produce(topic, value.encode(), partition=0,
                                         on_delivery=lambda error, _: failed.append(error) if error else None)
        assert self.producers[name].flush(SECONDS) == 0
        if failed:
            raise KafkaException(failed[0])

    def offsets(self, name, group, topic, offset):
        consumer = Consumer({"bootstrap.servers": self.bootstrap, "group.id": group})
        self.producers[name].send_offsets_to_transaction(
            [TopicPartition(topic, 0, offset)], consumer.consumer_group_metadata(), SECONDS)
        consumer.close()

    def commit(self, name):
        self.producers[name].commit_transaction(SECONDS)

    def abort(self, name):
        self.producers[name].abort_transaction(SECONDS)

    def read(self, topic, isolation, count):
        consumer = Consumer({"bootstrap.servers": self.bootstrap, "group.id": "reader", "isolation.level": isolation,
                             "enable.partition.eof": True, "enable.auto.commit": False})
        consumer.assign([TopicPartition(topic, 0, OFFSET_BEGINNING)])
        values = []
        while len(values) < count:
            message = consumer.poll(SECONDS)
            assert message is not None, "neither a record nor the end of the partition"
            if message.error():
                if message.error().code() == KafkaError._PARTITION_EOF:
                    break
                raise KafkaException(message.error())
            values.append(message.value().decode())
        consumer.close()
        return values

    def committed(self, group, topic):
        consumer = Consumer({"bootstrap.servers": self.bootstrap, "group.id": group})
        offset = consumer.committed([TopicPartition(topic, 0)], SECONDS)[0].offset
        consumer.close()
        return offset


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bootstrap", required=True)
    client = Client(parser.parse_args().bootstrap)
    for line in sys.stdin:
        command, *arguments = json.loads(line)
        try:
            answer = {"ok": getattr(client, command)(*arguments)}
        except KafkaException as failure:
            error = failure.args[0]
            answer = {"error": error.name(), "fatal": error.fatal(), "abortable": error.txn_requires_abort()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    assert confluent_kafka.version()
    main()
