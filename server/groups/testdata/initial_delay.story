# The first rebalance of a group waits for more members, and longer while new ones come.
join A
join A rebalance=60000
wait 600
join B
join B rebalance=60000
wait 700
wait 1100
describe
