"""The two ends of the kill -9 loop, over confluent-kafka: they live through every restart of the server.

produce: sends the numbers 0, 1, 2, ... (padded to 100 bytes) with acks=all and idempotence until the standard input
closes, writes a line "number offset" for each acknowledged one, and ends with "done" or the first error.
consume: writes a line "number offset" for each record that it was given, until the standard input closes and the
log has been read to its end.
"""

import argparse
import sys
import threading
import time

import confluent_kafka


def stop_flag():
    stopped = threading.Event()

    def wait():
        sys.stdin.read()
        stopped.set()

    threading.Thread(target=wait, daemon=True).start()
    return stopped


def produce(options, out):
    failure = []

    def delivered(error, message):
        if error is not None:
            failure.append(str(error))
        else:
            out.write(f"{int(message.value().split()[0])} {message.offset()}\n")

    producer = confluent_kafka.Producer({
        "bootstrap.servers": options.bootstrap,
        "enable.idempotence": True,
        "acks": "all",
        "linger.ms": 5,
        "message.timeout.ms": 300000,
        "reconnect.backoff.ms": 20,
        "reconnect.backoff.max.ms": 200,
        "retry.backoff.ms": 50,
    }, error_cb=lambda error: failure.append(str(error)) if error.fatal() else None)
    stopped = stop_flag()
    number = 0
    while not stopped.is_set() and not failure:
        for _ in range(options.rate // 100):
            try:
                producer.produce(options.topic, value=f"{number} ".ljust(100, "x"), partition=0, on_delivery=delivered)
                number += 1
            except BufferError:
                break
        producer.poll(0)
        out.flush()
        time.sleep(0.01)
    producer.flush(60)
    out.write(f"failed {failure[0]}\n" if failure else f"done {number}\n")
    out.flush()


def consume(options, out):
    consumer = confluent_kafka.Consumer({
        "bootstrap.servers": options.bootstrap,
        "group.id": "never-used",
        "enable.auto.commit": False,
        "auto.offset.reset": "error",
        "enable.partition.eof": True,
        "fetch.wait.max.ms": 50,
        "reconnect.backoff.ms": 20,
        "reconnect.backoff.max.ms": 200,
    })
    consumer.assign([confluent_kafka.TopicPartition(options.topic, 0, 0)])
    stopped = stop_flag()
    end = None
    while True:
        for message in consumer.consume(1000, timeout=0.2):
            error = message.error()
            if error is None:
                out.write(f"{int(message.value().split()[0])} {message.offset()}\n")
            elif error.code() == confluent_kafka.KafkaError._PARTITION_EOF:
                end = message.offset()
            elif error.code() not in (confluent_kafka.KafkaError._TRANSPORT, confluent_kafka.KafkaError._ALL_BROKERS_DOWN):
                out.write(f"failed {error}\n")
                out.flush()
                return
        out.flush()
        if stopped.is_set():
            high = consumer.get_watermark_offsets(confluent_kafka.TopicPartition(options.topic, 0), timeout=10)[1]
            position = consumer.position([confluent_kafka.TopicPartition(options.topic, 0)])[0].offset
            if position >= high or end == high:
                break
    out.write("done\n")
    out.flush()
    consumer.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=["produce", "consume"])
    parser.add_argument("--bootstrap", required=True)
    parser.add_argument("--topic", required=True)
    parser.add_argument("--rate", type=int, default=1000)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    with open(options.out, "w", encoding="ascii") as out:
        (produce if options.mode == "produce" else consume)(options, out)


if __name__ == "__main__":
    main()
