# Every wrong word has its code.
join A id=bogus
heartbeat A generation=1 id=bogus
sync A generation=1 id=bogus
leave A id=bogus
commit A generation=1 id=bogus
commit A generation=1 id=bogus v=9
commit A generation=-1 id=none
describe
join A session=30000
join A session=30000
wait 1300
heartbeat A generation=7
sync A generation=7
commit A
commit A generation=-1 id=none
heartbeat A id=bogus
heartbeat A instance=i9
sync A assign=A:all
commit A
commit A id=bogus
commit A generation=-1 id=none
leave A id=bogus
leave A instance=i9
leave A
leave A
commit A generation=-1 id=none
heartbeat A
