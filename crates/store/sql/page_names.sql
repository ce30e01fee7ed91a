-- The names of one user's accounts, each with that of its bank, and of own categories and tags.
-- $1 user id
select 'account' as kind, n.account_id as id, n.account_name as name, n.bank_name
from passbook_read.account_names as n
where n.user_id = $1
union all
select l.kind, l.label_id, l.name, null
from passbook_read.labels as l
where l.user_id = $1
