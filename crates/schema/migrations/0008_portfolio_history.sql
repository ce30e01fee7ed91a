-- The reading contract of the portfolio's history: the days it is told for, and what there was on each.

-- An amount at two rates, with the one exception to asking for them: what is in the wanted currency already.
create function passbook_read.convert_at(
  amount_cents bigint, from_currency text, from_rate numeric, to_currency text, to_rate numeric) returns bigint
language sql immutable parallel safe as $$
  select case
    when from_currency = to_currency then amount_cents
    else passbook_read.convert_cents(amount_cents, from_rate, to_rate)
  end
$$;

create or replace function passbook_read.convert_on(amount_cents bigint, from_currency text, to_currency text, day date) returns bigint
language sql stable parallel safe as $$
  select passbook_read.convert_at(
    amount_cents, from_currency, passbook_read.rate_on(from_currency, day), to_currency, passbook_read.rate_on(to_currency, day))
$$;

-- As stored. Each is read by person, account or security, and day.
create view passbook_read.balance_snapshots as
  select s.user_id, s.account_id, s.as_of, s.balance_cents from passbook.balance_snapshots as s;

create view passbook_read.security_prices as
  select prices.user_id, prices.security_id, prices.as_of, prices.price from passbook.security_prices as prices;

create view passbook_read.wallet_quantities as
  select held.user_id, held.wallet_id, held.security_id, held.as_of, held.quantity from passbook.wallet_holdings as held;

-- Every account there ever was, closed ones included, with the first day on which its balance is known.
create view passbook_read.accounts_ever as
  select
    a.user_id,
    a.account_id,
    a.currency,
    a.balance_cents,
    a.closed_on,
    (select min(s.as_of) from passbook.balance_snapshots as s
      where s.user_id = a.user_id and s.account_id = a.account_id) as first_as_of
  from passbook.accounts as a;

-- Everything that was ever in a wallet.
create view passbook_read.wallet_contents_ever as
  select held.user_id, held.wallet_id, held.security_id, held.first_as_of, s.currency
  from (
    select user_id, wallet_id, security_id, min(as_of) as first_as_of
    from passbook.wallet_holdings group by user_id, wallet_id, security_id) as held
  join passbook.securities as s on s.user_id = held.user_id and s.security_id = held.security_id;

-- For each account, and for each time something without a price was in a wallet: the day from which on it is known
-- what there was; infinity where it is not known to this day.
create view passbook_read.known_since as
  select a.user_id, least(a.first_as_of, a.closed_on, people.today) as day
  from passbook_read.accounts_ever as a
  join passbook_read.people as people on people.user_id = a.user_id
  union all
  select held.user_id, coalesce(least(held.changed_on, first_price.as_of), 'infinity')
  from (
    select q.user_id, q.security_id, q.as_of, q.quantity, people.today,
      lead(q.as_of) over (partition by q.user_id, q.wallet_id, q.security_id order by q.as_of) as changed_on
    from passbook_read.wallet_quantities as q
    join passbook_read.people as people on people.user_id = q.user_id
    where q.as_of <= people.today) as held
  left join lateral (
    select min(prices.as_of) as as_of from passbook_read.security_prices as prices
    where prices.user_id = held.user_id and prices.security_id = held.security_id
      and prices.as_of <= held.today) as first_price on true
  where held.quantity <> 0 and (first_price.as_of is null or first_price.as_of > held.as_of);

-- THE DAYS --------------------------------------------------------------------------------------------------

-- The last day of the day, ISO week or month that a day is in.
create function passbook_read.last_of(unit text, day date) returns date
language sql immutable parallel safe as $$
  select (date_trunc(unit, day::timestamp) + ('1 ' || unit)::interval - interval '1 day')::date
$$;

-- How many days, ISO weeks or months touch the days from one to another.
create function passbook_read.count_of(unit text, from_day date, to_day date) returns bigint
language sql immutable parallel safe as $$
  select 1 + case unit
    when 'month' then 12 * (extract(year from to_day) - extract(year from from_day))
      + extract(month from to_day) - extract(month from from_day)
    when 'week' then (passbook_read.last_of(unit, to_day) - passbook_read.last_of(unit, from_day)) / 7
    else to_day - from_day
  end::bigint
$$;

-- The days of the open session as a history takes them, and how they are cut. An open start is the first day on which
-- anything is known, an open end is today. 'auto' means days up to 92 of them, weeks up to two years, else months.
create function passbook_read.history_span(asked_interval text)
returns table (
  user_id uuid, preferred_currency text, today date, first_day date, last_day date, unit text, points bigint)
language sql stable parallel safe as $$
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
    end as unit) as cut
$$;

-- The points of a history, each the last day of its piece of the range, and the first day of the range, which is
-- where change starts but may be no point. No day at all when there would be more points than allowed.
create function passbook_read.history_days(asked_interval text, points_max integer)
returns table (user_id uuid, preferred_currency text, today date, day date, is_point boolean)
language sql stable parallel safe as $$
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
  where span.points <= points_max
$$;

-- WHAT THERE WAS --------------------------------------------------------------------------------------------

-- Each account on each day until it closed: the last stored balance, from today on the balance it has now. Null before
-- the first stored balance: it is not known.
create function passbook_read.balances_on_days(asked_interval text, points_max integer)
returns table (user_id uuid, day date, currency text, amount_cents bigint)
language sql stable parallel safe as $$
  select days.user_id, days.day, a.currency,
    case when days.day < days.today then known.balance_cents else a.balance_cents end
  from passbook_read.history_days(asked_interval, points_max) as days
  join passbook_read.accounts_ever as a
    on a.user_id = days.user_id and (a.closed_on is null or a.closed_on > days.day)
  left join lateral (
    select s.balance_cents from passbook_read.balance_snapshots as s
    where s.user_id = a.user_id and s.account_id = a.account_id and s.as_of <= days.day
    order by s.as_of desc limit 1) as known on true
$$;

-- Everything in wallets on each day: the last quantity at the last price, both on or before the day and today. Null
-- without a price: it is worth something, but nobody knows what.
create function passbook_read.wallets_on_days(asked_interval text, points_max integer)
returns table (user_id uuid, day date, currency text, amount_cents bigint)
language sql stable parallel safe as $$
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
  where held.quantity <> 0
$$;

-- Each balance and value on each day, converted at the rates of that day and rounded here, once. A day on which there
-- was nothing has one row without a currency.
create function passbook_read.worth_on_days(asked_interval text, points_max integer)
returns table (
  user_id uuid, day date, is_point boolean, currency text, amount_cents bigint, converted_cents bigint)
language sql stable parallel safe as $$
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
    -- Asked for once per day and currency, and only where something has to be converted.
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
  left join rates as to_rates on to_rates.day = held.day and to_rates.currency = days.preferred_currency
$$;

revoke all on function
  passbook_read.convert_at(bigint, text, numeric, text, numeric),
  passbook_read.last_of(text, date),
  passbook_read.count_of(text, date, date),
  passbook_read.history_span(text),
  passbook_read.history_days(text, integer),
  passbook_read.balances_on_days(text, integer),
  passbook_read.wallets_on_days(text, integer),
  passbook_read.worth_on_days(text, integer) from public;
grant execute on function
  passbook_read.convert_at(bigint, text, numeric, text, numeric),
  passbook_read.last_of(text, date),
  passbook_read.count_of(text, date, date),
  passbook_read.history_span(text),
  passbook_read.history_days(text, integer),
  passbook_read.balances_on_days(text, integer),
  passbook_read.wallets_on_days(text, integer),
  passbook_read.worth_on_days(text, integer) to passbook_reader;
grant select on passbook_read.balance_snapshots, passbook_read.security_prices, passbook_read.wallet_quantities,
  passbook_read.accounts_ever, passbook_read.wallet_contents_ever, passbook_read.known_since to passbook_reader;
