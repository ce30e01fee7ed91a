-- Returns true if the source gives a label, or if a label of these people is stored.
select exists (select from pg_temp.given_rows where own_category_id is not null or note is not null or tags <> '{}')
  or exists (
    select from (select distinct user_id from pg_temp.given_rows) as people
    where exists (select from passbook.transaction_labels as labels where labels.user_id = people.user_id)
      or exists (select from passbook.transaction_tags as tags where tags.user_id = people.user_id))
