-- The reading contract: the session of a request, filters, totals and the history of the portfolio.
--
-- A function in language SQL has a body of the SQL standard. PostgreSQL records what such a body uses, so pg_dump writes each
-- function after those that it needs, and resolves its names once, so a search_path cannot change their meaning. A string body
-- (PL/pgSQL, and what the start-up check compares) is resolved at each call: it names the schema of everything that it uses.

-- The first and the last day of the open transaction. A query contains `date between first_day() and last_day()`. Both
-- are constant while the query runs, so an index on the date serves it.
create function passbook_read.first_day() returns date
language sql stable parallel safe
return current_setting('app.first_day')::date;

create function passbook_read.last_day() returns date
language sql stable parallel safe
return current_setting('app.last_day')::date;

-- The same number of days directly before; null when the days of the transaction are open at either end.
create function passbook_read.previous_first_day() returns date
language sql stable parallel safe
return case when isfinite(passbook_read.first_day()) and isfinite(passbook_read.last_day())
  then passbook_read.first_day() - (passbook_read.last_day() - passbook_read.first_day() + 1) end;

create function passbook_read.previous_last_day() returns date
language sql stable parallel safe
return case when isfinite(passbook_read.first_day()) and isfinite(passbook_read.last_day())
  then passbook_read.first_day() - 1 end;

-- The first and last day of a request. Explicit days take precedence over a time range; a missing end is open (null).
-- '1m' is today − 1 month + 1 day … today: PostgreSQL limits the subtraction to the end of the month.
create function passbook_read.resolve_range(
  today date, date_from date, date_to date, time_range text, year integer, month integer)
returns table (first_day date, last_day date)
language sql immutable parallel safe
begin atomic
  select
    case
      when month is not null then make_date(year, month, 1)
      when date_from is not null or date_to is not null then date_from
      when time_range in ('1m', '3m', '6m', '1y') then (today - span.length + interval '1 day')::date
    end,
    case
      when month is not null then (make_date(year, month, 1) + interval '1 month' - interval '1 day')::date
      when date_from is not null or date_to is not null then date_to
      when time_range in ('1m', '3m', '6m', '1y') then today
    end
  from (select case time_range
    when '1m' then interval '1 month' when '3m' then interval '3 months'
    when '6m' then interval '6 months' when '1y' then interval '1 year' end as length) as span;
end;

-- Opens the reading transaction: sets the user for row-level security, resolves the requested days, and returns the
-- person's settings and the grant of the credential. One row, or none if the user is unknown. The range 'month' names a
-- whole month; a missing year or month is the current one. The session is set before the grant is read, because an ended
-- session revokes the grant.
--
-- Also sets for this transaction that a prepared statement keeps the plan of its first execution, and that nothing is
-- compiled (JIT). Settings of the role would not reach its members, and a pooler drops settings of the connection.
--
-- Row-level security hides the dashboard of another user. It is a grant of the user 0, so that the response is 403, not 401.
--
-- Assignments of PL/pgSQL start no executor. Each kind of credential has its own query, because PostgreSQL then leaves the
-- other kinds out of the plan.
create function passbook_read.open_session(
  of_user uuid, of_credential text, of_reference text,
  date_from date, date_to date, time_range text, requested_year integer, requested_month integer, fixed_today date,
  of_session text default null)
returns table (
  email text, preferred_currency text, time_zone text, today date, excluded_categories text[],
  grant_found boolean, owner_user_id uuid, scopes text[], rest boolean, mcp boolean, revoked boolean, expired boolean,
  first_day date, last_day date)
language plpgsql volatile rows 1 as $$
#variable_conflict use_column
declare
  is_known boolean;
  set_value text;
begin
  set_value := set_config('plan_cache_mode', 'force_generic_plan', true);
  set_value := set_config('jit', 'off', true);
  set_value := set_config('app.user_id', of_user::text, true);
  set_value := set_config('app.session_id', coalesce(of_session, ''), true);
  set_value := set_config('app.today', coalesce(fixed_today::text, ''), true);
  if of_credential = 'personal_access_token' then
    select
      profile.email, profile.preferred_currency, profile.time_zone, profile.today, profile.excluded_categories,
      grants.user_id is not null, grants.owner_user_id, grants.scopes, grants.rest, grants.mcp, grants.revoked,
      grants.expired
    into
      email, preferred_currency, time_zone, today, excluded_categories,
      grant_found, owner_user_id, scopes, rest, mcp, revoked, expired
    from passbook_read.current_user_profile as profile
    left join passbook_read.grants as grants
      on grants.user_id = of_user and grants.credential = 'personal_access_token' and grants.reference = of_reference
    where profile.user_id = of_user;
  else
    select
      profile.email, profile.preferred_currency, profile.time_zone, profile.today, profile.excluded_categories,
      grants.user_id is not null, grants.owner_user_id, grants.scopes, grants.rest, grants.mcp, grants.revoked,
      grants.expired
    into
      email, preferred_currency, time_zone, today, excluded_categories,
      grant_found, owner_user_id, scopes, rest, mcp, revoked, expired
    from passbook_read.current_user_profile as profile
    left join passbook_read.grants as grants
      on grants.user_id = of_user and grants.credential = of_credential and grants.reference = of_reference
    where profile.user_id = of_user;
  end if;
  is_known := found;
  if not grant_found and of_credential = 'oauth_client' and passbook_read.is_personal_client(of_reference) then
    select true, '00000000-0000-0000-0000-000000000000', '{}', false, false, false, false
    into grant_found, owner_user_id, scopes, rest, mcp, revoked, expired;
  end if;
  first_day := date_from;
  last_day := date_to;
  if time_range = 'month' or (date_from is null and date_to is null and time_range is not null) then
    select resolved.first_day, resolved.last_day into first_day, last_day
    from passbook_read.resolve_range(
      today, date_from, date_to, time_range,
      case when time_range = 'month' then coalesce(requested_year, extract(year from today)::integer) end,
      case when time_range = 'month' then coalesce(requested_month, extract(month from today)::integer) end) as resolved;
  end if;
  set_value := set_config('app.first_day', coalesce(first_day, '-infinity')::text, true);
  set_value := set_config('app.last_day', coalesce(last_day, 'infinity')::text, true);
  if is_known then
    return next;
  end if;
end
$$;

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

-- The rows of a range that match a filter. The search text is folded once and not for each row. A text that combining marks
-- alone make matches nothing. Only rows with a long text are read again: "is true" keeps rows without a merchant out, and the
-- number of bytes, which is never below that of characters, is known without reading the text.
create function passbook_read.matching_transactions(
  from_day date, to_day date, categories text[], accounts uuid[], search text)
returns setof passbook_read.transactions
language sql stable parallel safe
begin atomic
  select t.* from passbook_read.transactions as t
  where t.date between from_day and to_day
    and (categories is null or t.category = any (categories))
    and (accounts is null or t.account_id = any (accounts))
    and (search is null or ((select passbook_read.search_text(search)) <> '' and (
      position((select passbook_read.search_text(search)) in t.merchant_search) > 0
      or position((select passbook_read.search_text(search)) in t.title_search) > 0
      or ((octet_length(t.merchant_search) >= 200 or octet_length(t.title_search) >= 300) is true
        and passbook_read.long_text_contains(t.user_id, t.transaction_id, search)))));
end;

-- The rows of a list, within the session's days.
create function passbook_read.listed_transactions(
  types text[], categories text[], accounts uuid[],
  amount_min bigint, amount_max bigint, search text, only_pending boolean)
returns setof passbook_read.transactions
language sql stable parallel safe
begin atomic
  select t.* from passbook_read.matching_transactions(
    passbook_read.first_day(), passbook_read.last_day(), categories, accounts, search) as t
  where t.type = any (types)
    and (amount_min is null or t.amount_cents >= amount_min)
    and (amount_max is null or t.amount_cents <= amount_max)
    and (only_pending is null or t.pending = only_pending);
end;

-- The rows of a total: no transfers; pending rows and excluded categories as requested. A category that the filter names
-- counts although the person excluded it.
create function passbook_read.counted_transactions(
  from_day date, to_day date, include_pending boolean, include_excluded boolean,
  categories text[], accounts uuid[], search text)
returns setof passbook_read.transactions
language sql stable parallel safe
begin atomic
  select t.* from passbook_read.matching_transactions(from_day, to_day, categories, accounts, search) as t
  where t.type <> 'INTERNAL_TRANSFER'
    and (include_pending or not t.pending)
    and passbook_read.is_included(t.category, categories, include_excluded, t.excluded);
end;

-- The kinds and categories of totals that count, for each user: all income categories; the expenses, either by category or
-- together; the refunds by category of their purchase. Excluded expense categories are left out unless they are requested.
-- Expenses together are the total of all categories, minus those of the excluded categories: their sign is -1.
create function passbook_read.included_categories(include_excluded boolean, categories text[], by_category boolean)
returns table (user_id uuid, measure text, category text, sign integer)
language sql stable parallel safe
begin atomic
  select profile.user_id, keys.measure, keys.category, keys.sign
  from passbook_read.current_user_profile as profile
  cross join lateral (
    select 'INCOME' as measure, c.category, 1 as sign from passbook_read.categories as c
    where c.category_kind = 'income' and (categories is null or c.category = any (categories))
    union all
    select measures.measure, c.category, 1
    from passbook_read.categories as c
    cross join (values ('EXPENSE'), ('REFUND')) as measures (measure)
    where c.category_kind = 'expense' and (by_category or categories is not null or measures.measure = 'REFUND')
      and passbook_read.is_included(c.category, categories, include_excluded, exists (
        select from passbook_read.excluded_categories as excluded
        where excluded.user_id = profile.user_id and excluded.category = c.category))
    union all
    select 'EXPENSE', 'ALL', 1 where categories is null and not by_category
    union all
    select 'EXPENSE', excluded.category, -1
    from passbook_read.excluded_categories as excluded
    where excluded.user_id = profile.user_id and categories is null and not by_category and not include_excluded
  ) as keys;
end;

-- The stored totals of a range, of the categories above: one row per category, period and currency. The currency is empty
-- for converted amounts. `accounts` null: all accounts. For some accounts, the days at the ends of the range are rows of
-- transactions, whose index contains all that is needed. With a search text all are rows of transactions. Unless `by_category`,
-- only the sum over the categories of a measure is right.
create function passbook_read.counted_totals(
  from_day date, to_day date, coarsest text, include_pending boolean, include_excluded boolean, categories text[],
  accounts uuid[], search text, by_category boolean)
returns table (
  user_id uuid, measure text, category text, day date, unconverted_currency text, transaction_count bigint, cents numeric)
language sql stable parallel safe
begin atomic
  select keys.user_id, keys.measure, keys.category, t.period_start, t.unconverted_currency,
    keys.sign * t.transaction_count, keys.sign * t.cents
  from passbook_read.included_categories(include_excluded, categories, by_category) as keys
  cross join passbook_read.split_range(from_day, to_day, coarsest) as spans
  cross join lateral (
    -- "offset 0" makes PostgreSQL look up each key in the index.
    select t.period_start, t.unconverted_currency, t.transaction_count, t.cents
    from passbook_read.category_totals as t
    where t.user_id = keys.user_id and t.period = spans.period and t.measure = keys.measure
      and t.category = keys.category and t.period_start between spans.first_day and spans.last_day
      and (include_pending or not t.pending)
    offset 0) as t
  where accounts is null and search is null
  union all
  select keys.user_id, keys.measure, keys.category, t.period_start, t.unconverted_currency,
    keys.sign * t.transaction_count, keys.sign * t.cents
  from passbook_read.included_categories(include_excluded, categories, by_category) as keys
  cross join passbook_read.split_range(from_day, to_day, coarsest) as spans
  cross join lateral (
    -- "offset 0" makes PostgreSQL look up each key in the index.
    select t.period_start, t.unconverted_currency, t.transaction_count, t.cents
    from passbook_read.account_category_totals as t
    where t.user_id = keys.user_id and t.account_id = any (accounts) and t.period = spans.period and t.measure = keys.measure
      and t.category = keys.category and t.period_start between spans.first_day and spans.last_day
      and (include_pending or not t.pending)
    offset 0) as t
  where accounts is not null and search is null
  union all
  select profile.user_id, rows.measure, rows.category, rows.date, rows.unconverted_currency, 1, rows.cents
  from passbook_read.current_user_profile as profile
  cross join passbook_read.split_range(from_day, to_day, coarsest) as spans
  cross join lateral (
    select e.measure, e.category, e.date, e.unconverted_currency, e.cents
    from passbook_read.total_entries as e
    where e.user_id = profile.user_id and e.account_id = any (accounts)
      and e.date between spans.first_day and spans.last_day and (include_pending or not e.pending)
      and passbook_read.is_included(e.category, categories, include_excluded, e.measure <> 'INCOME' and exists (
        select from passbook_read.excluded_categories as excluded
        where excluded.user_id = profile.user_id and excluded.category = e.category))
    offset 0) as rows
  where accounts is not null and search is null and spans.period = 'day'
  union all
  select t.user_id, parts.measure, parts.category_of_total, t.date,
    case when t.converted_cents is null then t.currency else '' end, 1, coalesce(t.converted_cents, t.amount_cents)
  from passbook_read.matching_transactions(from_day, to_day, null, accounts, search) as t
  cross join lateral passbook_read.counted_as(t.type, t.category, t.refunded_category) as parts
  where search is not null and (include_pending or not t.pending)
    and passbook_read.is_included(parts.category_of_total, categories, include_excluded,
      parts.measure <> 'INCOME' and exists (
        select from passbook_read.excluded_categories as excluded
        where excluded.user_id = t.user_id and excluded.category = parts.category_of_total));
end;

-- The sums of the totals above, by period: month, week or day; null for none. `by_category` false: the expenses of all
-- categories together. Converted amounts are one sum in the preferred currency. With a search text the rows of the sum lie
-- from first_counted to last_counted.
create function passbook_read.counted_sums(
  from_day date, to_day date, grouped_by text, include_pending boolean, include_excluded boolean, categories text[],
  accounts uuid[], search text, by_category boolean)
returns table (
  user_id uuid, measure text, category text, period date, currency text, count bigint, amount_cents bigint,
  converted_cents bigint, first_counted date, last_counted date)
language sql stable parallel safe
begin atomic
  select profile.user_id, s.measure, s.category, s.period,
    coalesce(nullif(s.unconverted_currency, ''), profile.preferred_currency), s.count, s.cents,
    case when s.unconverted_currency = '' then s.cents end, s.first_counted, s.last_counted
  from passbook_read.current_user_profile as profile
  cross join lateral (
    select t.measure, case when t.measure = 'EXPENSE' and not by_category then 'ALL' else t.category end as category,
      date_trunc(grouped_by, t.day::timestamp)::date as period, t.unconverted_currency,
      sum(t.transaction_count)::bigint as count, sum(t.cents)::bigint as cents, min(t.day) as first_counted,
      max(t.day) as last_counted
    from passbook_read.counted_totals(
      from_day, to_day, passbook_read.coarsest_period(grouped_by), include_pending, include_excluded, categories, accounts,
      search, by_category) as t
    where t.user_id = profile.user_id
    -- The period first: it differs most, so that sorting compares few texts. The user, who is one, is no key to compare.
    group by 3, 2, 1, 4
    having sum(t.transaction_count) <> 0) as s;
end;

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
    from passbook_read.included_categories(include_excluded, categories, true) as keys
    cross join lateral (
      select t.period_start from passbook_read.category_totals as t
      where t.user_id = keys.user_id and t.period = 'day' and t.measure = keys.measure and t.category = keys.category
        and t.period_start between from_day and to_day and (include_pending or not t.pending)
      order by t.period_start limit 1) as earliest
    cross join lateral (
      select t.period_start from passbook_read.category_totals as t
      where t.user_id = keys.user_id and t.period = 'day' and t.measure = keys.measure and t.category = keys.category
        and t.period_start between from_day and to_day and (include_pending or not t.pending)
      order by t.period_start desc limit 1) as latest
    where keys.measure <> 'REFUND'
      and (keys.measure = 'EXPENSE' or income_categories is null or keys.category = any (income_categories))
      and accounts is null and not (isfinite(from_day) and isfinite(to_day))
    union all
    select months.user_id, earliest.day, latest.day
    from (
      select keys.user_id, min(earliest.period_start) as first_month, max(latest.period_start) as last_month
      from passbook_read.included_categories(include_excluded, categories, true) as keys
      cross join unnest(accounts) as chosen (account_id)
      cross join lateral (
        select t.period_start from passbook_read.account_category_totals as t
        where t.user_id = keys.user_id and t.account_id = chosen.account_id and t.period = 'month' and t.measure = keys.measure
          and t.category = keys.category and t.period_start between date_trunc('month', from_day::timestamp)::date and to_day
          and (include_pending or not t.pending)
        order by t.period_start limit 1) as earliest
      cross join lateral (
        select t.period_start from passbook_read.account_category_totals as t
        where t.user_id = keys.user_id and t.account_id = chosen.account_id and t.period = 'month' and t.measure = keys.measure
          and t.category = keys.category and t.period_start between date_trunc('month', from_day::timestamp)::date and to_day
          and (include_pending or not t.pending)
        order by t.period_start desc limit 1) as latest
      where keys.measure <> 'REFUND'
        and (keys.measure = 'EXPENSE' or income_categories is null or keys.category = any (income_categories))
        and accounts is not null and not (isfinite(from_day) and isfinite(to_day))
      group by keys.user_id) as months
    cross join lateral (
      select min(t.date) as day
      from passbook_read.counted_transactions(
        greatest(from_day, months.first_month),
        least(to_day, (months.first_month + interval '1 month - 1 day')::date),
        include_pending, include_excluded, categories, accounts, null) as t
      where t.user_id = months.user_id
        and (t.type = 'EXPENSE' or income_categories is null or t.category = any (income_categories))) as earliest
    cross join lateral (
      select max(t.date) as day
      from passbook_read.counted_transactions(
        greatest(from_day, months.last_month), least(to_day, (months.last_month + interval '1 month - 1 day')::date),
        include_pending, include_excluded, categories, accounts, null) as t
      where t.user_id = months.user_id
        and (t.type = 'EXPENSE' or income_categories is null or t.category = any (income_categories))) as latest
  ) as found
  group by found.user_id;
end;

-- The expenses of some merchants in a range, by currency: the stored totals of all days or of whole months, and the other
-- days from the rows, whose index contains all that is needed. `accounts` null: all accounts.
create function passbook_read.merchant_sums(
  merchants text[], from_day date, to_day date, include_pending boolean, include_excluded boolean,
  categories text[], accounts uuid[])
returns table (user_id uuid, merchant_key text, unconverted_currency text, transaction_count bigint, cents numeric)
language sql stable parallel safe
begin atomic
  select profile.user_id, chosen.merchant_key, t.unconverted_currency, t.transaction_count, t.cents
  from passbook_read.current_user_profile as profile
  cross join unnest(merchants) as chosen (merchant_key)
  cross join lateral (
    select spans.period, spans.first_day, spans.last_day
    from passbook_read.split_range(from_day, to_day, 'month') as spans
    where spans.period = 'month' and (isfinite(from_day) or isfinite(to_day))
    union all
    select 'all', '-infinity', '-infinity' where not isfinite(from_day) and not isfinite(to_day)
  ) as spans
  cross join lateral (
    -- Added up here, so that PostgreSQL looks up each merchant in the index.
    select t.unconverted_currency, sum(t.transaction_count)::bigint as transaction_count, sum(t.cents) as cents
    from passbook_read.merchant_totals as t
    where t.user_id = profile.user_id and t.period = spans.period and t.merchant_key = chosen.merchant_key
      and t.period_start between spans.first_day and spans.last_day and (include_pending or not t.pending)
      and (accounts is null or t.account_id = any (accounts))
      and passbook_read.is_included(t.category, categories, include_excluded, exists (
        select from passbook_read.excluded_categories as excluded
        where excluded.user_id = profile.user_id and excluded.category = t.category))
    group by t.unconverted_currency) as t
  union all
  select profile.user_id, chosen.merchant_key, t.unconverted_currency, t.transaction_count, t.cents
  from passbook_read.current_user_profile as profile
  cross join unnest(merchants) as chosen (merchant_key)
  cross join passbook_read.split_range(from_day, to_day, 'month') as spans
  cross join lateral (
    select t.unconverted_currency, count(*) as transaction_count, sum(t.cents) as cents
    from passbook_read.merchant_expenses as t
    where t.user_id = profile.user_id and t.merchant_key = chosen.merchant_key collate "default"
      and t.date between spans.first_day and spans.last_day and (include_pending or not t.pending)
      and (accounts is null or t.account_id = any (accounts))
      and passbook_read.is_included(t.category, categories, include_excluded, exists (
        select from passbook_read.excluded_categories as excluded
        where excluded.user_id = profile.user_id and excluded.category = t.category))
    group by t.unconverted_currency) as t
  where spans.period = 'day';
end;

-- The days of the open transaction as a history shows them, and their unit. An open start is the first day on which
-- anything is known; an open end is today. 'auto' means days for up to 92 days, weeks for up to two years, else months.
create function passbook_read.history_span(interval_name text)
returns table (
  user_id uuid, preferred_currency text, today date, first_day date, last_day date, unit text, points bigint)
language sql stable parallel safe
begin atomic
  select
    profile.user_id, profile.preferred_currency, profile.today, starting.day, ending.day, cut.unit,
    passbook_read.period_count(cut.unit, starting.day, ending.day)
  from passbook_read.current_user_profile as profile
  cross join lateral (
    select case
      when isfinite(passbook_read.last_day()) then passbook_read.last_day()
      else greatest(profile.today, passbook_read.first_day())
    end as day) as ending
  cross join lateral (
    select case
      when isfinite(passbook_read.first_day()) then passbook_read.first_day()
      else least(
        ending.day,
        (select min(s.date) from passbook_read.stated_balances as s where s.user_id = profile.user_id),
        (select t.date from passbook_read.transactions as t where t.user_id = profile.user_id and not t.pending
          order by t.date limit 1),
        (select min(c.first_date) from passbook_read.all_wallet_holdings as c where c.user_id = profile.user_id))
    end as day) as starting
  cross join lateral (
    select case
      when interval_name <> 'auto' then interval_name
      when ending.day - starting.day < 92 then 'day'
      when ending.day < starting.day + interval '2 years' then 'week'
      else 'month'
    end as unit) as cut;
end;

-- The points of a history, each the last day of its unit, and the day before the range unless its start is open: the change
-- starts there. No rows when there would be more points than allowed.
create function passbook_read.history_days(interval_name text, points_max integer)
returns table (user_id uuid, preferred_currency text, today date, day date, is_point boolean)
language sql stable parallel safe
begin atomic
  select span.user_id, span.preferred_currency, span.today, days.day, days.day >= span.first_day
  from passbook_read.history_span(interval_name) as span
  cross join lateral (
    select span.first_day - 1 as day where isfinite(passbook_read.first_day())
    union
    select least(passbook_read.period_end(span.unit, piece::date), span.last_day)
    from generate_series(
      date_trunc(span.unit, span.first_day::timestamp), span.last_day::timestamp, ('1 ' || span.unit)::interval) as piece
  ) as days
  where span.points <= points_max;
end;

-- Each holding of a wallet on each day: the last quantity at the last price, both on or before the day and today. Null
-- without a price, because the value is not known.
create function passbook_read.daily_wallet_values(interval_name text, points_max integer)
returns table (user_id uuid, day date, currency text, amount_cents bigint, part_id uuid, part_name text)
language sql stable parallel safe
begin atomic
  select days.user_id, days.day, c.currency, passbook_read.value_cents(held.quantity, latest.price), c.wallet_id, c.name
  from passbook_read.history_days(interval_name, points_max) as days
  join passbook_read.all_wallet_holdings as c on c.user_id = days.user_id
  cross join lateral (
    select q.quantity from passbook_read.wallet_quantities as q
    where q.user_id = c.user_id and q.wallet_id = c.wallet_id and q.security_id = c.security_id
      and q.date <= least(days.day, days.today)
    order by q.date desc limit 1) as held
  left join lateral (
    select prices.price from passbook_read.security_prices as prices
    where prices.user_id = c.user_id and prices.security_id = c.security_id
      and prices.date <= least(days.day, days.today)
    order by prices.date desc limit 1) as latest on true
  where held.quantity <> 0;
end;

-- Amounts in the user's currency at the rates of their days, in the given order. Null without a rate.
create function passbook_read.converted_amounts(days date[], currencies text[], amounts bigint[])
returns table (user_id uuid, place bigint, converted_cents bigint)
language sql stable parallel safe
begin atomic
  with given as materialized (
    select amounts.day, amounts.currency, amounts.cents, amounts.place
    from unnest(days, currencies, amounts) with ordinality as amounts (day, currency, cents, place)
  ), rates as materialized (
    select profile.user_id, profile.preferred_currency, wanted.day, wanted.currency,
      passbook_read.rate_on(wanted.currency, wanted.day) as from_rate,
      passbook_read.rate_on(profile.preferred_currency, wanted.day) as to_rate
    from passbook_read.current_user_profile as profile
    cross join (select given.day, given.currency from given group by given.day, given.currency) as wanted
  )
  select rates.user_id, given.place,
    passbook_read.convert_at(given.cents, given.currency, rates.from_rate, rates.preferred_currency, rates.to_rate)
  from given
  join rates on rates.day = given.day and rates.currency = given.currency;
end;
