# policy: bidirectional
# A group that waits for its leader's assignment is upgraded.
join a v=3 topics=u
join b v=3 topics=
await
< join a NONE generation=1 type=? protocol=range leader=a members=a,b
< join b NONE generation=1 type=? protocol=range leader=a members=
sync b
list
< list NONE consumer CompletingRebalance classic
beat c epoch=0
< beat c NONE epoch=2 interval=5000 assignment=t:0,1,2,3
< sync b REBALANCE_IN_PROGRESS type=None protocol=None assignment=none
list
< list NONE consumer Reconciling consumer
sync a assign=a=u:0,1
< sync a REBALANCE_IN_PROGRESS type=None protocol=None assignment=none
heartbeat a
< heartbeat a REBALANCE_IN_PROGRESS
heartbeat b
< heartbeat b REBALANCE_IN_PROGRESS
join a topics=u
< join a NONE generation=2 type=consumer protocol=range leader=- members=
sync a
< sync a NONE type=consumer protocol=range assignment=v3 u:0,1,2
join b topics=
< join b NONE generation=2 type=consumer protocol=range leader=- members=
sync b
< sync b NONE type=consumer protocol=range assignment=v3 -
beat c
< beat c NONE epoch=2 interval=5000 assignment=null
consumerdescribe
< consumerdescribe NONE None state=Stable epoch=2 target=2 assignor=uniform members=a/None/None/2/client//127.0.0.1/u//u:0,1,2/u:0,1,2/0 b/None/None/2/client//127.0.0.1///-/-/0 c/None/None/2/client//127.0.0.1/t//t:0,1,2,3/t:0,1,2,3/1
> 2 {} {"version": "3", "data": {"protocolType": "", "generation": 0, "protocol": null, "leader": null, "currentStateTimestamp": "T", "members": []}}
>
> 2 {} null
> 5 {"memberId": "<a>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["u"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF1/////wAAAAD///////8="}]}}}
> 5 {"memberId": "<b>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": [], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAAA/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 1, "metadataHash": "H1"}}
> 7 {"memberId": "<a>"} {"version": "0", "data": {"topicPartitions": []}}
> 7 {"memberId": "<b>"} {"version": "0", "data": {"topicPartitions": []}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 1}}
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [], "partitionsPendingRevocation": []}}
> 8 {"memberId": "<b>"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [], "partitionsPendingRevocation": []}}
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 2, "metadataHash": "H2"}}
> 7 {"memberId": "<a>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<u>", "partitions": [0, 1, 2]}]}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 2, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [2, 2, 2, 2]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [{"topicId": "<u>", "partitions": [0, 1, 2], "assignmentEpochs": [2, 2, 2]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "<b>"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
