-- Stores a tag unless there is one with the name, and returns its identifier. A tag that had this name before keeps the
-- identifier that is derived from it.
-- $1 user id, $2 identifier derived from the name, $3 name
with added as (
  insert into passbook.tags (user_id, tag_id, name)
  select $1, case when exists (select from passbook.tags where user_id = $1 and tag_id = $2)
    then gen_random_uuid() else $2 end, $3::text
  on conflict (user_id, search_name) do nothing
  returning tag_id
)
select tag_id from added
union all
select tag_id from passbook.tags
where user_id = $1 and search_name = passbook_read.search_text(passbook_read.trim_white_space($3::text))
