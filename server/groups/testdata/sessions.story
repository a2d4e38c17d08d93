# Silence ends a session in every state.
join A
join A session=2500 rebalance=30000
wait 1300
describe
sync A assign=A:all
wait 1500
heartbeat A
wait 1500
heartbeat A
wait 3000
heartbeat A
describe
join C session=1000
wait 1500
join C
describe
