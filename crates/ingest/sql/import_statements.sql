-- The statements of all files of a person, in the order of files and statements.
-- $1 user id
select
  statements.file_id, statements.statement, statements.account_id, accounts.currency, files.digest, files.name,
  files.format, files.profile, files.replaces_missing, statements.kind, statements.sequence_number, statements.statement_date,
  statements.first_day, statements.last_day, statements.lists_pending, statements.withdrawn_ids, statements.iban,
  statements.account_number, balances.kinds, balances.dates, balances.cents, balances.currencies
from passbook.import_statements as statements
join passbook.import_files as files on files.user_id = statements.user_id and files.file_id = statements.file_id
join passbook.accounts on accounts.user_id = statements.user_id and accounts.account_id = statements.account_id
cross join lateral (
  select
    coalesce(array_agg(stated.kind order by stated.position), '{}') as kinds,
    coalesce(array_agg(stated.date::date order by stated.position), '{}') as dates,
    coalesce(array_agg(stated.amount_cents::bigint order by stated.position), '{}') as cents,
    coalesce(array_agg(stated.currency::text order by stated.position), '{}') as currencies
  from passbook.statement_balances as stated
  where stated.user_id = statements.user_id and stated.file_id = statements.file_id
    and stated.statement = statements.statement) as balances
where statements.user_id = $1
order by statements.file_id, statements.statement
