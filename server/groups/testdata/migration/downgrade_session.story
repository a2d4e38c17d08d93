# policy: bidirectional
# The session of the last consumer member ends.
config consumer.session.timeout.ms=1500 consumer.heartbeat.interval.ms=500
< config NONE
wait 500
beat c epoch=0
< beat c NONE epoch=2 interval=500 assignment=t:0,1,2,3
join a id=@a
< join a NONE generation=3 type=consumer protocol=range leader=- members=
join a
< join a NONE generation=3 type=consumer protocol=range leader=- members=
sync a
< sync a NONE type=consumer protocol=range assignment=v3 -
join b id=@b protocols=range,sticky
< join b NONE generation=4 type=consumer protocol=range leader=- members=
join b protocols=range,sticky
< join b NONE generation=4 type=consumer protocol=range leader=- members=
sync b
< sync b NONE type=consumer protocol=range assignment=v3 -
wait 3000
list
< list NONE consumer PreparingRebalance classic
describe
< describe NONE None state=PreparingRebalance type=consumer protocol= members=a/None/client//127.0.0.1//v3 t:2,3 b/None/client//127.0.0.1//v3 t:1
heartbeat a
< heartbeat a ILLEGAL_GENERATION
heartbeat b
< heartbeat b REBALANCE_IN_PROGRESS
join a
join b protocols=range,sticky
< join a NONE generation=5 type=consumer protocol=range leader=b members=
< join b NONE generation=5 type=consumer protocol=range leader=b members=a,b
sync b
< sync b NONE type=consumer protocol=range assignment=none
sync a assign=a=t:0,1|b=t:2,3
< sync a NONE type=consumer protocol=range assignment=none
describe
< describe NONE None state=Stable type=consumer protocol=range members=a/None/client//127.0.0.1/000300000001000174ffffffff00000000ffffffffffff/none b/None/client//127.0.0.1/000300000001000174ffffffff00000000ffffffffffff/none
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 2, "metadataHash": "H1"}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 2, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [2, 2, 2, 2]}], "partitionsPendingRevocation": []}}
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
> 5 {"memberId": "b"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}, {"name": "sticky", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 4, "metadataHash": "H1"}}
> 7 {"memberId": "b"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [1]}]}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 4, "assignmentTimestamp": "T"}}
> 8 {"memberId": "b"} {"version": "0", "data": {"memberEpoch": 4, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "b"} {"version": "0", "data": {"memberEpoch": 4, "previousMemberEpoch": 4, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "a"} null
> 8 {"memberId": "b"} null
> 8 {"memberId": "c"} null
> 7 {"memberId": "a"} null
> 7 {"memberId": "b"} null
> 7 {"memberId": "c"} null
> 6 {} null
> 5 {"memberId": "a"} null
> 5 {"memberId": "b"} null
> 5 {"memberId": "c"} null
> 4 {} null
> 3 {} null
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 4, "protocol": "range", "leader": "any", "currentStateTimestamp": "T", "members": [{"memberId": "a", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [2, 3]}], "userData": null}}, {"memberId": "b", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [1]}], "userData": null}}]}}
>
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 5, "protocol": "range", "leader": "any", "currentStateTimestamp": "T", "members": [{"memberId": "a", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": ""}, {"memberId": "b", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": ""}]}}
>
