-- Users whose time zone PostgreSQL does not know by an IANA name. Abbreviations and offsets, which it would
-- also accept, are refused: they do not follow daylight saving.
-- $1 number of rows wanted
select staged.place, staged.time_zone, count(*) over ()
from pg_temp.load_users as staged
where staged.time_zone not in (select zones.name from pg_catalog.pg_timezone_names as zones)
order by staged.position
limit $1
