# Every wrong word has its code.
join A id=bogus
< join A UNKNOWN_MEMBER_ID
heartbeat A generation=1 id=bogus
< heartbeat A UNKNOWN_MEMBER_ID
sync A generation=1 id=bogus
< sync A UNKNOWN_MEMBER_ID assignment=
leave A id=bogus
< leave A UNKNOWN_MEMBER_ID
commit A generation=1 id=bogus
< commit A ILLEGAL_GENERATION
commit A generation=1 id=bogus v=9
< commit A GROUP_ID_NOT_FOUND
commit A generation=-1 id=none
< commit A NONE
describe
< describe NONE state=Empty type= protocol= members=
join A session=30000
< join A MEMBER_ID_REQUIRED
join A session=30000
wait 1300
< join A NONE generation=1 protocol=range leader=A members=A:x
heartbeat A generation=7
< heartbeat A ILLEGAL_GENERATION
sync A generation=7
< sync A ILLEGAL_GENERATION assignment=
commit A
< commit A REBALANCE_IN_PROGRESS
commit A generation=-1 id=none
< commit A UNKNOWN_MEMBER_ID
heartbeat A id=bogus
< heartbeat A UNKNOWN_MEMBER_ID
heartbeat A instance=i9
< heartbeat A UNKNOWN_MEMBER_ID
sync A assign=A:all
< sync A NONE assignment=all
commit A
< commit A NONE
commit A id=bogus
< commit A UNKNOWN_MEMBER_ID
commit A generation=-1 id=none
< commit A UNKNOWN_MEMBER_ID
leave A id=bogus
< leave A UNKNOWN_MEMBER_ID
leave A instance=i9
< leave A UNKNOWN_MEMBER_ID
leave A
< leave A NONE
leave A
< leave A UNKNOWN_MEMBER_ID
commit A generation=-1 id=none
< commit A NONE
heartbeat A
< heartbeat A UNKNOWN_MEMBER_ID
