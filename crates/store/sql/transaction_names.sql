-- The names of one user's accounts and of their banks, and with each the number of planned rows of a list: those that match its
-- filters and that a missing end leaves out. One query is cheaper than two.
-- $1 user id, $2 types, $3 categories, $4 accounts, $5 minimum amount, $6 maximum amount, $7 search text, $8 pending
select n.account_id, n.account_name, n.bank_name,
  (select case when passbook_read.last_planned_day() > '-infinity'
    then passbook_read.planned_count($1, $2, $3, $4, $5, $6, $7, $8, true) end) as planned
from passbook_read.account_names as n
where n.user_id = $1
