-- One page of a user's transactions, oldest first.
-- $1 user id, $2 types, $3 categories, $4 accounts, $5 minimum amount, $6 maximum amount, $7 search text, $8 pending,
-- $9 date and $10 id of the row before the page (null on the first page), $11 maximum number of rows
select
  t.transaction_id, t.date, t.type, t.category, t.amount_cents, t.currency, t.title, t.pending,
  t.provider_category, t.merchant_name, t.account_id, t.account_name, t.bank_name, t.linked_transaction_id,
  t.preferred_currency, t.converted_cents
from passbook_read.listed_transactions($2, $3, $4, $5, $6, $7, $8) as t
where t.user_id = $1
  and (t.date, t.transaction_id) > (coalesce($9, '-infinity'::date), coalesce($10, '00000000-0000-0000-0000-000000000000'::uuid))
order by t.date, t.transaction_id
limit $11
