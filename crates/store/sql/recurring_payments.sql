-- One user's income and expenses in the months up to a day. Each amount is also converted to the preferred currency at
-- the rate of that day, which is looked up once per currency. The rows are in no order: the detection sorts them.
-- $1 user id, $2 day (null for the user's today), $3 number of months
with span as materialized (
  select
    coalesce($2::date, profile.today) as last_day,
    (coalesce($2::date, profile.today) - make_interval(months => $3))::date as day_before, profile.preferred_currency
  from passbook_read.current_user_profile as profile
  where profile.user_id = $1
), payments as materialized (
  select
    t.transaction_id, t.date, t.type, t.category, t.amount_cents, t.currency, t.title, t.merchant_name, t.account_id
  from passbook_read.transactions as t
  where t.user_id = $1 and t.type <> 'INTERNAL_TRANSFER'
    and t.date > (select min(span.day_before) from span) and t.date <= (select max(span.last_day) from span)
  -- One row more than `ANALYSED_PAYMENTS_MAX` in `crates/domain`. A parameter would hide the number from the planner.
  limit 250001
), rates as materialized (
  select used.currency, passbook_read.rate_on(used.currency, span.last_day) as rate
  from (
    select payments.currency from payments
    union
    select span.preferred_currency from span) as used
  cross join span
)
select
  p.transaction_id, p.date, p.type, p.category, p.amount_cents, p.currency, p.title, p.merchant_name, p.account_id,
  passbook_read.convert_at(p.amount_cents, p.currency, rates.rate, span.preferred_currency, preferred.rate)
    as converted_cents
from payments as p
cross join span
join rates on rates.currency = p.currency
join rates as preferred on preferred.currency = span.preferred_currency
