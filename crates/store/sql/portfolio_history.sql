-- The value of everything that one user had on each day of the history, by part and currency. A part is an account or
-- wallet, a type, or null for everything. Returns no rows if the history would have more points than the maximum.
-- $1 user id, $2 interval: auto, day, week or month, $3 maximum number of points, $4 parts: total, account or type
with history as materialized (
  select
    w.day, w.is_point, w.currency, w.amount_cents, w.converted_cents,
    case when $4 = 'account' then w.part_id end as part_id,
    case when $4 = 'type' then w.part_type end as part_type,
    case when $4 = 'account' then w.part_name end as part_name
  from passbook_read.daily_net_worth($2, $3) as w
  where w.user_id = $1
)
select
  w.day, w.is_point, w.part_id, w.part_type, w.part_name, w.currency, sum(w.amount_cents)::bigint as amount_cents,
  sum(w.converted_cents)::bigint as converted_cents,
  bool_or(w.currency is not null and w.amount_cents is null) as partial
from history as w
group by w.day, w.is_point, w.part_id, w.part_type, w.part_name, w.currency, w.converted_cents is null
order by w.day, w.part_id, w.part_type, w.currency, partial
