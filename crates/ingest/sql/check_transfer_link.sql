-- Transfers whose link does not name the other leg: the linked row is not a transfer, has the same direction or the same
-- account, or links to a third row. The linked row is taken from the input, else from the stored rows.
-- $1 maximum number of rows
with given as (
  select distinct on (user_id, transaction_id) * from pg_temp.load_transactions
  order by user_id, transaction_id, position
), linked as (
  select
    leg.position, leg.place, leg.transaction_id, leg.account_id, leg.direction, leg.pending,
    coalesce(given.type, stored.type) as other_type,
    coalesce(given.direction, stored.direction) as other_direction,
    coalesce(given.account_id, stored.account_id) as other_account_id,
    coalesce(given.pending, stored.pending) as other_pending,
    case when given.position is null then stored.linked_transaction_id else given.linked_transaction_id end
      as other_linked_id
  from given as leg
  left join given
    on given.user_id = leg.user_id and given.transaction_id = leg.linked_transaction_id
  left join passbook.transactions as stored
    on stored.user_id = leg.user_id and stored.transaction_id = leg.linked_transaction_id
  where leg.type = 'INTERNAL_TRANSFER' and leg.linked_transaction_id is not null
)
select place, null::text, count(*) over ()
from linked
-- check_replaced_pending_row.sql reports a pending row that this one replaces; a row that does not exist is reported by the
-- check of references.
where other_type is not null
  and not (other_account_id = account_id and other_pending and not pending)
  and (other_type <> 'INTERNAL_TRANSFER' or other_direction = direction or other_account_id = account_id
    or other_linked_id <> transaction_id)
order by position
limit $1
