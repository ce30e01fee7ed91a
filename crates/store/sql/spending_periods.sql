-- One user's expenses and refunds in the session's days, by period and currency, with the days they span.
-- $1 user id, $2 whether pending rows count, $3 whether excluded categories count,
-- $4 the period: month, week or day; null for none
select
  t.type, date_trunc($4, t.date::timestamp)::date as period, t.currency, count(*) as count,
  sum(t.amount_cents)::bigint as amount_cents, sum(t.converted_cents)::bigint as converted_cents,
  min(t.date) as first_counted, max(t.date) as last_counted
from passbook_read.counted_transactions(passbook_read.first_day(), passbook_read.last_day(), $2, $3) as t
where t.user_id = $1 and (t.type = 'EXPENSE' or t.category = 'REFUND')
group by t.type, date_trunc($4, t.date::timestamp), t.currency, t.converted_cents is null
