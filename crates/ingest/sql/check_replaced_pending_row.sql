-- Posted transfers whose link names a pending row of the same account, which cannot be the other leg. The linked row is
-- taken from the input, else from the stored rows.
-- $1 maximum number of rows
with given as (
  select distinct on (user_id, transaction_id) * from pg_temp.load_transactions
  order by user_id, transaction_id, position
)
select posted.place, null::text, count(*) over ()
from given as posted
left join given
  on given.user_id = posted.user_id and given.transaction_id = posted.linked_transaction_id
left join passbook.transactions as stored
  on stored.user_id = posted.user_id and stored.transaction_id = posted.linked_transaction_id
where posted.type = 'INTERNAL_TRANSFER' and not posted.pending
  and coalesce(given.account_id, stored.account_id) = posted.account_id
  and coalesce(given.pending, stored.pending)
order by posted.position
limit $1
