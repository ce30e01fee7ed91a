-- The reading contract of totals.

-- THE READING CONTRACT ----------------------------------------------------------------------------------------

create view passbook_read.categories as
  select c.category, c.side, c.category_group from passbook.categories as c;

create view passbook_read.excluded_categories as
  select excluded.user_id, excluded.category from passbook.excluded_categories as excluded;

create view passbook_read.totals as
  select t.user_id, t.unit, t.kind, t.category, t.first_day, t.pending, t.currency, t.transaction_count, t.cents
  from passbook.totals as t;

create view passbook_read.account_totals as
  select t.user_id, t.account_id, t.unit, t.kind, t.category, t.first_day, t.pending, t.currency, t.transaction_count, t.cents
  from passbook.account_totals as t;

create view passbook_read.merchant_totals as
  select t.user_id, t.unit, t.first_day, t.merchant_key, t.category, t.pending, t.currency, t.transaction_count, t.cents
  from passbook.merchant_totals as t;

-- The refunds of purchases, each with the category of its purchase.
create view passbook_read.refunds as
  select t.user_id, t.transaction_id, t.date, t.account_id, t.pending, t.currency, t.amount_cents, t.converted_cents,
    t.merchant_search, t.title_search, t.purchase_category
  from passbook.transactions as t
  where not t.replaced and t.purchase_category is not null;

-- Divides a range of days, which may be infinite, into years, months and days, in units that are at most as long as a
-- given one.
create function passbook_read.span_units(from_day date, to_day date, longest text)
returns table (unit text, first_day date, last_day date)
language sql immutable parallel safe
begin atomic
  with whole as (
    select
      case when date_trunc('month', from_day::timestamp) = from_day then from_day
        else (date_trunc('month', from_day::timestamp) + interval '1 month')::date end as first_month,
      date_trunc('month', (to_day + 1)::timestamp)::date - 1 as last_month,
      case when date_trunc('year', from_day::timestamp) = from_day then from_day
        else (date_trunc('year', from_day::timestamp) + interval '1 year')::date end as first_year,
      date_trunc('year', (to_day + 1)::timestamp)::date - 1 as last_year
  ), shape as (
    select whole.*, longest <> 'day' and first_month <= last_month as has_months,
      longest = 'year' and first_year <= last_year as has_years
    from whole
  )
  select spans.unit, spans.first_day, spans.last_day
  from shape
  cross join lateral (values
    ('day', from_day, case when has_months then first_month - 1 else to_day end),
    ('month', case when has_months then first_month end, case when has_years then first_year - 1 else last_month end),
    ('year', case when has_years then first_year end, last_year),
    ('month', case when has_years then last_year + 1 end, last_month),
    ('day', case when has_months then last_month + 1 end, to_day)
  ) as spans (unit, first_day, last_day)
  where spans.first_day <= spans.last_day and spans.last_day > '-infinity' and spans.first_day < 'infinity';
end;

-- The longest unit whose totals lie in one period of a grouping: month, week, day or none (null).
create function passbook_read.longest_unit(period text) returns text
language sql immutable parallel safe
return case period when 'month' then 'month' when 'week' then 'day' when 'day' then 'day' else 'year' end;

-- The kinds and categories of totals that count, for each user: all income categories; the expenses, either by category or
-- together; the refunds by category of their purchase. Excluded expense categories are left out unless they are requested.
-- Expenses together are the total of all categories, minus those of the excluded categories: their sign is -1.
create function passbook_read.counted_keys(include_excluded boolean, of_categories text[], by_category boolean)
returns table (user_id uuid, kind text, category text, sign integer)
language sql stable parallel safe
begin atomic
  select people.user_id, keys.kind, keys.category, keys.sign
  from passbook_read.people as people
  cross join lateral (
    select 'INCOME' as kind, c.category, 1 as sign from passbook_read.categories as c
    where c.side = 'income' and (of_categories is null or c.category = any (of_categories))
    union all
    select kinds.kind, c.category, 1
    from passbook_read.categories as c
    cross join (values ('EXPENSE'), ('REFUND')) as kinds (kind)
    where c.side = 'expense' and (by_category or of_categories is not null or kinds.kind = 'REFUND')
      and case when of_categories is not null then c.category = any (of_categories)
        else include_excluded or not exists (
          select from passbook_read.excluded_categories as excluded
          where excluded.user_id = people.user_id and excluded.category = c.category) end
    union all
    select 'EXPENSE', '', 1 where of_categories is null and not by_category
    union all
    select 'EXPENSE', excluded.category, -1
    from passbook_read.excluded_categories as excluded
    where excluded.user_id = people.user_id and of_categories is null and not by_category and not include_excluded
  ) as keys;
end;

-- The stored totals of a range, of the keys above: one row per key, unit and currency. The currency is empty for converted
-- amounts. `of_accounts` null: all accounts. For some accounts, the days at the ends of the range are rows of transactions.
create function passbook_read.counted_totals(
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
  select people.user_id, rows.type, rows.category, rows.date, rows.currency, 1, rows.cents
  from passbook_read.people as people
  cross join passbook_read.span_units(from_day, to_day, longest) as spans
  cross join lateral (
    select t.type, case when t.type = 'INCOME' or by_category then t.category else '' end as category, t.date,
      case when t.converted_cents is null then t.currency else '' end as currency,
      coalesce(t.converted_cents, t.amount_cents) as cents
    from passbook_read.counted_transactions(
      spans.first_day, spans.last_day, include_pending, include_excluded, of_categories, of_accounts, null) as t
    where t.user_id = people.user_id
    offset 0) as rows
  where of_accounts is not null and spans.unit = 'day'
  union all
  select people.user_id, 'REFUND', rows.purchase_category, rows.date, rows.currency, 1, rows.cents
  from passbook_read.people as people
  cross join passbook_read.span_units(from_day, to_day, longest) as spans
  cross join lateral (
    select r.purchase_category, r.date, case when r.converted_cents is null then r.currency else '' end as currency,
      coalesce(r.converted_cents, r.amount_cents) as cents
    from passbook_read.refunds as r
    where r.user_id = people.user_id and r.account_id = any (of_accounts)
      and r.date between spans.first_day and spans.last_day and (include_pending or not r.pending)
    offset 0) as rows
  join passbook_read.counted_keys(include_excluded, of_categories, true) as keys
    on keys.user_id = people.user_id and keys.kind = 'REFUND' and keys.category = rows.purchase_category
  where of_accounts is not null and spans.unit = 'day';
end;

-- The first and the last counted day of a range that is open at an end; an end that is not open is returned as it is. No
-- row if nothing counts. `of_income`: the income categories that count beside expenses; null means all.
create function passbook_read.counted_days(
  from_day date, to_day date, include_pending boolean, include_excluded boolean, of_categories text[],
  of_accounts uuid[], of_income text[])
returns table (user_id uuid, first_day date, last_day date)
language sql stable parallel safe
begin atomic
  select people.user_id, from_day, to_day
  from passbook_read.people as people
  where isfinite(from_day) and isfinite(to_day)
  union all
  select found.user_id, case when isfinite(from_day) then from_day else min(found.first_day) end,
    case when isfinite(to_day) then to_day else max(found.last_day) end
  from (
    select keys.user_id, earliest.first_day, latest.first_day as last_day
    from passbook_read.counted_keys(include_excluded, of_categories, true) as keys
    cross join lateral (
      select t.first_day from passbook_read.totals as t
      where t.user_id = keys.user_id and t.unit = 'day' and t.kind = keys.kind and t.category = keys.category
        and t.first_day between from_day and to_day and (include_pending or not t.pending)
      order by t.first_day limit 1) as earliest
    cross join lateral (
      select t.first_day from passbook_read.totals as t
      where t.user_id = keys.user_id and t.unit = 'day' and t.kind = keys.kind and t.category = keys.category
        and t.first_day between from_day and to_day and (include_pending or not t.pending)
      order by t.first_day desc limit 1) as latest
    where (keys.kind = 'EXPENSE' or keys.kind = 'INCOME' and (of_income is null or keys.category = any (of_income)))
      and of_accounts is null and not (isfinite(from_day) and isfinite(to_day))
    union all
    select months.user_id, earliest.day, latest.day
    from (
      select keys.user_id, min(earliest.first_day) as first_month, max(latest.first_day) as last_month
      from passbook_read.counted_keys(include_excluded, of_categories, true) as keys
      cross join unnest(of_accounts) as chosen (account_id)
      cross join lateral (
        select t.first_day from passbook_read.account_totals as t
        where t.user_id = keys.user_id and t.account_id = chosen.account_id and t.unit = 'month' and t.kind = keys.kind
          and t.category = keys.category and t.first_day between date_trunc('month', from_day::timestamp)::date and to_day
          and (include_pending or not t.pending)
        order by t.first_day limit 1) as earliest
      cross join lateral (
        select t.first_day from passbook_read.account_totals as t
        where t.user_id = keys.user_id and t.account_id = chosen.account_id and t.unit = 'month' and t.kind = keys.kind
          and t.category = keys.category and t.first_day between date_trunc('month', from_day::timestamp)::date and to_day
          and (include_pending or not t.pending)
        order by t.first_day desc limit 1) as latest
      where (keys.kind = 'EXPENSE' or keys.kind = 'INCOME' and (of_income is null or keys.category = any (of_income)))
        and of_accounts is not null and not (isfinite(from_day) and isfinite(to_day))
      group by keys.user_id) as months
    cross join lateral (
      select min(t.date) as day
      from passbook_read.counted_transactions(
        greatest(from_day, months.first_month),
        least(to_day, (months.first_month + interval '1 month - 1 day')::date),
        include_pending, include_excluded, of_categories, of_accounts, null) as t
      where t.user_id = months.user_id
        and (t.type = 'EXPENSE' or of_income is null or t.category = any (of_income))) as earliest
    cross join lateral (
      select max(t.date) as day
      from passbook_read.counted_transactions(
        greatest(from_day, months.last_month), least(to_day, (months.last_month + interval '1 month - 1 day')::date),
        include_pending, include_excluded, of_categories, of_accounts, null) as t
      where t.user_id = months.user_id
        and (t.type = 'EXPENSE' or of_income is null or t.category = any (of_income))) as latest
  ) as found
  group by found.user_id;
end;

-- The expenses of some merchants in a range, by currency: whole months from the stored totals, and on request the other days
-- from the rows.
create function passbook_read.merchant_sums(
  of_merchants text[], from_day date, to_day date, include_pending boolean, include_excluded boolean,
  of_categories text[], with_days boolean)
returns table (user_id uuid, merchant_key text, currency text, transaction_count bigint, cents numeric)
language sql stable parallel safe
begin atomic
  select people.user_id, chosen.merchant_key, t.currency, t.transaction_count, t.cents
  from passbook_read.people as people
  cross join unnest(of_merchants) as chosen (merchant_key)
  cross join passbook_read.span_units(from_day, to_day, 'month') as spans
  cross join lateral (
    -- "offset 0" makes PostgreSQL look up each merchant in the index.
    select t.currency, t.transaction_count, t.cents
    from passbook_read.merchant_totals as t
    where t.user_id = people.user_id and t.unit = 'month' and t.merchant_key = chosen.merchant_key
      and t.first_day between spans.first_day and spans.last_day and (include_pending or not t.pending)
      and case when of_categories is not null then t.category = any (of_categories)
        else include_excluded or not exists (
          select from passbook_read.excluded_categories as excluded
          where excluded.user_id = people.user_id and excluded.category = t.category) end
    offset 0) as t
  where spans.unit = 'month'
  union all
  select people.user_id, chosen.merchant_key, t.currency, 1, t.cents
  from passbook_read.people as people
  cross join unnest(of_merchants) as chosen (merchant_key)
  cross join passbook_read.span_units(from_day, to_day, 'month') as spans
  cross join lateral (
    select case when t.converted_cents is null then t.currency else '' end as currency,
      coalesce(t.converted_cents, t.amount_cents) as cents
    from passbook_read.counted_transactions(
      spans.first_day, spans.last_day, include_pending, include_excluded, of_categories, null, null) as t
    where t.user_id = people.user_id and t.type = 'EXPENSE'
      and t.merchant_key = chosen.merchant_key collate "default"
    offset 0) as t
  where spans.unit = 'day' and with_days;
end;

-- The same rule as before. The search text is folded once and not for each row.
create or replace function passbook_read.matching_transactions(
  from_day date, to_day date, of_categories text[], of_accounts uuid[], wanted text)
returns setof passbook_read.transactions
language sql stable parallel safe
begin atomic
  select t.* from passbook_read.transactions as t
  where t.date between from_day and to_day
    and (of_categories is null or t.category = any (of_categories))
    and (of_accounts is null or t.account_id = any (of_accounts))
    and (wanted is null or ((select passbook_read.fold(wanted)) <> '' and (
      position((select passbook_read.fold(wanted)) in t.merchant_search) > 0
      or position((select passbook_read.fold(wanted)) in t.title_search) > 0)));
end;

revoke all on function
  passbook_read.span_units(date, date, text),
  passbook_read.merchant_sums(text[], date, date, boolean, boolean, text[], boolean),
  passbook_read.longest_unit(text),
  passbook_read.counted_keys(boolean, text[], boolean),
  passbook_read.counted_totals(date, date, text, boolean, boolean, text[], uuid[], boolean),
  passbook_read.counted_days(date, date, boolean, boolean, text[], uuid[], text[]) from public;
grant execute on function
  passbook_read.span_units(date, date, text),
  passbook_read.merchant_sums(text[], date, date, boolean, boolean, text[], boolean),
  passbook_read.longest_unit(text),
  passbook_read.counted_keys(boolean, text[], boolean),
  passbook_read.counted_totals(date, date, text, boolean, boolean, text[], uuid[], boolean),
  passbook_read.counted_days(date, date, boolean, boolean, text[], uuid[], text[]) to passbook_reader;
grant select on passbook_read.categories, passbook_read.excluded_categories, passbook_read.totals, passbook_read.account_totals, passbook_read.merchant_totals,
  passbook_read.refunds to passbook_reader;
