-- Marks stored transactions that no file gives any more.
-- $1 user id, $2 identifiers
insert into pg_temp.removed_transactions (user_id, transaction_id)
select $1, unnest($2::uuid[])
