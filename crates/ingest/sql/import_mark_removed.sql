-- Marks the stored transactions of files that no file gives any more. Returns the number of stored transactions of files.
-- $1 user id
with stored as (
  select user_id, transaction_id from passbook.transactions where user_id = $1 and imported
), marked as (
  insert into pg_temp.removed_transactions (user_id, transaction_id)
  select user_id, transaction_id from stored
  where not exists (
    select from pg_temp.import_bookings as given where given.transaction_id = stored.transaction_id)
)
select count(*) from stored
