-- One user's expenses and refunds in the session's days that a search text matches, by period and currency. The columns
-- first_counted and last_counted are the first and last day of the rows.
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 search text, $7 period: month, week or day; null for none
select
  t.type, date_trunc($7, t.date::timestamp)::date as period, t.currency,
  count(*) as count, sum(t.amount_cents)::bigint as amount_cents,
  sum(t.converted_cents)::bigint as converted_cents, min(t.date) as first_counted, max(t.date) as last_counted
from passbook_read.counted_transactions(
  passbook_read.first_day(), passbook_read.last_day(), $2, $3, $4, $5, $6) as t
where t.user_id = $1 and (t.type = 'EXPENSE' or t.category = 'REFUND')
group by 1, 2, 3, t.converted_cents is null
