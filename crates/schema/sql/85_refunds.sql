-- The reading contract: refunds, each counted on its own day and selected by its purchase.

-- The refunds of a range. A refund belongs to its purchase, or without a purchase to itself: the filters select the row that the
-- refund belongs to, and the category, null without a purchase, and the merchant are those of that row. The range and
-- `include_pending` apply to the refund.
create function passbook_read.counted_refunds(
  from_day date, to_day date, include_pending boolean, include_excluded boolean, categories text[], accounts uuid[],
  search text)
returns table (user_id uuid, category text, merchant_key text, unconverted_currency text, cents bigint)
language sql stable parallel safe
begin atomic
  select refund.user_id, case when owner.type = 'EXPENSE' then owner.category end, owner.merchant_key,
    case when refund.converted_cents is null then refund.currency else '' end,
    coalesce(refund.converted_cents, refund.amount_cents)
  from (
    -- The stored totals know the few days that have refunds.
    select t.user_id, t.period_start as day
    from passbook_read.category_totals as t
    where t.period = 'day' and t.measure = 'INCOME' and t.category = 'REFUND' and t.period_start between from_day and to_day
      and (include_pending or not t.pending)
    group by t.user_id, t.period_start) as days
  cross join lateral (
    select t.user_id, t.transaction_id, t.date, t.linked_transaction_id, t.currency, t.amount_cents, t.converted_cents
    from passbook_read.transactions as t
    where t.user_id = days.user_id and t.date = days.day and t.type = 'INCOME' and t.category = 'REFUND'
      and (include_pending or not t.pending)
    offset 0) as refund
  left join lateral (
    select t.transaction_id, t.date
    from passbook_read.transactions as t
    where t.user_id = refund.user_id and t.transaction_id = refund.linked_transaction_id and t.type = 'EXPENSE'
    offset 0) as purchase on true
  cross join lateral (
    select t.type, t.category, t.merchant_key
    from passbook_read.counted_transactions(
      coalesce(purchase.date, refund.date), coalesce(purchase.date, refund.date), true, include_excluded, categories,
      accounts, search) as t
    where t.user_id = refund.user_id and t.transaction_id = coalesce(purchase.transaction_id, refund.transaction_id)
    offset 0) as owner;
end;

-- The totals of these refunds by category, null without a purchase: stored totals if no filter needs the purchase itself. The
-- refunds without a purchase are then all refunds less those with one. The currency is empty for converted amounts.
create function passbook_read.refund_totals(
  from_day date, to_day date, include_pending boolean, include_excluded boolean, categories text[], accounts uuid[],
  search text)
returns table (user_id uuid, category text, unconverted_currency text, transaction_count bigint, cents numeric)
language sql stable parallel safe
begin atomic
  select parts.user_id, parts.category, parts.unconverted_currency, sum(parts.transaction_count)::bigint, sum(parts.cents)
  from (
    select t.user_id, t.category, t.unconverted_currency, t.transaction_count, t.cents
    from passbook_read.counted_totals(
      from_day, to_day, 'year', include_pending, include_excluded, categories, null, null, true) as t
    where t.measure = 'REFUND' and accounts is null and search is null
    union all
    select t.user_id, null, t.unconverted_currency, signs.sign * t.transaction_count, signs.sign * t.cents
    from passbook_read.counted_totals(from_day, to_day, 'year', include_pending, true, null, null, null, true) as t
    join (values ('INCOME', 1), ('REFUND', -1)) as signs (measure, sign) on signs.measure = t.measure
    where (t.measure = 'REFUND' or t.measure = 'INCOME' and t.category = 'REFUND')
      and (categories is null or 'REFUND' = any (categories)) and accounts is null and search is null
    union all
    select r.user_id, r.category, r.unconverted_currency, 1, r.cents
    from passbook_read.counted_refunds(
      from_day, to_day, include_pending, include_excluded, categories, accounts, search) as r
    where accounts is not null or search is not null
  ) as parts
  group by parts.user_id, parts.category, parts.unconverted_currency
  having sum(parts.transaction_count) <> 0;
end;
