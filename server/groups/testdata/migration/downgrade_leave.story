# policy: bidirectional
# A classic member joins a consumer group; when the last consumer member leaves, the group becomes classic.
beat c epoch=0
< beat c NONE epoch=2 interval=5000 assignment=t:0,1,2,3
join a session=60000 rebalance=50000
< join a MEMBER_ID_REQUIRED id=a
join a session=60000 rebalance=50000
< join a NONE generation=3 type=consumer protocol=range leader=- members=
sync a
< sync a NONE type=consumer protocol=range assignment=v3 -
heartbeat a
< heartbeat a NONE
beat c owned=t:0,1
< beat c NONE epoch=3 interval=5000 assignment=t:0,1
beat c owned=t:0,1
< beat c NONE epoch=3 interval=5000 assignment=null
heartbeat a
< heartbeat a REBALANCE_IN_PROGRESS
join a owned=
< join a NONE generation=3 type=consumer protocol=range leader=- members=
sync a
< sync a NONE type=consumer protocol=range assignment=v3 t:2,3
heartbeat a
< heartbeat a NONE
list
< list NONE consumer Stable consumer
consumerdescribe
< consumerdescribe NONE None state=Stable epoch=3 target=3 assignor=uniform members=a/None/None/3/client//127.0.0.1/t//t:2,3/t:2,3/0 c/None/None/3/client//127.0.0.1/t//t:0,1/t:0,1/1
commit c parts=t:0
< commit c t-0:NONE
commit a parts=t:2
< commit a t-2:NONE
beat c epoch=-1
< beat c NONE epoch=-1 interval=0 assignment=null
list
< list NONE consumer PreparingRebalance classic
describe
< describe NONE None state=PreparingRebalance type=consumer protocol= members=a/None/client//127.0.0.1//v3 t:2,3
consumerdescribe
< consumerdescribe GROUP_ID_NOT_FOUND Group story-downgrade_leave is not a consumer group. state= epoch=0 target=0 assignor= members=
heartbeat a
< heartbeat a REBALANCE_IN_PROGRESS
beat c epoch=3
< beat c GROUP_ID_NOT_FOUND Group story-downgrade_leave is not a consumer group.
join a owned=t:2,3
< join a NONE generation=4 type=consumer protocol=range leader=a members=a
sync a assign=a=t:0,1,2,3
< sync a NONE type=consumer protocol=range assignment=v3 t:0,1,2,3
heartbeat a
< heartbeat a NONE
commit a parts=t:2
< commit a t-2:NONE
fetch a parts=t:0,2
< fetch a NONE t-0:7 t-2:7
beat d epoch=0
< beat d NONE epoch=5 interval=5000 assignment=-
heartbeat a
< heartbeat a REBALANCE_IN_PROGRESS
leave a
< leave a NONE NONE
beat d owned=
< beat d NONE epoch=6 interval=5000 assignment=t:0,1,2,3
beat d epoch=-1
< beat d NONE epoch=-1 interval=0 assignment=null
join e
< join e MEMBER_ID_REQUIRED id=e
join e
await
< join e NONE generation=1 type=consumer protocol=range leader=e members=e
sync e assign=e=t:0
< sync e NONE type=consumer protocol=range assignment=v3 t:0
list
< list NONE consumer Stable classic
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 2, "metadataHash": "H1"}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 2, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [2, 2, 2, 2]}], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "<a>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 50000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 60000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 3, "metadataHash": "H1"}}
> 7 {"memberId": "<a>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2, 3]}]}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 3, "assignmentTimestamp": "T"}}
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 3, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 3, "previousMemberEpoch": 2, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [2, 2]}], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "<a>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 3, "previousMemberEpoch": 3, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [2, 3], "assignmentEpochs": [3, 3]}], "partitionsPendingRevocation": []}}
>
> 1 {"topic": "t", "partition": 0} {"version": "4", "data": {"offset": 7, "leaderEpoch": -1, "metadata": "", "commitTimestamp": "T", "topicId": "<t>"}}
>
> 1 {"topic": "t", "partition": 2} {"version": "4", "data": {"offset": 7, "leaderEpoch": -1, "metadata": "", "commitTimestamp": "T", "topicId": "<t>"}}
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
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 4, "protocol": "range", "leader": "<a>", "currentStateTimestamp": "T", "members": [{"memberId": "<a>", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [{"topic": "t", "partitions": [2, 3]}], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [0, 1, 2, 3]}], "userData": null}}]}}
>
> 1 {"topic": "t", "partition": 2} {"version": "4", "data": {"offset": 7, "leaderEpoch": -1, "metadata": "", "commitTimestamp": "T", "topicId": "<t>"}}
>
> 2 {} null
> 5 {"memberId": "<a>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAEAAXQAAAACAAAAAgAAAAP///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 4, "metadataHash": "H1"}}
> 7 {"memberId": "<a>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 4}}
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 4, "previousMemberEpoch": 4, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [4, 4, 4, 4]}], "partitionsPendingRevocation": []}}
> 5 {"memberId": "d"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 5, "metadataHash": "H1"}}
> 7 {"memberId": "<a>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 7 {"memberId": "d"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 5, "assignmentTimestamp": "T"}}
> 8 {"memberId": "d"} {"version": "0", "data": {"memberEpoch": 5, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "<a>"} null
> 7 {"memberId": "<a>"} null
> 5 {"memberId": "<a>"} null
> 3 {} {"version": "0", "data": {"epoch": 6, "metadataHash": "H1"}}
>
> 7 {"memberId": "d"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 6, "assignmentTimestamp": "T"}}
> 8 {"memberId": "d"} {"version": "0", "data": {"memberEpoch": 6, "previousMemberEpoch": 5, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [6, 6, 6, 6]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "d"} null
> 7 {"memberId": "d"} null
> 5 {"memberId": "d"} null
> 3 {} {"version": "0", "data": {"epoch": 7}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 7}}
>
> 6 {} null
> 4 {} null
> 3 {} null
> 2 {} {"version": "3", "data": {"protocolType": "", "generation": 0, "protocol": null, "leader": null, "currentStateTimestamp": "T", "members": []}}
>
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 1, "protocol": "range", "leader": "<e>", "currentStateTimestamp": "T", "members": [{"memberId": "<e>", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [0]}], "userData": null}}]}}
>
