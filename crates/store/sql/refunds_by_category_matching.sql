-- One user's refunds in the session's days that a search text matches, by the category of the purchase they are linked to,
-- and currency. The filter by category selects purchases; the other filters select refunds.
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 search text
select
  t.refunded_category as category, t.currency,
  count(*) as count, sum(t.amount_cents)::bigint as amount_cents,
  sum(t.converted_cents)::bigint as converted_cents
from passbook_read.counted_transactions(
  passbook_read.first_day(), passbook_read.last_day(), $2, $3, null, $5, $6) as t
where t.user_id = $1 and t.refunded_category is not null
  and passbook_read.is_included(t.refunded_category, $4, $3, exists (
    select from passbook_read.excluded_categories as excluded
    where excluded.user_id = t.user_id and excluded.category = t.refunded_category))
group by 1, 2, t.converted_cents is null
