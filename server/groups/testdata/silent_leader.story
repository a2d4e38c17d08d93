# A leader that never syncs is removed when the rebalance timeout is over.
join A session=30000 rebalance=2000
join A session=30000 rebalance=2000
join B session=30000 rebalance=2000
join B session=30000 rebalance=2000
wait 2500
sync B
wait 2500
describe
join B session=30000 rebalance=2000
wait 300
sync B assign=B:all
describe
