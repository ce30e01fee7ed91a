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
  h.day, h.is_point, h.part_id, h.part_type, h.part_name, h.currency, sum(h.amount_cents)::bigint as amount_cents,
  sum(h.converted_cents)::bigint as converted_cents,
  bool_or(h.currency is not null and h.amount_cents is null) as partial
from history as h
group by h.day, h.is_point, h.part_id, h.part_type, h.part_name, h.currency, h.converted_cents is null
order by h.day, h.part_id, h.part_type, h.currency, partial
