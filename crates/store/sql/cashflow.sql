-- One user's income and expenses in the session's days, by type and currency.
-- $1 user id, $2 whether pending rows count, $3 whether excluded categories count
select
  t.type, t.currency, count(*) as count, sum(t.amount_cents)::bigint as amount_cents,
  sum(t.converted_cents)::bigint as converted_cents
from passbook_read.counted_transactions(passbook_read.first_day(), passbook_read.last_day(), $2, $3) as t
where t.user_id = $1
group by t.type, t.currency, t.converted_cents is null
