"""Every API's frames bent: a body that is cut, one that is too long, versions that there are not; and the controller's listener."""

import copy

from . import schema, walks_cluster, walks_produce, walks_read, walks_topics

TABLE = [*walks_produce.WALKS, *walks_read.WALKS[1:], *walks_topics.WALKS, *walks_cluster.WALKS]
# What a request may do twice without harm is asked with a byte too many; for the others the cut alone.
CHANGES = {"CreateTopics", "DeleteTopics", "CreatePartitions", "IncrementalAlterConfigs", "AlterConfigs", "Produce", "InitProducerId", "DeleteRecords"}


def cut(api, version, body):
    return api.header(version) + body[:-1]


def long(api, version, body):
    return api.header(version) + body + b"\0"


def headless(api, version, _body):
    return api.header(version)[:6]


def of_version(number):
    return lambda api, _version, body: api.header(number) + body


def bare(name, body):
    return {"case": name, "body": body, "closes": True, "connection": name.replace(" ", "-")}


def frames_of(walk):
    """The bent frames of one walk's API, around the body of its first case."""
    api = schema.apis()[walk["api"]]
    first, last = walk.get("first", api.first), walk.get("last", api.last)
    body = next(step["body"] for step in walk["steps"] if "case" in step and "api" not in step)
    steps = [{**bare("body cut by a byte", body), "frame": cut}, {**bare("header cut", body), "frame": headless}]
    if api.name not in CHANGES:
        steps.append({**bare("a byte too many", body), "frame": long})
    steps += [{**bare(f"version {number}", body), "frame": of_version(number), "versions": str(last)}
              for number in sorted({first - 1, last + 1, 32767, -1})]
    return {"api": api.name, "name": f"{api.name}-frames", "first": first, "last": last, "topics": walk.get("topics", {}), "steps": steps}


UNKNOWN_KEYS = {"api": "ApiVersions", "name": "Keys", "versions": "0", "steps": [
    {**bare(f"api key {key}", {}), "frame": lambda api, version, body, key=key: key.to_bytes(2, "big", signed=True) + b"\0\0\0\0\0\7\0\0"}
    for key in (-1, 4, 5, 6, 7, 52, 62, 95, 1000, 32767)] + [
    {**bare("an empty frame", {}), "frame": lambda api, version, body: b""},
    {**bare("one byte", {}), "frame": lambda api, version, body: b"\0"},
]}

# What the controller serves of what Dohle has; the same steps, on the controller's listener.
CONTROLLER = ("ApiVersions", "DescribeCluster", "DescribeQuorum", "DescribeConfigs", "CreateTopics", "DeleteTopics", "CreatePartitions", "ElectLeaders",
              "AlterPartitionReassignments", "ListPartitionReassignments", "UpdateFeatures", "IncrementalAlterConfigs", "AlterConfigs")
# What the reference's controller resigns over; see walks_cluster.OPERATIONS.
TRIPS = ("broker unknown operation",)
NOT_SERVED = ("Produce", "Fetch", "ListOffsets", "Metadata", "DeleteRecords", "InitProducerId", "OffsetForLeaderEpoch", "DescribeTopicPartitions",
              "DescribeProducers", "DescribeLogDirs", "ListConfigResources")


def renamed(value):
    """The same walk with topics of its own."""
    if isinstance(value, dict):
        return {renamed(key) if "{v}" in str(key) else key: renamed(each) for key, each in value.items()}
    if isinstance(value, list):
        return [renamed(each) for each in value]
    return value.replace("-{v}", "-c{v}").replace(".{v}", ".c{v}").replace("_{v}", "_c{v}") if isinstance(value, str) else value


def on_controller(walk):
    api = schema.apis()[walk["api"]]
    steps = []
    for step in walk["steps"]:
        if step.get("api", api.name) != api.name or step.get("case") in TRIPS:
            continue
        step = {key: renamed(each) if key == "body" else copy.copy(each) for key, each in step.items()}
        if step.get("reshape") is walks_cluster.known_apis:
            step["reshape"] = walks_cluster.known_controller_apis
        steps.append(step)
    return {**walk, "name": f"Controller-{api.name}", "controller": True, "steps": steps, "topics": renamed(walk.get("topics", {})), "first": api.last}


CONTROLLER_WALKS = [on_controller(walk) for walk in TABLE if walk["api"] in CONTROLLER]
REFUSED = [{"api": walk["api"], "name": f"Controller-{walk['api']}", "controller": True, "first": schema.apis()[walk["api"]].last if
            walk["api"] != "InitProducerId" else 5, "last": walk.get("last", schema.apis()[walk["api"]].last), "topics": walk.get("topics", {}), "steps": [
                {"case": "not served by the controller", "body": next(step["body"] for step in walk["steps"] if "case" in step and "api" not in step)}]}
           for walk in TABLE if walk["api"] in NOT_SERVED]

WALKS = [*(frames_of(walk) for walk in TABLE), UNKNOWN_KEYS, *CONTROLLER_WALKS, *REFUSED]
