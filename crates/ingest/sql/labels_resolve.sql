-- Adds the tags that a source gives and that are not stored, and replaces the identifiers of all tags by those of the stored
-- ones: `given_rows` has tags (names) and tag_ids (derived from these names, in the same order). A tag is found by its
-- identifier, so that a new name stays, and else by its name.
insert into passbook.tags (user_id, tag_id, name)
select distinct on (given.user_id, passbook_read.search_text(passbook_read.trim_white_space(named.name)))
  given.user_id, named.id, passbook_read.trim_white_space(named.name)
from pg_temp.given_rows as given
cross join unnest(given.tags, given.tag_ids) as named (name, id)
where not exists (
  select from passbook.tags as known where known.user_id = given.user_id and (known.tag_id = named.id
    or known.search_name = passbook_read.search_text(passbook_read.trim_white_space(named.name))))
order by given.user_id, passbook_read.search_text(passbook_read.trim_white_space(named.name)), named.id;

update pg_temp.given_rows as given set tag_ids = array(
  select distinct coalesce(
    (select known.tag_id from passbook.tags as known where known.user_id = given.user_id and known.tag_id = named.id),
    (
      select known.tag_id from passbook.tags as known where known.user_id = given.user_id
        and known.search_name = passbook_read.search_text(passbook_read.trim_white_space(named.name))))
  from unnest(given.tags, given.tag_ids) as named (name, id))
where given.tags <> '{}';
