-- Whether a cursor names a row that this user can see. A foreign row and none at all answer alike.
-- $1 user id, $2 date and $3 id of the row; no cursor is a good cursor
select $3::uuid is null or exists (
  select from passbook_read.transactions as t
  where t.user_id = $1 and t.transaction_id = $3 and t.date = $2
) as found
