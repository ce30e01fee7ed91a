-- One user's refunds in the session's days, by the category of the purchase they are linked to, and currency. The filter
-- by category selects purchases; the other filters select refunds.
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 categories, $5 accounts,
-- $6 search text
select
  purchase.category, t.currency, count(*) as count, sum(t.amount_cents)::bigint as amount_cents,
  sum(t.converted_cents)::bigint as converted_cents
from plain.counted_transactions(
  passbook_read.first_day(), passbook_read.last_day(), $2, $3, null, $5, $6) as t
join plain.transactions as purchase
  on purchase.user_id = t.user_id and purchase.transaction_id = t.linked_transaction_id
where t.user_id = $1 and t.category = 'REFUND' and purchase.type = 'EXPENSE'
  and (purchase.category = any ($4::text[]) or ($4 is null and ($3 or not purchase.excluded)))
group by purchase.category, t.currency, t.converted_cents is null
