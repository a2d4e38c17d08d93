"""The client driver over a shared library of librdkafka, any version from 0.11 on: its path comes before the other arguments."""

import ctypes
import json
import sys
import time
from ctypes import byref, c_char_p, c_int, c_int32, c_int64, c_size_t, c_ssize_t, c_void_p

import driver

VTYPE_END, VTYPE_TOPIC, VTYPE_PARTITION, VTYPE_VALUE, VTYPE_KEY, VTYPE_OPAQUE, VTYPE_MSGFLAGS, VTYPE_HEADERS = 0, 1, 3, 4, 5, 6, 7, 10
PRODUCER, CONSUMER = 0, 1
COPY = 2
QUEUE_FULL = -184
PARTITION_EOF = -191
FIRST_OFFSET = 0  # the oldest versions ask for the beginning by a version of ListOffsets that is gone


class Message(ctypes.Structure):
    _fields_ = [("err", c_int), ("topic", c_void_p), ("partition", c_int32), ("value", c_void_p), ("value_size", c_size_t),
                ("key", c_void_p), ("key_size", c_size_t), ("offset", c_int64), ("opaque", c_void_p)]


DELIVERED = ctypes.CFUNCTYPE(None, c_void_p, ctypes.POINTER(Message), c_void_p)


class Library:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        for name, result, arguments in (
            ("conf_new", c_void_p, []),
            ("conf_set", c_int, [c_void_p, c_char_p, c_char_p, c_char_p, c_size_t]),
            ("conf_set_dr_msg_cb", None, [c_void_p, DELIVERED]),
            ("new", c_void_p, [c_int, c_void_p, c_char_p, c_size_t]),
            ("err2str", c_char_p, [c_int]),
            ("poll", c_int, [c_void_p, c_int]),
            ("outq_len", c_int, [c_void_p]),
            ("destroy", None, [c_void_p]),
            ("topic_new", c_void_p, [c_void_p, c_char_p, c_void_p]),
            ("topic_destroy", None, [c_void_p]),
            ("consume_start", c_int, [c_void_p, c_int32, c_int64]),
            ("consume", ctypes.POINTER(Message), [c_void_p, c_int32, c_int]),
            ("consume_stop", c_int, [c_void_p, c_int32]),
            ("message_destroy", None, [ctypes.POINTER(Message)]),
            ("producev", c_int, None),
        ):
            self.declare(name, result, arguments)
        self.has_headers = hasattr(self.library, "rd_kafka_headers_new")
        if self.has_headers:
            self.declare("headers_new", c_void_p, [c_size_t])
            self.declare("header_add", c_int, [c_void_p, c_char_p, c_ssize_t, c_char_p, c_ssize_t])
            self.declare("message_headers", c_int, [ctypes.POINTER(Message), ctypes.POINTER(c_void_p)])
            self.declare("header_get_all", c_int, [c_void_p, c_size_t, ctypes.POINTER(c_char_p), ctypes.POINTER(c_void_p),
                                                   ctypes.POINTER(c_size_t)])

    def declare(self, name, result, arguments):
        function = getattr(self.library, "rd_kafka_" + name)
        function.restype = result
        if arguments is not None:
            function.argtypes = arguments
        setattr(self, name, function)

    def text(self, code):
        return self.err2str(code).decode()

    def handle(self, kind, settings, delivered=None):
        conf = self.conf_new()
        reason = ctypes.create_string_buffer(512)
        for key, value in settings.items():
            if self.conf_set(conf, key.encode(), str(value).encode(), reason, 512) != 0:
                sys.exit(reason.value.decode())
        if delivered is not None:
            self.conf_set_dr_msg_cb(conf, delivered)
        made = self.new(kind, conf, reason, 512)
        if not made:
            sys.exit(reason.value.decode())
        return made

    def headers(self, message):
        found, headers = c_void_p(), []
        if not self.has_headers or self.message_headers(message, byref(found)) != 0:
            return headers
        name, value, size = c_char_p(), c_void_p(), c_size_t()
        while self.header_get_all(found, len(headers), byref(name), byref(value), byref(size)) == 0:
            headers.append((name.value.decode(), data(value.value, size.value)))
        return headers


def data(pointer, size):
    return None if not pointer else ctypes.string_at(pointer, size)


def produce(library, options):
    offsets, errors = {}, []

    def delivered(_, message, __):
        if message.contents.err != 0:
            errors.append(library.text(message.contents.err))
        else:
            offsets[(message.contents.opaque or 0) - 1] = message.contents.offset

    callback = DELIVERED(delivered)
    producer = library.handle(PRODUCER, {
        "bootstrap.servers": options.bootstrap,
        "compression.codec": options.codec,
        "request.required.acks": -1,
        "queue.buffering.max.ms": 50,
        "message.max.bytes": 12 << 20,
        "message.timeout.ms": 60000,
        "api.version.request": "true",
        "produce.offset.report": "true",  # the oldest versions name only the last offset of a batch otherwise
    }, callback)
    for index, (key, value, headers) in enumerate(driver.records_in()):
        words = [c_int(VTYPE_TOPIC), c_char_p(options.topic.encode()), c_int(VTYPE_PARTITION), c_int32(options.partition),
                 c_int(VTYPE_MSGFLAGS), c_int(COPY), c_int(VTYPE_OPAQUE), c_void_p(index + 1),
                 c_int(VTYPE_KEY), c_char_p(key), c_size_t(len(key or b"")),
                 c_int(VTYPE_VALUE), c_char_p(value), c_size_t(len(value or b""))]
        if headers:
            made = library.headers_new(len(headers))
            for name, content in headers:
                library.header_add(made, name.encode(), -1, content, len(content or b""))
            words += [c_int(VTYPE_HEADERS), c_void_p(made)]
        while (code := library.producev(c_void_p(producer), *words, c_int(VTYPE_END))) == QUEUE_FULL:
            library.poll(producer, 100)
        if code != 0:
            sys.exit(library.text(code))
        library.poll(producer, 0)
    deadline = time.monotonic() + 60
    while library.outq_len(producer) and time.monotonic() < deadline:
        library.poll(producer, 100)
    if errors:
        sys.exit(f"not delivered: {errors[:3]}")
    print(json.dumps({"offsets": [offsets[i] for i in sorted(offsets)]}))
    library.destroy(producer)


def consume(library, options):
    """With the simple consumer of the old API: one that knows of groups asks for versions that Kafka 4 has no more."""
    consumer = library.handle(CONSUMER, {
        "bootstrap.servers": options.bootstrap,
        "fetch.message.max.bytes": 12 << 20,
        "receive.message.max.bytes": 64 << 20,
        "api.version.request": "true",
    })
    topic = library.topic_new(consumer, options.topic.encode(), None)
    library.consume_start(topic, options.partition, FIRST_OFFSET)
    seen = 0
    deadline = time.monotonic() + 60
    while seen < options.count and time.monotonic() < deadline:
        message = library.consume(topic, options.partition, 500)
        if not message:
            continue
        each = message.contents
        if each.err not in (0, PARTITION_EOF):
            sys.exit(f"consumer: {library.text(each.err)}")
        if each.err == 0:
            driver.record_out(each.offset, data(each.key, each.key_size), data(each.value, each.value_size), library.headers(message))
            seen += 1
        library.message_destroy(message)
    library.consume_stop(topic, options.partition)
    library.topic_destroy(topic)
    library.destroy(consumer)


if __name__ == "__main__":
    loaded = Library(sys.argv.pop(1))
    chosen = driver.arguments()
    produce(loaded, chosen) if chosen.mode == "produce" else consume(loaded, chosen)
