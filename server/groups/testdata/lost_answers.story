# A member that did not get its answer asks again.
join A session=30000
< join A MEMBER_ID_REQUIRED
join A session=30000
wait 1300
< join A NONE generation=1 protocol=range leader=A members=A:x
join A session=30000
< join A NONE generation=1 protocol=range leader=A members=A:x
sync A assign=A:all
< sync A NONE assignment=all
sync A
< sync A NONE assignment=all
join B session=30000
< join B MEMBER_ID_REQUIRED
join B session=30000
join A session=30000
< join A NONE generation=2 protocol=range leader=A members=A:x,B:x
< join B NONE generation=2 protocol=range leader=A members=
join B session=30000
< join B NONE generation=2 protocol=range leader=A members=
sync B
sync A assign=A:one,B:two
< sync A NONE assignment=one
< sync B NONE assignment=two
sync B
< sync B NONE assignment=two
sync A
< sync A NONE assignment=one
join B session=30000
< join B NONE generation=2 protocol=range leader=A members=
describe
< describe NONE state=Stable type=story protocol=range members=A:x:one,B:x:two
