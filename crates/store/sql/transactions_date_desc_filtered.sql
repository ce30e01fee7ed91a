-- One page of a user's transactions that match filters, newest first. A variant has the oldest first. The index
-- `transactions_newest` contains all columns that the filters need, so only the rows of the page are read from the table.
-- $1 user id, $2 types, $3 categories, $4 accounts, $5 minimum amount, $6 maximum amount, $7 search text, $8 pending,
-- $9 own categories, $10 tags, $11 merchants, $12 date and $13 id of the row before the page, $14 maximum number of rows
with found as materialized (
  select t.date, t.transaction_id
  from passbook_read.listed_transactions(
    passbook_read.first_day(), passbook_read.last_day(), $2, $3, $4, $5, $6,
    row($7, $9, $10, $11)::passbook_read.row_search, $8) as t
  where t.user_id = $1
    and (t.date, t.transaction_id) < ($12, $13)
  order by t.date desc, t.transaction_id desc
  limit $14
)
select
  t.transaction_id, t.date, t.type, t.category, t.amount_cents, t.currency, t.title, t.pending,
  t.provider_category, t.merchant_name, t.account_id, t.linked_transaction_id, t.own_category_id, t.tag_ids, t.note,
  t.converted_cents
from found
join passbook_read.transactions as t on t.user_id = $1 and t.transaction_id = found.transaction_id
order by found.date desc, found.transaction_id desc
