-- One user's expenses in the session's days: all of them by currency (merchant null), and those of the largest
-- merchants by merchant and currency, in order. One merchant is one key, shown in its most recent spelling.
-- $1 user id, $2 whether pending rows count, $3 whether excluded categories count, $4 merchants at most
with expenses as materialized (
  select
    t.merchant_key, t.currency, t.converted_cents is null as without_rate, count(*) as count,
    sum(t.amount_cents)::bigint as amount_cents, sum(t.converted_cents)::bigint as converted_cents,
    (array_agg(array[t.date::text, t.transaction_id::text, passbook_read.merchant_spelling(t.merchant_name)] order by t.date desc, t.transaction_id desc))[1:1]
      as newest
  from passbook_read.counted_transactions(
  passbook_read.first_day(), passbook_read.last_day(), $2, $3) as t
  where t.user_id = $1 and t.type = 'EXPENSE'
  group by t.merchant_key, t.currency, t.converted_cents is null
), merchants as (
  select
    e.merchant_key, coalesce(sum(e.converted_cents), 0) as total,
    (array_agg(e.newest[1][3] order by e.newest[1][1] desc, e.newest[1][2] desc))[1] as merchant
  from expenses as e
  where e.merchant_key is not null
  group by e.merchant_key
), largest as (
  select m.merchant_key, m.merchant, row_number() over (order by m.total desc, m.merchant collate "C") as place
  from merchants as m
  order by place
  limit $4
)
select
  null::bigint as place, null::text as merchant, e.currency, sum(e.count)::bigint as count,
  sum(e.amount_cents)::bigint as amount_cents, sum(e.converted_cents)::bigint as converted_cents
from expenses as e
group by e.currency, e.without_rate
union all
select l.place, l.merchant, e.currency, e.count, e.amount_cents, e.converted_cents
from largest as l join expenses as e using (merchant_key)
order by place
