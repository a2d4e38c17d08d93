"""The client driver over confluent-kafka (librdkafka)."""

import json
import sys
import time

import confluent_kafka
import driver


def produce(options):
    offsets = {}
    errors = []
    producer = confluent_kafka.Producer({
        "bootstrap.servers": options.bootstrap,
        "compression.type": options.codec,
        "enable.idempotence": True,
        "linger.ms": 50,
        "message.max.bytes": 12 << 20,
        "message.timeout.ms": 60000,
    })

    def delivered(index):
        def report(error, message):
            if error is not None:
                errors.append(str(error))
            else:
                offsets[index] = message.offset()
        return report

    for index, (key, value, headers) in enumerate(driver.records_in()):
        producer.produce(options.topic, value=value, key=key, headers=headers, partition=options.partition,
                         on_delivery=delivered(index))
        producer.poll(0)
    producer.flush(60)
    if errors:
        sys.exit(f"not delivered: {errors[:3]}")
    print(json.dumps({"offsets": [offsets[i] for i in sorted(offsets)]}))


def consume(options):
    consumer = confluent_kafka.Consumer({
        "bootstrap.servers": options.bootstrap,
        "group.id": "never-used",
        "enable.auto.commit": False,
        "auto.offset.reset": "earliest",
        "fetch.message.max.bytes": 12 << 20,
    })
    consumer.assign([confluent_kafka.TopicPartition(options.topic, options.partition, confluent_kafka.OFFSET_BEGINNING)])
    seen = 0
    deadline = time.monotonic() + 60
    while seen < options.count and time.monotonic() < deadline:
        for message in consumer.consume(1000, timeout=0.5):
            if message.error():
                sys.exit(f"consumer: {message.error()}")
            driver.record_out(message.offset(), message.key(), message.value(), message.headers())
            seen += 1
    consumer.close()


if __name__ == "__main__":
    chosen = driver.arguments()
    produce(chosen) if chosen.mode == "produce" else consume(chosen)
