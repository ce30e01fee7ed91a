-- Lists of changes among new files whose time another list of the account has.
-- $1 user id, $2 identifiers of the new files
select distinct files.name, other_files.name, statements.statement_date, statements.sequence_number
from passbook.import_statements as statements
join passbook.import_files as files on files.user_id = statements.user_id and files.file_id = statements.file_id
join passbook.import_statements as others
  on others.user_id = statements.user_id and others.account_id = statements.account_id
  and others.file_id <> statements.file_id and others.kind = statements.kind
  and others.statement_date is not distinct from statements.statement_date
  and others.sequence_number is not distinct from statements.sequence_number
join passbook.import_files as other_files
  on other_files.user_id = others.user_id and other_files.file_id = others.file_id
where statements.user_id = $1 and statements.file_id = any ($2) and statements.kind = 'changes'
order by files.name, other_files.name
limit 20
