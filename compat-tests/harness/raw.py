"""A client of raw sockets: frames as bytes, and the few requests that black-box tests need, at versions without tags."""

import contextlib
import errno
import socket
import struct
import time

from . import batches

PRODUCE, FETCH, LIST_OFFSETS, METADATA, INIT_PRODUCER_ID, API_VERSIONS, CREATE_TOPICS, DELETE_TOPICS = 0, 1, 2, 3, 22, 18, 19, 20
UNKNOWN_TOPIC_OR_PARTITION = 3
NOT_LEADER_OR_FOLLOWER = 6
COORDINATOR_LOAD_IN_PROGRESS = 14


class Closed(Exception):
    """The server closed the connection instead of answering."""


def string(text):
    return struct.pack(">h", -1) if text is None else struct.pack(">h", len(text.encode())) + text.encode()


def blob(data):
    return struct.pack(">i", -1) if data is None else struct.pack(">i", len(data)) + data


def array(items):
    return struct.pack(">i", len(items)) + b"".join(items)


class Reader:
    """Reads the fields of an answer one after the other."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, form):
        values = struct.unpack_from(">" + form, self.data, self.at)
        self.at += struct.calcsize(">" + form)
        return values[0] if len(values) == 1 else values

    def bytes_(self, size):
        assert 0 <= size <= len(self.data) - self.at, f"a length of {size} with {len(self.data) - self.at} bytes at hand"
        self.at += size
        return self.data[self.at - size : self.at]

    def uvarint(self):
        value = shift = 0
        while True:
            byte = self.take("B")
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def string(self):
        size = self.take("h")
        return None if size < 0 else self.bytes_(size).decode()

    def blob(self):
        size = self.take("i")
        return None if size < 0 else self.bytes_(size)

    def array(self, item):
        return [item() for _ in range(max(self.take("i"), 0))]

    def end(self):
        assert self.at == len(self.data), f"{len(self.data) - self.at} bytes after the end of the answer"


def header(api, version, correlation, client="raw", flexible=False):
    return struct.pack(">hhi", api, version, correlation) + string(client) + (b"\0" if flexible else b"")


def frame(payload):
    return struct.pack(">i", len(payload)) + payload


class Connection:
    """One connection. Times out in `seconds`; `Closed` is raised when the server hangs up."""

    def __init__(self, port, seconds=15):
        self.socket = socket.create_connection(("127.0.0.1", port), seconds)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.correlation = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError as error:
            if error.errno not in (errno.EPIPE, errno.ECONNRESET):
                raise
            raise Closed from error

    def exactly(self, size):
        data = bytearray()
        while len(data) < size:
            try:
                part = self.socket.recv(min(size - len(data), 1 << 20))
            except ConnectionResetError as error:
                raise Closed from error
            if not part:
                raise Closed
            data += part
        return bytes(data)

    def receive(self):
        """The payload of the next frame, from its correlation id on."""
        return self.exactly(struct.unpack(">i", self.exactly(4))[0])

    def request(self, api, version, body, flexible_header=False):
        """Sends a request with a good header and returns the body of the answer (response header version 0)."""
        self.correlation += 1
        self.send(frame(header(api, version, self.correlation, flexible=flexible_header) + body))
        answer = Reader(self.receive())
        correlation = answer.take("i")
        assert correlation == self.correlation, f"answer {correlation} to request {self.correlation}"
        return answer

    def is_closed(self, seconds=10):
        """True if the server hangs up within `seconds` without a byte; False if it is silent; fails on an answer."""
        self.socket.settimeout(seconds)
        try:
            data = self.socket.recv(1)
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False
        assert data == b"", "an answer where none was expected"
        return True

    # -- requests -----------------------------------------------------------------------------------------------------

    def api_versions(self):
        """{api key: (min, max)} by ApiVersions v0."""
        answer = self.request(API_VERSIONS, 0, b"")
        assert answer.take("h") == 0
        ranges = answer.array(lambda: answer.take("hhh"))
        answer.end()
        return {key: (low, high) for key, low, high in ranges}

    def create_topic(self, name, partitions=1, configs=None):
        """CreateTopics v4; waits until the topic has a leader. A topic that is there already is an error."""
        pairs = [string(key) + string(str(value)) for key, value in (configs or {}).items()]
        topic = string(name) + struct.pack(">ih", partitions, 1) + array([]) + array(pairs)
        answer = self.request(CREATE_TOPICS, 4, array([topic]) + struct.pack(">i?", 30000, False))
        answer.take("i")
        results = answer.array(lambda: (answer.string(), answer.take("h"), answer.string()))
        answer.end()
        assert results[0][1] == 0, f"CreateTopics {name}: error {results[0][1]}: {results[0][2]}"
        deadline = time.monotonic() + 15
        while self.metadata([name], create=False)[name][0] != 0:
            assert time.monotonic() < deadline, f"{name} has no leader 15 s after its creation"
            time.sleep(0.02)

    def metadata(self, names, create=True):
        """Metadata v4 -> {topic: (error, [(error, partition, leader)])}."""
        answer = self.request(METADATA, 4, array([string(name) for name in names]) + struct.pack(">?", create))
        answer.take("i")
        answer.array(lambda: (answer.take("i"), answer.string(), answer.take("i"), answer.string()))
        answer.string(), answer.take("i")

        def partition():
            error, index, leader = answer.take("hii")
            answer.array(lambda: answer.take("i"))
            answer.array(lambda: answer.take("i"))
            return error, index, leader

        topics = answer.array(lambda: (answer.take("h"), answer.string(), answer.take("?"), answer.array(partition)))
        answer.end()
        return {name: (error, partitions) for error, name, _, partitions in topics}

    @staticmethod
    def produce_body(topic, batch, partition=0, acks=-1):
        data = array([string(topic) + array([struct.pack(">i", partition) + blob(batch)])])
        return string(None) + struct.pack(">hi", acks, 30000) + data

    def produce(self, topic, batch, partition=0, acks=-1):
        """Produce v7 of the bytes as they are -> (error, base offset); sent again while a new topic has no leader (6)."""
        body = self.produce_body(topic, batch, partition, acks)
        deadline = time.monotonic() + 10
        while True:
            answer = self.request(PRODUCE, 7, body)
            result = []

            def each():
                _, error, base, _, _ = answer.take("ihqqq")
                result.append((error, base))

            answer.array(lambda: (answer.string(), answer.array(each)))
            answer.take("i")
            answer.end()
            assert len(result) == 1
            if result[0][0] != NOT_LEADER_OR_FOLLOWER or time.monotonic() > deadline:
                return result[0]
            time.sleep(0.05)

    def fetch(self, topic, offset, partition=0, max_bytes=64 << 20, wait_ms=500, min_bytes=1):
        """Fetch v4 -> (error, high watermark, bytes of the record set)."""
        part = struct.pack(">iqi", partition, offset, max_bytes)
        body = struct.pack(">iiiib", -1, wait_ms, min_bytes, max_bytes, 0) + array([string(topic) + array([part])])
        answer = self.request(FETCH, 4, body)
        answer.take("i")
        result = []

        def each():
            _, error, high, _ = answer.take("ihqq")
            answer.array(lambda: answer.take("qq"))
            result.append((error, high, answer.blob() or b""))

        answer.array(lambda: (answer.string(), answer.array(each)))
        answer.end()
        assert len(result) == 1
        return result[0]

    def read_all(self, topic, offset=0, partition=0):
        """All batches from `offset` to the high watermark; waits for a leader that is only just elected."""
        out = []
        deadline = time.monotonic() + 15
        while True:
            error, high, data = self.fetch(topic, offset, partition)
            if error in (UNKNOWN_TOPIC_OR_PARTITION, NOT_LEADER_OR_FOLLOWER) and time.monotonic() < deadline:
                time.sleep(0.05)
                continue
            assert error == 0, f"Fetch {topic} at {offset}: error {error}"
            for batch in batches.split(data):
                if batches.last_offset(batch) >= offset:
                    out.append(batch)
                    offset = batches.last_offset(batch) + 1
            if offset >= high:
                return out

    def init_producer_id(self):
        """InitProducerId v1 without a transactional id -> (producer id, epoch); retried while the server says 14."""
        error = COORDINATOR_LOAD_IN_PROGRESS
        deadline = time.monotonic() + 15
        while error == COORDINATOR_LOAD_IN_PROGRESS and time.monotonic() < deadline:
            answer = self.request(INIT_PRODUCER_ID, 1, string(None) + struct.pack(">i", 60000))
            _, error, producer, epoch = answer.take("ihqh")
            time.sleep(0.02 if error else 0)
        assert error == 0, f"InitProducerId: error {error}"
        return producer, epoch

    def end_offset(self, topic, partition=0):
        """ListOffsets v1 at the end."""
        part = struct.pack(">iq", partition, -1)
        answer = self.request(LIST_OFFSETS, 1, struct.pack(">i", -1) + array([string(topic) + array([part])]))
        result = []
        answer.array(lambda: (answer.string(), answer.array(lambda: result.append(answer.take("ihqq")))))
        answer.end()
        assert result[0][1] == 0, f"ListOffsets: error {result[0][1]}"
        return result[0][3]


def eventually(check, seconds=10, every=0.05):
    """Calls `check` until it returns something true; the last result is returned either way."""
    deadline = time.monotonic() + seconds
    while True:
        result = check()
        if result or time.monotonic() > deadline:
            return result
        time.sleep(every)


@contextlib.contextmanager
def connected(port, seconds=15):
    connection = Connection(port, seconds)
    try:
        yield connection
    finally:
        connection.close()
