-- The number of one user's transactions after the session's last day that count: those that a range without a last day leaves
-- out. No row if there are none.
-- The column user_id lets the test of isolation see whose transactions these are.
-- Variants have no search text, or count up to the end of the month (`crates/store/src/query.rs`).
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 true to count income too, $7 search text
select t.user_id, count(*) as count
from passbook_read.counted_transactions(passbook_read.last_day() + 1, 'infinity', $2, $3, $4, $5, $7) as t
where t.user_id = $1 and (t.type = 'EXPENSE' or $6)
group by t.user_id
