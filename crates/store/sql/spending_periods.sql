-- One user's expenses and refunds in the session's days, by period and currency. The columns first_counted and last_counted
-- are the first and last counted day where the session's days are open, else the session's days. Without a search text the
-- stored totals are read: converted rows are one sum in the preferred currency.
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 search text, $7 period: month, week or day; null for none
with stored as (
  select
    t.kind as type, date_trunc($7, t.day::timestamp)::date as period, t.currency,
    sum(t.transaction_count)::bigint as count, sum(t.cents)::bigint as cents
  from passbook_read.counted_totals(
    passbook_read.first_day(), passbook_read.last_day(), passbook_read.longest_unit($7), $2, $3, $4, $5, false) as t
  where t.user_id = $1 and (t.kind = 'EXPENSE' or t.kind = 'INCOME' and t.category = 'REFUND') and $6::text is null
  -- The period first: it differs most, so that sorting compares few texts.
  group by 2, 1, 3
  having sum(t.transaction_count) <> 0
), found as (
  select
    t.type, t.date, date_trunc($7, t.date::timestamp)::date as period, t.currency, t.amount_cents, t.converted_cents
  from passbook_read.counted_transactions(
    passbook_read.first_day(), passbook_read.last_day(), $2, $3, $4, $5, $6) as t
  where t.user_id = $1 and (t.type = 'EXPENSE' or t.category = 'REFUND') and $6::text is not null
)
select
  s.type, s.period, coalesce(nullif(s.currency, ''), people.preferred_currency) as currency, s.count,
  s.cents as amount_cents, case when s.currency = '' then s.cents end as converted_cents,
  days.first_day as first_counted, days.last_day as last_counted
from stored as s
join passbook_read.people as people on people.user_id = $1
join passbook_read.counted_days(
  passbook_read.first_day(), passbook_read.last_day(), $2, $3, $4, $5, array['REFUND']) as days
  on days.user_id = people.user_id
union all
select
  f.type, f.period, f.currency, count(*), sum(f.amount_cents)::bigint, sum(f.converted_cents)::bigint,
  min(f.date), max(f.date)
from found as f
group by f.type, f.period, f.currency, f.converted_cents is null
