-- Refunds whose link does not name an expense. The linked row is taken from the input, else from the stored rows.
-- $1 maximum number of rows
with given as (
  select distinct on (user_id, transaction_id) * from pg_temp.load_transactions
  order by user_id, transaction_id, position
)
select refund.place, null::text, count(*) over ()
from given as refund
left join given
  on given.user_id = refund.user_id and given.transaction_id = refund.linked_transaction_id
left join passbook.transactions as stored
  on stored.user_id = refund.user_id and stored.transaction_id = refund.linked_transaction_id
where refund.category = 'REFUND' and coalesce(given.type, stored.type) <> 'EXPENSE'
order by refund.position
limit $1
