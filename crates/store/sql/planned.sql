-- The number of one user's transactions that a missing end of the session's days leaves out. Executed only if the session before
-- had such transactions. If they are gone, this session has no last planned day, and the number is 0.
-- $1 user id, $2 types, $3 categories, $4 accounts, $5 minimum amount, $6 maximum amount, $7 search text, $8 pending,
-- $9 own categories, $10 tags, $11 merchants, $12 true to count excluded categories
select count(*) as planned
from passbook_read.listed_transactions(
  passbook_read.last_day() + 1, nullif(current_setting('app.last_planned_day', true), '')::date, $2, $3, $4, $5, $6,
  row($7, $9, $10, $11)::passbook_read.row_search, $8) as t
where t.user_id = $1 and passbook_read.is_included(t.category, $3, $12, t.excluded)
