# policy: bidirectional
# What classic requests may not do in a consumer group.
beat c epoch=0
< beat c NONE epoch=2 interval=5000 assignment=t:0,1,2,3
join a v=3 type=connect
< join a INCONSISTENT_GROUP_PROTOCOL id=-
join a v=3 protocols=range meta=
< join a INCONSISTENT_GROUP_PROTOCOL id=-
join a v=3 meta=ffff00000000
< join a INCONSISTENT_GROUP_PROTOCOL id=-
join a id=@a v=3 protocols=range,sticky
< join a NONE generation=3 type=? protocol=range leader=- members=
join b v=3 protocols=cooperative
< join b INCONSISTENT_GROUP_PROTOCOL id=-
join b protocols=cooperative
< join b INCONSISTENT_GROUP_PROTOCOL id=-
join b id=@b v=3 protocols=sticky
< join b NONE generation=4 type=? protocol=sticky leader=- members=
join b id=bogus protocols=range,sticky
< join b NONE generation=5 type=consumer protocol=range leader=- members=
heartbeat c
< heartbeat c UNKNOWN_MEMBER_ID
sync c
< sync c UNKNOWN_MEMBER_ID type=None protocol=None assignment=none
heartbeat nobody
< heartbeat nobody UNKNOWN_MEMBER_ID
sync nobody
< sync nobody UNKNOWN_MEMBER_ID type=None protocol=None assignment=none
heartbeat a generation=17
< heartbeat a ILLEGAL_GENERATION
sync a generation=17
< sync a ILLEGAL_GENERATION type=None protocol=None assignment=none
sync a type=connect
< sync a INCONSISTENT_GROUP_PROTOCOL type=None protocol=None assignment=none
sync a protocol=sticky
< sync a INCONSISTENT_GROUP_PROTOCOL type=None protocol=None assignment=none
sync b protocol=sticky
< sync b INCONSISTENT_GROUP_PROTOCOL type=None protocol=None assignment=none
heartbeat a instance=nobody
< heartbeat a UNKNOWN_MEMBER_ID
sync a instance=nobody
< sync a UNKNOWN_MEMBER_ID type=None protocol=None assignment=none
join d v=5 instance=i
< join d GROUP_MAX_SIZE_REACHED id=-
heartbeat a instance=i
< heartbeat a UNKNOWN_MEMBER_ID
sync a instance=i
< sync a UNKNOWN_MEMBER_ID type=None protocol=None assignment=none
join a instance=i
< join a INCONSISTENT_GROUP_PROTOCOL id=-
join a instance=nobody
< join a INCONSISTENT_GROUP_PROTOCOL id=-
leave a instance=i
< leave a NONE UNKNOWN_MEMBER_ID
leave nobody
< leave nobody NONE UNKNOWN_MEMBER_ID
leave b,a
< leave b,a NONE NONE,NONE
leave c
< leave c NONE NONE
list
< list NONE consumer PreparingRebalance classic
join f id=none
< join f INCONSISTENT_GROUP_PROTOCOL id=-
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 2, "metadataHash": "H1"}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 2, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [2, 2, 2, 2]}], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "a"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}, {"name": "sticky", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 3, "metadataHash": "H1"}}
> 7 {"memberId": "a"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2, 3]}]}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 3, "assignmentTimestamp": "T"}}
> 8 {"memberId": "a"} {"version": "0", "data": {"memberEpoch": 3, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "b"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "sticky", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 4, "metadataHash": "H1"}}
> 7 {"memberId": "b"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [1]}]}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 4, "assignmentTimestamp": "T"}}
> 8 {"memberId": "b"} {"version": "0", "data": {"memberEpoch": 4, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "<b>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}, {"name": "sticky", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 5, "metadataHash": "H1"}}
> 7 {"memberId": "<b>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [3]}]}}
> 7 {"memberId": "a"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 5, "assignmentTimestamp": "T"}}
> 8 {"memberId": "<b>"} {"version": "0", "data": {"memberEpoch": 5, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "<b>"} null
> 7 {"memberId": "<b>"} null
> 5 {"memberId": "<b>"} null
> 8 {"memberId": "a"} null
> 7 {"memberId": "a"} null
> 5 {"memberId": "a"} null
> 3 {} {"version": "0", "data": {"epoch": 6, "metadataHash": "H1"}}
>
> 8 {"memberId": "b"} null
> 8 {"memberId": "c"} null
> 7 {"memberId": "b"} null
> 7 {"memberId": "c"} null
> 6 {} null
> 5 {"memberId": "b"} null
> 5 {"memberId": "c"} null
> 4 {} null
> 3 {} null
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 6, "protocol": "sticky", "leader": "b", "currentStateTimestamp": "T", "members": [{"memberId": "b", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [1]}], "userData": null}}]}}
>
