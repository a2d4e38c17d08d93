# policy: bidirectional
# An administrator removes members of both kinds at once, and the rest is classic.
beat c epoch=0
< beat c NONE epoch=2 interval=5000 assignment=t:0,1,2,3
beat d epoch=0
< beat d NONE epoch=3 interval=5000 assignment=-
join a id=@a v=3
< join a NONE generation=4 type=? protocol=range leader=- members=
sync a
< sync a NONE type=consumer protocol=range assignment=v3 -
join b v=5 instance=ib
< join b NONE generation=5 type=? protocol=range leader=- members=
sync b instance=ib
< sync b NONE type=consumer protocol=range assignment=v3 -
leave c,d,nobody
< leave c,d,nobody NONE NONE,NONE,UNKNOWN_MEMBER_ID
list
< list NONE consumer PreparingRebalance classic
describe
< describe NONE None state=PreparingRebalance type=consumer protocol= members=a/None/client//127.0.0.1//v3 t:3 b/ib/client//127.0.0.1//v3 t:1
heartbeat a
< heartbeat a ILLEGAL_GENERATION
heartbeat b instance=ib
< heartbeat b REBALANCE_IN_PROGRESS
leave a,b
< leave a,b NONE NONE,NONE
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 2, "metadataHash": "H1"}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 2, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [2, 2, 2, 2]}], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "d"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 3, "metadataHash": "H1"}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 7 {"memberId": "d"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 3, "assignmentTimestamp": "T"}}
> 8 {"memberId": "d"} {"version": "0", "data": {"memberEpoch": 3, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "a"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 4, "metadataHash": "H1"}}
> 7 {"memberId": "a"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [3]}]}}
> 7 {"memberId": "d"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 4, "assignmentTimestamp": "T"}}
> 8 {"memberId": "a"} {"version": "0", "data": {"memberEpoch": 4, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "<b>"} {"version": "0", "data": {"instanceId": "ib", "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 5, "metadataHash": "H1"}}
> 7 {"memberId": "<b>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [1]}]}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 5, "assignmentTimestamp": "T"}}
> 8 {"memberId": "<b>"} {"version": "0", "data": {"memberEpoch": 5, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "<b>"} null
> 8 {"memberId": "a"} null
> 8 {"memberId": "c"} null
> 8 {"memberId": "d"} null
> 7 {"memberId": "<b>"} null
> 7 {"memberId": "a"} null
> 7 {"memberId": "c"} null
> 7 {"memberId": "d"} null
> 6 {} null
> 5 {"memberId": "<b>"} null
> 5 {"memberId": "a"} null
> 5 {"memberId": "c"} null
> 5 {"memberId": "d"} null
> 4 {} null
> 3 {} null
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 5, "protocol": "range", "leader": "any", "currentStateTimestamp": "T", "members": [{"memberId": "<b>", "groupInstanceId": "ib", "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [1]}], "userData": null}}, {"memberId": "a", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [3]}], "userData": null}}]}}
>
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 6, "protocol": null, "leader": null, "currentStateTimestamp": "T", "members": []}}
>
