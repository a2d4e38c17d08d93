# The protocol that most prefer among those that all know.
join A protocols=range:a1,sticky:a2,roundrobin:a3 session=30000
join A protocols=range:a1,sticky:a2,roundrobin:a3 session=30000
join B protocols=sticky:b2,roundrobin:b3 session=30000
join B protocols=sticky:b2,roundrobin:b3 session=30000
join C protocols=other:c session=30000
join D type=connect session=30000
wait 2500
describe
sync A protocol=range assign=A:one
sync A protocol=sticky type=connect
sync A protocol=sticky assign=A:one,B:two
sync B protocol=sticky
describe
