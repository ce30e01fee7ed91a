-- The number of removed transactions of each account.
select accounts.name as account, count(*) as transactions
from pg_temp.removed_transactions
join passbook.transactions as stored using (user_id, transaction_id)
join passbook.accounts using (user_id, account_id)
group by accounts.user_id, accounts.account_id, accounts.name
order by accounts.name, accounts.account_id
