# policy: bidirectional
# A group in the middle of a rebalance is upgraded: those who wait are asked to join again.
join a v=3
await
< join a NONE generation=1 type=? protocol=range leader=a members=a
sync a assign=a=t:0,1,2,3
< sync a NONE type=consumer protocol=range assignment=v3 t:0,1,2,3
join b v=3 topics=u
list
< list NONE consumer PreparingRebalance classic
beat c epoch=0
< beat c NONE epoch=2 interval=5000 assignment=-
< join b REBALANCE_IN_PROGRESS id=former-b
list
< list NONE consumer Reconciling consumer
heartbeat a
< heartbeat a REBALANCE_IN_PROGRESS
heartbeat b generation=1
< heartbeat b UNKNOWN_MEMBER_ID
join a owned=t:0,1,2,3
< join a NONE generation=1 type=consumer protocol=range leader=- members=
sync a
< sync a NONE type=consumer protocol=range assignment=v3 t:0,1
join b id=@b topics=
< join b NONE generation=2 type=consumer protocol=range leader=- members=
sync b
< sync b NONE type=consumer protocol=range assignment=v3 -
consumerdescribe
< consumerdescribe NONE None state=Reconciling epoch=2 target=2 assignor=uniform members=a/None/None/1/client//127.0.0.1/t//t:0,1,2,3/t:0,1/0 b/None/None/2/client//127.0.0.1///-/-/0 c/None/None/2/client//127.0.0.1/t//-/t:2,3/1 former-b/None/None/1/client//127.0.0.1/u//-/u:0,1,2/0
> 2 {} {"version": "3", "data": {"protocolType": "", "generation": 0, "protocol": null, "leader": null, "currentStateTimestamp": "T", "members": []}}
>
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 1, "protocol": "range", "leader": "<a>", "currentStateTimestamp": "T", "members": [{"memberId": "<a>", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [0, 1, 2, 3]}], "userData": null}}]}}
>
> 2 {} null
> 5 {"memberId": "<a>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 5 {"memberId": "<former-b>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["u"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF1/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 1, "metadataHash": "H1"}}
> 7 {"memberId": "<a>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 7 {"memberId": "<former-b>"} {"version": "0", "data": {"topicPartitions": []}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 1}}
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [1, 1, 1, 1]}], "partitionsPendingRevocation": []}}
> 8 {"memberId": "<former-b>"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [], "partitionsPendingRevocation": []}}
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 2, "metadataHash": "H1"}}
> 7 {"memberId": "<a>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 7 {"memberId": "<former-b>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<u>", "partitions": [0, 1, 2]}]}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 2, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "<a>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAEAAXQAAAAEAAAAAAAAAAEAAAACAAAAA////////w=="}]}}}
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 1, "state": 1, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [1, 1]}], "partitionsPendingRevocation": [{"topicId": "<t>", "partitions": [2, 3], "assignmentEpochs": [1, 1]}]}}
>
> 5 {"memberId": "b"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": [], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAAA/////wAAAAD///////8="}]}}}
> 8 {"memberId": "b"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
