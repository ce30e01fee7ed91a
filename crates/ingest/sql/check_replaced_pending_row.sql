-- Posted transfers whose link names a pending row of the same account, which cannot be the other leg.
-- $1 maximum number of rows
select place, null::text, count(*) over ()
from pg_temp.load_links
where type = 'INTERNAL_TRANSFER' and not pending and other_account_id = account_id and other_pending
order by position
limit $1
