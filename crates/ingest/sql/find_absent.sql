-- Accounts of a ledger with stored transactions that the input lacks: account name, number of transactions.
-- $1 user id, $2 ledger id of the accounts
select accounts.name, count(*) as rows
from passbook.accounts
join passbook.transactions as stored using (user_id, account_id)
where accounts.user_id = $1 and accounts.ledger_id = $2 and not stored.imported and not exists (
  select from pg_temp.load_transactions as given
  where given.user_id = stored.user_id and given.transaction_id = stored.transaction_id)
group by accounts.account_id, accounts.name
order by accounts.name
