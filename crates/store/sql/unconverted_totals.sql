-- The amounts of a list of one user's income and expenses that have no exchange rate, by type and currency, from stored totals.
-- $1 user id, $2 types, $3 categories, $4 accounts
select s.measure as type, s.currency, sum(s.count)::bigint as count, sum(s.amount_cents)::bigint as amount_cents,
  null::bigint as converted_cents
from passbook_read.counted_sums(
  passbook_read.first_day(), passbook_read.last_day(), null, true, true, $3, $4, null, 'total') as s
where s.user_id = $1 and s.measure = any ($2) and s.converted_cents is null and s.count <> 0
group by s.measure, s.currency
order by s.measure collate "C", s.currency collate "C"
