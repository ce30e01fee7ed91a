-- Removes the rows of a ledger that the input lacks. Returns the number of removed rows by table. An account with imported files
-- stays, and is no account of the ledger any more. A bank goes with its last account.
-- $1 user id, $2 ledger id of the accounts
with loaded as (
  select accounts.account_id, exists (
    select from pg_temp.load_accounts as given
    where given.user_id = accounts.user_id and given.account_id = accounts.account_id) as given, exists (
    select from passbook.import_statements as files
    where files.user_id = accounts.user_id and files.account_id = accounts.account_id) as has_files
  from passbook.accounts
  where accounts.user_id = $1 and accounts.ledger_id = $2
), transactions as (
  delete from passbook.transactions as stored
  using loaded
  where stored.user_id = $1 and stored.account_id = loaded.account_id and not stored.imported and not exists (
    select from pg_temp.load_transactions as given
    where given.user_id = stored.user_id and given.transaction_id = stored.transaction_id)
  returning 1
), snapshots as (
  delete from passbook.balance_snapshots as stored
  using loaded
  where stored.user_id = $1 and stored.account_id = loaded.account_id and not exists (
    select from pg_temp.load_balance_snapshots as given
    where given.user_id = stored.user_id and given.account_id = stored.account_id and given.date = stored.date)
  returning 1
), holdings as (
  delete from passbook.holdings as stored
  using loaded
  where stored.user_id = $1 and stored.account_id = loaded.account_id and not exists (
    select from pg_temp.load_holdings as given
    where given.user_id = stored.user_id and given.account_id = stored.account_id
      and given.security_id = stored.security_id)
  returning 1
), prices as (
  delete from passbook.security_prices as stored
  using pg_temp.load_securities as securities
  where stored.user_id = $1 and securities.user_id = $1 and stored.security_id = securities.security_id
    and not exists (
      select from pg_temp.load_security_prices as given
      where given.user_id = stored.user_id and given.security_id = stored.security_id and given.date = stored.date)
  returning 1
), outside as (
  update passbook.accounts as stored set ledger_id = null
  from loaded
  where stored.user_id = $1 and stored.account_id = loaded.account_id and not loaded.given and loaded.has_files
), accounts as (
  delete from passbook.accounts as stored
  using loaded
  where stored.user_id = $1 and stored.account_id = loaded.account_id and not loaded.given and not loaded.has_files
  returning stored.account_id, stored.bank_id
), banks as (
  delete from passbook.bank_connections as stored
  where stored.user_id = $1 and stored.bank_id in (select bank_id from accounts) and not exists (
    select from passbook.accounts as remaining
    where remaining.user_id = $1 and remaining.bank_id = stored.bank_id
      and remaining.account_id not in (select account_id from accounts))
  returning 1
)
select
  (select count(*) from transactions) as transactions,
  (select count(*) from snapshots) as balance_snapshots,
  (select count(*) from holdings) as holdings,
  (select count(*) from prices) as security_prices,
  (select count(*) from accounts) as accounts,
  (select count(*) from banks) as banks
