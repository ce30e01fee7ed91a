-- The days of the open transaction as a history shows them, and their unit. An open start is the first day on which
-- anything is known; an open end is today. 'auto' means days for up to 92 days, weeks for up to two years, else months.
create function passbook_read.history_span(interval_name text)
returns table (
  user_id uuid, preferred_currency text, today date, first_day date, last_day date, unit text, points bigint)
language sql stable parallel safe
begin atomic
  select profile.user_id, profile.preferred_currency, profile.today, starting.day, ending.day, cut.unit,
    passbook_read.period_count(cut.unit, starting.day, ending.day, profile.month_start)
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
    select least(case span.unit
      when 'month' then passbook_read.month_first_day((piece + interval '1 month')::date, passbook_read.month_start()) - 1
      else passbook_read.period_end(span.unit, piece::date, 1) end, span.last_day)
    from (
      select passbook_read.month_of(span.first_day, passbook_read.month_start()) as first_month,
        passbook_read.month_of(span.last_day, passbook_read.month_start()) as last_month) as months
    cross join generate_series(
      case span.unit when 'month' then months.first_month else date_trunc(span.unit, span.first_day::timestamp) end,
      case span.unit when 'month' then months.last_month else span.last_day end, ('1 ' || span.unit)::interval) as piece
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
