-- The transactions of the accounts that lose statements, and those of the account that gets them, before the move.
-- $1 user id, $2 file id or account id of the statements, $3 id of the account that gets them
create temp table rows_before_move on commit drop as
select t.user_id, t.transaction_id, t.date, t.amount_cents, t.currency, t.title
from passbook.transactions as t
where t.user_id = $1 and (t.account_id = $3 or t.account_id in (
  select statements.account_id from passbook.import_statements as statements
  where statements.user_id = $1 and $2 in (statements.file_id, statements.account_id)))
