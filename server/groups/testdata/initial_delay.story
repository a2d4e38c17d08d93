# The first rebalance of a group waits for more members, and longer while new ones come.
join A
< join A MEMBER_ID_REQUIRED
join A rebalance=60000
wait 300
join B
< join B MEMBER_ID_REQUIRED
join B rebalance=60000
wait 700
wait 1100
< join A NONE generation=1 protocol=range leader=A members=A:x,B:x
< join B NONE generation=1 protocol=range leader=A members=
describe
< describe NONE state=CompletingRebalance type=story protocol= members=A::,B::
