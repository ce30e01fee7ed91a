-- Transfers whose link does not name the other leg: the linked row is not a transfer, has the same direction or the same
-- account, or links to a third row.
-- $1 maximum number of rows
select place, null::text, count(*) over ()
from pg_temp.load_links
-- check_replaced_pending_row.sql reports a pending row that this one replaces; a row that does not exist is reported by the
-- check of references.
where type = 'INTERNAL_TRANSFER' and other_type is not null
  and not (other_account_id = account_id and other_pending and not pending)
  and (other_type <> 'INTERNAL_TRANSFER' or (other_category = 'TRANSFER_IN') = (category = 'TRANSFER_IN') or other_account_id = account_id
    or other_linked_id <> transaction_id)
order by position
limit $1
