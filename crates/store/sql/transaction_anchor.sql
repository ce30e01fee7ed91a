-- Returns true if a cursor names a row of this user, or if there is no cursor. The result is the same for a row of
-- another user and for a row that does not exist.
-- $1 user id, $2 date and $3 id of the row, both null without a cursor
select $3::uuid is null or exists (
  select from passbook_read.transactions as t
  where t.user_id = $1 and t.transaction_id = $3 and t.date = $2
) as found
