"""The harness itself: a judge that can't say no is worth nothing."""

import json
import struct

import pytest

import test_kill_loop
from harness import batches, corpus, kcat, report, server as servers, toolchain


def test_crc32c_is_castagnoli():
    assert batches.crc32c(b"123456789") == 0xE3069283


@pytest.mark.parametrize(("value", "encoded"), [(0, "00"), (-1, "01"), (1, "02"), (63, "7e"), (64, "8001"), (-65, "8101"),
                                                (0x7FFFFFFF, "feffffff0f"), (-0x80000000, "ffffffff0f")])
def test_varints_are_kafkas(value, encoded):
    assert batches.varint(value).hex() == encoded
    assert batches.read_varint(bytes.fromhex(encoded), 0) == (value, len(encoded) // 2)


def test_a_batch_is_split_and_read_back():
    records = [batches.record(n, None if n else b"k", b"v%d" % n, [("h", None)]) for n in range(3)]
    data = batches.batch(records) + batches.batch(records, base_offset=3)
    first, second = batches.split(data + data[:40])
    assert list(batches.records_of(second)) == [(3, b"k", b"v0"), (4, None, b"v1"), (5, None, b"v2")]
    assert batches.last_offset(first) == 2
    assert struct.unpack_from(">I", first, 17)[0] == batches.crc32c(first[21:])


def test_kafka_takes_our_batches_for_its_own(tools, tmp_path):
    """kafka-dump-log finds our batch valid, and one with a wrong CRC not."""
    records = [batches.record(n, b"k", b"v") for n in range(2)]
    log = tmp_path / "00000000000000000000.log"
    log.write_bytes(batches.batch(records, leader_epoch=0))
    assert "isvalid: true" in tools("kafka-dump-log", "--deep-iteration", "--files", log).must_succeed().out
    log.write_bytes(batches.batch(records, leader_epoch=0, crc=1))
    assert "isvalid: false" in tools("kafka-dump-log", "--files", log).out


def test_the_corpus_has_no_line_that_a_client_would_change():
    text = corpus.corpus(corpus.SHORT_BYTES).read_bytes()
    assert len(text) >= corpus.SHORT_BYTES and text.endswith(b"\n")
    assert b"\r" not in text and b"\0" not in text and b"\n\n" not in text and not text.startswith(b"\n")
    text.decode("utf-8")
    assert text.count(b"\n") > 50_000


@pytest.mark.parametrize(("numbers", "acknowledged"), [
    ([0, 1, 3], [(0, 0)]),
    ([0, 1, 1, 2], [(0, 0)]),
    ([0, 2, 1], [(0, 0)]),
    ([0, 1], [(0, 0), (2, 2)]),
    ([0, 1, 2], [(1, 2)]),
], ids=["lost", "twice", "out of order", "acknowledged but not there", "acknowledged elsewhere"])
def test_the_kill_loop_sees_each_kind_of_loss(numbers, acknowledged):
    with pytest.raises(AssertionError):
        test_kill_loop.check(numbers, acknowledged, "planted")
    test_kill_loop.check([0, 1, 2], [(0, 0), (2, 2)], "sound")


def test_the_report_merges_runs_and_counts_the_reference(tmp_path, monkeypatch):
    monkeypatch.setenv("DOHLE_REPORTS", str(tmp_path))

    def outcome(result, client=None, scenario=None):
        return {"suite": "s", "version": "4.4.0", "client": client, "scenario": scenario, "result": result}

    report.merge({"dohle": {"a": outcome("fail", "kcat", "x"), "b": outcome("pass", "kcat", "x"), "c": outcome("skip", "kcat", "y")}})
    report.merge({"reference": {"a": outcome("pass", "kcat", "x"), "b": outcome("pass")}})
    written = json.loads((tmp_path / "compat.json").read_text())
    assert set(written) == {"server", "date", "clients", "suites"} and written["server"] == "dohle"
    assert written["clients"] == {"kcat": {"x": "fail", "y": "skip"}}
    assert written["suites"] == {"s": {"version": "4.4.0", "passed": 1, "failed": 1, "skipped": 1, "reference_passed": 2}}
    report.merge({"dohle": {"a": outcome("pass", "kcat", "x")}})
    assert json.loads((tmp_path / "compat.json").read_text())["clients"]["kcat"]["x"] == "pass"


def fake(tmp_path, monkeypatch, script):
    binary = tmp_path / "fake"
    binary.write_text("#!/bin/sh\n" + script)
    binary.chmod(0o755)
    monkeypatch.setenv("DOHLE_SERVER", str(binary))
    return servers.Server("dohle", tmp_path / "server")


def test_a_server_that_ends_at_its_start_is_seen(tmp_path, monkeypatch):
    with pytest.raises(servers.ServerDied, match="exit code 3"):
        fake(tmp_path, monkeypatch, "echo no; exit 3\n").start()


def test_an_error_line_and_a_silent_death_are_seen(tmp_path, monkeypatch):
    line = "[2026-11-29 12:00:00,123] ERROR something (kafka.server.X)"
    server = fake(tmp_path, monkeypatch, f"echo '{line}'; sleep 60\n").spawn()
    while not server.log():
        pass
    with pytest.raises(AssertionError, match="logged errors"):
        server.check()
    server.kill()
    server = fake(tmp_path, monkeypatch, "exit 0\n").spawn()
    server.process.wait(10)
    with pytest.raises(servers.ServerDied, match="ended unexpectedly"):
        server.check()


def test_an_exit_code_after_sigterm_that_is_not_clean_is_seen(tmp_path, monkeypatch):
    server = fake(tmp_path, monkeypatch, "trap 'exit 7' TERM; echo up; while :; do sleep 0.1; done\n").spawn()
    while not server.log():
        pass
    with pytest.raises(AssertionError, match="ended with 7"):
        server.stop()


def test_the_tools_runner_gives_exit_codes_and_lives_on(tools):
    assert tools("kafka-topics", "--bogus").exit == 1
    assert tools("kafka-storage", "random-uuid").must_succeed().out.strip()
    with pytest.raises(AssertionError):
        tools("kafka-dump-log", "--files", "/no/such/file.log").must_succeed()


def test_kcat_without_a_server_fails(need, tmp_path):
    need(toolchain.kcat)
    with pytest.raises(AssertionError):
        kcat.read(f"127.0.0.1:{servers.free_port()}", "t", tmp_path / "out")
