-- Gives the accounts of a person the balances that they had before files set them, unless somebody changed them since, and
-- removes the balance snapshots that files added.
-- $1 user id
with removed as (
  delete from passbook.balance_snapshots as snapshots
  using passbook.account_reconciliations as reconciled
  where reconciled.user_id = $1 and snapshots.user_id = $1 and snapshots.account_id = reconciled.account_id
    and snapshots.imported
)
update passbook.accounts
set balance_cents = reconciled.previous_balance_cents, balance_updated_at = reconciled.previous_balance_updated_at
from passbook.account_reconciliations as reconciled
where accounts.user_id = $1 and reconciled.user_id = $1 and accounts.account_id = reconciled.account_id
  and accounts.balance_cents = reconciled.statement_balance_cents
  and accounts.balance_updated_at = reconciled.statement_balance_updated_at
