# Silence ends a session in every state.
join A
< join A MEMBER_ID_REQUIRED
join A session=2500 rebalance=30000
wait 1300
< join A NONE generation=1 protocol=range leader=A members=A:x
describe
< describe NONE state=CompletingRebalance type=story protocol= members=A::
sync A assign=A:all
< sync A NONE assignment=all
wait 1500
heartbeat A
< heartbeat A NONE
wait 1500
heartbeat A
< heartbeat A NONE
wait 3000
heartbeat A
< heartbeat A UNKNOWN_MEMBER_ID
describe
< describe NONE state=Empty type=story protocol= members=
join C session=1000
< join C MEMBER_ID_REQUIRED
wait 1500
join C
< join C UNKNOWN_MEMBER_ID
describe
< describe NONE state=Empty type=story protocol= members=
