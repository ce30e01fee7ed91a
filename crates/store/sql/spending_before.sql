-- One user's expenses in the same number of days directly before the session's, by currency; none for an open
-- range.
-- $1 user id, $2 whether pending rows count, $3 whether excluded categories count
select
  t.currency, count(*) as count, sum(t.amount_cents)::bigint as amount_cents,
  sum(t.converted_cents)::bigint as converted_cents
from passbook_read.counted_transactions(
  passbook_read.previous_first_day(), passbook_read.previous_last_day(), $2, $3) as t
where t.user_id = $1 and t.type = 'EXPENSE'
group by t.currency, t.converted_cents is null
