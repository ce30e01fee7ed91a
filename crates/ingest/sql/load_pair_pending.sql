-- Pairs the pending transactions for which something is set by hand with the posted ones that the input stored for them.
create temp table label_moves on commit drop as
select matches.user_id, matches.pending_id as old_id, matches.transaction_id as new_id
from pg_temp.load_transactions as given
join passbook.pending_matches as matches
  on matches.user_id = given.user_id and matches.transaction_id = given.transaction_id
where given.linked_transaction_id is not null and (exists (
    select from passbook.transaction_labels as old
    where old.user_id = matches.user_id and old.transaction_id = matches.pending_id
      and (old.is_own_category_by_hand or old.is_note_by_hand))
  or exists (
    select from passbook.transaction_tags as old
    where old.user_id = matches.user_id and old.transaction_id = matches.pending_id and old.by_hand is not null))
