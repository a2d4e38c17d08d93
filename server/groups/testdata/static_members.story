# KIP-345: a static member comes back under a new id without a rebalance.
join A instance=i1 session=30000 v=8
join B instance=i2 session=30000 v=8
wait 2500
< join A NONE generation=1 protocol=range leader=A members=A:x,B:x
< join B NONE generation=1 protocol=range leader=A members=
sync A instance=i1 assign=A:one,B:two
< sync A NONE assignment=one
sync B instance=i2
< sync B NONE assignment=two
describe
< describe NONE state=Stable type=story protocol=range members=A:x:one,B:x:two
heartbeat B instance=i2
< heartbeat B NONE
join C id=none instance=i2 session=30000 v=8
< join C NONE generation=1 protocol=range leader=A members=
heartbeat B instance=i2
< heartbeat B FENCED_INSTANCE_ID
sync C instance=i2
< sync C NONE assignment=two
heartbeat A instance=i1
< heartbeat A NONE
join D id=none instance=i1 session=30000 v=8
< join D NONE generation=1 protocol=range leader=A members=
sync D instance=i1
< sync D NONE assignment=one
describe
< describe NONE state=Stable type=story protocol=range members=C:x:two,D:x:one
join E id=none instance=i1 session=30000 v=9
< join E NONE generation=1 protocol=range leader=E members=C:x,E:x skip
sync E instance=i1
< sync E NONE assignment=one
join F id=none instance=i2 session=30000 v=9 protocols=range:other
< join F NONE generation=1 protocol=range leader=E members=
heartbeat E instance=i1
< heartbeat E NONE
leave F id=none instance=i2
< leave F NONE
describe
< describe NONE state=PreparingRebalance type=story protocol= members=E::one
