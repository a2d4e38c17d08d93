# policy: upgrade
join a v=3
await
< join a NONE generation=1 type=? protocol=range leader=a members=a
sync a assign=a=t:0,1,2,3
< sync a NONE type=consumer protocol=range assignment=v3 t:0,1,2,3
beat c epoch=0
< beat c NONE epoch=2 interval=5000 assignment=-
heartbeat a
< heartbeat a REBALANCE_IN_PROGRESS
join a owned=t:0,1,2,3
< join a NONE generation=1 type=consumer protocol=range leader=- members=
sync a
< sync a NONE type=consumer protocol=range assignment=v3 t:0,1
beat c epoch=-1
< beat c NONE epoch=-1 interval=0 assignment=null
list
< list NONE consumer Assigning consumer
heartbeat a
< heartbeat a REBALANCE_IN_PROGRESS
join a owned=t:0,1
< join a NONE generation=3 type=consumer protocol=range leader=- members=
sync a
< sync a NONE type=consumer protocol=range assignment=v3 t:0,1,2,3
heartbeat a
< heartbeat a NONE
list
< list NONE consumer Stable consumer
beat d epoch=0 instance=i
< beat d NONE epoch=4 interval=5000 assignment=-
join e v=5 instance=i
< join e NONE generation=4 type=? protocol=range leader=- members=
list
< list NONE consumer Reconciling consumer
> 2 {} {"version": "3", "data": {"protocolType": "", "generation": 0, "protocol": null, "leader": null, "currentStateTimestamp": "T", "members": []}}
>
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 1, "protocol": "range", "leader": "<a>", "currentStateTimestamp": "T", "members": [{"memberId": "<a>", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [0, 1, 2, 3]}], "userData": null}}]}}
>
> 2 {} null
> 5 {"memberId": "<a>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 1, "metadataHash": "H1"}}
> 7 {"memberId": "<a>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 1}}
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [1, 1, 1, 1]}], "partitionsPendingRevocation": []}}
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 2, "metadataHash": "H1"}}
> 7 {"memberId": "<a>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 2, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "<a>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAEAAXQAAAAEAAAAAAAAAAEAAAACAAAAA////////w=="}]}}}
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 1, "state": 1, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [1, 1]}], "partitionsPendingRevocation": [{"topicId": "<t>", "partitions": [2, 3], "assignmentEpochs": [1, 1]}]}}
>
> 8 {"memberId": "c"} null
> 7 {"memberId": "c"} null
> 5 {"memberId": "c"} null
> 3 {} {"version": "0", "data": {"epoch": 3, "metadataHash": "H1"}}
>
> 5 {"memberId": "<a>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAEAAXQAAAACAAAAAAAAAAH///////8="}]}}}
> 7 {"memberId": "<a>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 3, "assignmentTimestamp": "T"}}
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 3, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [1, 1, 3, 3]}], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "d"} {"version": "0", "data": {"instanceId": "i", "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 4, "metadataHash": "H1"}}
> 7 {"memberId": "<a>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 7 {"memberId": "d"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 4, "assignmentTimestamp": "T"}}
> 8 {"memberId": "d"} {"version": "0", "data": {"memberEpoch": 4, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "d"} null
> 7 {"memberId": "d"} null
> 5 {"memberId": "<e>"} {"version": "0", "data": {"instanceId": "i", "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 5 {"memberId": "d"} null
> 7 {"memberId": "<e>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2, 3]}]}}
> 8 {"memberId": "<e>"} {"version": "0", "data": {"memberEpoch": 0, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
> 5 {"memberId": "<e>"} {"version": "0", "data": {"instanceId": "i", "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 8 {"memberId": "<e>"} {"version": "0", "data": {"memberEpoch": 4, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
