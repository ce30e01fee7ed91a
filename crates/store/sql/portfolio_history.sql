-- The value of everything that one user had on each day of the history, by currency. Returns no rows if the history
-- would have more points than the maximum.
-- $1 user id, $2 interval: auto, day, week or month, $3 maximum number of points
with worth as materialized (
  select w.day, w.is_point, w.currency, w.amount_cents, w.converted_cents
  from passbook_read.worth_on_days($2, $3) as w
  where w.user_id = $1
)
select
  w.day, w.is_point, w.currency, sum(w.amount_cents)::bigint as amount_cents,
  sum(w.converted_cents)::bigint as converted_cents,
  bool_or(w.currency is not null and w.amount_cents is null) as partial
from worth as w
group by w.day, w.is_point, w.currency, w.converted_cents is null
order by w.day, w.currency, partial
