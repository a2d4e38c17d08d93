# KIP-345: a static member comes back under a new id without a rebalance.
join A instance=i1 session=30000 v=8
join B instance=i2 session=30000 v=8
wait 2500
sync A instance=i1 assign=A:one,B:two
sync B instance=i2
describe
heartbeat B instance=i2
join C id=none instance=i2 session=30000 v=8
heartbeat B instance=i2
sync C instance=i2
heartbeat A instance=i1
join D id=none instance=i1 session=30000 v=8
sync D instance=i1
describe
join E id=none instance=i1 session=30000 v=9
sync E instance=i1
join F id=none instance=i2 session=30000 v=9 protocols=range:other
heartbeat E instance=i1
leave F id=none instance=i2
describe
