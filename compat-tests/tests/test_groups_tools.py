"""Groups through Kafka's own tools: what console consumers commit, kafka-consumer-groups shows, resets and deletes."""

import re
import time

import pytest

from harness import batches, groups as group_calls, messages, raw

SUITE = "group-tools"
# 4.4's tools say that options of theirs are deprecated.
OWN_WARNINGS = [r"deprecated"]


@pytest.fixture
def groups(broker, tools):
    def run(*arguments, seconds=60):
        return tools("kafka-consumer-groups", "--bootstrap-server", broker.bootstrap, *arguments, seconds=seconds)

    return run


def produce(broker, topic, count=10, partitions=1):
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic, partitions=partitions)
        for partition in range(partitions):
            records = [batches.record(n, b"k", b"v%d" % n) for n in range(count)]
            assert connection.produce(topic, batches.batch(records), partition)[0] == 0


def consume(broker, tools, topic, group, count, protocol="classic"):
    done = tools("kafka-console-consumer", "--bootstrap-server", broker.bootstrap, "--topic", topic, "--group", group,
                 "--from-beginning", "--max-messages", count, "--timeout-ms", 30000,
                 "--command-property", f"group.protocol={protocol}", seconds=90)
    assert done.exit == 0, done.err
    return done.out.split()


def rows(described, group):
    """[(topic, partition, committed, end, lag)] of a description."""
    found = re.findall(rf"^{re.escape(group)} +(\S+) +(\d+) +(\S+) +(\S+) +(\S+)", described, re.MULTILINE)
    return sorted((topic, int(partition), committed, end, lag) for topic, partition, committed, end, lag in found)


@pytest.mark.cell("kafka-tools", "console-consumer-group")
def test_a_console_consumer_goes_on_where_its_group_stopped(broker, tools, topic, groups):
    produce(broker, topic)
    assert consume(broker, tools, topic, topic + "-g", 4) == ["v0", "v1", "v2", "v3"]
    assert rows(groups("--describe", "--group", topic + "-g").out, topic + "-g") == [(topic, 0, "4", "10", "6")]
    assert consume(broker, tools, topic, topic + "-g", 6) == ["v4", "v5", "v6", "v7", "v8", "v9"]
    described = groups("--describe", "--group", topic + "-g")
    assert rows(described.out, topic + "-g") == [(topic, 0, "10", "10", "0")]
    assert f"Consumer group '{topic}-g' has no active members." in described.out + described.err
    state = groups("--describe", "--group", topic + "-g", "--state").must_succeed(OWN_WARNINGS).out
    assert re.search(rf"^{topic}-g +\S+:\d+ +\(1\) +.*Empty +0", state, re.MULTILINE), state


@pytest.mark.cell("kafka-tools", "consumer-groups-list")
def test_groups_are_listed_by_state_and_type(broker, tools, topic, groups):
    produce(broker, topic)
    consume(broker, tools, topic, topic + "-g", 1)
    assert topic + "-g" in groups("--list").must_succeed(OWN_WARNINGS).out.split()
    listed = groups("--list", "--state").must_succeed(OWN_WARNINGS).out
    assert re.search(rf"^{topic}-g +Empty", listed, re.MULTILINE), listed
    assert topic + "-g" not in groups("--list", "--state", "stable").out.split()
    assert re.search(rf"^{topic}-g +Classic", groups("--list", "--type").out, re.MULTILINE)
    kafka_groups = tools("kafka-groups", "--bootstrap-server", broker.bootstrap, "--list").must_succeed(OWN_WARNINGS).out
    assert re.search(rf"^{topic}-g +Classic +consumer", kafka_groups, re.MULTILINE), kafka_groups


@pytest.mark.cell("kafka-tools", "consumer-groups-reset")
def test_offsets_are_reset_exported_and_deleted(broker, tools, topic, groups):
    produce(broker, topic, partitions=3)
    group = topic + "-g"
    select = ["--group", group, "--topic", topic]
    groups("--reset-offsets", *select, "--to-offset", "4", "--execute").must_succeed(OWN_WARNINGS)
    assert rows(groups("--describe", "--group", group).out, group) == [(topic, n, "4", "10", "6") for n in range(3)]
    groups("--reset-offsets", *select, "--shift-by", "2", "--execute").must_succeed(OWN_WARNINGS)
    groups("--reset-offsets", "--group", group, "--topic", f"{topic}:1", "--to-latest", "--execute").must_succeed(OWN_WARNINGS)
    expected = [(topic, 0, "6", "10", "4"), (topic, 1, "10", "10", "0"), (topic, 2, "6", "10", "4")]
    assert rows(groups("--describe", "--group", group).out, group) == expected
    dry = groups("--reset-offsets", *select, "--to-earliest", "--dry-run", "--export").must_succeed(OWN_WARNINGS).out
    assert sorted(dry.split())[0].startswith(f'"{topic}",0,0') or f"{topic},0,0" in dry
    deleted = groups("--delete-offsets", "--group", group, "--topic", f"{topic}:0").must_succeed(OWN_WARNINGS).out
    assert "Successful" in deleted
    assert [row[1] for row in rows(groups("--describe", "--group", group).out, group) if row[2] != "-"] == [1, 2]
    assert "Deletion of requested consumer groups" in groups("--delete", "--group", group).must_succeed(OWN_WARNINGS).out
    gone = groups("--delete", "--group", group)
    assert "GroupIdNotFoundException" in gone.out + gone.err


@pytest.mark.cell("kafka-tools", "consumer-groups-options")
def test_the_other_ways_to_reset_and_to_describe(broker, topic, groups, tmp_path):
    hour_ago = int(time.time()) - 3600
    with raw.connected(broker.port) as connection:
        connection.create_topic(topic, partitions=2)
        for partition in range(2):
            records = [batches.record(n, b"k", b"v", timestamp_delta=n * 60_000) for n in range(10)]
            batch = batches.batch(records, timestamp=hour_ago * 1000, max_timestamp=hour_ago * 1000 + 9 * 60_000)
            assert connection.produce(topic, batch, partition)[0] == 0
    group = topic + "-g"
    committed = lambda: [row[2] for row in rows(groups("--describe", "--group", group).out, group)]

    def reset(*how, topics=("--topic", topic)):
        groups("--reset-offsets", "--group", group, *topics, *how, "--execute").must_succeed([*OWN_WARNINGS, r"Value will be set to"])
        return committed()

    assert reset("--to-earliest") == ["0", "0"]
    assert reset("--to-datetime", time.strftime("%Y-%m-%dT%H:%M:%S.000", time.gmtime(hour_ago + 300))) == ["5", "5"]
    assert reset("--to-current") == ["5", "5"]
    assert reset("--by-duration", "PT57M30S") == ["3", "3"]
    assert reset("--by-duration", "PT1S") == ["10", "10"]
    assert reset("--shift-by", "-3", topics=["--all-topics"]) == ["7", "7"]
    assert reset("--shift-by", "-100") == ["0", "0"]
    assert reset("--to-offset", "99", topics=["--topic", f"{topic}:1"]) == ["0", "10"]
    (tmp_path / "plan.csv").write_text(f"{topic},0,3\n{topic},1,4\n")
    assert reset("--from-file", str(tmp_path / "plan.csv"), topics=()) == ["3", "4"]
    groups("--reset-offsets", "--all-groups", "--topic", topic, "--to-latest", "--dry-run").must_succeed(OWN_WARNINGS)
    assert committed() == ["3", "4"], "a dry run changes nothing"
    member = group_calls.Member(broker.port, group, kind="consumer", protocols={"range": group_calls.subscription(topic)})
    assert member.join()["errorCode"] == member.sync({member: group_calls.assignment(topic, [0, 1])})["errorCode"] == 0
    described = groups("--describe", "--group", group, "--members", "--verbose").out
    assert re.search(rf"^{group} +{member.id} +/127.0.0.1 +raw +.*2 .*{topic}:0,1", described, re.MULTILINE), described
    refused = groups("--reset-offsets", "--group", group, "--topic", topic, "--to-earliest", "--execute")
    assert "inactive" in refused.out + refused.err and committed() == ["3", "4"]
    refused = groups("--delete-offsets", "--group", group, "--topic", topic)
    assert "subscribed" in (refused.out + refused.err).lower(), refused.out + refused.err
    refused = groups("--delete", "--group", group)
    assert "GroupNotEmptyException" in refused.out + refused.err
    member.close()


@pytest.mark.cell("kafka-tools", "offsets-decoder")
def test_dump_log_decodes_the_offsets_topic(make_server, server_kind, tools, topic):
    server = make_server(server_kind, {"offsets.topic.num.partitions": "1", "offsets.topic.replication.factor": "1"}).start()
    produce(server, topic)
    consume(server, tools, topic, "g", 4)
    consume(server, tools, topic, "g-848", 4, protocol="consumer")
    members = [group_calls.Member(server.port, "live", instance) for instance in (None, "static")]
    group_calls.group_of(*members)
    with messages.Connection(server.port) as ask:
        assert group_calls.commit(ask, "old", topic, 5, version=2, retentionTimeMs=86_400_000, metadata="ü") == 0
        assert group_calls.commit(ask, "simple", topic, 5, epoch=0, metadata=None) == 0
    tools("kafka-consumer-groups", "--bootstrap-server", server.bootstrap, "--delete", "--group", "g").must_succeed(OWN_WARNINGS)
    server.stop()
    files = ",".join(str(path) for path in (server.data / "__consumer_offsets-0").glob("*.log"))
    out = tools("kafka-dump-log", "--offsets-decoder", "--print-data-log", "--deep-iteration", "--files", files).must_succeed().out
    # The commit in version 4 with the topic's id, groups in version 3, tombstones of both.
    assert re.search(r'"type":"1","data":\{"group":"g","topic":"[^"]+","partition":0\}\} payload: \{"version":"4","data":\{"offset":4', out), out
    assert re.search(r'"type":"2","data":\{"group":"g"\}\} payload: \{"version":"3","data":\{"protocolType":"consumer"', out), out
    assert re.search(r'"type":"2","data":\{"group":"g"\}\} payload: <DELETE>', out, re.MULTILINE), out[-3000:]
    assert re.search(r'"group":"old".*payload: \{"version":"1","data":\{"offset":5,"metadata":"ü","commitTimestamp":\d+,"expireTimestamp":\d+', out)
    assert re.search(r'"group":"live"\}\} payload: \{.*"groupInstanceId":"static"', out)
    # ConsumerGroupMetadata, its members, its target and current assignment.
    for record_type in ("3", "5", "6", "7", "8"):
        assert re.search(rf'"type":"{record_type}","data":\{{"groupId":"g-848"', out), record_type
    for line in out.splitlines():
        assert "isvalid: false" not in line and "nknown" not in line


def everything(server, tools):
    """What kafka-consumer-groups says of all groups, and what an OffsetFetch of all says beyond that."""
    run = lambda *arguments: tools("kafka-consumer-groups", "--bootstrap-server", server.bootstrap, *arguments).out
    words = lambda text: sorted(line.split() for line in text.splitlines() if line.strip())
    listed = run("--list").split()
    with messages.Connection(server.port) as connection:
        stored = group_calls.fetch_groups(connection, {group: None for group in listed})
    return {"offsets": words(run("--describe", "--all-groups")), "states": words(run("--list", "--state")),
            "types": words(run("--list", "--type")), "stored": stored}


@pytest.mark.limit(300)
@pytest.mark.parametrize("end", [pytest.param("stopped", marks=pytest.mark.long), "killed"])
def test_groups_go_on_under_the_other_server(make_server, server_pair, end, tools, topic):
    first, second = server_pair
    short = {"broker.session.timeout.ms": "2000", "broker.heartbeat.interval.ms": "500"}
    server = make_server(first, short).start()
    group_calls.wait_until_loaded(server.port)
    produce(server, topic, partitions=3)
    assert len(consume(server, tools, topic, "console", 9)) == 9
    assert len(consume(server, tools, topic, "console-848", 9, protocol="consumer")) == 9
    commit = group_calls.commit
    with messages.Connection(server.port) as ask:
        for number in range(20):
            assert commit(ask, f"simple-{number}", topic, number, number % 3, epoch=0, metadata=f"ü {number}") == 0
        assert commit(ask, "simple-0", topic, 10) == commit(ask, "gone", topic, 1) == 0
        assert ask.call("DeleteGroups", 2, groupsNames=["gone"])["results"][0]["errorCode"] == 0
    members = [group_calls.Member(server.port, "live", instance, session=60_000) for instance in (None, "static")]
    group_calls.group_of(*members)
    assert members[0].commit(topic, 4) == 0
    before = everything(server, tools)
    leave(server, end, members)
    server.swap(second).start()
    group_calls.wait_until_loaded(server.port)
    assert everything(server, tools) == before
    # The members of the live group are known, in their generation, with their assignments.
    meet(server, members)
    assert members[1].commit(topic, 5) == 0
    joined = group_calls.Member(server.port, "live", session=60_000)
    group_calls.rejoin(joined, *members)
    assert joined.generation == members[0].generation == 3
    assert len(consume(server, tools, topic, "console", 6)) == len(consume(server, tools, topic, "console-848", 6, protocol="consumer")) == 6
    with messages.Connection(server.port) as ask:
        assert commit(ask, "simple-1", topic, 10, 1) == commit(ask, "new", topic, 3) == 0
        assert ask.call("DeleteGroups", 2, groupsNames=["simple-2"])["results"][0]["errorCode"] == 0
    before = everything(server, tools)
    leave(server, end, [*members, joined])
    server.swap(first).start()
    group_calls.wait_until_loaded(server.port)
    assert everything(server, tools) == before
    meet(server, [*members, joined])
    for each in (*members, joined):
        each.close()


def leave(server, end, members):
    server.stop() if end == "stopped" else server.kill()
    for each in members:
        each.close()


def meet(server, members):
    """Each goes on in its generation, and still has the assignment that it got."""
    for each in members:
        each.connection = messages.Connection(server.port, seconds=30)
        assert each.heartbeat() == 0
        assert each.sync()["assignment"] == each.assignment
