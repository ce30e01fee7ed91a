-- Gives every function in language SQL a body of the SQL standard. PostgreSQL records what such a body uses, so pg_dump
-- writes each function after the views and functions that it needs, and the dump can be restored. The names in such a
-- body are resolved here, once, so a search_path cannot change their meaning.
--
-- Functions in PL/pgSQL keep their string bodies, which PostgreSQL resolves at each call: they name the schema of
-- everything they use. No generated column, index or check reaches them, so a restore does not call them.
--
-- "t.*" is expanded here too. A migration that adds a column to the view passbook_read.transactions must also recreate
-- counted_transactions and listed_transactions.

-- ROW-LEVEL SECURITY ----------------------------------------------------------------------------------------

-- Returns the user of the open transaction; null without one.
create or replace function passbook.current_user_id() returns uuid
language sql stable parallel safe
return nullif(current_setting('app.user_id', true), '')::uuid;

-- SEARCH TEXTS AND MERCHANT KEYS ----------------------------------------------------------------------------

-- Lower case without accents: compatibility decomposition, without combining marks. The letters that decomposition
-- does not change are replaced by a table. Used only for searching.
create or replace function passbook_read.fold(value text) returns text
language sql immutable strict parallel safe
return replace(replace(replace(replace(
  translate(
    lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g') collate "und-x-icu"),
    'øłđðħıŧŋĸſ', 'olddhitnks'),
  'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');

-- A merchant's name without white space around it.
create or replace function passbook_read.merchant_spelling(value text) returns text
language sql immutable strict parallel safe
return btrim(value, E' \t\r\n\u00a0');

-- Lower case and trimmed, with accents: the same for all spellings of a merchant that differ in case.
create or replace function passbook_read.merchant_key(value text) returns text
language sql immutable strict parallel safe
return lower(passbook_read.merchant_spelling(value) collate "und-x-icu");

-- THE OPEN TRANSACTION --------------------------------------------------------------------------------------

-- The date of today in a time zone. Tests and demonstrations set another date for one transaction with app.today.
create or replace function passbook_read.today_in(time_zone text) returns date
language sql stable parallel safe
return coalesce(
  nullif(current_setting('app.today', true), '')::date,
  (now() at time zone time_zone)::date);

-- The session that the presented token names; null when the token names none.
create or replace function passbook_read.session_id() returns text
language sql stable parallel safe
return nullif(current_setting('app.session_id', true), '');

-- The first and the last day of the open transaction. A query contains `date between first_day() and last_day()`. Both
-- are constant while the query runs, so an index on the date serves it.
create or replace function passbook_read.first_day() returns date
language sql stable parallel safe
return current_setting('app.first_day')::date;

create or replace function passbook_read.last_day() returns date
language sql stable parallel safe
return current_setting('app.last_day')::date;

-- The same number of days directly before; null when the days of the transaction are open at either end.
create or replace function passbook_read.previous_first_day() returns date
language sql stable parallel safe
return case when isfinite(passbook_read.first_day()) and isfinite(passbook_read.last_day())
  then passbook_read.first_day() - (passbook_read.last_day() - passbook_read.first_day() + 1) end;

create or replace function passbook_read.previous_last_day() returns date
language sql stable parallel safe
return case when isfinite(passbook_read.first_day()) and isfinite(passbook_read.last_day())
  then passbook_read.first_day() - 1 end;

-- The first and last day of a request. Explicit days take precedence over a time range; a missing end is open (null).
-- '1m' is today − 1 month + 1 day … today: PostgreSQL limits the subtraction to the end of the month.
create or replace function passbook_read.resolve_range(
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

-- AMOUNTS ---------------------------------------------------------------------------------------------------

-- A quantity at a price, in whole hundredths, rounded half away from zero, as numeric rounds.
create or replace function passbook_read.value_cents(quantity numeric, price numeric) returns bigint
language sql immutable parallel safe
return round(quantity * price * 100)::bigint;

-- An amount converted with two rates. An amount that is in the wanted currency already needs no rate.
create or replace function passbook_read.convert_at(
  amount_cents bigint, from_currency text, from_rate numeric, to_currency text, to_rate numeric) returns bigint
language sql immutable parallel safe
return case
  when from_currency = to_currency then amount_cents
  else passbook_read.convert_cents(amount_cents, from_rate, to_rate)
end;

-- An amount in another currency on a day; null when a rate is missing.
create or replace function passbook_read.convert_on(
  amount_cents bigint, from_currency text, to_currency text, day date) returns bigint
language sql stable parallel safe
return passbook_read.convert_at(
  amount_cents, from_currency, passbook_read.rate_on(from_currency, day), to_currency, passbook_read.rate_on(to_currency, day));

-- TRANSACTIONS ----------------------------------------------------------------------------------------------

-- The rows that are summed up: no transfers; pending rows and excluded categories only on request.
create or replace function passbook_read.counted_transactions(
  from_day date, to_day date, include_pending boolean, include_excluded boolean)
returns setof passbook_read.transactions
language sql stable parallel safe
begin atomic
  select t.* from passbook_read.transactions as t
  where t.date between from_day and to_day
    and t.type <> 'INTERNAL_TRANSFER'
    and (include_pending or not t.pending)
    and (include_excluded or not t.excluded);
end;

-- The rows of a list, within the days of the transaction. Each parameter narrows the list; null does not.
-- The text is searched literally, without regard to case and accents.
create or replace function passbook_read.listed_transactions(
  of_types text[], of_categories text[], of_accounts uuid[],
  amount_min bigint, amount_max bigint, wanted text, only_pending boolean)
returns setof passbook_read.transactions
language sql stable parallel safe
begin atomic
  select t.* from passbook_read.transactions as t
  where t.date between passbook_read.first_day() and passbook_read.last_day()
    and t.type = any (of_types)
    and (of_categories is null or t.category = any (of_categories))
    and (of_accounts is null or t.account_id = any (of_accounts))
    and (amount_min is null or t.amount_cents >= amount_min)
    and (amount_max is null or t.amount_cents <= amount_max)
    and (only_pending is null or t.pending = only_pending)
    and (wanted is null or (passbook_read.fold(wanted) <> '' and (
      position(passbook_read.fold(wanted) in t.merchant_search) > 0
      or position(passbook_read.fold(wanted) in t.title_search) > 0)));
end;

-- THE DAYS OF A HISTORY -------------------------------------------------------------------------------------

-- The last day of the day, ISO week or month that contains a day.
create or replace function passbook_read.last_of(unit text, day date) returns date
language sql immutable parallel safe
return (date_trunc(unit, day::timestamp) + ('1 ' || unit)::interval - interval '1 day')::date;

-- The number of days, ISO weeks or months that touch the days from one to another.
create or replace function passbook_read.count_of(unit text, from_day date, to_day date) returns bigint
language sql immutable parallel safe
return 1 + case unit
  when 'month' then 12 * (extract(year from to_day) - extract(year from from_day))
    + extract(month from to_day) - extract(month from from_day)
  when 'week' then (passbook_read.last_of(unit, to_day) - passbook_read.last_of(unit, from_day)) / 7
  else to_day - from_day
end::bigint;

-- The days of the open transaction as a history shows them, and their unit. An open start is the first day on which
-- anything is known; an open end is today. 'auto' means days for up to 92 days, weeks for up to two years, else months.
create or replace function passbook_read.history_span(asked_interval text)
returns table (
  user_id uuid, preferred_currency text, today date, first_day date, last_day date, unit text, points bigint)
language sql stable parallel safe
begin atomic
  select
    people.user_id, people.preferred_currency, people.today, starting.day, ending.day, cut.unit,
    passbook_read.count_of(cut.unit, starting.day, ending.day)
  from passbook_read.people as people
  cross join lateral (
    select case
      when isfinite(passbook_read.last_day()) then passbook_read.last_day()
      else greatest(people.today, passbook_read.first_day())
    end as day) as ending
  cross join lateral (
    select case
      when isfinite(passbook_read.first_day()) then passbook_read.first_day()
      else least(
        ending.day,
        (select min(a.first_as_of) from passbook_read.accounts_ever as a where a.user_id = people.user_id),
        (select min(c.first_as_of) from passbook_read.wallet_contents_ever as c where c.user_id = people.user_id))
    end as day) as starting
  cross join lateral (
    select case
      when asked_interval <> 'auto' then asked_interval
      when ending.day - starting.day < 92 then 'day'
      when ending.day < starting.day + interval '2 years' then 'week'
      else 'month'
    end as unit) as cut;
end;

-- The points of a history, each the last day of its unit, and the first day of the range, where change starts but which
-- may be no point. No rows when there would be more points than allowed.
create or replace function passbook_read.history_days(asked_interval text, points_max integer)
returns table (user_id uuid, preferred_currency text, today date, day date, is_point boolean)
language sql stable parallel safe
begin atomic
  select
    span.user_id, span.preferred_currency, span.today, days.day,
    days.day = span.last_day or days.day = passbook_read.last_of(span.unit, days.day)
  from passbook_read.history_span(asked_interval) as span
  cross join lateral (
    select span.first_day as day
    union
    select least(passbook_read.last_of(span.unit, piece::date), span.last_day)
    from generate_series(
      date_trunc(span.unit, span.first_day::timestamp), span.last_day::timestamp, ('1 ' || span.unit)::interval) as piece
  ) as days
  where span.points <= points_max;
end;

-- BALANCES AND VALUES ON DAYS -------------------------------------------------------------------------------

-- Each account on each day until it closed: the last stored balance, from today on its present balance. Null before the
-- first stored balance: the balance is unknown.
create or replace function passbook_read.balances_on_days(asked_interval text, points_max integer)
returns table (user_id uuid, day date, currency text, amount_cents bigint)
language sql stable parallel safe
begin atomic
  select days.user_id, days.day, a.currency,
    case when days.day < days.today then known.balance_cents else a.balance_cents end
  from passbook_read.history_days(asked_interval, points_max) as days
  join passbook_read.accounts_ever as a
    on a.user_id = days.user_id and (a.closed_on is null or a.closed_on > days.day)
  left join lateral (
    select s.balance_cents from passbook_read.balance_snapshots as s
    where s.user_id = a.user_id and s.account_id = a.account_id and s.as_of <= days.day
    order by s.as_of desc limit 1) as known on true;
end;

-- Everything in wallets on each day: the last quantity at the last price, both on or before the day and today. Null
-- without a price: the value is unknown.
create or replace function passbook_read.wallets_on_days(asked_interval text, points_max integer)
returns table (user_id uuid, day date, currency text, amount_cents bigint)
language sql stable parallel safe
begin atomic
  select days.user_id, days.day, c.currency, passbook_read.value_cents(held.quantity, latest.price)
  from passbook_read.history_days(asked_interval, points_max) as days
  join passbook_read.wallet_contents_ever as c on c.user_id = days.user_id
  cross join lateral (
    select q.quantity from passbook_read.wallet_quantities as q
    where q.user_id = c.user_id and q.wallet_id = c.wallet_id and q.security_id = c.security_id
      and q.as_of <= least(days.day, days.today)
    order by q.as_of desc limit 1) as held
  left join lateral (
    select prices.price from passbook_read.security_prices as prices
    where prices.user_id = c.user_id and prices.security_id = c.security_id
      and prices.as_of <= least(days.day, days.today)
    order by prices.as_of desc limit 1) as latest on true
  where held.quantity <> 0;
end;

-- Each balance and value on each day, converted at the rates of that day and rounded here, once. A day without any
-- balance or value has one row without a currency.
create or replace function passbook_read.worth_on_days(asked_interval text, points_max integer)
returns table (
  user_id uuid, day date, is_point boolean, currency text, amount_cents bigint, converted_cents bigint)
language sql stable parallel safe
begin atomic
  with days as materialized (
    select d.user_id, d.preferred_currency, d.day, d.is_point
    from passbook_read.history_days(asked_interval, points_max) as d
  ), held as materialized (
    select b.user_id, b.day, b.currency, b.amount_cents
    from passbook_read.balances_on_days(asked_interval, points_max) as b
    union all
    select w.user_id, w.day, w.currency, w.amount_cents
    from passbook_read.wallets_on_days(asked_interval, points_max) as w
  ), rates as materialized (
    -- Looked up once per day and currency, and only where an amount has to be converted.
    select wanted.day, wanted.currency, passbook_read.rate_on(wanted.currency, wanted.day) as rate
    from (
      select days.day, either.currency
      from days
      join held on held.user_id = days.user_id and held.day = days.day and held.currency <> days.preferred_currency
      cross join lateral (values (held.currency), (days.preferred_currency)) as either (currency)
      group by days.day, either.currency) as wanted
  )
  select
    days.user_id, days.day, days.is_point, held.currency, held.amount_cents,
    passbook_read.convert_at(
      held.amount_cents, held.currency, from_rates.rate, days.preferred_currency, to_rates.rate)
  from days
  left join held on held.user_id = days.user_id and held.day = days.day
  left join rates as from_rates on from_rates.day = held.day and from_rates.currency = held.currency
  left join rates as to_rates on to_rates.day = held.day and to_rates.currency = days.preferred_currency;
end;
