-- One user's expenses in the session's days, in two parts: the largest merchants in order, by merchant and currency,
-- and the total by currency, with a null merchant. A merchant is identified by its key and shown in its most recent
-- spelling.
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 search text, $7 maximum number of merchants
with expenses as materialized (
  select
    t.merchant_key, t.merchant_name, t.date, t.transaction_id, t.currency, t.amount_cents, t.converted_cents
  from plain.counted_transactions(
    passbook_read.first_day(), passbook_read.last_day(), $2, $3, $4, $5, $6) as t
  where t.user_id = $1 and t.type = 'EXPENSE'
), merchants as (
  select
    e.merchant_key, coalesce(sum(e.converted_cents), 0) as total,
    passbook_read.trim_white_space(
      (array_agg(e.merchant_name order by e.date desc, e.transaction_id desc))[1]) as merchant
  from expenses as e
  where e.merchant_key is not null
  group by e.merchant_key
), largest as (
  select m.merchant_key, m.merchant, row_number() over (order by m.total desc, m.merchant collate "C") as place
  from merchants as m
  order by place
  limit $7
)
select
  l.place, l.merchant, e.currency, count(*) as count, sum(e.amount_cents)::bigint as amount_cents,
  sum(e.converted_cents)::bigint as converted_cents
from expenses as e
join largest as l using (merchant_key)
group by l.place, l.merchant, e.currency, e.converted_cents is null
union all
select
  null, null, e.currency, count(*), sum(e.amount_cents)::bigint, sum(e.converted_cents)::bigint
from expenses as e
group by e.currency, e.converted_cents is null
order by place
