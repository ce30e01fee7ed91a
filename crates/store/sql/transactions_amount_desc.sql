-- One page of a user's transactions, ordered by amount in the preferred currency descending; rows without a rate last.
-- $1 user id, $2 types, $3 categories, $4 accounts, $5 minimum amount, $6 maximum amount, $7 search text, $8 pending,
-- $9 date and $10 id of the row before the page (null on the first page), $11 maximum number of rows
with anchor as (
  select a.converted_cents, a.date, a.transaction_id
  from passbook_read.transactions as a
  where a.user_id = $1 and a.transaction_id = $10 and a.date = $9
)
select
  t.transaction_id, t.date, t.type, t.category, t.amount_cents, t.currency, t.title, t.pending,
  t.provider_category, t.merchant_name, t.account_id, t.account_name, t.bank_name, t.linked_transaction_id,
  t.preferred_currency, t.converted_cents
from passbook_read.listed_transactions($2, $3, $4, $5, $6, $7, $8) as t
left join anchor on true
where t.user_id = $1
  and (
    $10::uuid is null
    or t.converted_cents < anchor.converted_cents
    or (t.converted_cents is null and anchor.converted_cents is not null)
    or (t.converted_cents is not distinct from anchor.converted_cents
      and (t.date, t.transaction_id) < (anchor.date, anchor.transaction_id)))
order by t.converted_cents desc nulls last, t.date desc, t.transaction_id desc
limit $11
