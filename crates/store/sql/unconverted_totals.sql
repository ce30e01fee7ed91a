-- The income and expenses of one user without an exchange rate in the session's days, by type and currency, from stored totals.
-- $1 user id, $2 types
select t.user_id, t.measure as type, t.unconverted_currency as currency, sum(t.transaction_count)::bigint as count,
  sum(t.cents)::bigint as amount_cents, null::bigint as converted_cents
from passbook_read.split_range(passbook_read.first_day(), passbook_read.last_day(), 'year') as spans
cross join unnest($2::text[]) as types (measure)
cross join lateral (
  -- "offset 0" makes PostgreSQL look up each type in the index.
  select t.user_id, t.measure, t.unconverted_currency, t.transaction_count, t.cents
  from passbook_read.category_totals as t
  where t.user_id = $1 and t.period = spans.period and t.measure = types.measure and t.category = 'ALL'
    and t.period_start between spans.first_day and spans.last_day and t.unconverted_currency <> ''
  offset 0) as t
group by t.user_id, t.measure, t.unconverted_currency
order by t.measure collate "C", t.unconverted_currency collate "C"
