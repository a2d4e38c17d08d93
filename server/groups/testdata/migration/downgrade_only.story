# policy: downgrade
join a v=3
await
< join a NONE generation=1 type=? protocol=range leader=a members=a
sync a assign=a=t:0,1,2,3
< sync a NONE type=consumer protocol=range assignment=v3 t:0,1,2,3
beat c epoch=0
< beat c GROUP_ID_NOT_FOUND Cannot upgrade classic group story-downgrade_only to consumer group because online upgrade is disabled.
leave a
< leave a NONE NONE
beat c epoch=0
< beat c NONE epoch=2 interval=5000 assignment=t:0,1,2,3
join a v=3 id=none
< join a NONE generation=3 type=? protocol=range leader=- members=
sync a
< sync a NONE type=consumer protocol=range assignment=v3 -
beat c epoch=-1
< beat c NONE epoch=-1 interval=0 assignment=null
list
< list NONE consumer PreparingRebalance classic
heartbeat a
< heartbeat a REBALANCE_IN_PROGRESS
> 2 {} {"version": "3", "data": {"protocolType": "", "generation": 0, "protocol": null, "leader": null, "currentStateTimestamp": "T", "members": []}}
>
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 1, "protocol": "range", "leader": "<a>", "currentStateTimestamp": "T", "members": [{"memberId": "<a>", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [0, 1, 2, 3]}], "userData": null}}]}}
>
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 2, "protocol": null, "leader": null, "currentStateTimestamp": "T", "members": []}}
>
> 2 {} null
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 2, "metadataHash": "H1"}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 2, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [2, 2, 2, 2]}], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "<a>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 3, "metadataHash": "H1"}}
> 7 {"memberId": "<a>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2, 3]}]}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 3, "assignmentTimestamp": "T"}}
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 3, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "<a>"} null
> 8 {"memberId": "c"} null
> 7 {"memberId": "<a>"} null
> 7 {"memberId": "c"} null
> 6 {} null
> 5 {"memberId": "<a>"} null
> 5 {"memberId": "c"} null
> 4 {} null
> 3 {} null
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 3, "protocol": "range", "leader": "<a>", "currentStateTimestamp": "T", "members": [{"memberId": "<a>", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [2, 3]}], "userData": null}}]}}
>
