# group.max.size is 4 in these stories.
join A v=3 session=30000
join B v=3 session=30000
join C v=3 session=30000
join D v=3 session=30000
join E v=3 session=30000
< join E GROUP_MAX_SIZE_REACHED
wait 4500
< join A NONE generation=1 protocol=range leader=A members=A:x,B:x,C:x,D:x
< join B NONE generation=1 protocol=range leader=A members=
< join C NONE generation=1 protocol=range leader=A members=
< join D NONE generation=1 protocol=range leader=A members=
join E v=3 session=30000
< join E GROUP_MAX_SIZE_REACHED
describe
< describe NONE state=CompletingRebalance type=story protocol= members=A::,B::,C::,D::
