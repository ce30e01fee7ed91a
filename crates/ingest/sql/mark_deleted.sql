-- Marks the stored transactions that the input deletes. Returns the number of stored transactions of their owners.
with marked as (
  insert into pg_temp.removed_transactions (user_id, transaction_id)
  select distinct user_id, transaction_id
  from pg_temp.delete_transactions
  join passbook.transactions using (user_id, transaction_id)
)
select count(*)
from passbook.transactions
where user_id in (select user_id from pg_temp.delete_transactions)
