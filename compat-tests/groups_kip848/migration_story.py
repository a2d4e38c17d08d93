"""Plays the stories of server/groups/testdata/migration: groups whose members speak the classic and the consumer protocol.

    join NAME [v=9] [topics=t,u] [owned=t:0,1;u:2] [sub=3] [protocols=range,sticky] [instance=I] [rack=R] [session=MS]
              [rebalance=MS] [type=consumer] [id=none|bogus|NAME|@ID] [meta=HEX]
    sync NAME [generation=N] [protocol=range] [type=consumer] [instance=I] [id=...] [assign=NAME=t:0,1|NAME=t:2] [data=HEX]
    heartbeat NAME [generation=N] [instance=I] [id=...]
    leave NAME[,NAME...] [instance=I] [id=...]
    beat NAME [epoch=N] [topics=t] [regex=R] [owned=t:0] [timeout=MS] [assignor=A] [instance=I] [rack=R] [v=1]
    commit NAME [v=9] [epoch=N] [parts=t:0,1] [instance=I] [id=...]
    txncommit NAME [v=5] [epoch=N] [parts=t:0]
    fetch NAME [epoch=N] [parts=t:0,1] [id=...]
    consumerdescribe | describe | list | delete
    topic NAME PARTITIONS | deletetopic NAME | config KEY=VALUE... (of the group) | wait MS | await

A member's id and epoch (or generation) are those of its last answer, unless the step says another; members of the consumer
protocol bring their names as ids. "await" waits for the next answer. After a step stand the answers that it brought, parked ones too, sorted ("< ..."), and
after the last one the records of the group, a batch a paragraph ("> ..."). Ids that a server chooses are replaced by names,
times by T, hashes by H1, H2, ..., and what Java keeps in the order of a hash table of random ids is sorted.
"""

import json
import re
import select
import struct

from harness import group_story, raw
from harness.group_story import Writer, varint

ERRORS = {**group_story.ERRORS, 35: "UNSUPPORTED_VERSION", 42: "INVALID_REQUEST", 68: "NON_EMPTY_GROUP", 110: "FENCED_MEMBER_EPOCH",
          111: "UNRELEASED_INSTANCE_ID", 112: "UNSUPPORTED_ASSIGNOR", 113: "STALE_MEMBER_EPOCH", 128: "INVALID_REGULAR_EXPRESSION"}

PARKED_SECONDS = 0.4


def parts_of(text):
    """t:0,1;u:2"""
    if not text:
        return []
    return [(topic, [int(p) for p in numbers.split(",") if p]) for topic, numbers in (one.split(":") for one in text.split(";"))]


def words(parts):
    return ";".join(f"{topic}:{','.join(map(str, sorted(numbers)))}" for topic, numbers in sorted(parts)) or "-"


def strings(items):
    return struct.pack(">i", len(items)) + b"".join(raw.string(item) for item in items)


def topics_blob(parts):
    return struct.pack(">i", len(parts)) + b"".join(
        raw.string(topic) + struct.pack(f">i{len(numbers)}i", len(numbers), *numbers) for topic, numbers in parts)


def subscription(options):
    """ConsumerProtocolSubscription, as Kafka's consumers make it."""
    if "meta" in options:
        return bytes.fromhex(options["meta"])
    version = int(options.get("sub", 3))
    data = struct.pack(">h", version) + strings([t for t in options.get("topics", "t").split(",") if t]) + raw.blob(None)
    if version >= 1:
        data += topics_blob(parts_of(options.get("owned")))
    if version >= 2:
        data += struct.pack(">i", int(options.get("gen", -1)))
    if version >= 3:
        data += raw.string(options.get("rack"))
    return data


def assignment(text):
    return struct.pack(">h", 3) + topics_blob(parts_of(text)) + raw.blob(None)


def assigned(data):
    """The answer of a SyncGroup: its version and its partitions."""
    if not data:
        return "none"
    reader = raw.Reader(data)
    version = reader.take("h")
    if version < 0 or data[2:6] == struct.pack(">i", 9):
        return data.hex()  # not one of ours
    parts = reader.array(lambda: (reader.string(), reader.array(lambda: reader.take("i"))))
    reader.blob()
    reader.end()
    return f"v{version} {words(parts)}"


class Reader(group_story.Reader):
    def data_(self):
        return self.bytes_(self.uvarint() - 1) if self.flexible else self.blob()


class MigrationStory(group_story.Story):
    def __init__(self, port, group):
        super().__init__(port, group, "t")
        self.prompt = set()  # connections whose answers cannot be parked
        self.topic_names = {}
        self.learn_topics()

    # -- what is between a step and its answer -----------------------------------------------------------------------

    def send(self, api, version, flexible, body, done):
        def read(reader):
            reader.__class__ = Reader
            return done(reader)

        super().send(api, version, flexible, body, read)
        if api not in (group_story.JOIN, group_story.SYNC):
            self.prompt.add(self.waiting[-1][0])

    def answers(self):
        """All that comes until only requests are left that a server may park, and those are silent for a while."""
        answers = []
        while self.waiting:
            waiting = [connection for connection, _ in self.waiting]
            ready, _, _ = select.select(waiting, [], [], 30 if self.prompt.intersection(waiting) else PARKED_SECONDS)
            if not ready:
                break
            for connection in ready:
                at = waiting.index(connection)
                del waiting[at]
                answers.append(self.waiting.pop(at)[1](self.receive(connection)))
                self.prompt.discard(connection)
        # A name may be learnt from another answer of the same step.
        return sorted(answer() if callable(answer) else answer for answer in answers)

    def play(self, line):
        verb, *rest = line.split()
        if verb in ("list", "delete", "describe", "consumerdescribe"):
            getattr(self, verb)()
            return self.answers()
        if verb == "topic":
            with raw.connected(self.port) as connection:
                connection.create_topic(rest[0], int(rest[1]))
            self.learn_topics()
            return []
        if verb == "deletetopic":
            self.delete_topic(rest[0])
            return self.answers()
        if verb == "await":
            select.select([connection for connection, _ in self.waiting], [], [], 30)
            return self.answers()
        if verb == "config":
            self.config(rest)
            return self.answers()
        return super().play(line)

    def learn_topics(self):
        """By Metadata v12."""
        body = Writer(True)
        body.data = b"\0\0\0"
        found = {}

        def partition():
            self.reader_.take("hiii")
            for _ in range(3):
                self.ints(self.reader_)

        def topic():
            reader = self.reader_
            reader.take("h")
            name = reader.text()
            found[name] = reader.bytes_(16)
            reader.take("b")
            reader.list_(partition)
            reader.take("i")

        def done(reader):
            self.reader_ = reader
            reader.take("i")
            reader.list_(lambda: (reader.take("i"), reader.text(), reader.take("i"), reader.text()))
            reader.text(), reader.take("i")
            reader.list_(topic)
            return ""

        self.send(3, 12, True, body, done)
        self.answers()
        self.topic_ids = found
        self.topic_names.update({identifier: name for name, identifier in found.items()})

    def delete_topic(self, name):
        """DeleteTopics v4."""
        body = Writer(True)
        body.data = varint(2)
        body.string(name).number("i", 30000)

        def deleted(reader):
            reader.take("i")
            return "deletetopic " + ERRORS[reader.list_(lambda: (reader.text(), reader.take("h"))[1])[0]]

        self.send(20, 4, True, body, deleted)

    @staticmethod
    def ints(reader):
        return [reader.take("i") for _ in range(reader.uvarint() - 1)]

    def member_id(self, name, options):
        chosen = options.get("id", name)
        if chosen.startswith("@"):
            return chosen[1:]
        return {"none": "", "bogus": "bogus"}.get(chosen, self.ids.get(chosen, ""))

    def epoch(self, name, options):
        return int(options.get("epoch", options.get("generation", self.generations.get(name, 0))))

    # -- the classic protocol ----------------------------------------------------------------------------------------

    def join(self, name, options):
        version = int(options.get("v", 9))
        names = options.get("protocols", "range").split(",")
        metadata = subscription(options)
        body = Writer(version >= 6)
        body.string(self.group).number("i", int(options.get("session", 45000))).number("i", int(options.get("rebalance", 60000)))
        body.string(self.member_id(name, options))
        if version >= 5:
            body.string(options.get("instance"))
        body.string(options.get("type", "consumer"))
        body.array(names, lambda protocol: body.string(protocol).blob(metadata))
        if version >= 8:
            body.string(None)

        def joined(reader):
            reader.take("i")
            error, generation = reader.take("h"), reader.take("i")
            kind = reader.text() if version >= 7 else "?"
            protocol, leader = reader.text(), reader.text()
            skip = reader.take("?") if version >= 9 else False
            member_id = reader.text()
            members = reader.list_(lambda: (reader.text(), reader.text() if version >= 5 else None, reader.data_())[0])
            reader.tags()
            reader.end()
            if error in (0, group_story.MEMBER_ID_REQUIRED):
                self.ids[name], self.names[member_id] = member_id, name
            elif member_id:
                self.names.setdefault(member_id, f"former-{name}")
            if error:
                return lambda: f"join {name} {ERRORS[error]} id={self.alias(member_id)}"
            self.generations[name] = generation

            def text():
                described = ",".join(sorted(map(self.alias, members)))
                return (f"join {name} NONE generation={generation} type={kind} protocol={protocol} leader={self.alias(leader)}"
                        f" members={described}" + (" skip" if skip else ""))

            return text

        self.send(group_story.JOIN, version, version >= 6, body, joined)

    def sync(self, name, options):
        body = Writer(True).string(self.group).number("i", self.epoch(name, options)).string(self.member_id(name, options))
        body.string(options.get("instance")).string(options.get("type", "consumer")).string(options.get("protocol", "range"))
        pairs = [tuple(one.split("=", 1)) for one in options.get("assign", "").split("|") if one]
        data = bytes.fromhex(options["data"]) if "data" in options else None
        body.array(pairs, lambda pair: body.string(self.ids[pair[0]]).blob(data if data is not None else assignment(pair[1])))

        def synced(reader):
            reader.take("i")
            error = reader.take("h")
            kind, protocol = reader.text(), reader.text()
            return f"sync {name} {ERRORS[error]} type={kind} protocol={protocol} assignment={assigned(reader.data_())}"

        self.send(group_story.SYNC, 5, True, body, synced)

    def heartbeat(self, name, options):
        body = Writer(False).string(self.group).number("i", self.epoch(name, options)).string(self.member_id(name, options))
        body.string(options.get("instance"))
        self.send(group_story.HEARTBEAT, 3, False, body, lambda reader: f"heartbeat {name} {ERRORS[reader.take('ih')[1]]}")

    def leave(self, name, options):
        leaving = name.split(",")
        body = Writer(True).string(self.group)
        body.array(leaving, lambda one: body.string(self.member_id(one, options)).string(options.get("instance")).string(None))

        def left(reader):
            _, error = reader.take("ih")
            codes = reader.list_(lambda: (reader.text(), reader.text(), reader.take("h"))[2])
            return f"leave {name} {ERRORS[error]} {','.join(ERRORS[code] for code in codes)}"

        self.send(group_story.LEAVE, 5, True, body, left)

    # -- the consumer protocol ---------------------------------------------------------------------------------------

    def beat(self, name, options):
        version = int(options.get("v", 1))
        self.ids.setdefault(name, name)
        self.names.setdefault(name, name)
        joins = options.get("epoch") == "0"
        body = Writer(True).string(self.group).string(self.member_id(name, options)).number("i", self.epoch(name, options))
        body.string(options.get("instance")).string(options.get("rack"))
        body.number("i", int(options.get("timeout", 60000 if joins else -1)))
        topics = options.get("topics", "t" if joins and "regex" not in options else None)
        topics = None if topics is None else [topic for topic in topics.split(",") if topic]
        body.data += b"\0" if topics is None else varint(len(topics) + 1)
        for topic in topics or []:
            body.string(topic)
        if version >= 1:
            body.string(options.get("regex"))
        body.string(options.get("assignor"))
        owned = options.get("owned", "" if joins else None)
        if owned is None:
            body.data += b"\0"
        else:
            def part(one):
                body.data += self.topic_ids[one[0]] + varint(len(one[1]) + 1) + struct.pack(f">{len(one[1])}i", *one[1])

            body.array(parts_of(owned), part)

        def answered(reader):
            reader.take("i")
            error, message, member, epoch = reader.take("h"), reader.text(), reader.text(), reader.take("i")
            interval = reader.take("i")
            parts = None
            if reader.take("b") >= 0:
                parts = reader.list_(lambda: (self.topic_names[reader.bytes_(16)], self.ints(reader)))
                reader.tags()
            reader.tags()
            reader.end()
            if error:
                return f"beat {name} {ERRORS[error]} {self.replaced(message or '-')}"
            self.ids[name], self.names[member] = member, name
            self.generations[name] = epoch
            return f"beat {name} NONE epoch={epoch} interval={interval} assignment={'null' if parts is None else words(parts)}"

        self.send(68, version, True, body, answered)

    # -- offsets -----------------------------------------------------------------------------------------------------

    def commit(self, name, options):
        version = int(options.get("v", 9))
        body = Writer(True).string(self.group).number("i", self.epoch(name, options))
        body.string(self.member_id(name, options)).string(options.get("instance"))
        self.commit_topics(body, options)

        def committed(reader):
            reader.take("i")
            codes = reader.list_(lambda: (reader.text(), reader.list_(lambda: reader.take("ih"))))
            return f"commit {name} " + " ".join(f"{topic}-{p}:{ERRORS[code]}" for topic, parts in codes for p, code in parts)

        self.send(group_story.COMMIT, version, True, body, committed)

    @staticmethod
    def commit_topics(body, options):
        partition = lambda p: body.number("i", p).number("q", 7).number("i", -1).string(options.get("metadata", ""))  # noqa: E731
        body.array(parts_of(options.get("parts", "t:0")), lambda one: body.string(one[0]).array(one[1], partition))

    def fetch(self, name, options):
        """OffsetFetch v9."""
        body = Writer(True)

        def topic(one):
            body.string(one[0])
            body.data += varint(len(one[1]) + 1) + struct.pack(f">{len(one[1])}i", *one[1])

        body.array([0], lambda _: body.string(self.group).string(self.member_id(name, options) or None)
                   .number("i", self.epoch(name, options)).array(parts_of(options.get("parts", "t:0")), topic))
        body.number("?", False)

        def fetched(reader):
            reader.take("i")
            partition = lambda: (reader.take("iqi"), reader.text(), reader.take("h"))  # noqa: E731

            def group():
                reader.text()
                topics = reader.list_(lambda: (reader.text(), reader.list_(partition)))
                return topics, reader.take("h")

            topics, error = reader.list_(group)[0]
            offsets = " ".join(f"{t}-{p[0]}:{p[1]}" + (f":{ERRORS[code]}" if code else "") for t, parts in topics for p, _, code in parts)
            return f"fetch {name} {ERRORS[error]} {offsets}"

        self.send(9, 9, True, body, fetched)

    # -- administration ----------------------------------------------------------------------------------------------

    def config(self, settings):
        """IncrementalAlterConfigs v1, for this group."""
        body = Writer(True)
        entry = lambda one: body.string(one[0]).number("b", 0).string(one[1])  # noqa: E731
        body.array([0], lambda _: body.number("b", 32).string(self.group).array([one.split("=", 1) for one in settings], entry))
        body.number("?", False)

        def done(reader):
            reader.take("i")
            codes = reader.list_(lambda: (reader.take("h"), reader.text(), reader.take("b"), reader.text()))
            return "config " + " ".join(f"{ERRORS[code]} {message or ''}".strip() for code, message, _, _ in codes)

        self.send(44, 1, True, body, done)

    def list(self):
        body = Writer(True)
        body.data = b"\1\1"

        def listed(reader):
            reader.take("i")
            error = reader.take("h")
            groups = reader.list_(lambda: [reader.text() for _ in range(4)])
            return [f"list {ERRORS[error]} " + " ".join(map(str, one[1:])) for one in groups if one[0] == self.group] or ["list nothing"]

        self.send(16, 5, True, body, lambda reader: listed(reader)[0])

    def delete(self):
        body = Writer(True)
        body.data = varint(2)
        body.string(self.group)

        def deleted(reader):
            reader.take("i")
            return "delete " + ERRORS[reader.list_(lambda: (reader.text(), reader.take("h"))[1])[0]]

        self.send(42, 2, True, body, deleted)

    def describe(self):
        body = Writer(True)
        body.data = varint(2)
        body.string(self.group).number("?", False)

        def described(reader):
            def member():
                identifier, instance, client, host = reader.text(), reader.text(), reader.text(), reader.text()
                metadata, data = reader.data_(), reader.data_()
                return f"{self.alias(identifier)}/{instance}/{client}/{host}/{metadata.hex()}/{assigned(data)}"

            def group():
                error, message, _ = reader.take("h"), reader.text(), reader.text()
                state, kind, protocol = reader.text(), reader.text(), reader.text()
                members = sorted(reader.list_(member))
                reader.take("i")
                return f"describe {ERRORS[error]} {message} state={state} type={kind} protocol={protocol} members={' '.join(members)}"

            reader.take("i")
            return reader.list_(group)[0]

        self.send(group_story.DESCRIBE, 6, True, body, described)

    def consumerdescribe(self):
        body = Writer(True)
        body.data = varint(2)
        body.string(self.group).number("?", False)

        def described(reader):
            def parts():
                return words([one for one in reader.list_(lambda: (reader.bytes_(16), reader.text(), self.ints(reader))[1:])])

            def assignment_():
                text = parts()
                reader.tags()
                return text

            def member():
                identifier, instance, rack, epoch = reader.text(), reader.text(), reader.text(), reader.take("i")
                client, host = reader.text(), reader.text()
                topics = sorted(reader.text() for _ in range(reader.uvarint() - 1))
                regex = reader.text()
                now, target, kind = assignment_(), assignment_(), reader.take("b")
                return (f"{self.alias(identifier)}/{instance}/{rack}/{epoch}/{client}/{host}/{','.join(topics)}/{regex}/{now}"
                        f"/{target}/{kind}")

            def group():
                error, message, _ = reader.take("h"), reader.text(), reader.text()
                state, epoch, target, assignor = reader.text(), reader.take("i"), reader.take("i"), reader.text()
                members = sorted(reader.list_(member))
                reader.take("i")
                return (f"consumerdescribe {ERRORS[error]} {message} state={state} epoch={epoch} target={target} assignor={assignor}"
                        f" members={' '.join(members)}")

            reader.take("i")
            return reader.list_(group)[0]

        self.send(69, 1, True, body, described)

    # -- records -----------------------------------------------------------------------------------------------------

    def replaced(self, text):
        """Ids of members and topics by their names."""
        for identifier, name in self.names.items():
            if identifier != name and identifier:
                text = text.replace(identifier, f"<{name}>")
        for identifier, name in self.topic_names.items():
            text = text.replace(uuid_text(identifier), f"<{name}>")
        return text

    def records(self, dump, by_batch=True):
        """The group's records out of kafka-dump-log's text, batch by batch or in one row (operations may share a batch)."""
        hashes = {}
        lines = []
        batch = []

        def flush():
            if batch:
                lines.extend([*sort_runs(batch), ""] if by_batch else [text for _, text in batch])
                batch.clear()

        for line in dump.splitlines():
            if line.startswith("baseOffset"):
                flush()
            found = re.search(r" key: (\{.*?\}) payload: (.*)$", line)
            if not found:
                continue
            key = json.loads(found[1])
            fields = key["data"]
            if fields.get("groupId", fields.get("group")) != self.group:
                continue
            fields.pop("groupId", None)
            fields.pop("group", None)
            value = None if found[2] in ("null", "<DELETE>") else plain(json.loads(self.replaced(found[2])), hashes)
            kind = key["type"]
            batch.append((kind, self.replaced(f"{kind} {json.dumps(fields)} {json.dumps(value)}")))
        flush()
        return [f"> {line}".rstrip() for line in lines]


def uuid_text(identifier):
    import base64

    return base64.urlsafe_b64encode(identifier).decode().rstrip("=")


def plain(value, hashes):
    """Without times and hashes; what comes in a hash table's order is sorted."""
    if isinstance(value, list):
        items = [plain(item, hashes) for item in value]
        hashed = items and isinstance(items[0], dict) and ("memberId" in items[0] or "topicId" in items[0])
        return sorted(items, key=json.dumps) if hashed else items
    if not isinstance(value, dict):
        return value
    out = {}
    for key, item in value.items():
        if key in ("currentStateTimestamp", "assignmentTimestamp", "commitTimestamp", "timestamp") and isinstance(item, int) and item > 0:
            item = "T"
        elif key == "version" and isinstance(item, int) and "timestamp" in value:
            item = "V"  # the metadata's offset at which a regular expression was resolved
        elif key == "metadataHash" and item:
            item = hashes.setdefault(item, f"H{len(hashes) + 1}")
        out[key] = plain(item, hashes)
    if "leader" in out and "members" in out and len(out["members"]) > 1:
        out["leader"] = "any" if out["leader"] else out["leader"]
    return out


def sort_runs(batch):
    """Records of one type that follow each other stand in the order of their members' random ids."""
    out, run = [], []
    batch = sorted_triples(batch)
    for kind, text in [*batch, (None, "")]:
        if run and kind != run[0][0]:
            out += sorted(text_ for _, text_ in run)
            run = []
        if kind is not None:
            run.append((kind, text))
    return out


def sorted_triples(batch):
    """Members that leave at once are in no order; the three tombstones of each are."""
    out = []
    while batch:
        triple, batch = batch[:3], batch[3:]
        if [kind for kind, _ in triple] != ["8", "7", "5"] or not all(text.endswith("} null") for _, text in triple):
            out, batch = [*out, triple[0]], [*triple[1:], *batch]
            continue
        triples = [triple]
        while [kind for kind, _ in batch[:3]] == ["8", "7", "5"]:
            triples, batch = [*triples, batch[:3]], batch[3:]
        out += [record for one in sorted(triples) for record in one]
    return out
