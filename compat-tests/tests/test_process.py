"""The process itself: starts that must fail say why in one line and end with 1, SIGTERM ends with a clean marker."""

import re
import resource
import signal
import socket
import time

import pytest

from harness import batches, raw, server as servers

SUITE = "process"
SEVERE = re.compile(r"^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}\] (ERROR|FATAL) .+ \(\S+\)$")


def refused(server, *words):
    """The start ends with 1; Dohle says why in one line that has all `words`, the reference in its own way."""
    server.spawn()
    code = server.wait(servers.START_SECONDS_MAX[server.kind])
    log = server.log()
    assert code == 1, f"exit code {code}:\n{log[-3000:]}"
    assert servers.READY_LINE not in log
    if server.kind == "dohle":
        severe = [line for line in log.splitlines() if not re.search(r"\] (INFO|WARN|DEBUG|TRACE) ", line)]
        assert len(severe) == 1, "one line says why the server does not start:\n" + "\n".join(severe)
        assert SEVERE.match(severe[0]) or not severe[0].startswith("["), severe[0]
        for word in words:
            assert re.search(word, severe[0], re.IGNORECASE), f"{word!r} is not in: {severe[0]}"
        server.expect_error(".")
    else:
        assert any(re.search(words[-1], line, re.IGNORECASE) for line in log.splitlines()), log[-3000:]


def formatted(make_server, kind, properties=None):
    """A server whose directory is formatted and that has run once."""
    server = make_server(kind, properties).start()
    server.stop()
    return server


def test_the_start_up_lines_that_tools_wait_for_appear(server):
    log = server.log()
    stamp = r"^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}\] INFO "
    running = re.search(stamp + r"\[BrokerLifecycleManager id=1\] The broker has been unfenced\. Transitioning from RECOVERY to RUNNING\."
                        r" \((kafka|org\.apache\.kafka)\.server\.BrokerLifecycleManager\)$", log, re.MULTILINE)
    started = re.search(stamp + r"\[KafkaRaftServer nodeId=1\] Kafka Server started \(kafka\.server\.KafkaRaftServer\)$", log, re.MULTILINE)
    assert running and started
    assert running.start() < started.start()
    # What Testcontainers match (conventions.md, 3.3).
    assert re.search(r".*Transitioning from RECOVERY to RUNNING.*", log) and re.search(r".*Kafka Server started.*", log)


def test_a_second_process_on_the_same_directory_is_refused(make_server, server_kind):
    first = make_server(server_kind).start()
    second = make_server(server_kind, {"log.dirs": str(first.data)})
    refused(second, re.escape(str(first.data)), "lock")
    if server_kind == "dohle":
        # The reference's second process gets as far as its metadata log, and harms the first.
        with raw.connected(first.port) as connection:
            connection.create_topic("still-here")
        first.stop()


def test_a_port_in_use_is_refused(make_server, server_kind):
    server = formatted(make_server, server_kind)
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", server.port))
        holder.listen()
        refused(server, str(server.port), "in use|failed to bind")
    server.start().stop()


def test_a_file_in_the_place_of_the_directory_is_refused(make_server, server_kind):
    server = make_server(server_kind)
    server.folder.mkdir(parents=True)
    server.data.write_text("not a directory")
    refused(server, re.escape(str(server.data)), "directory|meta.properties")
    assert server.data.read_text() == "not a directory"


def test_another_node_id_than_in_meta_properties_is_refused(make_server, server_kind):
    server = formatted(make_server, server_kind)
    before = (server.data / "meta.properties").read_text()
    server.properties["node.id"] = "7"
    refused(server, r"\b7\b", r"\b1\b", r"node.?id")
    assert (server.data / "meta.properties").read_text() == before


def test_directories_of_two_clusters_are_refused(make_server, server_kind):
    server = formatted(make_server, server_kind)
    other = formatted(make_server, server_kind)
    server.properties["log.dirs"] = f"{server.data},{other.data}"
    refused(server, r"cluster.?id")


@pytest.mark.only("dohle", "cluster.id is a key of Dohle's own")
def test_another_cluster_id_than_in_meta_properties_is_refused(make_server, server_kind):
    server = formatted(make_server, server_kind)
    server.properties["cluster.id"] = "4L6g3nShT-eMCtK--X86sw"
    refused(server, "4L6g3nShT-eMCtK--X86sw", r"cluster.?id")


@pytest.mark.parametrize(("key", "value"), [
    ("log.segment.bytes", "10"),
    ("num.partitions", "many"),
    ("num.partitions", "0"),
    ("listeners", "nonsense"),
    ("process.roles", "broker,zookeeper"),
    ("advertised.listeners", "PLAINTEXT://0.0.0.0:9092"),
    ("compression.type", "bzip2"),
    ("log.cleanup.policy", "hoard"),
    ("controller.listener.names", "NOWHERE"),
])
def test_an_impossible_configuration_is_refused(make_server, server_kind, key, value):
    server = make_server(server_kind)
    server.properties[key] = value
    refused(server, re.escape(key))
    assert not server.data.exists() or not any(server.data.iterdir()), "nothing was formatted"


def test_a_missing_properties_file_is_refused(make_server, server_kind):
    server = make_server(server_kind)
    command = server.command_()
    server.command_ = lambda: [word.replace("server.properties", "no-such.properties") for word in command]
    refused(server, "no-such.properties")


def test_an_override_wins_over_the_file(make_server, server_kind):
    server = make_server(server_kind)
    server.overrides = ["num.partitions=5"]
    server.start()
    with raw.connected(server.port) as connection:
        assert raw.eventually(lambda: len(connection.metadata(["made-by-override"])["made-by-override"][1]) == 5)


@pytest.mark.only("dohle", "the reference says nothing about a key that it does not know")
def test_an_unknown_key_is_one_warning_with_the_nearest_name(make_server, server_kind):
    server = make_server(server_kind, {"log.retention.houres": "5"}).start()
    lines = [line for line in server.log().splitlines() if "log.retention.houres" in line]
    assert len(lines) == 1 and " WARN " in lines[0] and re.search(r"log\.retention\.hours\b", lines[0]), lines


def test_sigterm_leaves_a_clean_marker_and_a_kill_does_not(server):
    marker = server.data / ".kafka_cleanshutdown"
    assert not marker.exists(), "a running server has no marker"
    server.stop()
    assert marker.exists()
    server.start()
    assert not marker.exists()
    server.kill()
    assert not marker.exists()
    server.start()
    server.stop()
    assert marker.exists()


def test_sigterm_during_a_long_poll_does_not_wait_for_it(server):
    with raw.connected(server.port, seconds=40) as connection:
        connection.create_topic("waiting")
        body = raw.struct.pack(">iiiib", -1, 30000, 1, 1000, 0)
        body += raw.array([raw.string("waiting") + raw.array([raw.struct.pack(">iqi", 0, 0, 1000)])])
        connection.send(raw.frame(raw.header(raw.FETCH, 4, 1) + body))
        time.sleep(0.3)
        started = time.monotonic()
        server.stop()
        assert time.monotonic() - started < 15


def test_a_response_in_flight_is_finished_before_the_end(server):
    """Batches are pipelined while SIGTERM comes; each answer that begins is whole, and what it acknowledged is kept."""
    with raw.connected(server.port) as connection:
        connection.create_topic("in-flight")
        batch = batches.batch([batches.record(0, None, b"x" * 10000)])
        acknowledged = 0
        try:
            for turn in range(100000):
                if turn == 50:
                    server.process.send_signal(signal.SIGTERM)
                error, offset = connection.produce("in-flight", batch)
                if error == 0:
                    assert offset == acknowledged
                    acknowledged += 1
        except (raw.Closed, ConnectionError):
            pass
    assert server.wait(servers.STOP_SECONDS_MAX) == servers.CLEAN_EXIT[server.kind]
    assert acknowledged >= 50
    server.start()
    with raw.connected(server.port) as connection:
        assert raw.eventually(lambda: connection.metadata(["in-flight"], create=False)["in-flight"][0] == 0)
        assert len(connection.read_all("in-flight")) >= acknowledged


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_process(server, sign):
    server.process.send_signal(sign)
    code = server.wait(servers.STOP_SECONDS_MAX)
    assert code == (0 if server.kind == "dohle" else 128 + sign)


def test_connections_without_a_word_leave_no_line(server):
    time.sleep(0.5)
    before = server.log()
    for _ in range(100):
        socket.create_connection(("127.0.0.1", server.port)).close()
    with raw.connected(server.port) as connection:
        connection.api_versions()
    time.sleep(0.5)
    assert server.log() == before


def test_the_soft_limit_of_open_files_is_raised(make_server, server_kind):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    server = make_server(server_kind, open_files=(600, hard)).start()
    with open(f"/proc/{server.pid}/limits", encoding="ascii") as limits:
        (line,) = [line for line in limits if line.startswith("Max open files")]
    assert line.split()[3:5] == [str(hard), str(hard)]


@pytest.mark.only("dohle", "a JVM needs more files for its jars than the limit leaves")
def test_accepting_pauses_with_one_line_when_files_run_out(make_server, server_kind):
    server = make_server(server_kind, open_files=(120, 120)).start()
    server.expect_error("accept|open files|file descriptors")
    with raw.connected(server.port) as healthy:
        healthy.create_topic("files")
        before = server.log()
        idle = []
        try:
            for _ in range(200):
                idle.append(socket.create_connection(("127.0.0.1", server.port), 2))
        except OSError:
            pass
        time.sleep(1)
        assert healthy.api_versions(), "the connections that are there do not notice"
        lines = server.log()[len(before):].splitlines()
        assert len(lines) == 1 and re.search("accept|open files|descriptors", lines[0], re.IGNORECASE), lines
        for each in idle:
            each.close()
        assert raw.eventually(lambda: answers(server.port), seconds=10), "accepting goes on when files are free again"


def answers(port):
    try:
        with raw.connected(port, seconds=2) as connection:
            return connection.api_versions()
    except (OSError, raw.Closed):
        return None
