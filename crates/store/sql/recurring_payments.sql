-- One user's income and expenses in the months up to a day. Each amount is also converted to the preferred currency at
-- the rate of that day.
-- $1 user id, $2 day (null for the user's today), $3 number of months
with until as (
  select coalesce($2::date, people.today) as day
  from passbook_read.people as people
  where people.user_id = $1
)
select
  t.transaction_id, t.date, t.type, t.category, t.amount_cents, t.currency, t.title, t.merchant_name, t.account_name,
  passbook_read.convert_on(t.amount_cents, t.currency, t.preferred_currency, until.day) as converted_cents
from until
join passbook_read.transactions as t
  on t.date > (until.day - make_interval(months => $3))::date and t.date <= until.day
where t.user_id = $1 and t.type <> 'INTERNAL_TRANSFER'
order by t.date, t.transaction_id
