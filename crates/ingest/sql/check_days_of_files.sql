-- New transactions on days of an imported file of their account. One row for each account: the place of the first transaction,
-- the number of transactions with the name of the account, and the number of accounts.
-- $1 maximum number of rows
with days as materialized (
  select statements.user_id, statements.account_id, min(lines.booking_date) as first_day, max(lines.booking_date) as last_day
  from passbook.import_statements as statements
  join passbook.import_lines as lines
    on lines.user_id = statements.user_id and lines.file_id = statements.file_id and lines.statement = statements.statement
  where exists (
    select from pg_temp.load_transactions as staged
    where staged.user_id = statements.user_id and staged.account_id = statements.account_id)
  group by statements.user_id, statements.account_id, lines.file_id
)
select (array_agg(staged.place order by staged.position))[1],
  format('%s transactions of the account %s', count(*), accounts.name), count(*) over ()
from pg_temp.load_transactions as staged
join passbook.accounts on accounts.user_id = staged.user_id and accounts.account_id = staged.account_id
where exists (
    select from days
    where days.user_id = staged.user_id and days.account_id = staged.account_id
      and staged.date between days.first_day and days.last_day)
  and not exists (
    select from passbook.transactions as stored
    where stored.user_id = staged.user_id and stored.transaction_id = staged.transaction_id)
group by accounts.user_id, accounts.account_id
order by min(staged.position)
limit $1
