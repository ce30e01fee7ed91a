-- Stores the labels that a source gives: `given_rows` has one row for each transaction, with user_id, transaction_id,
-- own_category_id, note and tag_ids. What the person set by hand stays.
merge into passbook.transaction_labels as stored
using pg_temp.given_rows as given on stored.user_id = given.user_id and stored.transaction_id = given.transaction_id
when matched and (stored.given_own_category_id, stored.given_note) is distinct from (given.own_category_id, given.note)
  then update set given_own_category_id = given.own_category_id, given_note = given.note
when not matched and (given.own_category_id is not null or given.note is not null)
  then insert (user_id, transaction_id, given_own_category_id, given_note)
    values (given.user_id, given.transaction_id, given.own_category_id, given.note);

delete from passbook.transaction_tags as stored using pg_temp.given_rows as given
where stored.user_id = given.user_id and stored.transaction_id = given.transaction_id and stored.by_hand is null
  and stored.tag_id <> all (given.tag_ids);

merge into passbook.transaction_tags as stored
using (
  select given.user_id, given.transaction_id, tag_id, true as is_given
  from pg_temp.given_rows as given cross join unnest(given.tag_ids) as tag_id
  union all
  select other.user_id, other.transaction_id, other.tag_id, false
  from passbook.transaction_tags as other
  join pg_temp.given_rows as given on other.user_id = given.user_id and other.transaction_id = given.transaction_id
  where other.is_given and other.tag_id <> all (given.tag_ids)) as wanted
on stored.user_id = wanted.user_id and stored.transaction_id = wanted.transaction_id and stored.tag_id = wanted.tag_id
when matched and stored.is_given <> wanted.is_given then update set is_given = wanted.is_given
when not matched then insert (user_id, transaction_id, tag_id, is_given)
  values (wanted.user_id, wanted.transaction_id, wanted.tag_id, true);
