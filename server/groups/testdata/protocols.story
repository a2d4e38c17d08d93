# The protocol that most prefer among those that all know.
join A protocols=range:a1,sticky:a2,roundrobin:a3 session=30000
< join A MEMBER_ID_REQUIRED
join A protocols=range:a1,sticky:a2,roundrobin:a3 session=30000
join B protocols=sticky:b2,roundrobin:b3 session=30000
< join B MEMBER_ID_REQUIRED
join B protocols=sticky:b2,roundrobin:b3 session=30000
join C protocols=other:c session=30000
< join C INCONSISTENT_GROUP_PROTOCOL
join D type=connect session=30000
< join D INCONSISTENT_GROUP_PROTOCOL
wait 2500
< join A NONE generation=1 protocol=sticky leader=A members=A:a2,B:b2
< join B NONE generation=1 protocol=sticky leader=A members=
describe
< describe NONE state=CompletingRebalance type=story protocol= members=A::,B::
sync A protocol=range assign=A:one
< sync A INCONSISTENT_GROUP_PROTOCOL assignment=
sync A protocol=sticky type=connect
< sync A INCONSISTENT_GROUP_PROTOCOL assignment=
sync A protocol=sticky assign=A:one,B:two
< sync A NONE assignment=one
sync B protocol=sticky
< sync B NONE assignment=two
describe
< describe NONE state=Stable type=story protocol=sticky members=A:a2:one,B:b2:two
