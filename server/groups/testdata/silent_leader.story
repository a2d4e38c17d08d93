# A leader that never syncs is removed when the rebalance timeout is over.
join A session=30000 rebalance=2000
< join A MEMBER_ID_REQUIRED
join A session=30000 rebalance=2000
join B session=30000 rebalance=2000
< join B MEMBER_ID_REQUIRED
join B session=30000 rebalance=2000
wait 2500
< join A NONE generation=1 protocol=range leader=A members=A:x,B:x
< join B NONE generation=1 protocol=range leader=A members=
sync B
wait 2500
< sync B REBALANCE_IN_PROGRESS assignment=
describe
< describe NONE state=PreparingRebalance type=story protocol= members=B::
join B session=30000 rebalance=2000
< join B NONE generation=2 protocol=range leader=B members=B:x
wait 300
sync B assign=B:all
< sync B NONE assignment=all
describe
< describe NONE state=Stable type=story protocol=range members=B:x:all
