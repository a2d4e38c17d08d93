"""Log directories that server/log writes by itself are read by Kafka's own tools without a complaint."""

import pathlib
import re
import subprocess

import pytest

WRITER = pathlib.Path(__file__).resolve().parents[2] / "build" / "dohle_write_log"
TOPICS = ("plain", "codecs", "transactions", "shortened", "empty")
COMPLAINT = re.compile(r"mismatch|out of order|not found|isvalid: false|invalid|corrupt|exception|failed|could not|skipping",
                       re.IGNORECASE)
# With --deep-iteration the tool counts from -1 and so notes the first batch of each later segment.
QUIRK = re.compile(r"Non-consecutive offsets in \S*/0*(\d+)\.log\n  -1 is followed by \1\n")


@pytest.fixture(scope="module", params=["clean", "killed"])
def written(request, tmp_path_factory):
    if not WRITER.exists():
        pytest.fail(f"{WRITER} is not built")
    top = tmp_path_factory.mktemp("written")
    done = subprocess.run([WRITER, top, request.param], check=True, text=True, capture_output=True)
    ends = {topic: int(end) for topic, end in (line.split() for line in done.stdout.splitlines())}
    return top, ends


def files(directory, *suffixes):
    return sorted(file for file in directory.iterdir() if file.suffix in suffixes)


def dump(tools, *options, chosen):
    done = tools("kafka-dump-log", *options, "--files", ",".join(map(str, chosen)), seconds=120).must_succeed()
    text = re.sub(r"isvalid: true", "", done.out)
    assert not [line for line in text.splitlines() if COMPLAINT.search(line)], text
    assert not QUIRK.sub("", done.err).strip(), done.err
    return done.out


@pytest.mark.parametrize("topic", TOPICS)
def test_every_batch_is_read_and_every_offset_is_there(tools, written, topic):
    top, ends = written
    logs = files(top / f"{topic}-0", ".log")
    out = dump(tools, "--deep-iteration", chosen=logs)
    batches = [tuple(map(int, found)) for found in re.findall(r"^baseOffset: (\d+) lastOffset: (\d+)", out, re.MULTILINE)]
    assert batches == [] if topic == "empty" else batches[-1][1] + 1 == ends[topic]
    assert all(after[0] == before[1] + 1 for before, after in zip(batches, batches[1:]))


@pytest.mark.parametrize("topic", TOPICS)
def test_the_indexes_agree_with_the_log(tools, written, topic):
    top, _ = written
    indexes = files(top / f"{topic}-0", ".index", ".timeindex")
    assert indexes
    dump(tools, "--index-sanity-check", chosen=indexes)
    dump(tools, "--verify-index-only", chosen=indexes)
    dump(tools, chosen=indexes)


def test_aborted_transactions_and_producers_are_read(tools, written):
    top, _ = written
    out = dump(tools, chosen=files(top / "transactions-0", ".txnindex"))
    aborted = re.findall(r"version: 0 producerId: (\d+) firstOffset", out)
    assert aborted.count("10") == 13 and aborted.count("11") == 10
    out = dump(tools, chosen=files(top / "transactions-0", ".snapshot"))
    assert "producerId: 10 producerEpoch: 0 coordinatorEpoch: 0 currentTxnFirstOffset: OptionalLong" in out
