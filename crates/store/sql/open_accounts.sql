-- One user's open accounts with their balances, the largest first, those without a rate last.
-- $1 user id
select
  a.bank_id, a.account_id, a.name, a.type, a.subtype, a.currency, a.balance_cents, a.updated_at, a.has_holdings,
  a.converted_cents
from passbook_read.open_accounts as a
where a.user_id = $1
order by a.converted_cents desc nulls last, a.name collate "C", a.account_id
