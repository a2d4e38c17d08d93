# policy: bidirectional
# Assignments with topics that are unknown, and without partitions.
join a v=3 topics=t,missing sub=0
join b v=3 topics=u sub=2
join d v=3 topics=
await
< join a NONE generation=1 type=? protocol=range leader=a members=a,b,d
< join b NONE generation=1 type=? protocol=range leader=a members=
< join d NONE generation=1 type=? protocol=range leader=a members=
sync b
sync d
sync a assign=a=t:0,1;missing:0|b=u:0
< sync a NONE type=consumer protocol=range assignment=v3 missing:0;t:0,1
< sync b NONE type=consumer protocol=range assignment=v3 u:0
< sync d NONE type=consumer protocol=range assignment=none
beat c epoch=0 topics=t,u
< beat c NONE epoch=2 interval=5000 assignment=t:2,3
consumerdescribe
< consumerdescribe NONE None state=Reconciling epoch=2 target=2 assignor=uniform members=a/None/None/1/client//127.0.0.1/missing,t//t:0,1/t:0,1/0 b/None/None/1/client//127.0.0.1/u//u:0/u:0,1,2/0 c/None/None/2/client//127.0.0.1/t,u//t:2,3/t:2,3/1 d/None/None/1/client//127.0.0.1///-/-/0
heartbeat d
< heartbeat d REBALANCE_IN_PROGRESS
join d topics=
< join d NONE generation=2 type=consumer protocol=range leader=- members=
sync d
< sync d NONE type=consumer protocol=range assignment=v3 -
join a topics=t,missing sub=0
< join a NONE generation=2 type=consumer protocol=range leader=- members=
sync a
< sync a NONE type=consumer protocol=range assignment=v0 t:0,1
> 2 {} {"version": "3", "data": {"protocolType": "", "generation": 0, "protocol": null, "leader": null, "currentStateTimestamp": "T", "members": []}}
>
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 1, "protocol": "range", "leader": "any", "currentStateTimestamp": "T", "members": [{"memberId": "<a>", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t", "missing"], "userData": null}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [0, 1]}, {"topic": "missing", "partitions": [0]}], "userData": null}}, {"memberId": "<b>", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["u"], "userData": null, "ownedPartitions": [], "generationId": -1}, "assignment": {"assignedPartitions": [{"topic": "u", "partitions": [0]}], "userData": null}}, {"memberId": "<d>", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": [], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": ""}]}}
>
> 2 {} null
> 5 {"memberId": "<a>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["missing", "t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAAAAAACAAF0AAdtaXNzaW5n/////w=="}]}}}
> 5 {"memberId": "<b>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["u"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAIAAAABAAF1/////wAAAAD/////"}]}}}
> 5 {"memberId": "<d>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": [], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAAA/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 1, "metadataHash": "H1"}}
> 7 {"memberId": "<a>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 7 {"memberId": "<b>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<u>", "partitions": [0]}]}}
> 7 {"memberId": "<d>"} {"version": "0", "data": {"topicPartitions": []}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 1}}
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [1, 1]}], "partitionsPendingRevocation": []}}
> 8 {"memberId": "<b>"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [{"topicId": "<u>", "partitions": [0], "assignmentEpochs": [1]}], "partitionsPendingRevocation": []}}
> 8 {"memberId": "<d>"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [], "partitionsPendingRevocation": []}}
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t", "u"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 2, "metadataHash": "H1"}}
> 7 {"memberId": "<b>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<u>", "partitions": [0, 1, 2]}]}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 2, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [2, 3], "assignmentEpochs": [2, 2]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "<d>"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [1, 1]}], "partitionsPendingRevocation": []}}
>
