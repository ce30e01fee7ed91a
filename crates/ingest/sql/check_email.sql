-- Users with the e-mail address of another user, stored or earlier in the input.
-- $1 maximum number of rows
select staged.place, staged.email, count(*) over ()
from pg_temp.load_users as staged
where exists (
    select from passbook.users as other
    where lower(other.email collate "und-x-icu") = lower(staged.email collate "und-x-icu")
      and other.user_id <> staged.user_id)
  or exists (
    select from pg_temp.load_users as other
    where lower(other.email collate "und-x-icu") = lower(staged.email collate "und-x-icu")
      and other.user_id <> staged.user_id and other.position < staged.position)
order by staged.position
limit $1
