-- The labels of each transaction: the own category of the rule, else of the line; the tags of both; the note of the line.
-- $1 user id, $2 numbers of rules and $3 their tags, one for each pair, $4 maximum number of tags
insert into pg_temp.given_labels (user_id, transaction_id, own_category_id, note, tags, tag_ids)
select $1, rows.transaction_id, coalesce(of_rule.own_category_id, of_line.own_category_id), lines.note, given.names, given.ids
from pg_temp.labelled_rows as rows
left join lateral (
  select stored.own_parent, stored.own_category, stored.tags, stored.note from passbook.import_lines as stored
  where stored.user_id = $1 and stored.file_id = rows.file_id and stored.statement = rows.statement
    and stored.position = rows.position
  offset 0) as lines on true
left join pg_temp.named_categories as of_line on of_line.rule is null and of_line.name = lines.own_category
  and of_line.parent is not distinct from lines.own_parent
left join pg_temp.named_categories as of_rule on of_rule.rule = rows.rule
cross join lateral (
  select coalesce(array_agg(named.name order by found.place), '{}') as names,
    coalesce(array_agg(named.tag_id order by found.place), '{}') as ids
  from (
    select of_any.name, min(of_any.place) as place
    from (
      select line_tags.name, line_tags.place from unnest(lines.tags) with ordinality as line_tags (name, place)
      union all
      select rule_tags.name, $4 + rule_tags.place
      from unnest($2::integer[], $3::text[]) with ordinality as rule_tags (rule, name, place)
      where rule_tags.rule = rows.rule) as of_any
    group by of_any.name
    order by min(of_any.place)
    limit $4) as found
  join pg_temp.named_tags as named on named.name = found.name
  where named.is_new or exists (
    select from passbook.tags as known where known.user_id = $1 and (known.tag_id = named.tag_id
      or known.search_name = passbook_read.search_text(passbook_read.trim_white_space(named.name))))) as given
