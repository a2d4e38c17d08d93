# Two members join in two steps, share, one leaves, the other goes on alone.
join A
< join A MEMBER_ID_REQUIRED
join A session=30000
wait 1300
< join A NONE generation=1 protocol=range leader=A members=A:x
sync A assign=A:all
< sync A NONE assignment=all
heartbeat A
< heartbeat A NONE
join B
< join B MEMBER_ID_REQUIRED
join B
heartbeat A
< heartbeat A REBALANCE_IN_PROGRESS
join A protocols=range:x2
< join A NONE generation=2 protocol=range leader=A members=A:x2,B:x
< join B NONE generation=2 protocol=range leader=A members=
sync B
sync A assign=A:one,B:two
< sync A NONE assignment=one
< sync B NONE assignment=two
describe
< describe NONE state=Stable type=story protocol=range members=A:x2:one,B:x:two
heartbeat A
< heartbeat A NONE
heartbeat B
< heartbeat B NONE
leave A
< leave A NONE
heartbeat B
< heartbeat B REBALANCE_IN_PROGRESS
join B
< join B NONE generation=3 protocol=range leader=B members=B:x
sync B assign=B:all
< sync B NONE assignment=all
describe
< describe NONE state=Stable type=story protocol=range members=B:x:all
leave B
< leave B NONE
describe
< describe NONE state=Empty type=story protocol= members=
