-- One user's open accounts, ordered by balance descending; accounts without a rate last.
-- $1 user id
select
  a.bank_id, a.account_id, a.name, a.type, a.subtype, a.currency, a.balance_cents, a.updated_at, a.has_holdings,
  a.converted_cents
from passbook_read.open_accounts as a
where a.user_id = $1
order by a.converted_cents desc nulls last, a.name collate "C", a.account_id
