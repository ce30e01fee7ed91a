-- Accounts of this input for which transactions are stored that are not in it: place of the account, rows.
select accounts.place, count(*) as rows
from pg_temp.load_accounts as accounts
join passbook.transactions as stored using (user_id, account_id)
where not exists (
  select from pg_temp.load_transactions as given
  where given.user_id = stored.user_id and given.transaction_id = stored.transaction_id)
group by accounts.place
order by accounts.place
