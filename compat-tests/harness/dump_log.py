"""kafka-dump-log, and what of its output is a complaint."""

import re

COMPLAINT = re.compile(r"Mismatches|Found timestamp mismatch|out of order|Indexed offset|not found|isvalid: false|Invalid|invalid|corrupt"
                       r"|Exception|failed|could not|Could not|skipping", re.IGNORECASE)
# With --deep-iteration the tool counts from -1, and so complains about the first batch of each later segment.
QUIRK = re.compile(r"Non-consecutive offsets in \S*/0*(\d+)\.log\n  -1 is followed by \1\n")


def dump(tools, *options, files, gaps=False):
    """The output as a list of lines; a complaint is a failure. `gaps`: offsets are missing, as after a compaction."""
    assert files, "there is no such file"
    done = tools("kafka-dump-log", *options, "--files", ",".join(map(str, sorted(files))), seconds=120).must_succeed()
    lines = done.out.splitlines()
    complaints = [line for line in lines if COMPLAINT.search(re.sub(r"isvalid: true|(key|payload): .*", "", line))]
    assert not complaints, "\n".join(complaints[:20])
    rest = QUIRK.sub("", done.err)
    if gaps:
        rest = re.sub(r"Non-consecutive offsets in .*\n(  -?\d+ is followed by \d+\n)*", "", rest)
    assert not rest.strip(), rest
    return lines


def dump_directory(tools, data, clean, skip=()):
    """Dumps all that lies in a stopped server's directory. `clean`: it was stopped; after a kill -9 the newest indexes
    are not trimmed yet, as in Kafka. `skip`: names of topics."""
    folders = [folder for folder in sorted(data.iterdir())
               if folder.is_dir() and not folder.name.endswith("-delete") and folder.name.rsplit("-", 1)[0] not in skip]
    metadata = data / "__cluster_metadata-0"
    logs, closed_indexes, snapshots = [], [], []
    for folder in folders:
        if folder == metadata:
            continue
        of_folder = sorted(folder.glob("*.log"))
        logs += of_folder
        snapshots += folder.glob("*.snapshot")
        for log in of_folder if clean else of_folder[:-1]:
            closed_indexes += [path for path in (log.with_suffix(".index"), log.with_suffix(".timeindex")) if path.exists()]
    dump(tools, "--deep-iteration", files=logs, gaps=True)
    for files in (closed_indexes, snapshots):
        if files:
            dump(tools, files=files)
    dump(tools, "--cluster-metadata-decoder", files=[*metadata.glob("*.log"), *metadata.glob("*.checkpoint")])
