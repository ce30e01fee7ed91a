-- The tags that the lines of a person name, with true if a new file names it.
-- $1 user id, $2 new files
select name, bool_or(file_id = any ($2)) as is_new
from passbook.import_lines cross join unnest(tags) as name
where user_id = $1
group by name
order by name
