-- The transactions of a person's files with their categories: id, day, amount from the side of the account, currency,
-- title, category.
-- $1 user id
select
  transaction_id, date, case category_kind when 'income' then amount_cents else -amount_cents end, currency, title,
  case when type = 'INTERNAL_TRANSFER' then 'INTERNAL_TRANSFER ' || category else category end
from passbook.transactions
where user_id = $1 and imported
