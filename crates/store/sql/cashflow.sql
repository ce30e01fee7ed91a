-- One user's income and expenses in the session's days, by type, category (null for expenses), period and currency. The
-- columns first_counted and last_counted are the first and last counted day where the session's days are open, else the
-- session's days. Without a search text the stored totals are read: converted rows are one sum in the preferred currency.
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 search text, $7 period: month; null for none
with stored as (
  select
    t.kind as type, case when t.kind = 'INCOME' then t.category end as category,
    date_trunc($7, t.day::timestamp)::date as period, t.currency,
    sum(t.transaction_count)::bigint as count, sum(t.cents)::bigint as cents
  from passbook_read.counted_totals(
    passbook_read.first_day(), passbook_read.last_day(), passbook_read.longest_unit($7), $2, $3, $4, $5, false) as t
  where t.user_id = $1 and t.kind <> 'REFUND' and $6::text is null
  -- The period first: it differs most, so that sorting compares few texts.
  group by 3, 2, 1, 4
  having sum(t.transaction_count) <> 0
), found as (
  select
    t.type, case when t.type = 'INCOME' then t.category end as category, t.date,
    date_trunc($7, t.date::timestamp)::date as period, t.currency, t.amount_cents, t.converted_cents
  from passbook_read.counted_transactions(
    passbook_read.first_day(), passbook_read.last_day(), $2, $3, $4, $5, $6) as t
  where t.user_id = $1 and $6::text is not null
)
select
  s.type, s.category, s.period, coalesce(nullif(s.currency, ''), people.preferred_currency) as currency, s.count,
  s.cents as amount_cents, case when s.currency = '' then s.cents end as converted_cents,
  days.first_day as first_counted, days.last_day as last_counted
from stored as s
join passbook_read.people as people on people.user_id = $1
join passbook_read.counted_days(
  passbook_read.first_day(), passbook_read.last_day(), $2, $3, $4, $5, null) as days
  on days.user_id = people.user_id
union all
select
  f.type, f.category, f.period, f.currency, count(*), sum(f.amount_cents)::bigint, sum(f.converted_cents)::bigint,
  min(f.date), max(f.date)
from found as f
group by f.type, f.category, f.period, f.currency, f.converted_cents is null
