"""The client drivers: one program per client library, all with the same arguments (README.md, "Client drivers")."""

import base64
import json
import os
import pathlib
import subprocess

from . import toolchain

CLIENT_SECONDS_MAX = 90
CODECS = ("none", "gzip", "snappy", "lz4", "zstd")


def _text(data):
    return None if data is None else base64.b64encode(data).decode()


def _bytes(text):
    return None if text is None else base64.b64decode(text)


class Driver:
    """Runs `command` (a function that gives the program's first words and may raise NotRun)."""

    def __init__(self, name, command, short=False, **lacks):
        self.name = name
        self.short = short  # whether it has its cells in the short form too
        self.nulls = lacks.get("nulls", True)  # whether its API takes a null header value, and a record with neither key nor value
        self.empties = lacks.get("empties", True)  # whether it reads what is empty as empty, and not as null
        self.headers = lacks.get("headers", True)
        self.repeated_headers = lacks.get("repeated_headers", True)  # whether headers have an order, and a name may come twice
        self.consumes = lacks.get("consumes", True)  # without a group
        self.creates = lacks.get("creates", True)  # whether it waits for a topic that its own request creates
        self.codecs = lacks.get("codecs", CODECS)
        self.command_ = command

    def prepare(self):
        self.command_()

    def call_(self, mode, stdin, folder, options):
        words = [str(word) for word in self.command_()]
        arguments = [str(word) for pair in options.items() for word in (f"--{pair[0]}", pair[1])]
        with open(stdin, "rb") as source:
            done = subprocess.run([*words, mode, *arguments], stdin=source, capture_output=True, text=True,
                                  timeout=CLIENT_SECONDS_MAX, check=False, env=toolchain.client_environment())
        assert done.returncode == 0, f"{self.name} {mode} ended with {done.returncode}:\n{done.stderr[-3000:]}"
        return done.stdout

    def produce(self, folder, bootstrap, topic, records, codec="none", partition=0):
        """Publishes (key, value, headers) records and returns the offsets that the server gave them."""
        source = pathlib.Path(folder, f"{self.name}-{codec}.jsonl")
        with open(source, "w", encoding="ascii") as out:
            for key, value, headers in records:
                node = {"key": _text(key), "value": _text(value), "headers": [[k, _text(v)] for k, v in headers]}
                out.write(json.dumps(node) + "\n")
        options = {"bootstrap": bootstrap, "topic": topic, "partition": partition, "codec": codec}
        return json.loads(self.call_("produce", source, folder, options))["offsets"]

    def view(self, records):
        """What this client's API can show of (key, value, headers) records."""
        def shown(data):
            return data or None if not self.empties else data

        return [(shown(key), shown(value), [(name, shown(content)) for name, content in headers] if self.headers else [])
                for key, value, headers in records]

    def consume(self, folder, bootstrap, topic, count, partition=0):
        """Reads `count` records from the beginning: [(offset, key, value, headers)]."""
        options = {"bootstrap": bootstrap, "topic": topic, "partition": partition, "count": count}
        nodes = [json.loads(line) for line in self.call_("consume", os.devnull, folder, options).splitlines()]
        return [(n["offset"], _bytes(n["key"]), _bytes(n["value"]), [(k, _bytes(v)) for k, v in n["headers"]])
                for n in nodes]


class JavaDriver(Driver):
    """The Java client lives in the tools' JVM."""

    def __init__(self, tools):
        super().__init__("java-kafka-clients-4.4.0", toolchain.java_classes, short=True)
        self.tools_ = tools

    def call_(self, mode, stdin, folder, options):
        arguments = [str(word) for pair in options.items() for word in (f"--{pair[0]}", pair[1])]
        done = self.tools_("java-client", mode, *arguments, stdin=stdin, seconds=CLIENT_SECONDS_MAX)
        # The first answer about a topic that is being created is an error that the client retries with a warning.
        return done.must_succeed(allow=["recoverable issue .*UNKNOWN_TOPIC_OR_PARTITION"]).out


def _python(program):
    return lambda: [toolchain.python_clients(), toolchain.CLIENTS / "python" / program]


def _library(step):
    return lambda: [toolchain.python_clients(), toolchain.CLIENTS / "python" / "librdkafka_client.py", step()]


def drivers(tools):
    """All client drivers by name."""
    every = [
        JavaDriver(tools),
        # The oldest version that the registry serves and that Kafka 4 takes requests of, and the first of the 4 line.
        Driver("java-kafka-clients-2.1.0", lambda: toolchain.java_client("2.1.0")),
        Driver("java-kafka-clients-4.0.0", lambda: toolchain.java_client("4.0.0")),
        # librdkafka 2.16.0, the newest.
        Driver("confluent-kafka-python-2.16.1", _python("confluent_client.py"), short=True),
        Driver("librdkafka-2.0.2", _library(toolchain.librdkafka_debian)),
        Driver("librdkafka-0.11.1", _library(toolchain.librdkafka_oldest), headers=False, creates=False,
               codecs=("none", "gzip", "snappy", "lz4")),
        Driver("aiokafka-0.14.0", _python("aiokafka_client.py"), nulls=False),
        Driver("kafka-python-3.0.12", _python("kafka_python_client.py"), short=True, nulls=False),
        Driver("franz-go-1.22.3", lambda: [toolchain.go_client("franz")], short=True),
        Driver("sarama-1.61.1", lambda: [toolchain.go_client("sarama")]),
        Driver("kafka-go-0.4.51", lambda: [toolchain.go_client("kafkago")], empties=False),
        Driver("kafkajs-2.2.4", lambda: toolchain.node_client("kafkajs_client.js"), nulls=False, consumes=False,
               repeated_headers=False),
    ]
    return {driver.name: driver for driver in every}


NAMES = tuple(drivers(None))
SHORT_NAMES = tuple(name for name, driver in drivers(None).items() if driver.short)
CONSUMERS = tuple(name for name, driver in drivers(None).items() if driver.consumes)
READER = "franz-go-1.22.3"  # reads back what a client wrote that can't
