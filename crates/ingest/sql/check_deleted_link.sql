-- Transactions to delete whose link would become wrong: another stored row links to the deleted row, or is the other leg
-- or the replaced pending row of the deleted row. The purchase of a deleted refund is right without the refund. Linked
-- rows that are deleted too do not count, nor rows that the input stores again.
-- $1 maximum number of rows
select
  deleted.place,
  'the transaction of ' || other.date || ' on account "' || accounts.name || '", "' || other.title || '"',
  count(*) over ()
from pg_temp.delete_transactions as deleted
join passbook.transactions as stored using (user_id, transaction_id)
join passbook.transactions as other
  on other.user_id = stored.user_id
  and (other.linked_transaction_id = stored.transaction_id
    or stored.category <> 'REFUND' and other.transaction_id = stored.linked_transaction_id)
join passbook.accounts on accounts.user_id = other.user_id and accounts.account_id = other.account_id
where not exists (
    select from pg_temp.delete_transactions as gone
    where gone.user_id = other.user_id and gone.transaction_id = other.transaction_id)
  and not exists (
    select from pg_temp.load_transactions as given
    where given.user_id = other.user_id and given.transaction_id = other.transaction_id)
order by deleted.position, other.date, other.transaction_id
limit $1
