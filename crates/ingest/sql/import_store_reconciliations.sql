-- Stores the reconciliations of a person: the day through which each account is reconciled, and its newest balance if that is
-- newer than the stored balance.
-- $1 user id, $2 accounts, $3 days through which the accounts are reconciled, null if nothing agrees, $4 days of the newest
-- balances, $5 these balances
with reconciliations as (
  select
    given.account_id, given.through, given.cents, accounts.balance_cents as former_cents,
    accounts.balance_updated_at as former_at, (given.day + 1)::timestamp at time zone 'UTC' as set_at,
    (given.day + 1)::timestamp at time zone 'UTC' > accounts.balance_updated_at as is_newer
  from unnest($2::uuid[], $3::date[], $4::date[], $5::bigint[]) as given (account_id, through, day, cents)
  join passbook.accounts on accounts.user_id = $1 and accounts.account_id = given.account_id
), updated as (
  update passbook.accounts
  set balance_cents = reconciliations.cents, balance_updated_at = reconciliations.set_at
  from reconciliations
  where accounts.user_id = $1 and accounts.account_id = reconciliations.account_id and reconciliations.is_newer
)
insert into passbook.account_reconciliations (
  user_id, account_id, reconciled_through, statement_balance_cents, statement_balance_updated_at, previous_balance_cents,
  previous_balance_updated_at)
select
  $1, account_id, through, case when is_newer then cents end, case when is_newer then set_at end,
  case when is_newer then former_cents end, case when is_newer then former_at end
from reconciliations
