-- Users whose time zone is not an IANA name known to PostgreSQL. Abbreviations and offsets, which PostgreSQL also
-- accepts, are rejected because they ignore daylight saving.
-- $1 maximum number of rows
select staged.place, staged.time_zone, count(*) over ()
from pg_temp.load_users as staged
where staged.time_zone not in (select zones.name from pg_catalog.pg_timezone_names as zones)
order by staged.position
limit $1
