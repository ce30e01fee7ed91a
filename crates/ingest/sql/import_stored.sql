-- The stored transactions of files of a person, in the order of their identifiers.
-- $1 user id
select
  transaction_id, account_id, date, type, category, amount_cents, currency, pending, linked_transaction_id, title,
  provider_category, merchant_name
from passbook.transactions
where user_id = $1 and imported
order by transaction_id
