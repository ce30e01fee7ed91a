-- Stores the reconciliations of a person: the last day of each account that agrees, and its balance on that day if that is
-- newer than the stored balance.
-- $1 user id, $2 accounts, $3 days through which the accounts are reconciled, $4 balances on these days
with reconciliations as (
  select
    given.account_id, given.through, given.cents, accounts.balance_cents as former_cents,
    accounts.balance_updated_at as former_at, (given.through + 1)::timestamp at time zone 'UTC' as set_at,
    (given.through + 1)::timestamp at time zone 'UTC' > accounts.balance_updated_at as is_newer
  from unnest($2::uuid[], $3::date[], $4::bigint[]) as given (account_id, through, cents)
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
