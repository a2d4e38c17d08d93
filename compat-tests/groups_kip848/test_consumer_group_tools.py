"""Groups of both protocols through Kafka's own tools: listed, described and deleted, as the reference does it.

The recorded text stands in tools_of_kafka.txt; DOHLE_RECORD=1 writes it anew: only ever with --server=reference.
"""

import os
import pathlib
import re
import struct
import sys

from harness import raw

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import migration_story  # noqa: E402

SUITE = "kip848-tools"
RECORDED = HERE / "tools_of_kafka.txt"
GROUP = "tools"
STEPS = {
    "a mixed group": ["beat c epoch=0", "join a id=@a instance=", "beat c owned=t:0,1", "beat c owned=t:0,1",
                      "join a id=@a instance=", "sync a", "commit c parts=t:0,1", "commit a parts=t:2"],
    "a classic group again": ["beat c epoch=-1"],
    "an empty group": ["leave a"],
    "nothing": [],
}
CALLS = [
    ("kafka-groups", "--list"),
    ("kafka-consumer-groups", "--list", "--state", "--type"),
    ("kafka-consumer-groups", "--describe", "--group", GROUP, "--verbose"),
    ("kafka-consumer-groups", "--describe", "--group", GROUP, "--state", "--verbose"),
    ("kafka-consumer-groups", "--describe", "--group", GROUP, "--members", "--verbose"),
    ("kafka-consumer-groups", "--delete", "--group", GROUP),
]


def plain(text, server):
    """Without the port and stack traces, and with single blanks; rows sorted, because members come in no order."""
    lines = [re.sub(r" +", " ", line.replace(str(server.port), "PORT")).strip() for line in text.splitlines()]
    return sorted(line for line in lines if line and not re.match(r"\[|at |ToolRunner|exit$", line))


def test_tools_show_and_delete_groups_as_the_reference_does(make_server, server_kind, tools):
    server = make_server(server_kind, {"group.consumer.assignment.interval.ms": "0", "offsets.topic.num.partitions": "1"}).start()
    with raw.connected(server.port) as connection:
        connection.create_topic("t", 4)
        raw.eventually(lambda: connection.request(10, 0, raw.string("any")).take("h") == 0, seconds=60, every=0.2)
        beat = raw.string("any") + struct.pack(">i", 1) + raw.string("nobody")
        raw.eventually(lambda: connection.request(12, 0, beat).take("h") == 25, seconds=60, every=0.2)
    story = migration_story.MigrationStory(server.port, GROUP)
    shown = []
    for name, steps in STEPS.items():
        for step in steps:
            answers = story.play(step.replace(" instance=", ""))
            assert all("NONE" in answer or "REBALANCE" in answer for answer in answers), (step, answers)
        for tool, *arguments in CALLS:
            done = tools(tool, "--bootstrap-server", server.bootstrap, *arguments, seconds=60)
            shown += [f"== {name}: {tool} {' '.join(arguments)}", f"exit {done.exit}", *plain(done.out + done.err, server)]
    story.close()
    if os.environ.get("DOHLE_RECORD"):
        assert server_kind == "reference"
        RECORDED.write_text("\n".join(shown) + "\n")
    assert shown == RECORDED.read_text().splitlines()
