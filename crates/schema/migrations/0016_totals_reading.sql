-- The reading contract of totals by merchant and by account.

create view passbook_read.merchant_totals as
  select t.user_id, t.unit, t.merchant_key, t.first_day, t.account_id, t.category, t.pending, t.currency, t.transaction_count,
    t.cents
  from passbook.merchant_totals as t;

create view passbook_read.merchant_bounds as
  select b.user_id, b.category, b.first_day, b.merchant_key, b.bound from passbook.merchant_bounds as b;

-- What each row adds to totals: an expense or income by its category, a refund also by the category of its purchase.
create view passbook_read.contributions as
  select t.user_id, t.account_id, parts.kind, parts.category, t.date, t.pending,
    case when t.converted_cents is null then t.currency else '' end as currency,
    coalesce(t.converted_cents, t.amount_cents) as cents
  from passbook.transactions as t
  cross join lateral (values (t.type, t.category), ('REFUND', t.purchase_category)) as parts (kind, category)
  where not t.replaced and t.type <> 'INTERNAL_TRANSFER' and parts.category is not null;

-- What each expense adds to the totals of its merchant.
create view passbook_read.merchant_expenses as
  select t.user_id, t.merchant_key, t.date, t.account_id, t.category, t.pending,
    case when t.converted_cents is null then t.currency else '' end as currency,
    coalesce(t.converted_cents, t.amount_cents) as cents
  from passbook.transactions as t
  where not t.replaced and t.type = 'EXPENSE' and t.merchant_key is not null;

-- The stored totals of a range, of the keys above: one row per key, unit and currency. The currency is empty for converted
-- amounts. `of_accounts` null: all accounts. For some accounts, the days at the ends of the range are rows of transactions,
-- whose index contains all that is needed.
create or replace function passbook_read.counted_totals(
  from_day date, to_day date, longest text, include_pending boolean, include_excluded boolean, of_categories text[],
  of_accounts uuid[], by_category boolean)
returns table (
  user_id uuid, kind text, category text, day date, currency text, transaction_count bigint, cents numeric)
language sql stable parallel safe
begin atomic
  select keys.user_id, keys.kind, keys.category, t.first_day, t.currency, keys.sign * t.transaction_count, keys.sign * t.cents
  from passbook_read.counted_keys(include_excluded, of_categories, by_category) as keys
  cross join passbook_read.span_units(from_day, to_day, longest) as spans
  cross join lateral (
    -- "offset 0" makes PostgreSQL look up each key in the index.
    select t.first_day, t.currency, t.transaction_count, t.cents
    from passbook_read.totals as t
    where t.user_id = keys.user_id and t.unit = spans.unit and t.kind = keys.kind
      and t.category = keys.category and t.first_day between spans.first_day and spans.last_day
      and (include_pending or not t.pending)
    offset 0) as t
  where of_accounts is null
  union all
  select keys.user_id, keys.kind, keys.category, t.first_day, t.currency, keys.sign * t.transaction_count, keys.sign * t.cents
  from passbook_read.counted_keys(include_excluded, of_categories, by_category) as keys
  cross join passbook_read.span_units(from_day, to_day, longest) as spans
  cross join lateral (
    -- "offset 0" makes PostgreSQL look up each key in the index.
    select t.first_day, t.currency, t.transaction_count, t.cents
    from passbook_read.account_totals as t
    where t.user_id = keys.user_id and t.account_id = any (of_accounts) and t.unit = spans.unit and t.kind = keys.kind
      and t.category = keys.category and t.first_day between spans.first_day and spans.last_day
      and (include_pending or not t.pending)
    offset 0) as t
  where of_accounts is not null
  union all
  select people.user_id, rows.kind, rows.category, rows.date, rows.currency, 1, rows.cents
  from passbook_read.people as people
  cross join passbook_read.span_units(from_day, to_day, longest) as spans
  cross join lateral (
    select c.kind, case when c.kind = 'EXPENSE' and not by_category then '' else c.category end as category, c.date,
      c.currency, c.cents
    from passbook_read.contributions as c
    where c.user_id = people.user_id and c.account_id = any (of_accounts)
      and c.date between spans.first_day and spans.last_day and (include_pending or not c.pending)
      and case when of_categories is not null then c.category = any (of_categories)
        else include_excluded or c.kind = 'INCOME' or not exists (
          select from passbook_read.excluded_categories as excluded
          where excluded.user_id = people.user_id and excluded.category = c.category) end
    offset 0) as rows
  where of_accounts is not null and spans.unit = 'day';
end;

-- Every refund is a contribution.
drop view passbook_read.refunds;
drop index passbook.transactions_refunds;

-- The expenses of some merchants in a range, by currency: the stored totals of all days or of whole months, and the other
-- days from the rows, whose index contains all that is needed. `of_accounts` null: all accounts.
create function passbook_read.merchant_sums(
  of_merchants text[], from_day date, to_day date, include_pending boolean, include_excluded boolean,
  of_categories text[], of_accounts uuid[])
returns table (user_id uuid, merchant_key text, currency text, transaction_count bigint, cents numeric)
language sql stable parallel safe
begin atomic
  select people.user_id, chosen.merchant_key, t.currency, t.transaction_count, t.cents
  from passbook_read.people as people
  cross join unnest(of_merchants) as chosen (merchant_key)
  cross join lateral (
    select spans.unit, spans.first_day, spans.last_day
    from passbook_read.span_units(from_day, to_day, 'month') as spans
    where spans.unit = 'month' and (isfinite(from_day) or isfinite(to_day))
    union all
    select 'all', '-infinity', '-infinity' where not isfinite(from_day) and not isfinite(to_day)
  ) as spans
  cross join lateral (
    -- Added up here, so that PostgreSQL looks up each merchant in the index.
    select t.currency, sum(t.transaction_count)::bigint as transaction_count, sum(t.cents) as cents
    from passbook_read.merchant_totals as t
    where t.user_id = people.user_id and t.unit = spans.unit and t.merchant_key = chosen.merchant_key
      and t.first_day between spans.first_day and spans.last_day and (include_pending or not t.pending)
      and (of_accounts is null or t.account_id = any (of_accounts))
      and case when of_categories is not null then t.category = any (of_categories)
        else include_excluded or not exists (
          select from passbook_read.excluded_categories as excluded
          where excluded.user_id = people.user_id and excluded.category = t.category) end
    group by t.currency) as t
  union all
  select people.user_id, chosen.merchant_key, t.currency, t.transaction_count, t.cents
  from passbook_read.people as people
  cross join unnest(of_merchants) as chosen (merchant_key)
  cross join passbook_read.span_units(from_day, to_day, 'month') as spans
  cross join lateral (
    select t.currency, count(*) as transaction_count, sum(t.cents) as cents
    from passbook_read.merchant_expenses as t
    where t.user_id = people.user_id and t.merchant_key = chosen.merchant_key collate "default"
      and t.date between spans.first_day and spans.last_day and (include_pending or not t.pending)
      and (of_accounts is null or t.account_id = any (of_accounts))
      and case when of_categories is not null then t.category = any (of_categories)
        else include_excluded or not exists (
          select from passbook_read.excluded_categories as excluded
          where excluded.user_id = people.user_id and excluded.category = t.category) end
    group by t.currency) as t
  where spans.unit = 'day';
end;

-- The names of accounts and of their banks, which a list reads once and not for each of its rows.
create view passbook_read.account_names as
  select a.user_id, a.account_id, a.name as account_name, b.name as bank_name
  from passbook.accounts as a
  join passbook.banks as b on b.user_id = a.user_id and b.bank_id = a.bank_id;

revoke all on function passbook_read.merchant_sums(text[], date, date, boolean, boolean, text[], uuid[]) from public;
grant execute on function passbook_read.merchant_sums(text[], date, date, boolean, boolean, text[], uuid[])
  to passbook_reader;
grant select on passbook_read.merchant_totals, passbook_read.merchant_bounds, passbook_read.contributions,
  passbook_read.merchant_expenses, passbook_read.account_names to passbook_reader;
