-- Removes what is stored for the accounts of this input and is not in it: rows by table.
with transactions as (
  delete from passbook.transactions as stored
  using pg_temp.load_accounts as accounts
  where stored.user_id = accounts.user_id and stored.account_id = accounts.account_id
    and not exists (
      select from pg_temp.load_transactions as given
      where given.user_id = stored.user_id and given.transaction_id = stored.transaction_id)
  returning 1
), snapshots as (
  delete from passbook.balance_snapshots as stored
  using pg_temp.load_accounts as accounts
  where stored.user_id = accounts.user_id and stored.account_id = accounts.account_id
    and not exists (
      select from pg_temp.load_balance_snapshots as given
      where given.user_id = stored.user_id and given.account_id = stored.account_id and given.as_of = stored.as_of)
  returning 1
), holdings as (
  delete from passbook.holdings as stored
  using pg_temp.load_accounts as accounts
  where stored.user_id = accounts.user_id and stored.account_id = accounts.account_id
    and not exists (
      select from pg_temp.load_holdings as given
      where given.user_id = stored.user_id and given.account_id = stored.account_id
        and given.security_id = stored.security_id)
  returning 1
)
select
  (select count(*) from transactions) as transactions,
  (select count(*) from snapshots) as balance_snapshots,
  (select count(*) from holdings) as holdings
