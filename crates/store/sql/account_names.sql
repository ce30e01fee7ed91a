-- The names of one user's accounts and of their banks.
-- $1 user id
select n.account_id, n.account_name, n.bank_name
from passbook_read.account_names as n
where n.user_id = $1
