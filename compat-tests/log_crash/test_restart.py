"""What a client meets right after a restart: behaviours 189 and 191 of the list of what real clients rely on."""

import struct
import time

import pytest

from harness import batches, raw

SUITE = "restart"
OFFSET_COMMIT, OFFSET_FETCH, FIND_COORDINATOR = 8, 9, 10
SESSIONS = {"broker.session.timeout.ms": "1500", "broker.heartbeat.interval.ms": "500"}
# Not the coordinator, being loaded, or not there yet.
NOT_YET = (14, 15, 16)


def find_coordinator(connection, group):
    """FindCoordinator v0, which also makes the topic of the offsets."""
    return connection.request(FIND_COORDINATOR, 0, raw.string(group)).take("h")


def commit(connection, group, topic, offset):
    """OffsetCommit v2 of a group without members."""
    part = raw.array([struct.pack(">iq", 0, offset) + raw.string("")])
    body = raw.string(group) + struct.pack(">i", -1) + raw.string("") + struct.pack(">q", -1) + raw.array([raw.string(topic) + part])
    answer = connection.request(OFFSET_COMMIT, 2, body)
    errors = []
    answer.array(lambda: (answer.string(), answer.array(lambda: errors.append(answer.take("ih")[1]))))
    return errors[0]


def committed(connection, group, topic):
    """OffsetFetch v2 -> (error of the whole, offset)."""
    answer = connection.request(OFFSET_FETCH, 2, raw.string(group) + raw.array([raw.string(topic) + raw.array([struct.pack(">i", 0)])]))
    found = []

    def each():
        _, offset = answer.take("iq")
        answer.string()
        found.append((answer.take("h"), offset))

    answer.array(lambda: (answer.string(), answer.array(each)))
    error = answer.take("h")
    return error or (found[0][0] if found else 0), found[0][1] if found else None


@pytest.mark.limit(300)
def test_b191_a_committed_offset_is_there_or_still_loading_but_never_missing(make_server, server_kind):
    server = make_server(server_kind, SESSIONS).start()
    groups = [f"group-{number}" for number in range(30)]
    with raw.connected(server.port, seconds=30) as connection:
        connection.create_topic("read")
        assert raw.eventually(lambda: find_coordinator(connection, "group-0") == 0, seconds=60)
        for number, group in enumerate(groups):
            assert raw.eventually(lambda g=group, n=number: commit(connection, g, "read", n) == 0, seconds=30), group
        for offset in range(300):
            assert commit(connection, groups[offset % 30], "read", 1000 + offset) == 0
    expected = {group: 1000 + 270 + number for number, group in enumerate(groups)}
    for _ in range(2):
        server.restart(kill=True)
        with raw.connected(server.port, seconds=30) as connection:
            missing, deadline = set(groups), time.monotonic() + 60
            while missing and time.monotonic() < deadline:
                for group in list(missing):
                    error, offset = committed(connection, group, "read")
                    assert error in (0, *NOT_YET), (group, error)
                    if error == 0:
                        assert offset == expected[group], f"{group}: {offset}"
                        missing.remove(group)
            assert not missing
    server.stop()


@pytest.mark.limit(120)
def test_b189_a_retry_after_kill_is_a_duplicate(make_server, server_kind):
    server = make_server(server_kind, SESSIONS).start()
    now = int(time.time() * 1000)
    with raw.connected(server.port, seconds=30) as connection:
        connection.create_topic("retried")
        producer = connection.init_producer_id()
        sent = [batches.batch([batches.record(i, None, b"%d" % i) for i in range(3)], producer=(*producer, 3 * n), timestamp=now) for n in range(4)]
        assert [connection.produce("retried", batch) for batch in sent] == [(0, 0), (0, 3), (0, 6), (0, 9)]
    server.restart(kill=True)
    with raw.connected(server.port, seconds=30) as connection:
        # The last one again, as a client does that never saw its answer: once.
        assert connection.produce("retried", sent[3]) == (0, 9)
        assert connection.end_offset("retried") == 12
    server.stop()
