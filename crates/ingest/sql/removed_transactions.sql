-- The first removed transactions: day, amount from the account's side, currency, title, account.
-- $1 maximum number of rows
select
  stored.date,
  case stored.category_kind when 'income' then stored.amount_cents else -stored.amount_cents end as amount_cents,
  stored.currency,
  stored.title,
  accounts.name as account
from pg_temp.removed_transactions
join passbook.transactions as stored using (user_id, transaction_id)
join passbook.accounts using (user_id, account_id)
order by stored.date, accounts.name, stored.transaction_id
limit $1
