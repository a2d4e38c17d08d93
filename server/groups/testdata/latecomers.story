# A member that does not rejoin in time is removed; commits during the rebalance.
join A
join A rebalance=1500 session=30000
wait 1300
sync A assign=A:all
join B
join B rebalance=1500 session=30000
describe
commit A
commit A generation=9
wait 2000
heartbeat A
commit B
heartbeat B
sync B assign=B:all
commit B
describe
