"""Walks through the table of cases on two servers and keeps what each answered.

A walk (see walks_*.py) is a dict: "api"; "topics" that are made first; "steps", which run one after the other at every
version of the API on one connection of each server. Strings may contain `{v}`, the version. A step is a dict too:

    case      its name; a step without one is preparation and is not compared
    body      the request; a key like "name@-12" or "topicId@13-" is in those versions only
    api, version   another API than the walk's, at one version
    versions  "3-", "-5", "3-7": only there
    timeout_ms how long an answer is awaited
    wait      False: no answer is expected (acks=0)
    frame     a function (api, version, body as bytes) -> the frame's content as bytes; what comes back is not decoded
    save      {name: path}: keeps a part of the answer for {"$saved": name}
    ignore    paths that are not compared, with the reason in "why"
    any_order lists whose order is no promise of the reference, with the reason in "why"
    settle    True: a difference may settle within a few seconds (an answer that follows metadata); asked again until then
    connection  the name of another connection

In a body, {"$id": topic} is the topic's id on that server, {"$saved": name} what a step saved.
"""

import base64
import dataclasses
import json
import subprocess
import time

from harness import server as servers

from . import normal, schema

SETTLE_SECONDS = 5.0


@dataclasses.dataclass
class Result:
    walk: str
    api: str
    version: int
    case: str
    step: dict
    requests: list
    answers: list
    lines: list

    @property
    def key(self):
        return (self.walk, self.api, self.version, self.case)


class Side:
    """One server with its raw client."""

    def __init__(self, server):
        self.server = server
        self.normaliser = normal.Normaliser(server)
        tool = servers.dohle_binary().parent / "dohle-raw"
        self.process = subprocess.Popen([tool], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.topic_ids = {}
        self.saved = {}

    def send(self, command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()

    def receive(self):
        return json.loads(self.process.stdout.readline())

    def run(self, command):
        self.send(command)
        return self.receive()

    def where(self, connection, controller=False):
        return {"connection": connection, "host": "127.0.0.1",
                "port": self.server.controller_port if controller else self.server.port}

    def request(self, api, version, body, connection="setup"):
        return self.run({**self.where(connection), "api": api, "version": version, "body": body})

    def stop(self):
        self.process.stdin.close()
        self.process.wait(10)

    def make_topic(self, name, partitions=1, configs=None):
        """Creates the topic, waits until its leader answers, and knows its id."""
        topic = {"name": name, "numPartitions": partitions, "replicationFactor": 1, "assignments": [],
                 "configs": [{"name": key, "value": value} for key, value in (configs or {}).items()]}
        answer = self.request("CreateTopics", 7, {"topics": [topic], "timeoutMs": 30000, "validateOnly": False})
        made = answer["body"]["topics"][0]
        assert made["errorCode"] == 0, f"{self.server.kind}: {name}: {made}"
        self.topic_ids[name] = made["topicId"]
        wanted = [{"partitionIndex": index, "currentLeaderEpoch": -1, "timestamp": -1} for index in range(partitions)]
        deadline = time.monotonic() + 20
        while True:
            answer = self.request("ListOffsets", 7, {"replicaId": -1, "isolationLevel": 0,
                                                     "topics": [{"name": name, "partitions": wanted}]})
            if all(each["errorCode"] == 0 for each in answer["body"]["topics"][0]["partitions"]):
                return
            assert time.monotonic() < deadline, f"{self.server.kind}: {name} has no leader: {answer}"
            time.sleep(0.02)

    def filled(self, value):
        if isinstance(value, dict):
            if "$id" in value:
                return self.topic_ids.get(value["$id"], value["$id"])
            if "$saved" in value:
                return self.saved[value["$saved"]]
            return {key: self.filled(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self.filled(each) for each in value]
        return value


def within(versions, version):
    """Whether `version` is in "3-", "-5", "3-7" or "4"."""
    if versions is None:
        return True
    low, dash, high = versions.partition("-")
    if not dash:
        return version == int(low)
    return (not low or version >= int(low)) and (not high or version <= int(high))


def at_version(value, version, walked):
    """The part of a template that `version` has, with {v} replaced by the version that is walked."""
    if isinstance(value, dict):
        result = {}
        for key, each in value.items():
            name, at, versions = key.partition("@")
            if not at or within(versions, version):
                result[name] = at_version(each, version, walked)
        return result
    if isinstance(value, list):
        return [at_version(each, version, walked) for each in value]
    return value.replace("{v}", str(walked)) if isinstance(value, str) else value


def versions_of(walk):
    api = schema.apis()[walk["api"]]
    first, last = walk.get("first", api.first), walk.get("last", api.last)
    return [version for version in range(first, last + 1) if within(walk.get("versions"), version)]


def keys_of(walk):
    """The keys of the results that the walk will have. A step of another API counts at the version that is walked."""
    return [(walk.get("name", walk["api"]), step.get("api", walk["api"]), version, step["case"]) for version in versions_of(walk)
            for step in walk["steps"] if "case" in step and within(step.get("versions"), version)]


def found(value, path):
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


class Walker:
    """`reference` and `tested` are started servers."""

    def __init__(self, reference, tested):
        self.sides = [Side(reference), Side(tested)]
        self.results = []
        self.connections_ = 0
        self.slow_seconds = None  # steps that take longer are printed

    def stop(self):
        for side in self.sides:
            side.stop()

    def both(self, commands):
        """Sends to both servers before it waits, so that a long poll costs its time once."""
        for side, command in zip(self.sides, commands):
            side.send(command)
        return [side.receive() for side in self.sides]

    def walk(self, walk):
        api = schema.apis()[walk["api"]]
        for version in versions_of(walk):
            for name, about in at_version_keys(walk.get("topics", {}), version).items():
                for side in self.sides:
                    if name not in side.topic_ids:
                        side.make_topic(name, **about)
            self.connections_ += 1
            for step in walk["steps"]:
                if within(step.get("versions"), version):
                    self.step(walk, api, version, step)
            for side in self.sides:
                for name in sorted({step.get("connection", "main") for step in walk["steps"]}):
                    side.run({"close": self.connection_(name)})

    def connection_(self, name):
        return f"{name}-{self.connections_}"

    def step(self, walk, api, version, step):
        name = step.get("api", api.name)
        sent_version = step.get("version", version)
        body = at_version(step.get("body", {}), sent_version, version)
        connection = self.connection_(step.get("connection", "main"))
        bodies = [side.filled(body) for side in self.sides]
        where = [side.where(connection, walk.get("controller", False)) for side in self.sides]
        begun = time.monotonic()
        while True:
            if "frame" in step:
                answers = self.frames_(step, schema.apis()[name], sent_version, bodies, where)
            else:
                answers = self.both([{**place, "api": name, "version": sent_version, "body": each,
                                      **{key: step[key] for key in ("wait", "timeout_ms") if key in step}}
                                     for place, each in zip(where, bodies)])
            lines = self.compared_(step, answers)
            if not lines or not step.get("settle") or time.monotonic() > begun + SETTLE_SECONDS:
                break
            time.sleep(0.1)
        if self.slow_seconds and time.monotonic() > begun + self.slow_seconds:
            print(f"   slow: {time.monotonic() - begun:.1f} s {name} v{sent_version} {step.get('case')}: {str(answers):.300}", flush=True)
        for side, answer in zip(self.sides, answers):
            for key, path in step.get("save", {}).items():
                side.saved[key] = found(answer["body"], path)
        if "pause" in step:
            time.sleep(step["pause"])
        if "case" in step:
            self.results.append(Result(walk.get("name", walk["api"]), name, version, step["case"], step, bodies, answers, lines))

    def frames_(self, step, api, version, bodies, where):
        """A frame that the raw client would not write: the body is encoded at a version that exists, then bent."""
        known = min(max(version, api.first), api.last)
        encoded = []
        for side, body in zip(self.sides, bodies):
            answer = side.run({"encode": f"{api.name}Request", "version": known, "body": body})
            encoded.append(bytes.fromhex(answer["bytes"]))
        frames = [step["frame"](api, version, each) for each in encoded]
        answers = self.both([{**place, "frame": frame.hex(), "receive": True} for place, frame in zip(where, frames)])
        for side, place in zip(self.sides, where):
            if step.get("closes", True):
                side.run({"close": place["connection"]})
        return [{"frame": len(answer["frame"]) > 0} if "frame" in answer else answer for answer in answers]

    def compared_(self, step, answers):
        forms = []
        for side, answer in zip(self.sides, answers):
            form = side.normaliser.value("", {key: value for key, value in answer.items() if key != "correlation_id"})
            for path in step.get("ignore", []):
                form = normal.without(form, f"body.{path}")
            for path in sorted(step.get("any_order", []), key=lambda path: -path.count(".")):
                form = normal.in_order(form, f"body.{path}")
            if "reshape" in step and "body" in form:
                form["body"] = step["reshape"](form["body"])
            forms.append(form)
        return normal.differences(*forms)


def at_version_keys(topics, version):
    return {name.replace("{v}", str(version)): about for name, about in topics.items()}


def b64(data):
    return base64.b64encode(data).decode()
