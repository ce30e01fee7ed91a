-- One user's simulated accounts, sorted by name.
-- $1 user id
select
  p.paper_account_id, p.name, p.provider, p.currency, p.cash_cents, p.starting_balance_cents, p.updated_at
from passbook_read.paper_accounts as p
where p.user_id = $1
order by p.name collate "C", p.paper_account_id
