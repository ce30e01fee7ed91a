-- Filters for totals, the parts of the portfolio's history, and the time zone in the session's row.

-- FILTERS ---------------------------------------------------------------------------------------------------

-- The rows that match the filters which lists and totals share. A filter that is null matches every row. The text is
-- searched literally, without regard to case and accents.
create function passbook_read.matching_transactions(
  from_day date, to_day date, of_categories text[], of_accounts uuid[], wanted text)
returns setof passbook_read.transactions
language sql stable parallel safe
begin atomic
  select t.* from passbook_read.transactions as t
  where t.date between from_day and to_day
    and (of_categories is null or t.category = any (of_categories))
    and (of_accounts is null or t.account_id = any (of_accounts))
    and (wanted is null or (passbook_read.fold(wanted) <> '' and (
      position(passbook_read.fold(wanted) in t.merchant_search) > 0
      or position(passbook_read.fold(wanted) in t.title_search) > 0)));
end;

-- The rows of a list, within the session's days.
create or replace function passbook_read.listed_transactions(
  of_types text[], of_categories text[], of_accounts uuid[],
  amount_min bigint, amount_max bigint, wanted text, only_pending boolean)
returns setof passbook_read.transactions
language sql stable parallel safe
begin atomic
  select t.* from passbook_read.matching_transactions(
    passbook_read.first_day(), passbook_read.last_day(), of_categories, of_accounts, wanted) as t
  where t.type = any (of_types)
    and (amount_min is null or t.amount_cents >= amount_min)
    and (amount_max is null or t.amount_cents <= amount_max)
    and (only_pending is null or t.pending = only_pending);
end;

-- The rows of a total: no transfers; pending rows and excluded categories as requested. A category that the filter names
-- counts although the person excluded it.
create function passbook_read.counted_transactions(
  from_day date, to_day date, include_pending boolean, include_excluded boolean,
  of_categories text[], of_accounts uuid[], wanted text)
returns setof passbook_read.transactions
language sql stable parallel safe
begin atomic
  select t.* from passbook_read.matching_transactions(from_day, to_day, of_categories, of_accounts, wanted) as t
  where t.type <> 'INTERNAL_TRANSFER'
    and (include_pending or not t.pending)
    and (include_excluded or of_categories is not null or not t.excluded);
end;

-- The same without filters.
create or replace function passbook_read.counted_transactions(
  from_day date, to_day date, include_pending boolean, include_excluded boolean)
returns setof passbook_read.transactions
language sql stable parallel safe
begin atomic
  select t.* from passbook_read.counted_transactions(
    from_day, to_day, include_pending, include_excluded, null, null, null) as t;
end;

-- PARTS OF THE HISTORY --------------------------------------------------------------------------------------

create or replace view passbook_read.accounts_ever as
  select
    a.user_id,
    a.account_id,
    a.currency,
    a.balance_cents,
    a.closed_on,
    (select min(s.as_of) from passbook.balance_snapshots as s
      where s.user_id = a.user_id and s.account_id = a.account_id) as first_as_of,
    a.type,
    a.name
  from passbook.accounts as a;

create or replace view passbook_read.wallet_contents_ever as
  select held.user_id, held.wallet_id, held.security_id, held.first_as_of, s.currency, w.name
  from (
    select user_id, wallet_id, security_id, min(as_of) as first_as_of
    from passbook.wallet_holdings group by user_id, wallet_id, security_id) as held
  join passbook.securities as s on s.user_id = held.user_id and s.security_id = held.security_id
  join passbook.wallets as w on w.user_id = held.user_id and w.wallet_id = held.wallet_id;

drop function passbook_read.worth_on_days(text, integer);
drop function passbook_read.balances_on_days(text, integer);
drop function passbook_read.wallets_on_days(text, integer);

-- Each account on each day until the account closed: the last stored balance; from today on the present balance. Null
-- before the first stored balance, because the balance is not known.
create function passbook_read.balances_on_days(asked_interval text, points_max integer)
returns table (
  user_id uuid, day date, currency text, amount_cents bigint, part_id uuid, part_type text, part_name text)
language sql stable parallel safe
begin atomic
  select days.user_id, days.day, a.currency,
    case when days.day < days.today then known.balance_cents else a.balance_cents end,
    a.account_id, a.type, a.name
  from passbook_read.history_days(asked_interval, points_max) as days
  join passbook_read.accounts_ever as a
    on a.user_id = days.user_id and (a.closed_on is null or a.closed_on > days.day)
  left join lateral (
    select s.balance_cents from passbook_read.balance_snapshots as s
    where s.user_id = a.user_id and s.account_id = a.account_id and s.as_of <= days.day
    order by s.as_of desc limit 1) as known on true;
end;

-- Each holding of a wallet on each day: the last quantity at the last price, both on or before the day and today. Null
-- without a price, because the value is not known.
create function passbook_read.wallets_on_days(asked_interval text, points_max integer)
returns table (
  user_id uuid, day date, currency text, amount_cents bigint, part_id uuid, part_type text, part_name text)
language sql stable parallel safe
begin atomic
  select days.user_id, days.day, c.currency, passbook_read.value_cents(held.quantity, latest.price),
    c.wallet_id, 'wallet', c.name
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

-- Each balance and value on each day, converted at the rates of that day and rounded here, once, with the account or
-- wallet that it is a part of. A day on which there was nothing has one row without a currency.
create function passbook_read.worth_on_days(asked_interval text, points_max integer)
returns table (
  user_id uuid, day date, is_point boolean, currency text, amount_cents bigint, converted_cents bigint,
  part_id uuid, part_type text, part_name text)
language sql stable parallel safe
begin atomic
  with days as materialized (
    select d.user_id, d.preferred_currency, d.day, d.is_point
    from passbook_read.history_days(asked_interval, points_max) as d
  ), held as materialized (
    select b.user_id, b.day, b.currency, b.amount_cents, b.part_id, b.part_type, b.part_name
    from passbook_read.balances_on_days(asked_interval, points_max) as b
    union all
    select w.user_id, w.day, w.currency, w.amount_cents, w.part_id, w.part_type, w.part_name
    from passbook_read.wallets_on_days(asked_interval, points_max) as w
  ), rates as materialized (
    -- One look-up per day and currency, and only where something has to be converted.
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
      held.amount_cents, held.currency, from_rates.rate, days.preferred_currency, to_rates.rate),
    held.part_id, held.part_type, held.part_name
  from days
  left join held on held.user_id = days.user_id and held.day = days.day
  left join rates as from_rates on from_rates.day = held.day and from_rates.currency = held.currency
  left join rates as to_rates on to_rates.day = held.day and to_rates.currency = days.preferred_currency;
end;

-- THE SESSION -----------------------------------------------------------------------------------------------

drop function passbook_read.open_session(uuid, text, text, date, date, text, integer, integer, date, text);

-- Opens the reading transaction: sets the user for row-level security, resolves the requested days, and returns the
-- person's settings and the grant of the credential. One row, or none if the user is unknown. The range 'month' names a
-- whole month; a missing year or month is the current one. The session is set before the grant is read, because an ended
-- session revokes the grant.
create function passbook_read.open_session(
  of_user uuid, of_credential text, of_reference text,
  date_from date, date_to date, time_range text, asked_year integer, asked_month integer, fixed_today date,
  of_session text default null)
returns table (
  email text, preferred_currency text, time_zone text, today date, excluded_categories text[],
  grant_found boolean, owner_user_id uuid, scopes text[], rest boolean, mcp boolean, revoked boolean, expired boolean,
  first_day date, last_day date)
language plpgsql volatile as $$
declare
  person record;
  range record;
begin
  perform
    set_config('app.user_id', of_user::text, true),
    set_config('app.session_id', coalesce(of_session, ''), true),
    set_config('app.today', coalesce(fixed_today::text, ''), true);
  select * into person from passbook_read.people as people where people.user_id = of_user;
  select * into range from passbook_read.resolve_range(
    person.today, open_session.date_from, open_session.date_to, open_session.time_range,
    case when open_session.time_range = 'month' then coalesce(asked_year, extract(year from person.today)::integer) end,
    case when open_session.time_range = 'month' then coalesce(asked_month, extract(month from person.today)::integer) end);
  perform
    set_config('app.first_day', coalesce(range.first_day, '-infinity')::text, true),
    set_config('app.last_day', coalesce(range.last_day, 'infinity')::text, true);
  if person.user_id is null then
    return;
  end if;
  return query
    select
      person.email, person.preferred_currency, person.time_zone, person.today, person.excluded_categories,
      grants.user_id is not null, grants.owner_user_id, grants.scopes, grants.rest, grants.mcp, grants.revoked,
      grants.expired, range.first_day, range.last_day
    from (values (of_user)) as asked (user_id)
    left join passbook_read.grants as grants
      on grants.user_id = asked.user_id and grants.credential = of_credential and grants.reference = of_reference;
end
$$;

revoke all on function
  passbook_read.matching_transactions(date, date, text[], uuid[], text),
  passbook_read.counted_transactions(date, date, boolean, boolean, text[], uuid[], text),
  passbook_read.balances_on_days(text, integer),
  passbook_read.wallets_on_days(text, integer),
  passbook_read.worth_on_days(text, integer),
  passbook_read.open_session(uuid, text, text, date, date, text, integer, integer, date, text) from public;
grant execute on function
  passbook_read.matching_transactions(date, date, text[], uuid[], text),
  passbook_read.counted_transactions(date, date, boolean, boolean, text[], uuid[], text),
  passbook_read.balances_on_days(text, integer),
  passbook_read.wallets_on_days(text, integer),
  passbook_read.worth_on_days(text, integer),
  passbook_read.open_session(uuid, text, text, date, date, text, integer, integer, date, text) to passbook_reader;
