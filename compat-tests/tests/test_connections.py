"""Listeners and the limits of connections, as server.properties sets them."""

import struct
import time

import pytest

from harness import raw
from harness import server as servers

SUITE = "connections"


def brokers(connection):
    """[(id, host, port)] of Metadata v1 without topics."""
    answer = connection.request(raw.METADATA, 1, raw.array([]))
    found = answer.array(lambda: (answer.take("i"), answer.string(), answer.take("i"), answer.string()))
    return [each[:3] for each in found]


def is_served(port, seconds=5):
    try:
        with raw.connected(port, seconds) as connection:
            connection.api_versions()
        return True
    except (raw.Closed, OSError):
        return False


def with_external_listener(made):
    """The port of a second listener of the brokers' clients."""
    external = servers.free_port()
    made.properties["listeners"] += f",EXTERNAL://127.0.0.1:{external}"
    made.properties["advertised.listeners"] += ",EXTERNAL://broker.example.com:19999"
    made.properties["listener.security.protocol.map"] += ",EXTERNAL:PLAINTEXT"
    made.properties["inter.broker.listener.name"] = "PLAINTEXT"
    return external


def test_each_listener_advertises_its_own_address(make_server, server_kind):
    """Behaviour 22: who comes through one listener is sent to addresses of that listener alone."""
    made = make_server(server_kind)
    external = with_external_listener(made)
    made.start()
    with raw.connected(made.port) as connection:
        assert brokers(connection) == [(1, "127.0.0.1", made.port)]
    with raw.connected(external) as connection:
        assert brokers(connection) == [(1, "broker.example.com", 19999)]


def test_too_many_connections_of_an_address_are_closed(make_server, server_kind):
    made = make_server(server_kind, {"max.connections.per.ip": "3"}).start()
    time.sleep(0.5)  # what looked whether the server is ready has gone
    held = [raw.Connection(made.port) for _ in range(3)]
    for connection in held:
        connection.api_versions()
    assert not is_served(made.port)
    held.pop().close()
    assert raw.eventually(lambda: is_served(made.port))
    for connection in held:
        connection.api_versions()
        connection.close()


def test_an_override_counts_for_its_address(make_server, server_kind):
    made = make_server(server_kind, {"max.connections.per.ip": "0", "max.connections.per.ip.overrides": "127.0.0.1:2"}).start()
    time.sleep(0.5)
    held = [raw.Connection(made.port) for _ in range(2)]
    for connection in held:
        connection.api_versions()
    assert not is_served(made.port)
    for connection in held:
        connection.close()


def test_idle_connections_are_closed_and_busy_ones_stay(make_server, server_kind, topic):
    """Behaviour 14: the time counts from the last request; a fetch that waits is no idle connection."""
    made = make_server(server_kind, {"connections.max.idle.ms": "1500"}).start()
    with raw.connected(made.port) as idle, raw.connected(made.port) as busy, raw.connected(made.port) as waiting:
        waiting.create_topic(topic)
        idle.api_versions()
        begun = time.monotonic()
        waiting.send(raw.frame(raw.header(raw.FETCH, 4, 99) + struct.pack(">iiiib", -1, 4000, 1, 1 << 20, 0) + raw.array(
            [raw.string(topic) + raw.array([struct.pack(">iqi", 0, 0, 1 << 20)])])))
        while time.monotonic() < begun + 1.0:
            busy.api_versions()
            time.sleep(0.1)
        # Kafka looks at the oldest connection now and then: after the time, not at once.
        deadline = time.monotonic() + 10
        while not idle.is_closed(0.2):
            assert time.monotonic() < deadline, "the idle connection is still there"
            busy.api_versions()
        assert time.monotonic() - begun >= 1.4
        busy.api_versions()
        assert raw.Reader(waiting.receive()).take("i") == 99


@pytest.mark.parametrize("surplus", [0, 1])
def test_a_frame_above_the_limit_closes_the_connection(make_server, server_kind, surplus):
    """Behaviour 12: by its length alone, before its bytes are there."""
    limit = 1000
    made = make_server(server_kind, {"socket.request.max.bytes": str(limit)}).start()
    client_id = "x" * (limit - 10)
    request = raw.header(raw.API_VERSIONS, 0, 5, client=client_id)
    assert len(request) == limit
    with raw.connected(made.port) as connection:
        if surplus:
            connection.send(struct.pack(">i", limit + surplus))
            assert connection.is_closed()
        else:
            connection.send(raw.frame(request))
            assert raw.Reader(connection.receive()).take("i") == 5
    assert is_served(made.port)


def test_a_listener_has_a_limit_of_its_own(make_server, server_kind):
    made = make_server(server_kind, {"listener.name.external.max.connections": "2"})
    external = with_external_listener(made)
    made.start()
    held = [raw.Connection(external) for _ in range(2)]
    for connection in held:
        connection.api_versions()
    assert not is_served(external, seconds=1)
    assert all(is_served(made.port) for _ in range(5)), "the other listener has no limit"
    held.pop().close()
    assert raw.eventually(lambda: is_served(external))
    held.pop().close()


def test_above_the_total_only_the_listener_of_the_brokers_takes_connections(make_server, server_kind):
    made = make_server(server_kind, {"max.connections": "4", "listener.name.plaintext.max.connections": "100"})
    external = with_external_listener(made)
    made.start()
    time.sleep(1)  # what looked whether the server is ready has gone
    held = [raw.Connection(external) for _ in range(4)]
    for connection in held:
        connection.api_versions()
    assert not is_served(external, seconds=1)
    assert is_served(made.port)
    for connection in held:
        connection.close()
    assert raw.eventually(lambda: is_served(external))


@pytest.mark.parametrize("key", ["max.connection.creation.rate", "listener.name.external.max.connection.creation.rate"])
def test_new_connections_come_at_most_at_the_rate(make_server, server_kind, key):
    """Ten windows of a second may be used up at once, then it is the rate, with waits of a second at most."""
    made = make_server(server_kind, {key: "2"})
    external = with_external_listener(made)
    made.start()
    begun = time.monotonic()
    for _ in range(20):
        assert is_served(external)
    burst = time.monotonic() - begun
    for _ in range(4):
        assert is_served(external)
    # The 21st waits for half a second after the first, the 22nd for one, each of the others for one more.
    assert time.monotonic() - begun > 2.5, burst
    begun = time.monotonic()
    assert all(is_served(made.port) for _ in range(15))
    assert time.monotonic() - begun < 5, "the listener of the brokers is free of it"
