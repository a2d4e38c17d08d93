# Two members join in two steps, share, one leaves, the other goes on alone.
join A
join A session=30000
wait 1300
sync A assign=A:all
heartbeat A
join B
join B
heartbeat A
join A protocols=range:x2
sync B
sync A assign=A:one,B:two
describe
heartbeat A
heartbeat B
leave A
heartbeat B
join B
sync B assign=B:all
describe
leave B
describe
