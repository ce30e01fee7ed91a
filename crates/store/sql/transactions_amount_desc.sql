-- One page of a user's transactions, ordered by amount in the preferred currency, the largest first; rows without a rate last.
-- A variant has the smallest first, by other directions, comparisons and ends (`crates/store/src/query.rs`).
-- The page has two parts: rows with an amount, which an index orders, and rows without one. With a search text all rows that
-- contain it are found and then ordered. Indexes contain all columns that the filters need, so only the rows of the page are
-- read from the table. A part that is not needed has the limit 0: PostgreSQL then leaves out joins, but not with a condition.
-- $1 user id, $2 types, $3 categories, $4 accounts, $5 minimum amount, $6 maximum amount, $7 search text, $8 pending,
-- $9 own categories, $10 tags, $11 merchants, $12 date and $13 id of the row before the page (null on the first page),
-- $14 maximum number of rows
with anchor as materialized (
  select a.converted_cents, a.date, a.transaction_id
  from passbook_read.transactions as a
  where a.user_id = $1 and a.transaction_id = $13 and a.date = $12
), bound as materialized (
  -- The position after which the part with amounts starts. No amount lies after the anchor if the anchor has none.
  select
    case when $13::uuid is null then ends.start_cents else coalesce(max(anchor.converted_cents), ends.end_cents) end as cents,
    coalesce(max(anchor.date), 'infinity'::date) as date,
    coalesce((select anchor.transaction_id from anchor), 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid) as transaction_id,
    count(anchor.date) filter (where anchor.converted_cents is null) > 0 as is_past_amounts
  from (values (9223372036854775807, -1)) as ends (start_cents, end_cents) left join anchor on true
  group by ends.start_cents, ends.end_cents
), found as materialized (
  (select t.converted_cents, t.date, t.transaction_id
  from passbook_read.listed_transactions(
    passbook_read.first_day(), passbook_read.last_day(), $2, $3, $4, $5, $6, null, $8) as t
  where t.user_id = $1 and t.converted_cents is not null
    and (t.converted_cents, t.date, t.transaction_id) < (
      (select bound.cents from bound), (select bound.date from bound), (select bound.transaction_id from bound))
  order by t.converted_cents desc nulls last, t.date desc, t.transaction_id desc
  limit case when row($7, $9, $10, $11)::passbook_read.row_search is null then $14::bigint else 0 end)
  union all
  (select t.converted_cents, t.date, t.transaction_id
  from passbook_read.listed_transactions(
    passbook_read.first_day(), passbook_read.last_day(), $2, $3, $4, $5, $6, null, $8) as t
  where t.user_id = $1 and t.converted_cents is null
    and (not (select bound.is_past_amounts from bound) or (t.date, t.transaction_id) < (
      (select bound.date from bound), (select bound.transaction_id from bound)))
  order by t.converted_cents desc nulls last, t.date desc, t.transaction_id desc
  limit case when row($7, $9, $10, $11)::passbook_read.row_search is null then $14::bigint else 0 end)
  union all
  (select matched.converted_cents, matched.date, matched.transaction_id
  from (
    -- "offset 0" makes PostgreSQL search the texts in the index and not row by row in the order of the amounts.
    select t.converted_cents, t.date, t.transaction_id
    from passbook_read.listed_transactions(
      passbook_read.first_day(), passbook_read.last_day(), $2, $3, $4, $5, $6,
      row($7, $9, $10, $11)::passbook_read.row_search, $8) as t
    where t.user_id = $1
    offset 0) as matched
  where case
      when matched.converted_cents is null then not (select bound.is_past_amounts from bound)
        or (matched.date, matched.transaction_id) < ((select bound.date from bound), (select bound.transaction_id from bound))
      else (matched.converted_cents, matched.date, matched.transaction_id) < (
        (select bound.cents from bound), (select bound.date from bound), (select bound.transaction_id from bound)) end
  order by matched.converted_cents desc nulls last, matched.date desc, matched.transaction_id desc
  limit case when row($7, $9, $10, $11)::passbook_read.row_search is null then 0 else $14::bigint end)
), page as materialized (
  select found.converted_cents, found.date, found.transaction_id
  from found
  order by found.converted_cents desc nulls last, found.date desc, found.transaction_id desc
  limit $14
)
select
  t.transaction_id, t.date, t.type, t.category, t.amount_cents, t.currency, t.title, t.pending,
  t.provider_category, t.merchant_name, t.account_id, t.linked_transaction_id, t.own_category_id, t.tag_ids, t.note,
  t.converted_cents
from page
join passbook_read.transactions as t on t.user_id = $1 and t.transaction_id = page.transaction_id
order by page.converted_cents desc nulls last, page.date desc, page.transaction_id desc
