-- One user's open accounts.
-- $1 user id
select a.bank_id, a.account_id, a.name, a.type, a.subtype, a.currency, a.updated_at, a.has_holdings
from passbook_read.open_accounts as a
where a.user_id = $1
