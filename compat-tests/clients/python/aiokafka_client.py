"""The client driver over aiokafka."""

import asyncio
import json
import time

import aiokafka
import driver


async def produce(options):
    producer = aiokafka.AIOKafkaProducer(
        bootstrap_servers=options.bootstrap,
        compression_type=None if options.codec == "none" else options.codec,
        enable_idempotence=True,
        linger_ms=50,
        max_request_size=12 << 20,
        max_batch_size=1 << 18,
        request_timeout_ms=60000,
    )
    await producer.start()
    try:
        futures = [
            await producer.send(options.topic, value=value, key=key, headers=headers, partition=options.partition)
            for key, value, headers in driver.records_in()
        ]
        offsets = [(await future).offset for future in futures]
    finally:
        await producer.stop()
    print(json.dumps({"offsets": offsets}))


async def consume(options):
    consumer = aiokafka.AIOKafkaConsumer(
        bootstrap_servers=options.bootstrap,
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        group_id=None,
        max_partition_fetch_bytes=12 << 20,
    )
    await consumer.start()
    try:
        partition = aiokafka.TopicPartition(options.topic, options.partition)
        consumer.assign([partition])
        await consumer.seek_to_beginning(partition)
        seen = 0
        deadline = time.monotonic() + 60
        while seen < options.count and time.monotonic() < deadline:
            for records in (await consumer.getmany(timeout_ms=500)).values():
                for record in records:
                    driver.record_out(record.offset, record.key, record.value, record.headers)
                    seen += 1
    finally:
        await consumer.stop()


if __name__ == "__main__":
    chosen = driver.arguments()
    asyncio.run(produce(chosen) if chosen.mode == "produce" else consume(chosen))
