# policy: bidirectional
# Static classic members are upgraded, and one of them comes back with the consumer protocol.
join a v=5 instance=ia rack=r1
join b v=5 instance=ib sub=1
await
< join a NONE generation=1 type=? protocol=range leader=a members=a,b
< join b NONE generation=1 type=? protocol=range leader=a members=
sync b instance=ib
sync a instance=ia assign=a=t:0,1|b=t:2,3
< sync a NONE type=consumer protocol=range assignment=v3 t:0,1
< sync b NONE type=consumer protocol=range assignment=v3 t:2,3
beat c epoch=0 instance=ia owned=
< beat c NONE epoch=1 interval=5000 assignment=t:0,1
list
< list NONE consumer Stable consumer
heartbeat a instance=ia
< heartbeat a FENCED_INSTANCE_ID
heartbeat b instance=ib
< heartbeat b NONE
join b instance=ib owned=t:2,3 sub=1
< join b NONE generation=1 type=consumer protocol=range leader=- members=
sync b instance=ib
< sync b NONE type=consumer protocol=range assignment=v1 t:2,3
heartbeat b instance=ib
< heartbeat b NONE
beat c instance=ia owned=t:0,1
< beat c NONE epoch=1 interval=5000 assignment=null
consumerdescribe
< consumerdescribe NONE None state=Stable epoch=1 target=1 assignor=uniform members=b/ib/None/1/client//127.0.0.1/t//t:2,3/t:2,3/0 c/ia/r1/1/client//127.0.0.1/t//t:0,1/t:0,1/1
beat d epoch=0 instance=ib owned=
< beat d NONE epoch=1 interval=5000 assignment=t:2,3
consumerdescribe
< consumerdescribe NONE None state=Stable epoch=1 target=1 assignor=uniform members=c/ia/r1/1/client//127.0.0.1/t//t:0,1/t:0,1/1 d/ib/None/1/client//127.0.0.1/t//t:2,3/t:2,3/1
heartbeat b instance=ib
< heartbeat b FENCED_INSTANCE_ID
list
< list NONE consumer Stable consumer
beat c epoch=-2 instance=ia
< beat c NONE epoch=-2 interval=0 assignment=null
join e instance=ia owned=
< join e NONE generation=1 type=consumer protocol=range leader=- members=
sync e instance=ia
< sync e NONE type=consumer protocol=range assignment=v3 t:0,1
heartbeat e instance=ia
< heartbeat e NONE
join e instance=ia
< join e NONE generation=1 type=consumer protocol=range leader=- members=
join e id=none instance=ia
< join e NONE generation=1 type=consumer protocol=range leader=- members=
sync e instance=ia
< sync e NONE type=consumer protocol=range assignment=v3 t:0,1
consumerdescribe
< consumerdescribe NONE None state=Stable epoch=1 target=1 assignor=uniform members=d/ib/None/1/client//127.0.0.1/t//t:2,3/t:2,3/1 e/ia/r1/1/client//127.0.0.1/t//t:0,1/t:0,1/0
leave e id=none instance=ia
< leave e NONE NONE
list
< list NONE consumer Assigning consumer
> 2 {} {"version": "3", "data": {"protocolType": "", "generation": 0, "protocol": null, "leader": null, "currentStateTimestamp": "T", "members": []}}
>
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 1, "protocol": "range", "leader": "any", "currentStateTimestamp": "T", "members": [{"memberId": "<a>", "groupInstanceId": "ia", "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": "r1"}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [0, 1]}], "userData": null}}, {"memberId": "<b>", "groupInstanceId": "ib", "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": []}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [2, 3]}], "userData": null}}]}}
>
> 2 {} null
> 5 {"memberId": "<a>"} {"version": "0", "data": {"instanceId": "ia", "rackId": "r1", "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD/////AAJyMQ=="}]}}}
> 5 {"memberId": "<b>"} {"version": "0", "data": {"instanceId": "ib", "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAEAAAABAAF0/////wAAAAA="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 1, "metadataHash": "H1"}}
> 7 {"memberId": "<a>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 7 {"memberId": "<b>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 1}}
> 8 {"memberId": "<a>"} null
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [1, 1]}], "partitionsPendingRevocation": []}}
> 8 {"memberId": "<b>"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [2, 3], "assignmentEpochs": [1, 1]}], "partitionsPendingRevocation": []}}
> 7 {"memberId": "<a>"} null
> 5 {"memberId": "<a>"} null
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": "ia", "rackId": "r1", "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD/////AAJyMQ=="}]}}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 0, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [1, 1]}], "partitionsPendingRevocation": []}}
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": "ia", "rackId": "r1", "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [1, 1]}], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "<b>"} {"version": "0", "data": {"instanceId": "ib", "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAEAAAABAAF0/////wAAAAEAAXQAAAACAAAAAgAAAAM="}]}}}
>
> 8 {"memberId": "<b>"} null
> 7 {"memberId": "<b>"} null
> 5 {"memberId": "<b>"} null
> 5 {"memberId": "d"} {"version": "0", "data": {"instanceId": "ib", "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAEAAAABAAF0/////wAAAAEAAXQAAAACAAAAAgAAAAM="}]}}}
> 7 {"memberId": "d"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2, 3]}]}}
> 8 {"memberId": "d"} {"version": "0", "data": {"memberEpoch": 0, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [2, 3], "assignmentEpochs": [1, 1]}], "partitionsPendingRevocation": []}}
> 5 {"memberId": "d"} {"version": "0", "data": {"instanceId": "ib", "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 8 {"memberId": "d"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [2, 3], "assignmentEpochs": [1, 1]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": -2, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [0, 0]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "c"} null
> 7 {"memberId": "c"} null
> 5 {"memberId": "<e>"} {"version": "0", "data": {"instanceId": "ia", "rackId": "r1", "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 5 {"memberId": "c"} null
> 7 {"memberId": "<e>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 8 {"memberId": "<e>"} {"version": "0", "data": {"memberEpoch": 0, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [0, 0]}], "partitionsPendingRevocation": []}}
> 5 {"memberId": "<e>"} {"version": "0", "data": {"instanceId": "ia", "rackId": "r1", "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 8 {"memberId": "<e>"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [0, 0]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "<e>"} null
> 7 {"memberId": "<e>"} null
> 5 {"memberId": "<e>"} null
> 5 {"memberId": "<e>"} {"version": "0", "data": {"instanceId": "ia", "rackId": "r1", "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 7 {"memberId": "<e>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 8 {"memberId": "<e>"} {"version": "0", "data": {"memberEpoch": 0, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [0, 0]}], "partitionsPendingRevocation": []}}
> 8 {"memberId": "<e>"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [0, 0]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "<e>"} null
> 7 {"memberId": "<e>"} null
> 5 {"memberId": "<e>"} null
> 3 {} {"version": "0", "data": {"epoch": 2, "metadataHash": "H1"}}
>
