# policy: bidirectional
# The one who is replaced subscribed by a regular expression.
beat c epoch=0 instance=i regex=t.*
< beat c NONE epoch=1 interval=5000 assignment=-
wait 200
beat c instance=i
< beat c NONE epoch=2 interval=5000 assignment=t:0,1,2,3
join a id=@a
< join a NONE generation=3 type=consumer protocol=range leader=- members=
join a
< join a NONE generation=3 type=consumer protocol=range leader=- members=
sync a
< sync a NONE type=consumer protocol=range assignment=v3 -
beat c owned=t:0,1 instance=i
< beat c NONE epoch=3 interval=5000 assignment=t:0,1
beat c owned=t:0,1 instance=i
< beat c NONE epoch=3 interval=5000 assignment=null
join a
< join a NONE generation=3 type=consumer protocol=range leader=- members=
sync a
< sync a NONE type=consumer protocol=range assignment=v3 t:2,3
join d instance=i owned=
< join d NONE generation=0 type=consumer protocol=range leader=- members=
list
< list NONE consumer PreparingRebalance classic
heartbeat a
< heartbeat a REBALANCE_IN_PROGRESS
join d instance=i
join a
< join a NONE generation=4 type=consumer protocol=range leader=a members=a,d
< join d NONE generation=4 type=consumer protocol=range leader=a members=
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": "i", "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": [], "subscribedTopicRegex": "t.*", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 16 {"regularExpression": "t.*"} {"version": "0", "data": {"topics": ["t"], "version": "V", "timestamp": "T"}}
> 3 {} {"version": "0", "data": {"epoch": 2, "metadataHash": "H1"}}
>
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 2, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [2, 2, 2, 2]}], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "a"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 3, "metadataHash": "H1"}}
> 7 {"memberId": "a"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2, 3]}]}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 3, "assignmentTimestamp": "T"}}
> 8 {"memberId": "a"} {"version": "0", "data": {"memberEpoch": 3, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "a"} {"version": "0", "data": {"memberEpoch": 3, "previousMemberEpoch": 3, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 3, "previousMemberEpoch": 2, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [2, 2]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "a"} {"version": "0", "data": {"memberEpoch": 3, "previousMemberEpoch": 3, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [2, 3], "assignmentEpochs": [3, 3]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "c"} null
> 7 {"memberId": "c"} null
> 5 {"memberId": "<d>"} {"version": "0", "data": {"instanceId": "i", "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": [], "subscribedTopicRegex": "t.*", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 5 {"memberId": "c"} null
> 7 {"memberId": "<d>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 8 {"memberId": "<d>"} {"version": "0", "data": {"memberEpoch": 0, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [2, 2]}], "partitionsPendingRevocation": []}}
> 5 {"memberId": "<d>"} {"version": "0", "data": {"instanceId": "i", "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 16 {"regularExpression": "t.*"} null
> 3 {} {"version": "0", "data": {"epoch": 4, "metadataHash": "H1"}}
> 8 {"memberId": "<d>"} null
> 8 {"memberId": "a"} null
> 7 {"memberId": "<d>"} null
> 7 {"memberId": "a"} null
> 6 {} null
> 5 {"memberId": "<d>"} null
> 5 {"memberId": "a"} null
> 16 {"regularExpression": "t.*"} null
> 4 {} null
> 3 {} null
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 3, "protocol": "range", "leader": "any", "currentStateTimestamp": "T", "members": [{"memberId": "<d>", "groupInstanceId": "i", "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [0, 1]}], "userData": null}}, {"memberId": "a", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [2, 3]}], "userData": null}}]}}
>
