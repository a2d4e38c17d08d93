# A member that did not get its answer asks again.
join A session=30000
join A session=30000
wait 1300
join A session=30000
sync A assign=A:all
sync A
join B session=30000
join B session=30000
join A session=30000
join B session=30000
sync B
sync A assign=A:one,B:two
sync B
sync A
join B session=30000
describe
