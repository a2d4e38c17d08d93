"""The raw client: commands and answers, against a server that this test plays."""

import json
import socket
import struct
import subprocess
import threading

import pytest

import reference


class Client:
    def __init__(self):
        self.process = subprocess.Popen([reference.tool("dohle-raw")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def run(self, **command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def stop(self):
        self.process.stdin.close()
        assert self.process.wait(10) == 0


@pytest.fixture
def client():
    made = Client()
    yield made
    made.stop()


@pytest.fixture
def played():
    """A server that answers each frame with the next of `answers`; None closes; b"" stays silent."""
    listener = socket.create_server(("localhost", 0))
    frames, answers = [], []

    def read(connection, size):
        data = b""
        while len(data) < size:
            more = connection.recv(size - len(data))
            if not more:
                return None
            data += more
        return data

    def serve():
        connection = listener.accept()[0]
        with connection:
            while (head := read(connection, 4)) is not None:
                frames.append(read(connection, struct.unpack(">i", head)[0]))
                answer = answers.pop(0)
                if answer is None:
                    return
                if answer:
                    connection.sendall(struct.pack(">i", len(answer)) + answer)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield {"port": listener.getsockname()[1], "frames": frames, "answers": answers}
    listener.close()


def test_encodes_and_decodes_without_a_server(client):
    assert client.run(encode="TopicRecord", version=0, body={"name": "ab"}) == {"bytes": "036162" + "00" * 17}
    assert client.run(decode="TopicRecord", version=0, bytes="036162" + "00" * 17 + "ff") == {
        "body": {"name": "ab", "topicId": "AAAAAAAAAAAAAAAAAAAAAA"}, "left": 1}
    assert client.run(decode="TopicRecord", version=0, bytes="03") == {"undecodable": True}


def test_sends_a_request_and_prints_the_answer(client, played):
    played["answers"] += [bytes.fromhex("0000002a" "0000" "00000001" "00120000" "0005")]
    answer = client.run(port=played["port"], api="ApiVersions", version=0, correlation_id=42, client_id="me")
    assert played["frames"] == [bytes.fromhex("0012" "0000" "0000002a" "0002" + b"me".hex())]
    assert answer == {"correlation_id": 42, "left": 0,
                      "body": {"errorCode": 0, "apiKeys": [{"apiKey": 18, "minVersion": 0, "maxVersion": 5}]}}


def test_an_api_versions_answer_in_version_0_is_understood(client, played):
    played["answers"] += [bytes.fromhex("00000001" "0023" "00000001" "00120000" "0005")]
    answer = client.run(port=played["port"], api="ApiVersions", version=3)
    assert answer["answered_version"] == 0 and answer["body"]["errorCode"] == 35


def test_connections_stay_open_and_answers_are_matched_in_order(client, played):
    played["answers"] += [b"", bytes.fromhex("00000007" "00000000" "0000")]
    assert client.run(connection="c", port=played["port"], api="Metadata", version=1, wait=False,
                      body={"topics": []}, correlation_id=6) == {"correlation_id": 6}
    answer = client.run(connection="c", api="Heartbeat", version=1, correlation_id=7, body={"groupId": "g"})
    assert answer == {"correlation_id": 7, "body": {"throttleTimeMs": 0, "errorCode": 0}, "left": 0}


def test_closing_silence_and_nobody_there_are_told_apart(client, played):
    played["answers"] += [b"", None]
    assert client.run(connection="c", port=played["port"], api="Heartbeat", version=0, timeout_ms=50) == {"timeout": True}
    assert client.run(connection="c", api="Heartbeat", version=0) == {"closed": True}
    assert client.run(connection="c", expect_close=True) == {"closed": True}
    with socket.create_server(("localhost", 0)) as unused:
        port = unused.getsockname()[1]
    assert "refused" in client.run(connection="d", port=port, api="Heartbeat", version=0)["error"]


def test_sends_raw_frames(client, played):
    played["answers"] += [b"\xca\xfe"]
    assert client.run(port=played["port"], frame="0102", receive=True) == {"frame": "cafe"}
    assert played["frames"] == [b"\x01\x02"]


@pytest.mark.parametrize("command,error", [
    ({"encode": "NoSuch", "version": 0}, "no message NoSuch"),
    ({"encode": "TopicRecord", "version": 0, "body": {"nam": "x"}}, "TopicRecord: nam: TopicRecord has no such field"),
    ({"encode": "TopicRecord", "version": 0, "body": {"name": 5}}, "TopicRecord: name: a string is wanted"),
    ({"encode": "TopicRecord", "version": 0, "body": {"name": None}}, "TopicRecord: name: never null"),
    ({"encode": "TopicRecord", "version": 0, "body": {"topicId": "x"}},
     "TopicRecord: topicId: a base64url id of 22 characters is wanted"),
    ({"encode": "HeartbeatRequest", "version": 0, "body": {"generationId": 2147483648}},
     "HeartbeatRequest: generationId: out of range"),
    ({"encode": "MetadataRequest", "version": 1, "body": {"topics": [{"name": "a"}, {"nme": "b"}]}},
     "MetadataRequest: topics[1]: nme: MetadataRequestTopic has no such field"),
    ({"encode": "MetadataRequest", "version": 3, "body": {"allowAutoTopicCreation": False}},
     "MetadataRequest version 3: allowAutoTopicCreation has a value that this version cannot carry"),
    ({"encode": "TopicRecord", "versoin": 0}, "unknown member versoin"),
    ({"decode": "TopicRecord", "version": 0, "bytes": "0g"}, "not hexadecimal"),
    ({"api": "NoSuch", "port": 1}, "no API NoSuch"),
    ({"api": "Heartbeat", "version": 0}, "connection default is not open, and no port is given"),
])
def test_a_mistake_is_answered_in_words(client, command, error):
    assert client.run(**command) == {"error": error}


def test_a_line_that_is_not_json_is_answered_too(client):
    client.process.stdin.write("nonsense\n")
    client.process.stdin.flush()
    assert "error" in json.loads(client.process.stdout.readline())
