-- The number of one user's transactions after the session's last day that match the filters of a list: those that a range
-- without a last day leaves out. No row if there are none.
-- The column user_id lets the test of isolation see whose transactions these are.
-- $1 user id, $2 types, $3 categories, $4 accounts, $5 minimum amount, $6 maximum amount, $7 search text, $8 pending
select t.user_id, count(*) as count
from passbook_read.listed_transactions(passbook_read.last_day() + 1, 'infinity', $2, $3, $4, $5, $6, $7, $8) as t
where t.user_id = $1
group by t.user_id
