-- Adds the balances that the files of a person prove, on days without a balance, and records the days.
-- $1 user id, $2 accounts, $3 days, $4 balances
with added as (
  insert into passbook.balance_snapshots (user_id, account_id, as_of, balance_cents)
  select $1, given.account_id, given.as_of, given.cents
  from unnest($2::uuid[], $3::date[], $4::bigint[]) as given (account_id, as_of, cents)
  on conflict (user_id, account_id, as_of) do nothing
  returning account_id, as_of
), days as (
  select account_id, array_agg(as_of order by as_of) as days from added group by account_id
)
update passbook.import_accounts as proofs
set snapshot_days = days.days
from days
where proofs.user_id = $1 and proofs.account_id = days.account_id
