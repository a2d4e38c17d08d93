"""What bad clients do to a server, and how a good one fares beside them. Each pressure runs in a process of its own, and so
does the good client, so that neither waits for the other's interpreter."""

import contextlib
import errno
import multiprocessing
import pathlib
import socket
import struct
import time

from . import batches, raw

FETCH_TOPIC, HEALTHY_TOPIC, LARGE_TOPIC = "to-be-read", "healthy", "large"
FETCH_BYTES = 32 << 20
FRAME_BYTES_MAX = 104857600
ORDER = "slow readers", "half-sent frames", "a flood of connections", "requests of 100 MiB", "batches of 1 GiB inflated", "5,000 idle connections"


def prepare(port):
    """The topics that the pressures and the healthy client use."""
    with raw.connected(port, seconds=60) as connection:
        connection.create_topic(FETCH_TOPIC, configs={"max.message.bytes": 8 << 20})
        connection.create_topic(HEALTHY_TOPIC)
        connection.create_topic(LARGE_TOPIC, configs={"max.message.bytes": 8 << 20})
        # A checksum over 4 MiB in Python takes seconds, one over a batch that compresses to nothing takes none: so few of the
        # first.
        batch = batches.batch([batches.record(0, None, b"x" * (1 << 20))])
        for _ in range(FETCH_BYTES >> 20):
            assert connection.produce(FETCH_TOPIC, batch)[0] == 0


# -- the good client -----------------------------------------------------------------------------------------------------


def healthy_(port, seconds, every, results):
    batch = batches.batch([batches.record(0, b"k", b"x" * 1000)])
    taken = []
    try:
        with raw.connected(port, seconds=60) as connection:
            end = time.perf_counter() + seconds
            while time.perf_counter() < end:
                begun = time.perf_counter()
                assert connection.produce(HEALTHY_TOPIC, batch, acks=1)[0] == 0
                taken.append((time.perf_counter() - begun) * 1000)
                time.sleep(every)
    finally:
        results.put(taken)


def healthy_latencies(port, seconds, every=0.002):
    """Milliseconds of each of its produce requests, one after the other on one connection."""
    results = multiprocessing.Queue()
    process = multiprocessing.Process(target=healthy_, args=(port, seconds, every, results), daemon=True)
    process.start()
    taken = results.get(timeout=seconds + 120)
    process.join(10)
    assert process.exitcode == 0, "the healthy client failed"
    return sorted(taken)


def percentile(values, share):
    return values[min(len(values) - 1, int(len(values) * share))]


# -- the bad ones --------------------------------------------------------------------------------------------------------


def fetch_frame(max_bytes):
    part = struct.pack(">iqi", 0, 0, max_bytes)
    body = struct.pack(">iiiib", -1, 500, 1, max_bytes, 0) + raw.array([raw.string(FETCH_TOPIC) + raw.array([part])])
    return raw.frame(raw.header(raw.FETCH, 4, 1) + body)


def slow_readers(port, ready, stop, count=50):
    """Ask for all there is, again and again, and read nothing."""
    metadata = raw.frame(raw.header(raw.METADATA, 1, 2) + struct.pack(">i", -1))
    held = []
    for n in range(count):
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", port))
        connection.sendall((fetch_frame(FETCH_BYTES) if n % 2 else metadata) * 100)
        held.append(connection)
    ready.set()
    stop.wait()


def half_sent_frames(port, ready, stop, count=200, sent_bytes=1 << 20, frame_bytes=FRAME_BYTES_MAX):
    """Announce the largest frame there may be, send the beginning, and stay."""
    held = []
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setblocking(False)
        left = memoryview(struct.pack(">i", frame_bytes) + raw.header(raw.PRODUCE, 7, 1) + bytes(sent_bytes))
        held.append([connection, left])
    until = time.monotonic() + 2
    while time.monotonic() < until and any(left for _, left in held):
        for each in held:
            with contextlib.suppress(BlockingIOError, ConnectionError):
                each[1] = each[1][each[0].send(each[1]):] if each[1] else each[1]
        time.sleep(0.005)
    ready.set()
    stop.wait()


def flood_of_connections(port, ready, stop, made=None):
    """Connect, ask for the versions, and go, as fast as it can."""
    ready.set()
    request = raw.frame(raw.header(raw.API_VERSIONS, 0, 1))
    while not stop.is_set():
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 5) as connection:
            connection.sendall(request)
            if made is not None:
                made.value += 1


def large_requests(port, ready, stop, count=3, frame_bytes=FRAME_BYTES_MAX):
    """Frames of exactly the largest size, one after the other on each of some connections. Their batch is too large for the
    topic, so that the server reads all of it and stores nothing."""
    head = raw.header(raw.PRODUCE, 7, 1) + raw.string(None) + struct.pack(">hi", 1, 30000)
    part = frame_bytes - len(head) - 4 - len(raw.string(LARGE_TOPIC)) - 4 - 4 - 4
    batch = bytearray(batches.batch([batches.record(0, None, b"v")]))
    struct.pack_into(">i", batch, 8, part - 12)
    body = raw.array([raw.string(LARGE_TOPIC) + struct.pack(">iii", 1, 0, part)])
    wire = memoryview(struct.pack(">i", frame_bytes) + head + body + batch + bytes(part - len(batch)))
    assert len(wire) == frame_bytes + 4
    held = []
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setblocking(False)
        held.append([connection, wire])
    ready.set()
    while not stop.is_set():
        moved = False
        for each in held:
            with contextlib.suppress(BlockingIOError):
                each[0].recv(1 << 16)
            with contextlib.suppress(BlockingIOError):
                each[1] = each[1][each[0].send(each[1][: 1 << 20]):] or wire
                moved = True
        if not moved:
            time.sleep(0.001)


def one_gib_in_32_kib():
    """One record with a value of 1 GiB of the letter x: a zstd frame of run-length blocks."""
    value = 1 << 30
    body = b"\0\0\0" + batches.varint(-1) + batches.varint(value)
    blocks = [("raw", batches.varint(len(body) + value + 1) + body), *[("rle", b"x", 1 << 17)] * (value >> 17), ("raw", b"\0")]
    return batches.batch(batches.zstd_frame(blocks), count=1, codec="zstd")


def far_inflating_batches(port, ready, stop, count=4):
    """Batches of 32 KiB that inflate to 1 GiB, one after the other on each of some connections."""
    body = raw.Connection.produce_body(LARGE_TOPIC, one_gib_in_32_kib(), acks=1)
    wire = raw.frame(raw.header(raw.PRODUCE, 7, 1) + body)
    held = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
    ready.set()
    while not stop.is_set():
        for connection in held:
            connection.sendall(wire)
        for connection in held:
            if not stop.is_set():
                connection.recv(1 << 16)


def idle_connections(port, ready, stop, count=5000):
    """Each has asked something once."""
    request = raw.frame(raw.header(raw.API_VERSIONS, 0, 1))
    held = []
    while len(held) < count:
        try:
            connection = socket.create_connection(("127.0.0.1", port), 20)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.ETIMEDOUT):
                raise
            continue
        connection.sendall(request)
        held.append(connection)
    for connection in held:
        assert connection.recv(1 << 16)
    ready.set()
    stop.wait()


PRESSURES = dict(zip(ORDER, (slow_readers, half_sent_frames, flood_of_connections, large_requests, far_inflating_batches,
                             idle_connections), strict=True))


@contextlib.contextmanager
def pressed(port, name, **options):
    """The pressure of that name holds inside."""
    ready, stop = multiprocessing.Event(), multiprocessing.Event()
    process = multiprocessing.Process(target=PRESSURES[name], args=(port, ready, stop), kwargs=options, daemon=True)
    process.start()
    try:
        while not ready.wait(0.1):
            assert process.is_alive(), f"{name}: the client failed"
        yield process
    finally:
        stop.set()
        process.join(5)
        if process.is_alive():
            process.kill()
            process.join()


# -- memory --------------------------------------------------------------------------------------------------------------


def forget_peak(pid):
    """VmHWM begins anew."""
    pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")


def memory_bytes(pid, field):
    """`field` is VmRSS or, for the most there was, VmHWM."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"no {field}")
