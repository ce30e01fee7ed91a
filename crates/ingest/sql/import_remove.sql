-- Removes the marked transactions.
delete from passbook.transactions as stored
using pg_temp.removed_transactions as removed
where stored.user_id = removed.user_id and stored.transaction_id = removed.transaction_id
