# policy: disabled
join a v=3
await
< join a NONE generation=1 type=? protocol=range leader=a members=a
sync a assign=a=t:0,1,2,3
< sync a NONE type=consumer protocol=range assignment=v3 t:0,1,2,3
beat c epoch=0
< beat c GROUP_ID_NOT_FOUND Cannot upgrade classic group story-upgrade_disabled to consumer group because online upgrade is disabled.
list
< list NONE consumer Stable classic
heartbeat a
< heartbeat a NONE
leave a
< leave a NONE NONE
beat c epoch=0
< beat c NONE epoch=2 interval=5000 assignment=t:0,1,2,3
list
< list NONE consumer Stable consumer
join a v=3 id=none
< join a INCONSISTENT_GROUP_PROTOCOL id=-
join a id=bogus
< join a INCONSISTENT_GROUP_PROTOCOL id=-
heartbeat c
< heartbeat c UNKNOWN_MEMBER_ID
beat c
< beat c NONE epoch=2 interval=5000 assignment=null
beat c epoch=-1
< beat c NONE epoch=-1 interval=0 assignment=null
join a v=3 id=none
await
< join a NONE generation=1 type=? protocol=range leader=a members=a
list
< list NONE consumer CompletingRebalance classic
> 2 {} {"version": "3", "data": {"protocolType": "", "generation": 0, "protocol": null, "leader": null, "currentStateTimestamp": "T", "members": []}}
>
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 1, "protocol": "range", "leader": "<a>", "currentStateTimestamp": "T", "members": [{"memberId": "<a>", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [0, 1, 2, 3]}], "userData": null}}]}}
>
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 2, "protocol": null, "leader": null, "currentStateTimestamp": "T", "members": []}}
>
> 2 {} null
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 2, "metadataHash": "H1"}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 2, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [2, 2, 2, 2]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "c"} null
> 7 {"memberId": "c"} null
> 5 {"memberId": "c"} null
> 3 {} {"version": "0", "data": {"epoch": 3}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 3}}
>
> 6 {} null
> 4 {} null
> 3 {} null
> 2 {} {"version": "3", "data": {"protocolType": "", "generation": 0, "protocol": null, "leader": null, "currentStateTimestamp": "T", "members": []}}
>
