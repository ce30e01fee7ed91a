-- Gives what the person set by hand for transactions that a move removed to the equal ones that it stored.
-- $1 user id, $2 id of the account that got the statements
with pairs as (
  select gone.transaction_id as old_id, new.transaction_id as new_id
  from (
    select before.*, row_number() over (
      partition by before.date, before.amount_cents, before.currency, before.title order by before.transaction_id) as number
    from pg_temp.rows_before_move as before
    where not exists (
      select from passbook.transactions as t where t.user_id = $1 and t.transaction_id = before.transaction_id)) as gone
  join (
    select t.*, row_number() over (
      partition by t.date, t.amount_cents, t.currency, t.title order by t.transaction_id) as number
    from passbook.transactions as t
    where t.user_id = $1 and t.account_id = $2 and not exists (
      select from pg_temp.rows_before_move as before where before.transaction_id = t.transaction_id)) as new
    on new.date = gone.date and new.amount_cents = gone.amount_cents and new.currency = gone.currency
      and new.title = gone.title and new.number = gone.number
), tags as (
  insert into passbook.transaction_tags as stored (user_id, transaction_id, tag_id, is_given, by_hand)
  select $1, pairs.new_id, old.tag_id, false, old.by_hand
  from pairs join passbook.transaction_tags as old on old.user_id = $1 and old.transaction_id = pairs.old_id
  where old.by_hand is not null
  on conflict (user_id, transaction_id, tag_id) do update set by_hand = excluded.by_hand
), old_tags as (
  delete from passbook.transaction_tags as old using pairs
  where old.user_id = $1 and old.transaction_id = pairs.old_id
), old_labels as (
  delete from passbook.transaction_labels as old using pairs
  where old.user_id = $1 and old.transaction_id = pairs.old_id
)
insert into passbook.transaction_labels as stored (
  user_id, transaction_id, is_own_category_by_hand, own_category_id, is_note_by_hand, note)
select $1, pairs.new_id, old.is_own_category_by_hand, old.own_category_id, old.is_note_by_hand, old.note
from pairs join passbook.transaction_labels as old on old.user_id = $1 and old.transaction_id = pairs.old_id
where old.is_own_category_by_hand or old.is_note_by_hand
on conflict (user_id, transaction_id) do update set
  is_own_category_by_hand = excluded.is_own_category_by_hand, own_category_id = excluded.own_category_id,
  is_note_by_hand = excluded.is_note_by_hand, note = excluded.note
