-- Marks the stored transactions of a ledger that the input lacks. Returns the number of stored transactions of the ledger.
-- $1 user id, $2 ledger id of the accounts
with stored as (
  select transactions.user_id, transactions.transaction_id
  from passbook.accounts
  join passbook.transactions using (user_id, account_id)
  where accounts.user_id = $1 and accounts.ledger_id = $2 and not transactions.imported
), marked as (
  insert into pg_temp.removed_transactions (user_id, transaction_id)
  select user_id, transaction_id from stored
  where not exists (
    select from pg_temp.load_transactions as given
    where given.user_id = stored.user_id and given.transaction_id = stored.transaction_id)
)
select count(*) from stored
