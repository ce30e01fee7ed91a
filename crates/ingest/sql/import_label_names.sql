-- The own categories that the lines of a person name, with a category in the words of the app, the sum, and true if a new file
-- names it.
-- $1 user id, $2 new files
select own_parent::text, own_category::text, min(coalesce(category, own_category))::text as category, sum(amount_cents)::bigint as cents,
  bool_or(file_id = any ($2)) as is_new
from passbook.import_lines
where user_id = $1 and own_category is not null
group by own_parent, own_category
order by own_parent nulls first, own_category
