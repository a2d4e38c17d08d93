"""All walks in their order, and what both servers are started with."""

from . import walks_cluster, walks_frames, walks_produce, walks_read, walks_topics

# Records of the walk are from 2023, and nothing may vanish while it runs. The reference makes smaller buffers of it.
PROPERTIES = {"log.retention.ms": "-1", "log.retention.check.interval.ms": "3600000", "log.cleaner.enable": "false"}

WALKS = [*walks_cluster.WALKS[:2], *walks_read.WALKS, *walks_produce.WALKS, *walks_topics.WALKS, *walks_cluster.WALKS[2:], *walks_frames.WALKS]
