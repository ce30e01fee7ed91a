-- A bundle with the transactions of a person in the order of the days, one on each line.
-- Variable of psql: email.
\echo '{"format":"passbook-bundle","version":1,"transactions":['
select
  case when row_number() over newest = 1 then '' else ',' end
  || json_strip_nulls(json_build_object(
    'user', t.user_id, 'id', t.transaction_id, 'account', t.account_id, 'date', t.date, 'type', t.type,
    'category', t.category, 'amount_cents', t.amount_cents, 'currency', t.currency, 'title', t.title,
    'pending', t.pending, 'provider_category', t.provider_category, 'merchant_name', t.merchant_name,
    'linked_transaction', t.linked_transaction_id,
    'counterpart_outside', case when t.type = 'INTERNAL_TRANSFER' and t.linked_transaction_id is null then true end))
from passbook.transactions as t
join passbook.users as u on u.user_id = t.user_id
where u.email = :'email'
window newest as (order by t.date, t.transaction_id)
order by t.date, t.transaction_id;
\echo ']}'
