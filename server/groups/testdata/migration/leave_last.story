# policy: bidirectional
# A group whose members all leave at once stays a consumer group, and is empty.
beat c epoch=0
< beat c NONE epoch=2 interval=5000 assignment=t:0,1,2,3
join a v=3
< join a NONE generation=3 type=? protocol=range leader=- members=
leave c,a
< leave c,a NONE NONE,NONE
list
< list NONE consumer Empty consumer
consumerdescribe
< consumerdescribe NONE None state=Empty epoch=4 target=4 assignor=uniform members=
list
< list NONE consumer Empty consumer
join a v=3 id=none
await
< join a NONE generation=1 type=? protocol=range leader=a members=a
list
< list NONE consumer CompletingRebalance classic
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
> 7 {"memberId": "<a>"} null
> 5 {"memberId": "<a>"} null
> 8 {"memberId": "c"} null
> 7 {"memberId": "c"} null
> 5 {"memberId": "c"} null
> 3 {} {"version": "0", "data": {"epoch": 4}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 4}}
>
> 6 {} null
> 4 {} null
> 3 {} null
> 2 {} {"version": "3", "data": {"protocolType": "", "generation": 0, "protocol": null, "leader": null, "currentStateTimestamp": "T", "members": []}}
>
