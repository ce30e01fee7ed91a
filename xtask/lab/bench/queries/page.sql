-- The bare query of a page: the columns of the payload of the newest 51 transactions of a person, one more than the page
-- shows. Sent by the superuser, to whom row-level security does not apply.
-- Variable of pgbench: user.
select
  t.transaction_id, t.date, t.type, t.category, t.amount_cents, t.currency, t.title, t.pending, t.provider_category,
  t.merchant_name, t.account_id, a.name as account_name, b.name as bank_name, t.linked_transaction_id
from passbook.transactions as t
left join passbook.accounts as a on a.user_id = t.user_id and a.account_id = t.account_id
left join passbook.bank_connections as b on b.user_id = a.user_id and b.bank_id = a.bank_id
where t.user_id = :user and t.type in ('INCOME', 'EXPENSE')
order by t.date desc, t.transaction_id desc
limit 51;
