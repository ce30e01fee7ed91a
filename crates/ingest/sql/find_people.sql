-- Lists every person of the input or of the database, with the permission to write rows of the person.
-- $1 e-mail addresses of the people whose rows may be written; if empty, the people who are not stored yet
insert into pg_temp.load_people (user_id, email, is_stored, is_permitted)
select person.user_id, person.email, person.is_stored,
       case when cardinality($1::text[]) = 0 then not person.is_stored
            else exists (
              select from unnest($1::text[]) as wanted (email)
              where lower(wanted.email collate "und-x-icu") = lower(person.email collate "und-x-icu"))
       end
from (
    select stored.user_id, stored.email, true as is_stored
    from passbook.users as stored
    union all
    select distinct on (given.user_id) given.user_id, given.email, false
    from pg_temp.load_users as given
    where not exists (select from passbook.users as stored where stored.user_id = given.user_id)
) as person
