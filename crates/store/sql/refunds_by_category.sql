-- One user's refunds in the session's days, by the category of their purchase (null without one) and currency. The filters
-- select purchases; range and pending select refunds.
-- A variant without the search text reads stored totals if all accounts count (`crates/store/src/query.rs`).
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 search text
select
  t.category, coalesce(nullif(t.unconverted_currency, ''), profile.preferred_currency) as currency,
  t.transaction_count as count, t.cents::bigint as amount_cents,
  case when t.unconverted_currency = '' then t.cents::bigint end as converted_cents
from passbook_read.refund_totals(passbook_read.first_day(), passbook_read.last_day(), $2, $3, $4, $5, $6) as t
join passbook_read.current_user_profile as profile on profile.user_id = t.user_id
where t.user_id = $1
