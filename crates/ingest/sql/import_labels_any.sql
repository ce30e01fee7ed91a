-- Returns true if files or rules gave the person an own category, a tag or a note.
-- $1 user id
select exists (
    select from passbook.transaction_labels
    where user_id = $1 and (given_own_category_id is not null or given_note is not null))
  or exists (select from passbook.transaction_tags where user_id = $1 and is_given)
