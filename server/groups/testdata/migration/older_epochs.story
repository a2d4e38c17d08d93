# policy: bidirectional
# A commit with an older epoch counts for partitions that were assigned in that epoch or before (KIP-1251).
beat c epoch=0
< beat c NONE epoch=2 interval=5000 assignment=t:0,1,2,3
commit c parts=t:0,1,2,3
< commit c t-0:NONE t-1:NONE t-2:NONE t-3:NONE
beat d epoch=0
< beat d NONE epoch=3 interval=5000 assignment=-
beat c owned=t:0,1
< beat c NONE epoch=3 interval=5000 assignment=t:0,1
commit c epoch=1 parts=t:0
< commit c t-0:STALE_MEMBER_EPOCH
commit c epoch=2 parts=t:0
< commit c t-0:NONE
commit c epoch=2 parts=t:0,1,2,3
< commit c t-0:STALE_MEMBER_EPOCH t-1:STALE_MEMBER_EPOCH t-2:STALE_MEMBER_EPOCH t-3:STALE_MEMBER_EPOCH
beat c owned=t:0,1
< beat c NONE epoch=3 interval=5000 assignment=null
commit c epoch=2 parts=t:0
< commit c t-0:NONE
commit c epoch=2 parts=t:0,2
< commit c t-0:STALE_MEMBER_EPOCH t-2:STALE_MEMBER_EPOCH
commit c epoch=2 parts=t:2
< commit c t-2:STALE_MEMBER_EPOCH
commit c epoch=9 parts=t:0
< commit c t-0:STALE_MEMBER_EPOCH
commit c epoch=-1 parts=t:0
< commit c t-0:STALE_MEMBER_EPOCH
commit c epoch=2 parts=u:0
< commit c u-0:STALE_MEMBER_EPOCH
commit c epoch=2 parts=missing:0
< commit c missing-0:UNKNOWN_TOPIC_OR_PARTITION
commit c v=8 epoch=2 parts=t:0
< commit c t-0:UNSUPPORTED_VERSION
commit nobody epoch=2 parts=t:0
< commit nobody t-0:UNKNOWN_MEMBER_ID
beat d owned=
< beat d NONE epoch=3 interval=5000 assignment=t:2,3
commit d epoch=2 parts=t:2
< commit d t-2:STALE_MEMBER_EPOCH
commit d parts=t:2
< commit d t-2:NONE
fetch c epoch=2 parts=t:0
< fetch c STALE_MEMBER_EPOCH 
fetch c parts=t:0
< fetch c NONE t-0:7
fetch nobody epoch=2 parts=t:0
< fetch nobody UNKNOWN_SERVER_ERROR 
join a id=@a v=3
< join a NONE generation=4 type=? protocol=range leader=- members=
sync a
< sync a NONE type=consumer protocol=range assignment=v3 -
commit a generation=3 parts=t:0
< commit a t-0:ILLEGAL_GENERATION
commit a generation=9 parts=t:0
< commit a t-0:ILLEGAL_GENERATION
beat c owned=t:0
< beat c NONE epoch=4 interval=5000 assignment=null
commit c epoch=2 parts=t:0
< commit c t-0:NONE
beat d epoch=-1
< beat d NONE epoch=-1 interval=0 assignment=null
beat c owned=t:0
< beat c NONE epoch=5 interval=5000 assignment=null
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 2, "metadataHash": "H1"}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 2, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [2, 2, 2, 2]}], "partitionsPendingRevocation": []}}
>
> 1 {"topic": "t", "partition": 0} {"version": "4", "data": {"offset": 7, "leaderEpoch": -1, "metadata": "", "commitTimestamp": "T", "topicId": "<t>"}}
> 1 {"topic": "t", "partition": 1} {"version": "4", "data": {"offset": 7, "leaderEpoch": -1, "metadata": "", "commitTimestamp": "T", "topicId": "<t>"}}
> 1 {"topic": "t", "partition": 2} {"version": "4", "data": {"offset": 7, "leaderEpoch": -1, "metadata": "", "commitTimestamp": "T", "topicId": "<t>"}}
> 1 {"topic": "t", "partition": 3} {"version": "4", "data": {"offset": 7, "leaderEpoch": -1, "metadata": "", "commitTimestamp": "T", "topicId": "<t>"}}
>
> 5 {"memberId": "d"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 3, "metadataHash": "H1"}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 7 {"memberId": "d"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 3, "assignmentTimestamp": "T"}}
> 8 {"memberId": "d"} {"version": "0", "data": {"memberEpoch": 3, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 3, "previousMemberEpoch": 2, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [2, 2]}], "partitionsPendingRevocation": []}}
>
> 1 {"topic": "t", "partition": 0} {"version": "4", "data": {"offset": 7, "leaderEpoch": -1, "metadata": "", "commitTimestamp": "T", "topicId": "<t>"}}
>
> 1 {"topic": "t", "partition": 0} {"version": "4", "data": {"offset": 7, "leaderEpoch": -1, "metadata": "", "commitTimestamp": "T", "topicId": "<t>"}}
>
> 8 {"memberId": "d"} {"version": "0", "data": {"memberEpoch": 3, "previousMemberEpoch": 3, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [2, 3], "assignmentEpochs": [3, 3]}], "partitionsPendingRevocation": []}}
>
> 1 {"topic": "t", "partition": 2} {"version": "4", "data": {"offset": 7, "leaderEpoch": -1, "metadata": "", "commitTimestamp": "T", "topicId": "<t>"}}
>
> 5 {"memberId": "a"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 4, "metadataHash": "H1"}}
> 7 {"memberId": "a"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [3]}]}}
> 7 {"memberId": "d"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 4, "assignmentTimestamp": "T"}}
> 8 {"memberId": "a"} {"version": "0", "data": {"memberEpoch": 4, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 4, "previousMemberEpoch": 3, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [2, 2]}], "partitionsPendingRevocation": []}}
>
> 1 {"topic": "t", "partition": 0} {"version": "4", "data": {"offset": 7, "leaderEpoch": -1, "metadata": "", "commitTimestamp": "T", "topicId": "<t>"}}
>
> 8 {"memberId": "d"} null
> 7 {"memberId": "d"} null
> 5 {"memberId": "d"} null
> 3 {} {"version": "0", "data": {"epoch": 5, "metadataHash": "H1"}}
>
> 7 {"memberId": "a"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 5, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 5, "previousMemberEpoch": 4, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [2, 2]}], "partitionsPendingRevocation": []}}
>
