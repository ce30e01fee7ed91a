-- One page of a user's income, expenses or transfers without further filters, newest first. A variant has the oldest first.
-- $1 user id, $2 types, $3 date and $4 id of the row before the page, $5 maximum number of rows
select
  t.transaction_id, t.date, t.type, t.category, t.amount_cents, t.currency, t.title, t.pending,
  t.provider_category, t.merchant_name, t.account_id, t.linked_transaction_id, t.own_category_id, t.tag_ids, t.note,
  t.converted_cents
from passbook_read.transactions as t
where t.user_id = $1 and t.type = any ($2)
  and t.date between passbook_read.first_day() and passbook_read.last_day()
  and (t.date, t.transaction_id) < ($3, $4)
order by t.date desc, t.transaction_id desc
limit $5
