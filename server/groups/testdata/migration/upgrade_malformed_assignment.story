# policy: bidirectional
# The assignment of a member is none, so the group stays classic.
join a v=3
await
< join a NONE generation=1 type=? protocol=range leader=a members=a
sync a assign=a=t:0 data=000000000009
< sync a NONE type=consumer protocol=range assignment=000000000009
beat c epoch=0
< beat c GROUP_ID_NOT_FOUND Cannot upgrade classic group story-upgrade_malformed_assignment to consumer group because the embedded consumer protocol is malformed.
list
< list NONE consumer Stable classic
heartbeat a
< heartbeat a NONE
> 2 {} {"version": "3", "data": {"protocolType": "", "generation": 0, "protocol": null, "leader": null, "currentStateTimestamp": "T", "members": []}}
>
> 2 {} {"version": "3", "data": {"protocolType": "consumer", "generation": 1, "protocol": "range", "leader": "<a>", "currentStateTimestamp": "T", "members": [{"memberId": "<a>", "groupInstanceId": null, "clientId": "client", "clientHost": "/127.0.0.1", "rebalanceTimeout": 60000, "sessionTimeout": 45000, "subscription": {"topics": ["t"], "userData": null, "ownedPartitions": [], "generationId": -1, "rackId": null}, "assignment": "AAAAAAAJ"}]}}
>
