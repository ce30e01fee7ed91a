-- The statements of all files of a person, in the order of files and statements.
-- $1 user id
select
  statements.file_id, statements.statement, statements.account_id, accounts.currency, files.digest, files.name,
  files.format, files.profile, files.replaces_missing, statements.kind, statements.chain_number, statements.as_of,
  statements.first_day, statements.last_day, statements.lists_pending, statements.balances, statements.removed,
  statements.iban, statements.account_number
from passbook.import_statements as statements
join passbook.import_files as files on files.user_id = statements.user_id and files.file_id = statements.file_id
join passbook.accounts on accounts.user_id = statements.user_id and accounts.account_id = statements.account_id
where statements.user_id = $1
order by statements.file_id, statements.statement
