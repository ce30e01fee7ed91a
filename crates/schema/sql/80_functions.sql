-- The reading contract: filters, totals and the history of the portfolio.
--
-- A function in language SQL has a body of the SQL standard. PostgreSQL records what such a body uses, so pg_dump writes each
-- function after those that it needs, and resolves its names once, so a search_path cannot change their meaning. A string body
-- (PL/pgSQL, and what the start-up check compares) is resolved at each call: it names the schema of everything that it uses.

-- True for a row or total of a category that a filter includes: a category that the filter names, also if the user excluded it;
-- without named categories every category, those that the user excluded on request.
create function passbook_read.is_included(category text, categories text[], include_excluded boolean, is_excluded boolean)
returns boolean
language sql immutable parallel safe
return case when categories is not null then category = any (categories) else include_excluded or not is_excluded end;

-- True if a text of a row contains a search text. For the rest of a long text, which no index contains. PL/pgSQL, because the
-- plan of a list would contain a query of another function.
create function passbook_read.long_text_contains(of_user uuid, of_transaction uuid, search text) returns boolean
language plpgsql stable parallel safe cost 1 as $$
begin
  return exists (
    select from passbook_read.transactions as t
    where t.user_id = of_user and t.transaction_id = of_transaction
      and (position(passbook_read.search_text(search) in passbook_read.search_text(t.merchant_name)) > 0
        or position(passbook_read.search_text(search) in passbook_read.search_text(t.title)) > 0));
end
$$;

-- What a row must match besides days, categories and accounts: a text in it, one of the own categories or of their children, one of
-- the tags, and one of the keys of merchants. Null if it need not match anything; `is not null` would require all four.
create type passbook_read.row_search as (text text, own_categories uuid[], tags uuid[], merchants text[]);

-- The rows of a range that match a filter. The search text is folded once and not for each row. A text that combining marks
-- alone make matches nothing. Only rows with a long text are read again: "is true" keeps rows without a merchant out, and the
-- number of bytes, which is never below that of characters, is known without reading the text. Rows with a label or of a merchant
-- are found once, in indexes of such rows, because the index of the list contains neither.
create function passbook_read.matching_transactions(
  from_day date, to_day date, categories text[], accounts uuid[], search passbook_read.row_search)
returns setof passbook_read.transactions
language sql stable parallel safe
begin atomic
  select t.* from passbook_read.transactions as t
  where t.date between from_day and to_day
    and (categories is null or t.category = any (categories))
    and (accounts is null or t.account_id = any (accounts))
    and ((search).text is null or ((select passbook_read.search_text((search).text)) <> '' and (
      position((select passbook_read.search_text((search).text)) in t.merchant_search) > 0
      or position((select passbook_read.search_text((search).text)) in t.title_search) > 0
      or ((octet_length(t.merchant_search) >= 200 or octet_length(t.title_search) >= 300) is true
        and passbook_read.long_text_contains(t.user_id, t.transaction_id, (search).text))
      or (t.user_id, t.transaction_id) in (
        select noted.user_id, noted.transaction_id from passbook_read.transactions as noted
        where noted.note is not null
          and position((select passbook_read.search_text((search).text)) in passbook_read.search_text(noted.note)) > 0))))
    and ((search).own_categories is null or (t.user_id, t.transaction_id) in (
      select labelled.user_id, labelled.transaction_id
      from passbook_read.labels as chosen
      join passbook_read.transactions as labelled
        on labelled.user_id = chosen.user_id and labelled.own_category_id = chosen.label_id
      where chosen.kind = 'own category'
        and (chosen.label_id = any ((search).own_categories) or chosen.parent_id = any ((search).own_categories))))
    and ((search).tags is null or (t.user_id, t.transaction_id) in (
      select labelled.user_id, labelled.transaction_id from passbook_read.transactions as labelled
      where labelled.tag_ids && (search).tags))
    and ((search).merchants is null or (t.user_id, t.transaction_id) in (
      select paid.user_id, paid.transaction_id
      from unnest((search).merchants) as chosen (merchant_key)
      cross join lateral (
        select named.user_id, named.transaction_id from passbook_read.transactions as named
        where named.merchant_key = chosen.merchant_key collate "default"
        -- "offset 0" makes PostgreSQL look up each merchant in the index.
        offset 0) as paid));
end;

-- The rows of a list.
create function passbook_read.listed_transactions(
  from_day date, to_day date, types text[], categories text[], accounts uuid[],
  amount_min bigint, amount_max bigint, search passbook_read.row_search, only_pending boolean)
returns setof passbook_read.transactions
language sql stable parallel safe
begin atomic
  select t.* from passbook_read.matching_transactions(from_day, to_day, categories, accounts, search) as t
  where t.type = any (types)
    and (amount_min is null or t.amount_cents >= amount_min)
    and (amount_max is null or t.amount_cents <= amount_max)
    and (only_pending is null or t.pending = only_pending);
end;

-- The rows of a total: no transfers; pending rows and excluded categories as requested. A category that the filter names
-- counts although the person excluded it.
create function passbook_read.counted_transactions(
  from_day date, to_day date, include_pending boolean, include_excluded boolean,
  categories text[], accounts uuid[], search passbook_read.row_search)
returns setof passbook_read.transactions
language sql stable parallel safe
begin atomic
  select t.* from passbook_read.matching_transactions(from_day, to_day, categories, accounts, search) as t
  where t.type <> 'INTERNAL_TRANSFER'
    and (include_pending or not t.pending)
    and passbook_read.is_included(t.category, categories, include_excluded, t.excluded);
end;

-- The refunds of a range, row by row. A refund belongs to its purchase, or without a purchase to itself: the filters select the
-- row that the refund belongs to, and category and merchant are those of that row. The range and `include_pending` apply to the
-- refund.
create function passbook_read.counted_refunds(
  from_day date, to_day date, include_pending boolean, include_excluded boolean, categories text[], accounts uuid[],
  search passbook_read.row_search)
returns table (user_id uuid, category text, date date, merchant_key text, unconverted_currency text, cents bigint)
language sql stable parallel safe
begin atomic
  select t.user_id, coalesce(t.refunded_category, t.category), t.date,
    case when t.refunded_category is null then t.merchant_key else t.refunded_merchant_key end,
    case when t.converted_cents is null then t.currency else '' end, coalesce(t.converted_cents, t.amount_cents)
  from (
    -- "offset 0" makes PostgreSQL look up the days in the index.
    select t.* from passbook_read.transactions as t
    where t.category = 'REFUND' and t.date between from_day and to_day and (include_pending or not t.pending)
    offset 0) as t
  where passbook_read.is_included(coalesce(t.refunded_category, t.category), categories, include_excluded, exists (
      select from passbook_read.excluded_categories as excluded
      where excluded.user_id = t.user_id and excluded.category = t.refunded_category))
    and (accounts is null or coalesce(t.refunded_account_id, t.account_id) = any (accounts))
    and (search is null or exists (
      select from passbook_read.matching_transactions('-infinity', 'infinity', null, null, search) as owner
      where owner.user_id = t.user_id and owner.transaction_id = case
        when t.refunded_category is null then t.transaction_id else t.linked_transaction_id end));
end;

-- The kinds and categories of totals that count, for each user: the income categories; the expenses and the refunds of
-- expenses. With the detail 'category' these are by category, with 'total' together: the total of all categories, minus those of
-- the excluded categories, whose sign is -1. With 'parts' they are together, excluded categories too, and also by category what
-- is excluded (the measure EXCLUDED) and what moved to accounts that are not stored (OUTGOING).
create function passbook_read.included_categories(include_excluded boolean, categories text[], detail text)
returns table (user_id uuid, measure text, category text, sign integer)
language sql stable parallel safe
begin atomic
  select profile.user_id, keys.measure, keys.category, keys.sign
  from passbook_read.current_user_profile as profile
  cross join lateral (
    select 'INCOME' as measure, c.category, 1 as sign from passbook_read.categories as c
    where c.category_kind = 'income' and (categories is null or c.category = any (categories))
    union all
    select 'EXPENSE', c.category, 1 from passbook_read.categories as c
    where (c.category_kind = 'expense' or c.category = 'REFUND') and (detail = 'category' or categories is not null)
      and passbook_read.is_included(
        c.category, categories, include_excluded, c.category = any (profile.excluded_categories))
    union all
    select 'EXPENSE', 'ALL', 1 where categories is null and detail <> 'category'
    union all
    select case detail when 'parts' then 'EXCLUDED' else 'EXPENSE' end, excluded.category,
      case detail when 'parts' then 1 else -1 end
    from unnest(profile.excluded_categories) as excluded (category)
    where categories is null and detail <> 'category' and not include_excluded
    union all
    select 'OUTGOING', named.category, 1
    from (values ('TRANSFER_OUT'), ('CREDIT_CARD_PAYMENT')) as named (category)
    where detail = 'parts' and passbook_read.is_included(
      named.category, categories, include_excluded, named.category = any (profile.excluded_categories))
  ) as keys;
end;

-- The stored totals of a range, of the categories above: one row per category, period and currency. The currency is empty
-- for converted amounts. Without categories, only the sum over the categories of a measure is right. No row if there is a filter
-- of accounts or text. Cents change their sign without a multiplication, which for numeric costs more than adding up.
create function passbook_read.stored_totals(
  from_day date, to_day date, coarsest text, include_pending boolean, include_excluded boolean, categories text[],
  accounts uuid[], search passbook_read.row_search,
  detail text)
returns table (
  user_id uuid, measure text, category text, period text, day date, unconverted_currency text, transaction_count bigint,
  cents numeric, refund_count bigint, refund_cents numeric)
language sql stable parallel safe
begin atomic
  select keys.user_id, keys.measure, keys.category, spans.period, t.period_start, t.unconverted_currency,
    keys.sign * t.transaction_count, case when keys.sign < 0 then -t.cents else t.cents end,
    keys.sign * t.refund_count, case when keys.sign < 0 then -t.refund_cents else t.refund_cents end
  from passbook_read.included_categories(include_excluded, categories, detail) as keys
  cross join passbook_read.split_range(from_day, to_day, coarsest, passbook_read.month_start()) as spans
  cross join lateral (
    select t.* from passbook_read.category_totals as t
    where t.user_id = keys.user_id and t.period = spans.period and t.category = keys.category
      and t.measure = case when keys.measure in ('EXCLUDED', 'OUTGOING') then 'EXPENSE' else keys.measure end
      and t.period_start between spans.first_day and spans.last_day and (include_pending or not t.pending)
    -- "offset 0" makes PostgreSQL look up each key in the index.
    offset 0) as t
  where accounts is null and search is null;
end;

-- The same with filters. For some accounts, the days at the ends of the range are rows of transactions, whose index contains
-- all that is needed; with a search text all are. A row adds to its type, and with 'parts' also to EXCLUDED or OUTGOING.
create function passbook_read.counted_totals(
  from_day date, to_day date, coarsest text, include_pending boolean, include_excluded boolean, categories text[],
  accounts uuid[], search passbook_read.row_search,
  detail text)
returns table (
  user_id uuid, measure text, category text, period text, day date, unconverted_currency text, transaction_count bigint,
  cents numeric, refund_count bigint, refund_cents numeric)
language sql stable parallel safe
begin atomic
  select t.* from passbook_read.stored_totals(
    from_day, to_day, coarsest, include_pending, include_excluded, categories, accounts, search, detail) as t
  union all
  select keys.user_id, keys.measure, keys.category, spans.period, t.period_start, t.unconverted_currency,
    keys.sign * t.transaction_count, case when keys.sign < 0 then -t.cents else t.cents end,
    keys.sign * t.refund_count, case when keys.sign < 0 then -t.refund_cents else t.refund_cents end
  from passbook_read.included_categories(include_excluded, categories, detail) as keys
  cross join passbook_read.split_range(from_day, to_day, coarsest, passbook_read.month_start()) as spans
  cross join lateral (
    select t.* from passbook_read.account_category_totals as t
    where t.account_id = any (accounts) and t.user_id = keys.user_id and t.period = spans.period and t.category = keys.category
      and t.measure = case when keys.measure in ('EXCLUDED', 'OUTGOING') then 'EXPENSE' else keys.measure end
      and t.period_start between spans.first_day and spans.last_day and (include_pending or not t.pending)
    offset 0) as t
  where accounts is not null and search is null
  union all
  select t.user_id, parts.measure, t.category, 'day', t.date, case when t.converted_cents is null then t.currency else '' end, 1,
    coalesce(t.converted_cents, t.amount_cents), 0, 0
  from passbook_read.current_user_profile as profile
  cross join passbook_read.split_range(
    from_day, to_day, case when search is null then coarsest else 'day' end, passbook_read.month_start()) as spans
  cross join lateral (
    select t.user_id, t.type, t.category, t.date, t.currency, t.converted_cents, t.amount_cents, t.excluded
    from passbook_read.transactions as t
    where search is null and t.user_id = profile.user_id and t.account_id = any (accounts) and t.type <> 'INTERNAL_TRANSFER'
      and t.date between spans.first_day and spans.last_day and (include_pending or not t.pending)
    union all
    select t.user_id, t.type, t.category, t.date, t.currency, t.converted_cents, t.amount_cents, t.excluded
    from passbook_read.counted_transactions(
      spans.first_day, spans.last_day, include_pending, true, categories, accounts, search) as t
    where not (search is null) and t.user_id = profile.user_id
    offset 0) as t
  cross join lateral (values
    (case
      when detail = 'parts' or passbook_read.is_included(t.category, categories, include_excluded, t.excluded) then t.type
    end), (case
      when detail <> 'parts' then null
      when categories is null and t.excluded and not include_excluded then 'EXCLUDED'
      when t.category in ('TRANSFER_OUT', 'CREDIT_CARD_PAYMENT') and t.type = 'EXPENSE' then 'OUTGOING'
    end)) as parts (measure)
  where (accounts is not null or not (search is null)) and spans.period = 'day' and parts.measure is not null
    and (categories is null or t.category = any (categories))
  union all
  select r.user_id, 'EXPENSE', r.category, 'day', r.date, r.unconverted_currency, 0, 0, 1, r.cents
  from passbook_read.split_range(
    from_day, to_day, case when search is null then coarsest else 'day' end, passbook_read.month_start()) as spans
  cross join lateral passbook_read.counted_refunds(
    spans.first_day, spans.last_day, include_pending, include_excluded, categories, accounts, search) as r
  where (accounts is not null or not (search is null)) and spans.period = 'day';
end;

-- The sums of the totals above, by period: month, week or day; null for none. Without the detail 'category' expenses are
-- together. Converted amounts are one sum in the preferred currency. With a search text the rows of the sum lie
-- from first_counted to last_counted, those of excluded categories left out. A sum of nothing may have refunds.
create function passbook_read.counted_sums(
  from_day date, to_day date, grouped_by text, include_pending boolean, include_excluded boolean, categories text[],
  accounts uuid[], search passbook_read.row_search,
  detail text)
returns table (
  user_id uuid, measure text, category text, period date, currency text, count bigint, amount_cents bigint,
  converted_cents bigint, refund_count bigint, refund_cents bigint, first_counted date, last_counted date)
language sql stable parallel safe
begin atomic
  select profile.user_id, s.measure, s.category, s.period,
    coalesce(nullif(s.unconverted_currency, ''), profile.preferred_currency), s.count, s.cents,
    case when s.unconverted_currency = '' then s.cents end, s.refund_count, s.refund_cents, s.first_counted, s.last_counted
  from passbook_read.current_user_profile as profile
  cross join lateral (
    select t.measure,
      case when t.measure = 'EXPENSE' and detail <> 'category' then 'ALL' else t.category end as category,
      -- A total of the period itself names it already: for many totals, the function would take most of the time.
      case when grouped_by = t.period then t.day
        when grouped_by is not null then passbook_read.period_start(grouped_by, t.day, profile.month_start) end as period,
      t.unconverted_currency,
      sum(t.transaction_count)::bigint as count, sum(t.cents)::bigint as cents, sum(t.refund_count)::bigint as refund_count,
      sum(t.refund_cents)::bigint as refund_cents, min(t.day) filter (where t.transaction_count <> 0 and passbook_read.is_included(
        t.category, categories, include_excluded, t.category = any (profile.excluded_categories))) as first_counted,
      max(t.day) filter (where t.transaction_count <> 0 and passbook_read.is_included(
        t.category, categories, include_excluded, t.category = any (profile.excluded_categories))) as last_counted
    from passbook_read.counted_totals(
      from_day, to_day, passbook_read.coarsest_period(grouped_by), include_pending, include_excluded, categories, accounts,
      search, detail) as t
    where t.user_id = profile.user_id
    -- The period first: it differs most, so that sorting compares few texts. The user, who is one, is no key to compare.
    group by 3, 2, 1, 4) as s;
end;

-- The same without a filter of accounts or text: its plan contains stored totals only.
do $$
begin
  execute replace(replace(pg_get_functiondef('passbook_read.counted_sums'::regproc), 'counted_sums', 'stored_sums'),
    'counted_totals', 'stored_totals');
end
$$;

-- The first and the last counted day of a range that is open at an end; an end that is not open is returned as it is. No
-- row if nothing counts. `income_categories`: the income categories that count beside expenses; null means all.
create function passbook_read.counted_days(
  from_day date, to_day date, include_pending boolean, include_excluded boolean, categories text[],
  accounts uuid[], income_categories text[])
returns table (user_id uuid, first_day date, last_day date)
language sql stable parallel safe
begin atomic
  select profile.user_id, from_day, to_day
  from passbook_read.current_user_profile as profile
  where isfinite(from_day) and isfinite(to_day)
  union all
  select found.user_id, case when isfinite(from_day) then from_day else min(found.first_day) end,
    case when isfinite(to_day) then to_day else max(found.last_day) end
  from (
    select keys.user_id, earliest.period_start as first_day, latest.period_start as last_day
    from passbook_read.included_categories(include_excluded, categories, 'category') as keys
    cross join lateral (
      select t.period_start from passbook_read.category_totals as t
      where t.user_id = keys.user_id and t.period = 'day' and t.measure = keys.measure and t.category = keys.category
        and t.period_start between from_day and to_day and t.transaction_count <> 0 and (include_pending or not t.pending)
      order by t.period_start limit 1) as earliest
    cross join lateral (
      select t.period_start from passbook_read.category_totals as t
      where t.user_id = keys.user_id and t.period = 'day' and t.measure = keys.measure and t.category = keys.category
        and t.period_start between from_day and to_day and t.transaction_count <> 0 and (include_pending or not t.pending)
      order by t.period_start desc limit 1) as latest
    where (keys.measure = 'EXPENSE' or income_categories is null or keys.category = any (income_categories))
      and accounts is null and not (isfinite(from_day) and isfinite(to_day))
    union all
    select months.user_id, earliest.day, latest.day
    from (
      select keys.user_id, min(earliest.period_start) as first_month, max(latest.period_start) as last_month
      from passbook_read.included_categories(include_excluded, categories, 'category') as keys
      cross join unnest(accounts) as chosen (account_id)
      cross join lateral (
        select t.period_start from passbook_read.account_category_totals as t
        where t.user_id = keys.user_id and t.account_id = chosen.account_id and t.period = 'month' and t.measure = keys.measure
          and t.category = keys.category and t.period_start between passbook_read.period_start('month', from_day, passbook_read.month_start()) and to_day
          and t.transaction_count <> 0 and (include_pending or not t.pending)
        order by t.period_start limit 1) as earliest
      cross join lateral (
        select t.period_start from passbook_read.account_category_totals as t
        where t.user_id = keys.user_id and t.account_id = chosen.account_id and t.period = 'month' and t.measure = keys.measure
          and t.category = keys.category and t.period_start between passbook_read.period_start('month', from_day, passbook_read.month_start()) and to_day
          and t.transaction_count <> 0 and (include_pending or not t.pending)
        order by t.period_start desc limit 1) as latest
      where (keys.measure = 'EXPENSE' or income_categories is null or keys.category = any (income_categories))
        and accounts is not null and not (isfinite(from_day) and isfinite(to_day))
      group by keys.user_id) as months
    cross join lateral (
      select min(t.date) as day
      from passbook_read.counted_transactions(
        greatest(from_day, months.first_month),
        least(to_day, passbook_read.period_end('month', months.first_month, passbook_read.month_start())),
        include_pending, include_excluded, categories, accounts, null) as t
      where t.user_id = months.user_id
        and (t.type = 'EXPENSE' or income_categories is null or t.category = any (income_categories))) as earliest
    cross join lateral (
      select max(t.date) as day
      from passbook_read.counted_transactions(
        greatest(from_day, months.last_month),
        least(to_day, passbook_read.period_end('month', months.last_month, passbook_read.month_start())),
        include_pending, include_excluded, categories, accounts, null) as t
      where t.user_id = months.user_id
        and (t.type = 'EXPENSE' or income_categories is null or t.category = any (income_categories))) as latest
  ) as found
  group by found.user_id;
end;

-- The expenses of some merchants in a range, by currency: the stored totals of all days or of whole months, with their refunds,
-- and the other days from the rows, whose index contains all that is needed. `accounts` null: all accounts.
create function passbook_read.merchant_sums(
  merchants text[], from_day date, to_day date, include_pending boolean, include_excluded boolean, categories text[],
  accounts uuid[])
returns table (
  user_id uuid, merchant_key text, unconverted_currency text, transaction_count bigint, cents numeric, refund_count bigint,
  refund_cents numeric)
language sql stable parallel safe
begin atomic
  select profile.user_id, chosen.merchant_key, t.unconverted_currency, t.transaction_count, t.cents, t.refund_count,
    t.refund_cents
  from passbook_read.current_user_profile as profile
  cross join unnest(merchants) as chosen (merchant_key)
  cross join lateral (
    select spans.period, spans.first_day, spans.last_day
    from passbook_read.split_range(from_day, to_day, 'month', passbook_read.month_start()) as spans
    where spans.period = 'month' and (isfinite(from_day) or isfinite(to_day))
    union all
    select 'all', '-infinity', '-infinity' where not isfinite(from_day) and not isfinite(to_day)
  ) as spans
  cross join lateral (
    -- Added up here, so that PostgreSQL looks up each merchant in the index.
    select t.unconverted_currency, sum(t.transaction_count)::bigint as transaction_count, sum(t.cents) as cents,
      sum(t.refund_count)::bigint as refund_count, sum(t.refund_cents) as refund_cents
    from passbook_read.merchant_totals as t
    where t.user_id = profile.user_id and t.period = spans.period and t.merchant_key = chosen.merchant_key
      and t.period_start between spans.first_day and spans.last_day
      and (include_pending or not t.pending) and (accounts is null or t.account_id = any (accounts))
      and passbook_read.is_included(t.category, categories, include_excluded, t.category = any (profile.excluded_categories))
    group by t.unconverted_currency) as t
  union all
  select profile.user_id, chosen.merchant_key, t.unconverted_currency, t.transaction_count, t.cents, 0, 0
  from passbook_read.current_user_profile as profile
  cross join unnest(merchants) as chosen (merchant_key)
  cross join passbook_read.split_range(from_day, to_day, 'month', passbook_read.month_start()) as spans
  cross join lateral (
    select case when t.converted_cents is null then t.currency else '' end as unconverted_currency,
      count(*) as transaction_count, sum(coalesce(t.converted_cents, t.amount_cents)) as cents
    from passbook_read.transactions as t
    where t.user_id = profile.user_id and t.type = 'EXPENSE' and t.merchant_key = chosen.merchant_key collate "default"
      and t.date between spans.first_day and spans.last_day and (include_pending or not t.pending)
      and (accounts is null or t.account_id = any (accounts))
      and passbook_read.is_included(t.category, categories, include_excluded, t.category = any (profile.excluded_categories))
    group by 1) as t
  where spans.period = 'day';
end;

-- The expenses of own categories in a range, by own category and currency: stored totals of whole months and years, the other
-- days from the rows. With a filter of accounts, text or labels, all are rows.
create function passbook_read.own_category_sums(
  from_day date, to_day date, include_pending boolean, include_excluded boolean, categories text[], accounts uuid[],
  search passbook_read.row_search)
returns table (user_id uuid, label_id uuid, unconverted_currency text, transaction_count bigint, cents numeric)
language sql stable parallel safe
begin atomic
  select profile.user_id, left(t.category, 36)::uuid, t.unconverted_currency, t.transaction_count, t.cents
  from passbook_read.current_user_profile as profile
  cross join passbook_read.split_range(from_day, to_day, 'year', passbook_read.month_start()) as spans
  cross join lateral (
    select t.category, t.unconverted_currency, sum(t.transaction_count)::bigint as transaction_count, sum(t.cents) as cents
    from passbook_read.category_totals as t
    where t.user_id = profile.user_id and t.period = spans.period and t.measure = 'OWN'
      and t.period_start between spans.first_day and spans.last_day and (include_pending or not t.pending)
    group by t.category, t.unconverted_currency) as t
  where accounts is null and search is null and passbook_read.is_included(
    substr(t.category, 38), categories, include_excluded, substr(t.category, 38) = any (profile.excluded_categories))
  union all
  select t.user_id, t.own_category_id, case when t.converted_cents is null then t.currency else '' end, 1,
    coalesce(t.converted_cents, t.amount_cents)
  from passbook_read.split_range(
    from_day, to_day, case when accounts is null and search is null then 'year' else 'day' end,
    passbook_read.month_start()) as spans
  cross join lateral passbook_read.counted_transactions(
    spans.first_day, spans.last_day, include_pending, include_excluded, categories, accounts, search) as t
  where spans.period = 'day' and t.type = 'EXPENSE' and t.own_category_id is not null;
end;
