-- Gives the accounts of a person the balances that they had before files set them, unless somebody changed them since, and
-- removes the balance snapshots that files added.
-- $1 user id
with removed as (
  delete from passbook.balance_snapshots as snapshots
  using passbook.import_accounts as proofs
  where proofs.user_id = $1 and snapshots.user_id = $1 and snapshots.account_id = proofs.account_id
    and snapshots.as_of = any (proofs.snapshot_days)
)
update passbook.accounts
set balance_cents = proofs.former_cents, balance_updated_at = proofs.former_at
from passbook.import_accounts as proofs
where accounts.user_id = $1 and proofs.user_id = $1 and accounts.account_id = proofs.account_id
  and accounts.balance_cents = proofs.set_cents and accounts.balance_updated_at = proofs.set_at
