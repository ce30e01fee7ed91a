-- The transactions of a person that fit, the newest first.
-- $1 user id, $2 a part of merchant or title in any case, or an empty text, $3 day or null, $4 cents with or without sign or
-- null, $5 limit, $6 the last characters of the identifier without hyphens or null, $7 true for imported ones only
select t.transaction_id, t.date::date, amounts.cents, t.currency::text,
  concat_ws(': ', t.merchant_name, t.title) as title, a.name::text as account
from passbook.transactions as t
join passbook.accounts as a on a.user_id = t.user_id and a.account_id = t.account_id
cross join lateral (
  select case when t.type = 'INCOME' or t.category = 'TRANSFER_IN' then t.amount_cents::bigint else -t.amount_cents::bigint end
    as cents) as amounts
where t.user_id = $1 and (t.imported or not $7)
  and strpos(lower(concat_ws(': ', t.merchant_name, t.title)), lower($2)) > 0
  and ($3::date is null or t.date = $3) and ($4::bigint is null or $4 in (amounts.cents, abs(amounts.cents)))
  and ($6::text is null or right(replace(t.transaction_id::text, '-', ''), length($6)) = $6)
order by t.date desc, t.transaction_id
limit $5
