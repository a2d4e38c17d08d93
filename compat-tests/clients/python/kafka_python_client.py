"""The client driver over kafka-python."""

import json
import time

import driver
import kafka


def produce(options):
    producer = kafka.KafkaProducer(
        bootstrap_servers=options.bootstrap,
        compression_type=None if options.codec == "none" else options.codec,
        acks="all",
        linger_ms=50,
        max_request_size=12 << 20,
    )
    futures = [
        producer.send(options.topic, value=value, key=key, headers=headers, partition=options.partition)
        for key, value, headers in driver.records_in()
    ]
    offsets = [future.get(timeout=60).offset for future in futures]
    producer.close()
    print(json.dumps({"offsets": offsets}))


def consume(options):
    consumer = kafka.KafkaConsumer(
        bootstrap_servers=options.bootstrap,
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        group_id=None,
        max_partition_fetch_bytes=12 << 20,
    )
    partition = kafka.TopicPartition(options.topic, options.partition)
    consumer.assign([partition])
    consumer.seek_to_beginning(partition)
    seen = 0
    deadline = time.monotonic() + 60
    while seen < options.count and time.monotonic() < deadline:
        for records in consumer.poll(timeout_ms=500).values():
            for record in records:
                driver.record_out(record.offset, record.key, record.value, record.headers)
                seen += 1
    consumer.close()


if __name__ == "__main__":
    chosen = driver.arguments()
    produce(chosen) if chosen.mode == "produce" else consume(chosen)
