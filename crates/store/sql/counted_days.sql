-- The first and the last counted day of one user in the session's days, which are open at an end. An end that is not open
-- is returned as it is. No row if nothing counts. The column user_id lets the test of isolation see whose days these are.
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 income categories that count beside
-- expenses, null for all; $5 categories, $6 accounts
select days.user_id, days.first_day as first_counted, days.last_day as last_counted
from passbook_read.counted_days(passbook_read.first_day(), passbook_read.last_day(), $2, $3, $5, $6, $4) as days
where days.user_id = $1
