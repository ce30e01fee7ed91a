-- Users whose time zone is not an IANA name known to PostgreSQL.
-- $1 maximum number of rows
select staged.place, staged.time_zone, count(*) over ()
from pg_temp.load_users as staged
where staged.time_zone not in (select zones.name from passbook.time_zones as zones)
order by staged.position
limit $1
