-- One user's refunds in the session's days, by the category of the purchase they are linked to, and currency. The filter
-- by category selects purchases; the other filters select refunds. Without a search text the stored totals are read.
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 search text
with stored as (
  select t.category, t.currency, sum(t.transaction_count)::bigint as count, sum(t.cents)::bigint as cents
  from passbook_read.counted_totals(
    passbook_read.first_day(), passbook_read.last_day(), 'year', $2, $3, $4, $5, true) as t
  where t.user_id = $1 and t.kind = 'REFUND' and $6::text is null
  group by 1, 2
), found as (
  select purchase.category, t.currency, t.amount_cents, t.converted_cents
  from passbook_read.counted_transactions(
    passbook_read.first_day(), passbook_read.last_day(), $2, $3, null, $5, $6) as t
  join passbook_read.transactions as purchase
    on purchase.user_id = t.user_id and purchase.transaction_id = t.linked_transaction_id
  where t.user_id = $1 and t.category = 'REFUND' and purchase.type = 'EXPENSE' and $6::text is not null
    and (purchase.category = any ($4::text[]) or ($4 is null and ($3 or not purchase.excluded)))
)
select
  s.category, coalesce(nullif(s.currency, ''), people.preferred_currency) as currency, s.count, s.cents as amount_cents,
  case when s.currency = '' then s.cents end as converted_cents
from stored as s
join passbook_read.people as people on people.user_id = $1
union all
select f.category, f.currency, count(*), sum(f.amount_cents)::bigint, sum(f.converted_cents)::bigint
from found as f
group by f.category, f.currency, f.converted_cents is null
