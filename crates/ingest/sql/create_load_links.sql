-- The rows of the input with a link, each with the linked row. The linked row is taken from the input, else from the stored
-- rows; its columns are null if there is none.
create temp table load_links on commit drop as
select
  leg.position, leg.place, leg.transaction_id, leg.account_id, leg.type, leg.category, leg.pending,
  coalesce(given.type, stored.type) as other_type,
  coalesce(given.category, stored.category) as other_category,
  coalesce(given.account_id, stored.account_id) as other_account_id,
  coalesce(given.pending, stored.pending) as other_pending,
  case when given.position is null then stored.linked_transaction_id else given.linked_transaction_id end
    as other_linked_id
from pg_temp.load_transactions as leg
left join pg_temp.load_transactions as given
  on given.user_id = leg.user_id and given.transaction_id = leg.linked_transaction_id
left join passbook.transactions as stored
  on stored.user_id = leg.user_id and stored.transaction_id = leg.linked_transaction_id
where leg.linked_transaction_id is not null
