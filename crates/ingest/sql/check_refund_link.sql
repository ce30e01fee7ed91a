-- Refunds whose link does not name an expense.
-- $1 maximum number of rows
select place, null::text, count(*) over ()
from pg_temp.load_links
where category = 'REFUND' and other_type <> 'EXPENSE'
order by position
limit $1
