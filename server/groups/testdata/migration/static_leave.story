# policy: bidirectional
# A static classic member of a consumer group leaves with its id; one of the consumer protocol keeps its place by -2.
beat c epoch=0 instance=i
< beat c NONE epoch=2 interval=5000 assignment=t:0,1,2,3
beat d epoch=0 instance=i
< beat d UNRELEASED_INSTANCE_ID Static member d with instance id i cannot join the group because the instance id is owned by c member.
join a v=5 instance=i
< join a NONE generation=2 type=? protocol=range leader=- members=
list
< list NONE consumer Stable classic
consumerdescribe
< consumerdescribe GROUP_ID_NOT_FOUND Group story-static_leave is not a consumer group. state= epoch=0 target=0 assignor= members=
beat c instance=i
< beat c GROUP_ID_NOT_FOUND Group story-static_leave is not a consumer group.
beat e epoch=0 instance=i
< beat e NONE epoch=2 interval=5000 assignment=t:0,1,2,3
consumerdescribe
< consumerdescribe NONE None state=Stable epoch=2 target=2 assignor=uniform members=e/i/None/2/client//127.0.0.1/t//t:0,1,2,3/t:0,1,2,3/1
heartbeat a instance=i
< heartbeat a FENCED_INSTANCE_ID
beat e epoch=-2 instance=i
< beat e NONE epoch=-2 interval=0 assignment=null
consumerdescribe
< consumerdescribe NONE None state=Reconciling epoch=2 target=2 assignor=uniform members=e/i/None/-2/client//127.0.0.1/t//t:0,1,2,3/t:0,1,2,3/1
beat f epoch=0 instance=i
< beat f NONE epoch=2 interval=5000 assignment=t:0,1,2,3
beat f epoch=-1 instance=i
< beat f NONE epoch=-1 interval=0 assignment=null
list
< list NONE consumer Empty consumer
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": "i", "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 2, "metadataHash": "H1"}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 2, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [2, 2, 2, 2]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "c"} null
> 7 {"memberId": "c"} null
> 5 {"memberId": "<a>"} {"version": "0", "data": {"instanceId": "i", "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 5 {"memberId": "c"} null
> 7 {"memberId": "<a>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 0, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [2, 2, 2, 2]}], "partitionsPendingRevocation": []}}
> 5 {"memberId": "<a>"} {"version": "0", "data": {"instanceId": "i", "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 8 {"memberId": "<a>"} null
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [2, 2, 2, 2]}], "partitionsPendingRevocation": []}}
> 7 {"memberId": "<a>"} null
> 6 {} null
> 5 {"memberId": "<a>"} null
> 4 {} null
> 3 {} null
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 2, "protocol": "range", "leader": "<a>", "currentStateTimestamp": "T", "members": [{"memberId": "<a>", "groupInstanceId": "i", "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [0, 1, 2, 3]}], "userData": null}}]}}
>
> 2 {} null
> 5 {"memberId": "<a>"} {"version": "0", "data": {"instanceId": "i", "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 2, "metadataHash": "H1"}}
> 7 {"memberId": "<a>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 2}}
> 8 {"memberId": "<a>"} null
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 2, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [2, 2, 2, 2]}], "partitionsPendingRevocation": []}}
> 7 {"memberId": "<a>"} null
> 5 {"memberId": "<a>"} null
> 5 {"memberId": "e"} {"version": "0", "data": {"instanceId": "i", "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 7 {"memberId": "e"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 8 {"memberId": "e"} {"version": "0", "data": {"memberEpoch": 0, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [2, 2, 2, 2]}], "partitionsPendingRevocation": []}}
> 5 {"memberId": "e"} {"version": "0", "data": {"instanceId": "i", "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 8 {"memberId": "e"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [2, 2, 2, 2]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "e"} {"version": "0", "data": {"memberEpoch": -2, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [0, 0, 0, 0]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "e"} null
> 7 {"memberId": "e"} null
> 5 {"memberId": "e"} null
> 5 {"memberId": "f"} {"version": "0", "data": {"instanceId": "i", "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 7 {"memberId": "f"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 8 {"memberId": "f"} {"version": "0", "data": {"memberEpoch": 0, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [0, 0, 0, 0]}], "partitionsPendingRevocation": []}}
> 8 {"memberId": "f"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [0, 0, 0, 0]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "f"} null
> 7 {"memberId": "f"} null
> 5 {"memberId": "f"} null
> 3 {} {"version": "0", "data": {"epoch": 3}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 3}}
>
