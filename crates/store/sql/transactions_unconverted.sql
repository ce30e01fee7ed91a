-- The amounts of a list of one user's transactions that have no exchange rate, by type and currency.
-- $1 user id, $2 types, $3 categories, $4 accounts, $5 minimum amount, $6 maximum amount, $7 search text, $8 pending,
-- $9 own categories, $10 tags, $11 merchants
select
  t.user_id, t.type, t.currency, count(*) as count, sum(t.amount_cents)::bigint as amount_cents,
  null::bigint as converted_cents
from passbook_read.listed_transactions(
  passbook_read.first_day(), passbook_read.last_day(), $2, $3, $4, $5, $6, row($7, $9, $10, $11)::passbook_read.row_search, $8) as t
where t.user_id = $1 and t.converted_cents is null
group by t.user_id, t.type, t.currency
order by t.type collate "C", t.currency collate "C"
