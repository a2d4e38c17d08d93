"""Whatever bad clients do, the memory of requests stays within what is configured, and a good client is served. The latencies
beside each are measured by bench/pressure.py (docs/connections.md)."""

import pytest

from harness import pressure, server as servers, toolchain

SUITE = "memory"
MIB = 1 << 20
BUDGET_BYTES = FRAME_BYTES = 32 * MIB
# For small frames there is a reserve, and one frame of the largest size is always admitted.
RESERVE_BYTES = 16 * MIB
OF_CONNECTION_BYTES = 16 << 10
SLACK_BYTES = 24 * MIB


@pytest.fixture(scope="module")
def pressed_server(server_kind, tmp_path_factory):
    try:
        made = servers.Server(server_kind, tmp_path_factory.mktemp("pressed"), {
            "queued.max.request.bytes": str(BUDGET_BYTES), "socket.request.max.bytes": str(FRAME_BYTES)}, open_files=(8000, 8000)).start()
    except toolchain.NotRun as reason:
        pytest.skip(str(reason))
    pressure.prepare(made.port)
    yield made
    made.kill()


@pytest.mark.only("dohle", "a JVM grows into its heap, whatever the requests are")
@pytest.mark.parametrize(("name", "options", "connections", "large"), [
    ("slow readers", {"count": 40}, 40, 0),
    ("half-sent frames", {"count": 150, "frame_bytes": FRAME_BYTES}, 150, MIB),
    ("a flood of connections", {}, 100, 0),
    ("requests of 100 MiB", {"count": 4, "frame_bytes": FRAME_BYTES}, 4, FRAME_BYTES),
    ("batches of 1 GiB inflated", {"count": 2}, 2, 0),
    ("5,000 idle connections", {"count": 1000}, 1000, 0),
], ids=lambda value: value.replace(",", "").replace(" ", "-") if isinstance(value, str) else "")
def test_memory_stays_within_its_budget(pressed_server, name, options, connections, large):
    before = pressure.memory_bytes(pressed_server.pid, "VmRSS")
    pressure.forget_peak(pressed_server.pid)
    with pressure.pressed(pressed_server.port, name, **options):
        served = pressure.healthy_latencies(pressed_server.port, 1)
    grown = pressure.memory_bytes(pressed_server.pid, "VmHWM") - before
    most = BUDGET_BYTES + RESERVE_BYTES + large + connections * OF_CONNECTION_BYTES + SLACK_BYTES
    assert grown < most, f"{grown >> 20} MiB more were resident"
    assert served, "the healthy client was not served"
    pressed_server.check()
