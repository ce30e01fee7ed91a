-- What is stored for the accounts of this input and is not in it: place of the account, kind of row, rows.
select accounts.place, 'transactions' as kind, count(*) as rows
from pg_temp.load_accounts as accounts
join passbook.transactions as stored using (user_id, account_id)
where not exists (
  select from pg_temp.load_transactions as given
  where given.user_id = stored.user_id and given.transaction_id = stored.transaction_id)
group by accounts.place
union all
select accounts.place, 'balance snapshots', count(*)
from pg_temp.load_accounts as accounts
join passbook.balance_snapshots as stored using (user_id, account_id)
where not exists (
  select from pg_temp.load_balance_snapshots as given
  where given.user_id = stored.user_id and given.account_id = stored.account_id and given.as_of = stored.as_of)
group by accounts.place
union all
select accounts.place, 'holdings', count(*)
from pg_temp.load_accounts as accounts
join passbook.holdings as stored using (user_id, account_id)
where not exists (
  select from pg_temp.load_holdings as given
  where given.user_id = stored.user_id and given.account_id = stored.account_id
    and given.security_id = stored.security_id)
group by accounts.place
order by place, kind desc
