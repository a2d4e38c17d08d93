# policy: bidirectional
# A classic group of another protocol type stays what it is; an empty one is replaced.
join a v=3 type=connect
await
< join a NONE generation=1 type=? protocol=range leader=a members=a
sync a type=connect assign=a=t:0
< sync a NONE type=connect protocol=range assignment=v3 t:0
beat c epoch=0
< beat c GROUP_ID_NOT_FOUND Cannot upgrade classic group story-upgrade_type to consumer group because the group does not use the consumer embedded protocol.
beat c epoch=5
< beat c GROUP_ID_NOT_FOUND Group story-upgrade_type is not a consumer group.
beat c epoch=-1
< beat c GROUP_ID_NOT_FOUND Group story-upgrade_type is not a consumer group.
list
< list NONE connect Stable classic
leave a
< leave a NONE NONE
list
< list NONE connect Empty classic
beat c epoch=0
< beat c NONE epoch=2 interval=5000 assignment=t:0,1,2,3
list
< list NONE consumer Stable consumer
> 2 {} {"version": "3", "data": {"protocolType": "", "generation": 0, "protocol": null, "leader": null, "currentStateTimestamp": "T", "members": []}}
>
> 2 {} {"version": "3", "data": {"protocolType": "connect", "generation": 1, "protocol": "range", "leader": "<a>", "currentStateTimestamp": "T", "members": [{"memberId": "<a>", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": "AAMAAAABAAF0/////wAAAAD///////8=", "assignment": "AAMAAAABAAF0AAAAAQAAAAD/////"}]}}
>
> 2 {} {"version": "3", "data": {"protocolType": "connect", "generation": 2, "protocol": null, "leader": null, "currentStateTimestamp": "T", "members": []}}
>
> 2 {} null
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 2, "metadataHash": "H1"}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 2, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [2, 2, 2, 2]}], "partitionsPendingRevocation": []}}
>
