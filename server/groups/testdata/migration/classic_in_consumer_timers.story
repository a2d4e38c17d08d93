# policy: bidirectional
# A classic member that does not sync in time, one that does not join in time, and one whose session ends.
beat c epoch=0
< beat c NONE epoch=2 interval=5000 assignment=t:0,1,2,3
join a id=@a v=3 rebalance=700 session=5000
< join a NONE generation=3 type=? protocol=range leader=- members=
wait 500
beat c owned=
< beat c NONE epoch=3 interval=5000 assignment=t:0,1
list
< list NONE consumer Reconciling consumer
wait 500
heartbeat a
< heartbeat a UNKNOWN_MEMBER_ID
beat c
< beat c NONE epoch=4 interval=5000 assignment=t:0,1,2,3
join b id=@b v=3 rebalance=700 session=5000
< join b NONE generation=5 type=? protocol=range leader=- members=
sync b
< sync b NONE type=consumer protocol=range assignment=v3 -
beat c owned=t:0,1
< beat c NONE epoch=5 interval=5000 assignment=t:0,1
beat c owned=t:0,1
< beat c NONE epoch=5 interval=5000 assignment=null
heartbeat b
< heartbeat b REBALANCE_IN_PROGRESS
join b rebalance=700 session=5000
< join b NONE generation=5 type=consumer protocol=range leader=- members=
sync b
< sync b NONE type=consumer protocol=range assignment=v3 t:2,3
heartbeat b
< heartbeat b NONE
beat c topics=t,u owned=t:0,1
< beat c NONE epoch=5 interval=5000 assignment=t:0
heartbeat b
< heartbeat b REBALANCE_IN_PROGRESS
wait 500
beat c
< beat c NONE epoch=5 interval=5000 assignment=null
heartbeat b
< heartbeat b REBALANCE_IN_PROGRESS
wait 500
heartbeat b
< heartbeat b UNKNOWN_MEMBER_ID
beat c
< beat c NONE epoch=5 interval=5000 assignment=null
join d id=@d v=3 rebalance=10000 session=600
< join d NONE generation=8 type=? protocol=range leader=- members=
sync d
< sync d NONE type=consumer protocol=range assignment=v3 t:2,3
beat c
< beat c NONE epoch=5 interval=5000 assignment=null
await
heartbeat d
< heartbeat d UNKNOWN_MEMBER_ID
beat c
< beat c NONE epoch=5 interval=5000 assignment=null
await
heartbeat d
< heartbeat d UNKNOWN_MEMBER_ID
beat c
< beat c UNKNOWN_MEMBER_ID Member c is not a member of group story-classic_in_consumer_timers.
wait 700
heartbeat d
< heartbeat d UNKNOWN_MEMBER_ID
beat c
< beat c UNKNOWN_MEMBER_ID Member c is not a member of group story-classic_in_consumer_timers.
list
< list NONE consumer Empty consumer
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 2, "metadataHash": "H1"}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 2, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [2, 2, 2, 2]}], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "a"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 700, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 5000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 3, "metadataHash": "H1"}}
> 7 {"memberId": "a"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2, 3]}]}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 3, "assignmentTimestamp": "T"}}
> 8 {"memberId": "a"} {"version": "0", "data": {"memberEpoch": 3, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 3, "previousMemberEpoch": 2, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [2, 2]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "a"} null
> 7 {"memberId": "a"} null
> 5 {"memberId": "a"} null
> 3 {} {"version": "0", "data": {"epoch": 4, "metadataHash": "H1"}}
>
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 4, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 4, "previousMemberEpoch": 3, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [2, 2, 4, 4]}], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "b"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 700, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 5000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 5, "metadataHash": "H1"}}
> 7 {"memberId": "b"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2, 3]}]}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 5, "assignmentTimestamp": "T"}}
> 8 {"memberId": "b"} {"version": "0", "data": {"memberEpoch": 5, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 5, "previousMemberEpoch": 4, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [2, 2]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "b"} {"version": "0", "data": {"memberEpoch": 5, "previousMemberEpoch": 5, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [2, 3], "assignmentEpochs": [5, 5]}], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t", "u"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 6, "metadataHash": "H2"}}
> 7 {"memberId": "b"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [1, 2, 3]}]}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0]}, {"topicId": "<u>", "partitions": [0, 1, 2]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 6, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 5, "previousMemberEpoch": 5, "state": 1, "assignedPartitions": [{"topicId": "<t>", "partitions": [0], "assignmentEpochs": [2]}], "partitionsPendingRevocation": [{"topicId": "<t>", "partitions": [1], "assignmentEpochs": [2]}]}}
>
> 8 {"memberId": "b"} null
> 7 {"memberId": "b"} null
> 5 {"memberId": "b"} null
> 3 {} {"version": "0", "data": {"epoch": 7, "metadataHash": "H2"}}
>
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}, {"topicId": "<u>", "partitions": [0, 1, 2]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 7, "assignmentTimestamp": "T"}}
>
> 5 {"memberId": "d"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 10000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 600, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 8, "metadataHash": "H2"}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0]}, {"topicId": "<u>", "partitions": [0, 1, 2]}]}}
> 7 {"memberId": "d"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 8, "assignmentTimestamp": "T"}}
> 8 {"memberId": "d"} {"version": "0", "data": {"memberEpoch": 8, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [{"topicId": "<t>", "partitions": [2, 3], "assignmentEpochs": [8, 8]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "d"} null
> 7 {"memberId": "d"} null
> 5 {"memberId": "d"} null
> 3 {} {"version": "0", "data": {"epoch": 9, "metadataHash": "H2"}}
>
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}, {"topicId": "<u>", "partitions": [0, 1, 2]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 9, "assignmentTimestamp": "T"}}
>
> 8 {"memberId": "c"} null
> 7 {"memberId": "c"} null
> 5 {"memberId": "c"} null
> 3 {} {"version": "0", "data": {"epoch": 10}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 10}}
>
