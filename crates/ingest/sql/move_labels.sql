-- Gives what the person set by hand for transactions to those that took their places: `pg_temp.label_moves` has user_id, old_id
-- and new_id. What was set by hand for the latter stays.
insert into passbook.transaction_labels as stored (
  user_id, transaction_id, is_own_category_by_hand, own_category_id, is_note_by_hand, note)
select old.user_id, moves.new_id, old.is_own_category_by_hand, old.own_category_id, old.is_note_by_hand, old.note
from pg_temp.label_moves as moves
join passbook.transaction_labels as old on old.user_id = moves.user_id and old.transaction_id = moves.old_id
where old.is_own_category_by_hand or old.is_note_by_hand
on conflict (user_id, transaction_id) do update set
  is_own_category_by_hand = excluded.is_own_category_by_hand, own_category_id = excluded.own_category_id,
  is_note_by_hand = excluded.is_note_by_hand, note = excluded.note
where not stored.is_own_category_by_hand and not stored.is_note_by_hand;

insert into passbook.transaction_tags as stored (user_id, transaction_id, tag_id, is_given, by_hand)
select old.user_id, moves.new_id, old.tag_id, false, old.by_hand
from pg_temp.label_moves as moves
join passbook.transaction_tags as old on old.user_id = moves.user_id and old.transaction_id = moves.old_id
where old.by_hand is not null
on conflict (user_id, transaction_id, tag_id) do update set by_hand = coalesce(stored.by_hand, excluded.by_hand);

update passbook.transaction_labels as old
set is_own_category_by_hand = false, own_category_id = null, is_note_by_hand = false, note = null
from pg_temp.label_moves as moves
where old.user_id = moves.user_id and old.transaction_id = moves.old_id
  and (old.is_own_category_by_hand or old.is_note_by_hand);

delete from passbook.transaction_labels as old using pg_temp.label_moves as moves
where old.user_id = moves.user_id and old.transaction_id = moves.old_id
  and old.given_own_category_id is null and old.given_note is null;

delete from passbook.transaction_tags as old using pg_temp.label_moves as moves
where old.user_id = moves.user_id and old.transaction_id = moves.old_id and not old.is_given;

update passbook.transaction_tags as old set by_hand = null
from pg_temp.label_moves as moves
where old.user_id = moves.user_id and old.transaction_id = moves.old_id and old.by_hand is not null;
