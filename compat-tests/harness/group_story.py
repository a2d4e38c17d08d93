"""Plays the stories of server/groups/testdata on a server: a step a line, and after it the answers ("< ...") that came.

    join NAME [v=9] [instance=I] [session=MS] [rebalance=MS] [type=T] [protocols=NAME:METADATA,...] [id=none|bogus|NAME] [lost=1]
    sync NAME [assign=NAME:BYTES,...] [type=T] [protocol=P] [generation=N] [instance=I] [id=...]
    heartbeat NAME [generation=N] [instance=I] [id=...]
    leave NAME [instance=I] [id=...]
    commit NAME [v=8] [generation=N] [instance=I] [id=...]
    syncall
    describe
    wait MS
    settle

settle waits until every JoinGroup is answered (5 s at most). A lost join is one whose answer the member does not see.
syncall is a SyncGroup of everybody who has joined the latest generation, the leader last, with each member's own name as its
assignment.

A member's id and generation are those of the last JoinGroup that was answered, unless the step says another. A name that joined
again without an id (v3) has a second member in the group: syncall speaks for that one too, a leader under such an id is called
NAME'. Ids are random, so answers have the members' names. The answers that one step brings, parked ones too, are sorted.
server/groups/story_player.h plays the same steps on the state machine alone.
"""

import collections
import select
import socket
import struct
import time

from . import raw

JOIN, HEARTBEAT, LEAVE, SYNC, COMMIT, DESCRIBE = 11, 12, 13, 14, 8, 15
MEMBER_ID_REQUIRED = 79
QUIET_SECONDS, ANSWER_SECONDS_MAX = 0.15, 15
ERRORS = {0: "NONE", 12: "OFFSET_METADATA_TOO_LARGE", 14: "COORDINATOR_LOAD_IN_PROGRESS", 15: "COORDINATOR_NOT_AVAILABLE",
          16: "NOT_COORDINATOR", 22: "ILLEGAL_GENERATION", 23: "INCONSISTENT_GROUP_PROTOCOL", 24: "INVALID_GROUP_ID",
          25: "UNKNOWN_MEMBER_ID", 26: "INVALID_SESSION_TIMEOUT", 27: "REBALANCE_IN_PROGRESS", 69: "GROUP_ID_NOT_FOUND",
          79: "MEMBER_ID_REQUIRED", 81: "GROUP_MAX_SIZE_REACHED", 82: "FENCED_INSTANCE_ID", 3: "UNKNOWN_TOPIC_OR_PARTITION",
          -1: "UNKNOWN_SERVER_ERROR"}


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


class Writer:
    """Fields in the classic or in the flexible form."""

    def __init__(self, flexible):
        self.flexible = flexible
        self.data = b""

    def number(self, form, value):
        self.data += struct.pack(">" + form, value)
        return self

    def string(self, text):
        data = None if text is None else text.encode()
        if not self.flexible:
            self.data += struct.pack(">h", -1 if data is None else len(data)) + (data or b"")
        else:
            self.data += varint(0 if data is None else len(data) + 1) + (data or b"")
        return self

    def blob(self, data):
        self.data += (varint(len(data) + 1) if self.flexible else struct.pack(">i", len(data))) + data
        return self

    def array(self, items, write):
        self.data += varint(len(items) + 1) if self.flexible else struct.pack(">i", len(items))
        for item in items:
            write(item)
            self.tags()
        return self

    def tags(self):
        if self.flexible:
            self.data += b"\0"
        return self


class Reader(raw.Reader):
    def __init__(self, data, flexible):
        super().__init__(data)
        self.flexible = flexible

    def text(self):
        if not self.flexible:
            return self.string()
        size = self.uvarint() - 1
        return None if size < 0 else self.bytes_(size).decode()

    def data_(self):
        return (self.bytes_(self.uvarint() - 1) if self.flexible else self.blob()).decode()

    def list_(self, item):
        count = self.uvarint() - 1 if self.flexible else self.take("i")
        result = []
        for _ in range(count):
            result.append(item())
            self.tags()
        return result

    def tags(self):
        if self.flexible:
            assert self.uvarint() == 0


Joined = collections.namedtuple("Joined", "name leader protocol instance")


class Story:
    def __init__(self, port, group, topic):
        self.port, self.group, self.topic = port, group, topic
        self.ids, self.names, self.generations = {}, {}, {}
        self.waiting = []  # (socket, what to do with the answer's body)
        self.joined = {}  # generation to {member id: its Joined}
        self.parked_joins = 0
        self.owed = 0  # answers to requests that are never parked
        self.sent, self.answered = 0, {}  # joins sent, and of which of them a name has its id

    def close(self):
        for connection, _ in self.waiting:
            connection.close()

    def play(self, line):
        verb, *words = line.split()
        options = dict(word.split("=", 1) for word in words if "=" in word)
        names = [word for word in words if "=" not in word]
        if verb == "wait":
            time.sleep(int(names[0]) / 1000)
        elif verb == "describe":
            self.describe()
        elif verb == "settle":
            return self.settle()
        elif verb == "syncall":
            self.sync_all()
        else:
            getattr(self, verb)(names[0], options)
        return self.answers()

    def answers(self):
        """All that comes until it is quiet; what is never parked is answered however long it takes."""
        answers = []
        while self.waiting:
            seconds = ANSWER_SECONDS_MAX if self.owed else QUIET_SECONDS
            ready, _, _ = select.select([connection for connection, _ in self.waiting], [], [], seconds)
            if not ready:
                assert not self.owed, "no answer to a request that is never parked"
                break
            for connection in ready:
                at = next(i for i, (other, _) in enumerate(self.waiting) if other is connection)
                _, done = self.waiting.pop(at)
                answers.append(done(self.receive(connection)))
        # A name may be learnt from another answer of the same step.
        return sorted(answer() if callable(answer) else answer for answer in answers)

    def settle(self, seconds=5):
        answers = self.answers()
        deadline = time.monotonic() + seconds
        while self.parked_joins and time.monotonic() < deadline:
            answers += self.answers()
        return sorted(answers + self.answers())

    @staticmethod
    def receive(connection):
        data = b""
        while len(data) < 4 or len(data) < 4 + struct.unpack(">i", data[:4])[0]:
            part = connection.recv(1 << 16)
            if not part:
                raise raw.Closed
            data += part
        connection.close()
        return data[8:]

    def send(self, api, version, flexible, body, done):
        connection = socket.create_connection(("127.0.0.1", self.port), 15)
        header = struct.pack(">hhi", api, version, 1) + raw.string("client") + (b"\0" if flexible else b"")
        connection.sendall(raw.frame(header + body.tags().data))

        never_parked = api not in (JOIN, SYNC)
        self.owed += never_parked

        def read(data):
            self.owed -= never_parked
            reader = Reader(data, flexible)
            reader.tags()
            return done(reader)

        self.waiting.append((connection, read))

    def member_id(self, name, options):
        chosen = options.get("id", name)
        return {"none": "", "bogus": "bogus"}.get(chosen, self.ids.get(chosen, ""))

    def generation(self, name, options):
        return int(options.get("generation", self.generations.get(name, 0)))

    def alias(self, member_id):
        return self.names.get(member_id, "?") if member_id else "-"

    @staticmethod
    def pairs(text):
        return [tuple((part.split(":", 1) + [""])[:2]) for part in text.split(",") if part]

    def join(self, name, options):
        version = int(options.get("v", 9))
        assert version in (3, 8, 9)
        self.sent += 1
        self.parked_joins += 1
        number, lost = self.sent, "lost" in options
        body = Writer(version >= 6)
        body.string(self.group).number("i", int(options.get("session", 10000))).number("i", int(options.get("rebalance", 10000)))
        body.string(self.member_id(name, options))
        if version >= 5:
            body.string(options.get("instance"))
        body.string(options.get("type", "story"))
        body.array(self.pairs(options.get("protocols", "range:x")),
                   lambda pair: body.string(pair[0]).blob(pair[1].encode()))
        if version >= 8:
            body.string(None)

        def joined(reader):
            self.parked_joins -= 1
            reader.take("i")
            error, generation = reader.take("h"), reader.take("i")
            if version >= 7:
                reader.text()
            protocol, leader = reader.text(), reader.text()
            skip = reader.take("?") if version >= 9 else False
            member_id = reader.text()

            def member():
                other = reader.text()
                if version >= 5:
                    reader.text()
                return other, reader.data_()

            if error in (0, MEMBER_ID_REQUIRED):
                self.names[member_id] = name + "~" * lost
                if not lost:
                    self.learn(name, number, member_id, generation if error == 0 else None)
            members = reader.list_(member)
            reader.tags()
            reader.end()
            if error:
                return f"join {name} {ERRORS[error]}"
            self.joined.setdefault(generation, {})[member_id] = Joined(self.names[member_id], leader, protocol, options.get("instance"))
            protocol = protocol if protocol is not None else "-"

            def text():
                described = ",".join(sorted(f"{self.alias(other)}:{metadata}" for other, metadata in members))
                return f"join {name} NONE generation={generation} protocol={protocol} leader={self.alias(leader)}" \
                    f" members={described}" + (" skip" if skip else "")

            return text

        self.send(JOIN, version, version >= 6, body, joined)

    def learn(self, name, number, member_id, generation):
        """Parked joins of one name are answered at once, in any order: the one that was sent last counts."""
        if number < self.answered.get(name, 0):
            return
        self.answered[name], self.ids[name] = number, member_id
        if generation is not None:
            self.generations[name] = generation

    def leader_id(self):
        return next(iter(self.joined[max(self.joined)].values())).leader if self.joined else None

    def leader(self):
        """The name of the latest generation's leader, as far as JoinGroup answers have said."""
        member_id = self.leader_id()
        if member_id is None:
            return None
        name = self.alias(member_id)
        return name if self.ids.get(name) == member_id else name + "'"

    def sync_all(self):
        if not self.joined:
            return
        generation = max(self.joined)
        members, leader = self.joined[generation], self.leader_id()
        for member_id, member in sorted(members.items(), key=lambda item: (item[0] == leader, item[1].name)):
            options = {"protocol": member.protocol, "instance": member.instance, "generation": generation}
            assignments = []
            if member_id == leader:
                assignments = [(other_id, other.name) for other_id, other in members.items()]
                time.sleep(QUIET_SECONDS)
            self.send_sync(member.name, member_id, {key: value for key, value in options.items() if value is not None}, assignments)

    def sync(self, name, options):
        assignments = [(self.ids[other], data) for other, data in self.pairs(options.get("assign", ""))]
        self.send_sync(name, self.member_id(name, options), options, assignments)

    def send_sync(self, name, member_id, options, assignments):
        body = Writer(True).string(self.group).number("i", self.generation(name, options)).string(member_id)
        body.string(options.get("instance")).string(options.get("type", "story")).string(options.get("protocol", "range"))
        body.array(assignments, lambda pair: body.string(pair[0]).blob(pair[1].encode()))

        def synced(reader):
            reader.take("i")
            error = reader.take("h")
            reader.text(), reader.text()
            return f"sync {name} {ERRORS[error]} assignment={reader.data_()}"

        self.send(SYNC, 5, True, body, synced)

    def heartbeat(self, name, options):
        body = Writer(False).string(self.group).number("i", self.generation(name, options)).string(self.member_id(name, options))
        body.string(options.get("instance"))
        self.send(HEARTBEAT, 3, False, body, lambda reader: f"heartbeat {name} {ERRORS[reader.take('ih')[1]]}")

    def leave(self, name, options):
        body = Writer(False).string(self.group)
        body.array([0], lambda _: body.string(self.member_id(name, options)).string(options.get("instance")))

        def left(reader):
            _, error = reader.take("ih")
            codes = [error] + reader.array(lambda: (reader.text(), reader.text(), reader.take("h"))[2])
            return f"leave {name} {ERRORS[next((code for code in codes if code), 0)]}"

        self.send(LEAVE, 3, False, body, left)

    def commit(self, name, options):
        version = int(options.get("v", 8))
        body = Writer(version >= 8).string(self.group).number("i", self.generation(name, options))
        body.string(self.member_id(name, options)).string(options.get("instance"))
        partition = lambda _: body.number("i", 0).number("q", 7).number("i", -1).string("")
        body.array([0], lambda _: body.string(self.topic).array([0], partition))

        def committed(reader):
            reader.take("i")
            partition = lambda: reader.take("ih")[1]
            codes = reader.list_(lambda: (reader.text(), reader.list_(partition))[1])
            return f"commit {name} {ERRORS[codes[0][0]]}"

        self.send(COMMIT, version, True, body, committed)

    def describe(self):
        # An array of strings: its items have no tags of their own.
        body = Writer(True)
        body.data = varint(2)
        body.string(self.group).number("?", False)

        def member():
            reader = self.reader_
            member_id = reader.text()
            reader.text(), reader.text(), reader.text()
            metadata, assignment = reader.data_(), reader.data_()
            return f"{self.alias(member_id)}:{metadata}:{assignment}"

        def group():
            reader = self.reader_
            error = reader.take("h")
            reader.text()
            state, kind, protocol = reader.text(), reader.text(), reader.text()
            members = ",".join(sorted(reader.list_(member)))
            reader.take("i")
            return f"describe {ERRORS[error]} state={state} type={kind} protocol={protocol} members={members}"

        def described(reader):
            self.reader_ = reader
            reader.take("i")
            return reader.list_(group)[0]

        self.send(DESCRIBE, 5, True, body, described)
