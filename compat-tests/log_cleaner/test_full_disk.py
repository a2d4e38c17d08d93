"""A disk that fills up and is freed three times: clients are refused with a retriable error, all the rest goes on."""

import os
import shutil
import subprocess
import time

import pytest

from harness import batches, raw

SUITE = "full-disk"
KAFKA_STORAGE_ERROR = 56
DISK_BYTES = 200 << 20


@pytest.fixture
def small_disk(tmp_path):
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("not run: a small file system can only be mounted by root")
    folder = tmp_path / "small"
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder)], capture_output=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"not run: {done.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=False)


@pytest.mark.limit(200)
@pytest.mark.only("dohle", "the reference stops when its disk is full")
def test_a_full_disk_refuses_and_recovers(make_server, server_kind, small_disk):
    # The metadata stays on another disk, as it would in a careful installation.
    server = make_server("dohle", {"log.dirs": str(small_disk / "data"), "log.segment.delete.delay.ms": "200"})
    server.properties["metadata.log.dir"] = str(server.data)
    # A producer that is quicker than the next look at the disk meets the full disk itself.
    server.expect_error(r"No space left on device \(kafka\.server\.ReplicaManager\)")
    server.start()
    batch = batches.batch([batches.record(0, None, b"x" * 400_000)])
    for round_number in range(3):
        topic = f"filling-{round_number}"
        with raw.connected(server.port, seconds=30) as connection:
            connection.create_topic(topic, configs={"segment.bytes": 16 << 20})
            stored, refused = 0, 0
            for _ in range(2000):
                error, _ = connection.produce(topic, batch)
                assert error in (0, KAFKA_STORAGE_ERROR), error
                stored, refused = (stored + 1, 0) if error == 0 else (stored, refused + 1)
                if refused == 3:
                    break
                time.sleep(0.002)
            assert refused == 3, "the disk never filled"
            assert stored * 400_000 > DISK_BYTES * 0.8
            assert connection.end_offset(topic) == stored
            error, high, data = connection.fetch(topic, stored - 1)
            assert (error, high) == (0, stored) and len(list(batches.split(data))) == 1
        server.check()
        # Deletion works on a full disk.
        delete_topic(server, topic)
        with raw.connected(server.port, seconds=30) as connection:
            connection.create_topic(f"after-{round_number}")
            assert raw.eventually(lambda c=connection, t=f"after-{round_number}": c.produce(t, batch)[0] == 0, seconds=20, every=0.2)
    server.restart(kill=True)
    with raw.connected(server.port) as connection:
        for round_number in range(3):
            assert connection.end_offset(f"after-{round_number}") >= 1
    server.stop()


def delete_topic(server, topic):
    with raw.connected(server.port) as connection:
        body = raw.array([raw.string(topic)]) + (10_000).to_bytes(4, "big")
        answer = connection.request(20, 1, body)
        answer.take("i")
        errors = []
        answer.array(lambda: errors.append((answer.string(), answer.take("h"))))
        assert errors == [(topic, 0)], errors
