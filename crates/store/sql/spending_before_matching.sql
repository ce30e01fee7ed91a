-- One user's expenses that a search text matches, in the period of equal length directly before the session's days, by
-- currency. Returns no rows for an open range.
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 search text
select
  t.currency, count(*) as count, sum(t.amount_cents)::bigint as amount_cents,
  sum(t.converted_cents)::bigint as converted_cents
from passbook_read.counted_transactions(
  passbook_read.previous_first_day(), passbook_read.previous_last_day(), $2, $3, $4, $5, $6) as t
where t.user_id = $1 and t.type = 'EXPENSE'
group by t.currency, t.converted_cents is null
