# policy: bidirectional
# A stable classic group is upgraded by the first member of the consumer protocol, and its classic members stay in it.
join a v=3 topics=t protocols=range,sticky
join b v=3 topics=u protocols=range,sticky
await
< join a NONE generation=1 type=? protocol=range leader=a members=a,b
< join b NONE generation=1 type=? protocol=range leader=a members=
sync b
sync a assign=a=t:0,1,2,3|b=u:0,1,2
< sync a NONE type=consumer protocol=range assignment=v3 t:0,1,2,3
< sync b NONE type=consumer protocol=range assignment=v3 u:0,1,2
heartbeat a
< heartbeat a NONE
heartbeat b
< heartbeat b NONE
commit a v=8 parts=t:0
< commit a t-0:NONE
list
< list NONE consumer Stable classic
beat c epoch=0 topics=t
< beat c NONE epoch=2 interval=5000 assignment=-
list
< list NONE consumer Reconciling consumer
describe
< describe GROUP_ID_NOT_FOUND Group story-upgrade_stable is not a classic group. state=Dead type= protocol= members=
consumerdescribe
< consumerdescribe NONE None state=Reconciling epoch=2 target=2 assignor=uniform members=a/None/None/1/client//127.0.0.1/t//t:0,1,2,3/t:0,1/0 b/None/None/1/client//127.0.0.1/u//u:0,1,2/u:0,1,2/0 c/None/None/2/client//127.0.0.1/t//-/t:2,3/1
heartbeat a
< heartbeat a REBALANCE_IN_PROGRESS
commit a v=8 parts=t:0
< commit a t-0:NONE
commit b v=9 parts=t:2
< commit b t-2:NONE
sync a
< sync a REBALANCE_IN_PROGRESS type=None protocol=None assignment=none
join a topics=t owned=t:0,1 protocols=range,sticky
< join a NONE generation=2 type=consumer protocol=range leader=- members=
sync a
< sync a NONE type=consumer protocol=range assignment=v3 t:0,1
heartbeat a
< heartbeat a NONE
heartbeat b
< heartbeat b REBALANCE_IN_PROGRESS
join b topics=u owned=u:0,1,2 protocols=range,sticky
< join b NONE generation=2 type=consumer protocol=range leader=- members=
heartbeat b
< heartbeat b NONE
sync b
< sync b NONE type=consumer protocol=range assignment=v3 u:0,1,2
heartbeat b
< heartbeat b NONE
join b topics=u owned=u:0,1 protocols=range,sticky
< join b NONE generation=2 type=consumer protocol=range leader=- members=
sync b
< sync b NONE type=consumer protocol=range assignment=v3 u:0,1,2
heartbeat b
< heartbeat b NONE
beat c owned=
< beat c NONE epoch=2 interval=5000 assignment=t:2,3
beat c owned=
< beat c NONE epoch=2 interval=5000 assignment=null
heartbeat a
< heartbeat a NONE
join a topics=t owned=t:0,1 protocols=range,sticky
< join a NONE generation=2 type=consumer protocol=range leader=- members=
sync a
< sync a NONE type=consumer protocol=range assignment=v3 t:0,1
heartbeat a
< heartbeat a NONE
beat c
< beat c NONE epoch=2 interval=5000 assignment=null
consumerdescribe
< consumerdescribe NONE None state=Stable epoch=2 target=2 assignor=uniform members=a/None/None/2/client//127.0.0.1/t//t:0,1/t:0,1/0 b/None/None/2/client//127.0.0.1/u//u:0,1,2/u:0,1,2/0 c/None/None/2/client//127.0.0.1/t//t:2,3/t:2,3/1
commit a v=8 parts=t:0
< commit a t-0:NONE
commit b v=9 generation=2 parts=t:3
< commit b t-3:NONE
commit c parts=t:2
< commit c t-2:NONE
fetch a parts=t:0
< fetch a NONE t-0:7
fetch b epoch=1 parts=t:0
< fetch b ILLEGAL_GENERATION 
heartbeat a generation=1
< heartbeat a ILLEGAL_GENERATION
leave a
< leave a NONE NONE
heartbeat a
< heartbeat a UNKNOWN_MEMBER_ID
beat c
< beat c NONE epoch=3 interval=5000 assignment=t:0,1,2,3
leave b
< leave b NONE NONE
beat c owned=t:2
< beat c NONE epoch=4 interval=5000 assignment=null
consumerdescribe
< consumerdescribe NONE None state=Stable epoch=4 target=4 assignor=uniform members=c/None/None/4/client//127.0.0.1/t//t:0,1,2,3/t:0,1,2,3/1
beat c epoch=-1
< beat c NONE epoch=-1 interval=0 assignment=null
list
< list NONE consumer Empty consumer
consumerdescribe
< consumerdescribe NONE None state=Empty epoch=5 target=5 assignor=uniform members=
delete
< delete NONE
list
< list nothing
> 2 {} {"version": "3", "data": {"protocolType": "", "generation": 0, "protocol": null, "leader": null, "currentStateTimestamp": "T", "members": []}}
>
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 1, "protocol": "range", "leader": "any", "currentStateTimestamp": "T", "members": [{"memberId": "<a>", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "t", "partitions": [0, 1, 2, 3]}], "userData": null}}, {"memberId": "<b>", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["u"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": {"assignedPartitions": [{"topic": "u", "partitions": [0, 1, 2]}], "userData": null}}]}}
>
> 1 {"topic": "t", "partition": 0} {"version": "4", "data": {"offset": 7, "leaderEpoch": -1, "metadata": "", "commitTimestamp": "T", "topicId": "<t>"}}
>
> 2 {} null
> 5 {"memberId": "<a>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}, {"name": "sticky", "metadata": "AAMAAAABAAF0/////wAAAAD///////8="}]}}}
> 5 {"memberId": "<b>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["u"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF1/////wAAAAD///////8="}, {"name": "sticky", "metadata": "AAMAAAABAAF1/////wAAAAD///////8="}]}}}
> 3 {} {"version": "0", "data": {"epoch": 1, "metadataHash": "H1"}}
> 7 {"memberId": "<a>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 7 {"memberId": "<b>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<u>", "partitions": [0, 1, 2]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 1}}
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [1, 1, 1, 1]}], "partitionsPendingRevocation": []}}
> 8 {"memberId": "<b>"} {"version": "0", "data": {"memberEpoch": 1, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [{"topicId": "<u>", "partitions": [0, 1, 2], "assignmentEpochs": [1, 1, 1]}], "partitionsPendingRevocation": []}}
> 5 {"memberId": "c"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": null}}
> 3 {} {"version": "0", "data": {"epoch": 2, "metadataHash": "H1"}}
> 7 {"memberId": "<a>"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1]}]}}
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 2, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 0, "state": 2, "assignedPartitions": [], "partitionsPendingRevocation": []}}
>
> 1 {"topic": "t", "partition": 0} {"version": "4", "data": {"offset": 7, "leaderEpoch": -1, "metadata": "", "commitTimestamp": "T", "topicId": "<t>"}}
>
> 1 {"topic": "t", "partition": 2} {"version": "4", "data": {"offset": 7, "leaderEpoch": -1, "metadata": "", "commitTimestamp": "T", "topicId": "<t>"}}
>
> 5 {"memberId": "<a>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["t"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF0/////wAAAAEAAXQAAAACAAAAAAAAAAH///////8="}, {"name": "sticky", "metadata": "AAMAAAABAAF0/////wAAAAEAAXQAAAACAAAAAAAAAAH///////8="}]}}}
> 8 {"memberId": "<a>"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1], "assignmentEpochs": [1, 1]}], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "<b>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["u"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF1/////wAAAAEAAXUAAAADAAAAAAAAAAEAAAAC////////"}, {"name": "sticky", "metadata": "AAMAAAABAAF1/////wAAAAEAAXUAAAADAAAAAAAAAAEAAAAC////////"}]}}}
> 8 {"memberId": "<b>"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 1, "state": 0, "assignedPartitions": [{"topicId": "<u>", "partitions": [0, 1, 2], "assignmentEpochs": [1, 1, 1]}], "partitionsPendingRevocation": []}}
>
> 5 {"memberId": "<b>"} {"version": "0", "data": {"instanceId": null, "rackId": null, "clientId": "client", "clientHost": "/127.0.0.1", "subscribedTopicNames": ["u"], "subscribedTopicRegex": "", "rebalanceTimeoutMs": 60000, "serverAssignor": null, "classicMemberMetadata": {"sessionTimeoutMs": 45000, "supportedProtocols": [{"name": "range", "metadata": "AAMAAAABAAF1/////wAAAAEAAXUAAAACAAAAAAAAAAH///////8="}, {"name": "sticky", "metadata": "AAMAAAABAAF1/////wAAAAEAAXUAAAACAAAAAAAAAAH///////8="}]}}}
>
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 2, "previousMemberEpoch": 2, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [2, 3], "assignmentEpochs": [2, 2]}], "partitionsPendingRevocation": []}}
>
> 1 {"topic": "t", "partition": 0} {"version": "4", "data": {"offset": 7, "leaderEpoch": -1, "metadata": "", "commitTimestamp": "T", "topicId": "<t>"}}
>
> 1 {"topic": "t", "partition": 3} {"version": "4", "data": {"offset": 7, "leaderEpoch": -1, "metadata": "", "commitTimestamp": "T", "topicId": "<t>"}}
>
> 1 {"topic": "t", "partition": 2} {"version": "4", "data": {"offset": 7, "leaderEpoch": -1, "metadata": "", "commitTimestamp": "T", "topicId": "<t>"}}
>
> 8 {"memberId": "<a>"} null
> 7 {"memberId": "<a>"} null
> 5 {"memberId": "<a>"} null
> 3 {} {"version": "0", "data": {"epoch": 3, "metadataHash": "H1"}}
>
> 7 {"memberId": "c"} {"version": "0", "data": {"topicPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3]}]}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 3, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 3, "previousMemberEpoch": 2, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [3, 3, 2, 2]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "<b>"} null
> 7 {"memberId": "<b>"} null
> 5 {"memberId": "<b>"} null
> 3 {} {"version": "0", "data": {"epoch": 4, "metadataHash": "H2"}}
>
> 6 {} {"version": "0", "data": {"assignmentEpoch": 4, "assignmentTimestamp": "T"}}
> 8 {"memberId": "c"} {"version": "0", "data": {"memberEpoch": 4, "previousMemberEpoch": 3, "state": 0, "assignedPartitions": [{"topicId": "<t>", "partitions": [0, 1, 2, 3], "assignmentEpochs": [3, 3, 2, 2]}], "partitionsPendingRevocation": []}}
>
> 8 {"memberId": "c"} null
> 7 {"memberId": "c"} null
> 5 {"memberId": "c"} null
> 3 {} {"version": "0", "data": {"epoch": 5}}
> 6 {} {"version": "0", "data": {"assignmentEpoch": 5}}
>
> 1 {"topic": "t", "partition": 0} null
> 1 {"topic": "t", "partition": 2} null
> 1 {"topic": "t", "partition": 3} null
> 6 {} null
> 4 {} null
> 3 {} null
>
