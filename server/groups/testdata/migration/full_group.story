# policy: bidirectional
# group.consumer.max.size is 4, and group.max.size is 3.
beat c epoch=0
< beat c NONE epoch=2 interval=5000 assignment=t:0,1,2,3
beat d epoch=0
< beat d NONE epoch=3 interval=5000 assignment=-
join a id=@a v=3
< join a NONE generation=4 type=? protocol=range leader=- members=
join b id=@b v=3
< join b NONE generation=5 type=? protocol=range leader=- members=
join e id=@e v=3
< join e GROUP_MAX_SIZE_REACHED id=-
join e
< join e GROUP_MAX_SIZE_REACHED id=-
beat f epoch=0
< beat f GROUP_MAX_SIZE_REACHED The consumer group has reached its maximum capacity of 4 members.
join a topics=t,u
< join a NONE generation=6 type=consumer protocol=range leader=- members=
leave d
< leave d NONE NONE
list
< list NONE consumer Assigning consumer
leave c
< leave c NONE NONE
list
< list NONE consumer PreparingRebalance classic
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
> 5 {"memberId": "b"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 5, "metadataHash": "H1"}}
> 7 {"memberId": "b"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [1]}]}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 5, "assignmentTimestamp": "T"}}
> 8 {"memberId": "b"} {"version": "0", "data": {"memberEpoch": 5, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "a"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t", "u"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAACAAF0AAF1/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 6, "metadataHash": "H2"}}
> 7 {"memberId": "a"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<u>", "partitions": [0, 1, 2]}]}}
> 7 {"memberId": "b"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [1, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 6, "assignmentTimestamp": "T"}}
> 8 {"memberId": "a"} {"version": "0", "data": {"memberEpoch": 6, "previousMemberEpoch": 4, "state": 0, "assignedPartitions": [{"topicId": "<u>", "partitions": [0, 1, 2], "assignmentEpochs": [6, 6, 6]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "d"} null
> 7 {"memberId": "d"} null
> 5 {"memberId": "d"} null
> 3 {} {"version": "0", "data": {"epoch": 7, "metadataHash": "H2"}}
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
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 7, "protocol": "range", "leader": "any", "currentStateTimestamp": "T", "members": [{"memberId": "a", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t", "u"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "u", "partitions": [0, 1, 2]}], "userData": null}}, {"memberId": "b", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [1, 3]}], "userData": null}}]}}
>
