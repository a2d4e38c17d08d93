# A client of v3 gives up waiting and joins again on another connection: the group has two members then.
join C v=3 protocols=range:x session=10000 rebalance=10000
wait 300
join C v=3 protocols=range:x session=10000 rebalance=10000
describe
< describe NONE state=PreparingRebalance type=story protocol= members=?::,?::
wait 2500
< join C NONE generation=1 protocol=range leader=C members=
< join C NONE generation=1 protocol=range leader=C members=C:x,C:x
describe
< describe NONE state=CompletingRebalance type=story protocol= members=C::,C::
# One whose protocols nobody else knows.
join D v=3 protocols=other:x
< join D INCONSISTENT_GROUP_PROTOCOL
join D v=3 protocols=other:x
< join D INCONSISTENT_GROUP_PROTOCOL
