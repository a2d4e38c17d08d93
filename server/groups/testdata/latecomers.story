# A member that does not rejoin in time is removed; commits during the rebalance.
join A
< join A MEMBER_ID_REQUIRED
join A rebalance=1500 session=30000
wait 1300
< join A NONE generation=1 protocol=range leader=A members=A:x
sync A assign=A:all
< sync A NONE assignment=all
join B
< join B MEMBER_ID_REQUIRED
join B rebalance=1500 session=30000
describe
< describe NONE state=PreparingRebalance type=story protocol= members=A::all,B::
commit A
< commit A NONE
commit A generation=9
< commit A ILLEGAL_GENERATION
wait 2000
< join B NONE generation=2 protocol=range leader=B members=B:x
heartbeat A
< heartbeat A UNKNOWN_MEMBER_ID
commit B
< commit B REBALANCE_IN_PROGRESS
heartbeat B
< heartbeat B NONE
sync B assign=B:all
< sync B NONE assignment=all
commit B
< commit B NONE
describe
< describe NONE state=Stable type=story protocol=range members=B:x:all
