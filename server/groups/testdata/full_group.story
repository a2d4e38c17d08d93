# group.max.size is 4 in these stories.
join A v=3 session=30000
join B v=3 session=30000
join C v=3 session=30000
join D v=3 session=30000
join E v=3 session=30000
wait 4500
join E v=3 session=30000
describe
