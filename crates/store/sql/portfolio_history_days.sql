-- The days of one user's history: its points, and the day before the range. No rows if the history would have more points than
-- the maximum.
-- $1 user id, $2 interval: auto, day, week or month, $3 maximum number of points
select d.day, d.is_point
from passbook_read.history_days($2, $3) as d
where d.user_id = $1
order by d.day
