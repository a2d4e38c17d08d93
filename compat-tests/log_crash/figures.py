#!/usr/bin/env python3
"""Measures the figures of docs/storage_figures.md, of Dohle and of the reference one after the other.

    compat-tests/log_crash/figures.py recovery [--gigabytes 10] [--folder /tmp/figures]
    compat-tests/log_crash/figures.py partitions [--partitions 10000]

recovery: a log of 100 partitions, never flushed, after kill -9; each server starts on a copy of the same directory whose
files are not in the page cache. partitions: creation by 100 requests of 100 partitions, then what the server holds, then a
start after a clean stop, and with --killed one after kill -9.
"""

import argparse
import os
import pathlib
import resource
import shutil
import struct
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from harness import batches, raw, server as servers  # noqa: E402

PARTITIONS = 100
SESSIONS = {"broker.session.timeout.ms": "2000", "broker.heartbeat.interval.ms": "500"}


def memory_mib(server):
    return server.resident_bytes() / (1 << 20)


def open_files(server):
    return len(os.listdir(f"/proc/{server.pid}/fd"))


def started(server):
    """Seconds from the start of the process to its ready line."""
    began = time.monotonic()
    server.start()
    return time.monotonic() - began


def out_of_cache(folder):
    for path in folder.rglob("*"):
        if path.is_file():
            with open(path, "rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def copy_without_logs(source, target):
    """Indexes and checkpoints are copied; the .log files are the same ones under a second name, since nobody changes them."""
    for path in source.rglob("*"):
        new = target / path.relative_to(source)
        if path.is_dir():
            new.mkdir(parents=True, exist_ok=True)
        elif path.suffix == ".log" and "__cluster_metadata" not in str(path):
            new.parent.mkdir(parents=True, exist_ok=True)
            os.link(path, new)
        else:
            new.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, new)


def answers(connection):
    """The end offsets of all partitions; None for one that has no leader yet."""
    ends = set()
    for partition in range(PARTITIONS):
        try:
            ends.add(connection.end_offset("recovered", partition))
        except AssertionError:
            ends.add(None)
    return ends


def recovery(folder, gigabytes):
    server = servers.Server("reference", folder / "made", {**SESSIONS, "num.partitions": "1"}).start()
    batch = batches.batch([batches.record(i, None, os.urandom(1000)) for i in range(64)])
    with raw.connected(server.port, seconds=60) as connection:
        connection.create_topic("recovered", PARTITIONS)
        for _ in range(int(gigabytes * 1e9 / PARTITIONS / len(batch))):
            assert connection.produce("recovered", batch)[0] == 0
        end = connection.end_offset("recovered")
    assert raw.eventually(lambda: all((server.data / f"recovered-{partition}").exists() for partition in range(PARTITIONS)), seconds=60)
    server.kill()
    first = server.data / "recovered-0" / ("0" * 20 + ".log")
    for partition in range(1, PARTITIONS):
        shutil.copy(first, server.data / f"recovered-{partition}" / first.name)
    size = first.stat().st_size * PARTITIONS
    print(f"{size / 1e9:.2f} GB in {PARTITIONS} partitions, {end} records each, nothing flushed", flush=True)
    for kind in ("dohle", "reference"):
        copy = servers.Server(kind, folder / kind, dict(server.properties))
        copy.port, copy.controller_port = server.port, server.controller_port
        copy.properties["log.dirs"] = str(copy.data)
        copy_without_logs(server.data, copy.data)
        out_of_cache(copy.data)
        servers.START_SECONDS_MAX[kind] = 900
        began = time.monotonic()
        try:
            seconds = started(copy)
            with raw.connected(copy.port, seconds=60) as connection:
                while any(leader < 0 for _, _, leader in connection.metadata(["recovered"], create=False)["recovered"][1]):
                    time.sleep(0.05)
                assert raw.eventually(lambda c=connection: answers(c) == {end}, seconds=120), answers(connection)
            led = time.monotonic() - began
            print(f"{kind}: recovered in {seconds:.1f} s ({size / seconds / 1e6:.0f} MB/s), all partitions answer after {led:.1f} s, "
                  f"{memory_mib(copy):.0f} MiB resident", flush=True)
        finally:
            copy.kill()
        shutil.rmtree(copy.data)


def create_many(connection, count):
    """CreateTopics v4 of topics with 100 partitions, one a request."""
    for number in range(count // 100):
        topic = raw.string(f"many-{number}") + struct.pack(">ih", 100, 1) + raw.array([]) + raw.array([])
        answer = connection.request(raw.CREATE_TOPICS, 4, raw.array([topic]) + struct.pack(">i?", 120_000, False))
        answer.take("i")
        results = answer.array(lambda a=answer: (a.string(), a.take("h"), a.string()))
        assert results[0][1] == 0, results


def partitions(folder, count, killed):
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for kind in ("dohle", "reference"):
        servers.START_SECONDS_MAX[kind] = 900
        server = servers.Server(kind, folder / kind, SESSIONS, open_files=(hard, hard))
        server.start()
        empty = memory_mib(server)
        began = time.monotonic()
        names = [f"many-{number}" for number in range(count // 100)]
        with raw.connected(server.port, seconds=300) as connection:
            create_many(connection, count)
            # Made is what has its directory and a leader.
            while True:
                found = connection.metadata(names, create=False)
                led = sum(error == 0 for topic in found.values() for error, _, _ in topic[1])
                if led == count and sum(1 for path in server.data.iterdir() if path.name.startswith("many-")) == count:
                    break
                time.sleep(0.1)
        created = time.monotonic() - began
        print(f"{kind}: {count} partitions created in {created:.1f} s; {empty:.0f} MiB resident before, {memory_mib(server):.0f} MiB "
              f"after, {open_files(server)} open files", flush=True)
        servers.STOP_SECONDS_MAX = 300
        server.stop()
        seconds = started(server)
        print(f"{kind}: started after a clean stop in {seconds:.2f} s, {memory_mib(server):.0f} MiB resident, "
              f"{open_files(server)} open files", flush=True)
        server.kill()
        if killed:
            seconds = started(server)
            print(f"{kind}: started after kill -9 in {seconds:.2f} s", flush=True)
            server.kill()
        shutil.rmtree(server.data)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["recovery", "partitions"])
    parser.add_argument("--gigabytes", type=float, default=10)
    parser.add_argument("--partitions", type=int, default=10_000)
    parser.add_argument("--killed", action="store_true", help="also the start after kill -9")
    parser.add_argument("--folder", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="storage-figures-", dir=arguments.folder))
    try:
        if arguments.what == "recovery":
            recovery(folder, arguments.gigabytes)
        else:
            partitions(folder, arguments.partitions, arguments.killed)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
