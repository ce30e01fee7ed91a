-- Files with days on which their account has transactions of bundles or ledgers: file, account, number of transactions.
-- $1 user id, $2 files
with days as (
  select lines.file_id, statements.account_id, min(lines.booking_date) as first_day, max(lines.booking_date) as last_day
  from passbook.import_lines as lines
  join passbook.import_statements as statements
    on statements.user_id = lines.user_id and statements.file_id = lines.file_id
    and statements.statement = lines.statement
  where lines.user_id = $1 and lines.file_id = any ($2::uuid[])
  group by lines.file_id, statements.account_id
)
select files.name, accounts.name as account, count(*) as transactions
from days
join passbook.import_files as files on files.user_id = $1 and files.file_id = days.file_id
join passbook.accounts on accounts.user_id = $1 and accounts.account_id = days.account_id
join passbook.transactions as stored
  on stored.user_id = $1 and stored.account_id = days.account_id and not stored.imported
  and stored.date between days.first_day and days.last_day
group by files.name, accounts.name
order by files.name, accounts.name
