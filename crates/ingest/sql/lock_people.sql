-- Locks the people of whom the input stores or deletes transactions. Exchange rates are locked first, as
-- by every writer of transactions; exclusively if the input changes rates.
with changed as materialized (
  select from passbook.base_currency
  where exists (select from pg_temp.load_exchange_rates) or exists (select from pg_temp.delete_exchange_rates)
    or exists (select from pg_temp.load_rate_base)
  for update
), shared as materialized (
  select from passbook.base_currency where (select count(*) from changed) = 0 for share
)
select
from passbook.users
where (select count(*) from changed) + (select count(*) from shared) > 0
  and (exists (select from pg_temp.load_transactions as given where given.user_id = users.user_id)
    or exists (select from pg_temp.delete_transactions as deleted where deleted.user_id = users.user_id))
order by users.user_id
for no key update
