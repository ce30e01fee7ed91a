-- E-mail addresses that belong to no stored person and to no new person of the input.
-- $1 e-mail addresses
select wanted.email
from unnest($1::text[]) as wanted (email)
where not exists (
    select from passbook.users as stored
    where lower(stored.email collate "und-x-icu") = lower(wanted.email collate "und-x-icu"))
  and not exists (
    select from pg_temp.load_users as given
    where lower(given.email collate "und-x-icu") = lower(wanted.email collate "und-x-icu")
      and not exists (select from passbook.users as stored where stored.user_id = given.user_id))
