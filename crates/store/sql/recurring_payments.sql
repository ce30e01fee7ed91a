-- One user's income and expenses of so many months up to a day, each also in the preferred currency at that day's rates.
-- $1 user id, $2 the day (null for the user's today), $3 months
with asked as (
  select coalesce($2::date, people.today) as day
  from passbook_read.people as people
  where people.user_id = $1
)
select
  t.transaction_id, t.date, t.type, t.category, t.amount_cents, t.currency, t.title, t.merchant_name, t.account_name,
  passbook_read.convert_on(t.amount_cents, t.currency, t.preferred_currency, asked.day) as converted_cents
from asked
join passbook_read.transactions as t
  on t.date > (asked.day - make_interval(months => $3))::date and t.date <= asked.day
where t.user_id = $1 and t.type <> 'INTERNAL_TRANSFER'
order by t.date, t.transaction_id
