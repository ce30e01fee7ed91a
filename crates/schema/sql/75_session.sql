-- The session of a request: its user, its days and its grant.

-- The first and the last day of the open transaction. A query contains `date between first_day() and last_day()`. Both
-- are constant while the query runs, so an index on the date serves it.
create function passbook_read.first_day() returns date
language sql stable parallel safe
return current_setting('app.first_day')::date;

create function passbook_read.last_day() returns date
language sql stable parallel safe
return current_setting('app.last_day')::date;

-- The last day of totals. It is the last day of the open transaction, or the end of its year if no row is later: totals of whole
-- months and years are then read instead of those of days.
create function passbook_read.last_total_day() returns date
language sql stable parallel safe
return current_setting('app.last_total_day')::date;

-- The day on which the months of the person begin.
create function passbook_read.month_start() returns integer
language sql stable parallel safe
return coalesce(current_setting('app.month_start', true), '1')::integer;

-- The first and the last day of a request without a last day. A first day takes precedence over a time range; a missing one is
-- open (null). The range ends today, but is open if it starts later. The range 'month' names a whole month, which ends today if
-- it is the current one; a missing year or month is the current one. 'this-…' ends today, 'last-…' with the period before;
-- 'last-12-months' are the twelve months before this one. Years are those of the calendar, months and quarters the person's.
-- '1m' is today − 1 month + 1 day … today: PostgreSQL limits the subtraction to the end of the month.
create function passbook_read.resolve_first_day(
  today date, date_from date, time_range text, year integer, month integer, month_start integer) returns date
language sql immutable parallel safe
return case
  when time_range = 'month' then passbook_read.month_first_day(make_date(
    coalesce(year, extract(year from passbook_read.month_of(today, month_start))::integer),
    coalesce(month, extract(month from passbook_read.month_of(today, month_start))::integer), 1), month_start)
  when date_from is not null then date_from
  when time_range = 'this-year' then date_trunc('year', today::timestamp)::date
  when time_range like 'this-%' then passbook_read.period_start(substr(time_range, 6), today, month_start)
  when time_range = 'last-12-months' then passbook_read.month_first_day(
    (passbook_read.month_of(today, month_start) - interval '12 months')::date, month_start)
  when time_range = 'last-year' then (date_trunc('year', today::timestamp) - interval '1 year')::date
  when time_range like 'last-%' then passbook_read.period_start(substr(time_range, 6),
    passbook_read.period_start(substr(time_range, 6), today, month_start) - 1, month_start)
  when time_range in ('1m', '3m', '6m', '1y') then (today - case time_range
    when '1m' then interval '1 month' when '3m' then interval '3 months' when '6m' then interval '6 months'
    else interval '1 year' end + interval '1 day')::date
end;

create function passbook_read.resolve_last_day(
  today date, date_from date, time_range text, first_day date, month_start integer) returns date
language sql immutable parallel safe
return case
  when time_range = 'month' and first_day <> passbook_read.period_start('month', today, month_start)
    then passbook_read.period_end('month', first_day, month_start)
  when time_range = 'last-12-months' then passbook_read.period_start('month', today, month_start) - 1
  when time_range = 'last-year' then date_trunc('year', today::timestamp)::date - 1
  when time_range like 'last-%' then passbook_read.period_start(substr(time_range, 6), today, month_start) - 1
  when time_range = 'month' or date_from is null or date_from <= today then today
end;

-- What a request reads of the credential's grant and of its person, and its resolved days, in the order in which a reader needs
-- them. Without a grant, the columns from revoked to owner_user_id are null. The names, on request, are those that the rows of a
-- list need. has_planned is true if a missing end of the range leaves out rows.
create type passbook_read.session as (
  revoked boolean, expired boolean, rest boolean, mcp boolean, scopes text[], owner_user_id uuid,
  excluded_categories text[], email text, preferred_currency text, time_zone text, today date, month_start integer,
  has_unconverted boolean, names text[], last_row_on date, first_day date, last_day date, has_planned boolean);

-- Opens the reading transaction: sets the user for row-level security, resolves the requested days, and returns the session:
-- one row, or none if the user is unknown. The days stay unresolved and unset if no query follows. The sign-in session, which a
-- token does not have, is set before the grant is read, because an ended session revokes the grant.
--
-- Also sets for this transaction that a prepared statement keeps the plan of its first execution, and that nothing is
-- compiled (JIT). Settings of the role would not reach its members, and a pooler drops settings of the connection.
--
-- Row-level security hides the dashboard of another user. It is a grant of the user 0, so that the response is 403, not 401.
--
-- Assignments of PL/pgSQL start no executor, but each costs more than the functions that it calls, and each transaction prepares
-- an expression with all its branches. So what is needed seldom is an assignment of its own. Each kind of credential has its own
-- query, because PostgreSQL then leaves the other kinds out of the plan. The row has a type of its own, because PostgreSQL
-- builds the description of a function's own columns anew in each call.
create function passbook_read.open_session(
  of_user uuid, of_credential text, of_reference text,
  date_from date, date_to date, time_range text, requested_year integer, requested_month integer, fixed_today date,
  of_session text default null, with_names boolean default false, with_days boolean default true)
returns setof passbook_read.session
language plpgsql volatile rows 1 as $$
declare
  opened passbook_read.session;
  set_values text[];
  last_total_day date;
begin
  set_values := array[
    set_config('plan_cache_mode', 'force_generic_plan', true), set_config('jit', 'off', true),
    set_config('app.user_id', of_user::text, true)];
  if fixed_today is not null then
    set_values := array[set_config('app.today', fixed_today::text, true)];
  end if;
  if of_credential = 'personal_access_token' then
    select
      grants.revoked, grants.expired, grants.rest, grants.mcp, grants.scopes, grants.owner_user_id,
      profile.excluded_categories, profile.email, profile.preferred_currency, profile.time_zone, profile.today,
      profile.month_start, profile.has_unconverted, case when with_names then profile.names end, profile.last_row_on
    into opened
    from passbook_read.current_user_profile as profile
    left join passbook_read.grants as grants
      on grants.user_id = of_user and grants.credential = 'personal_access_token' and grants.reference = of_reference
    where profile.user_id = of_user;
  else
    set_values := array[set_config('app.session_id', coalesce(of_session, ''), true)];
    select
      grants.revoked, grants.expired, grants.rest, grants.mcp, grants.scopes, grants.owner_user_id,
      profile.excluded_categories, profile.email, profile.preferred_currency, profile.time_zone, profile.today,
      profile.month_start, profile.has_unconverted, case when with_names then profile.names end, profile.last_row_on
    into opened
    from passbook_read.current_user_profile as profile
    left join passbook_read.grants as grants
      on grants.user_id = of_user and grants.credential = of_credential and grants.reference = of_reference
    where profile.user_id = of_user;
    if opened.revoked is null and of_credential = 'oauth_client' and passbook_read.is_personal_client(of_reference) then
      select false, false, false, false, '{}', '00000000-0000-0000-0000-000000000000'
      into opened.revoked, opened.expired, opened.rest, opened.mcp, opened.scopes, opened.owner_user_id;
    end if;
  end if;
  if not with_days then
    /* No query follows. */
  elsif date_from is null and date_to is null and coalesce(time_range, 'all') = 'all'
    and coalesce(opened.last_row_on <= opened.today, true) then
    /* All days up to today are all days, because no row is later. Stored totals have all days as one total. */
    opened.last_day := opened.today;
    set_values := array[set_config('app.first_day', '-infinity', true), set_config('app.last_day', 'infinity', true),
      set_config('app.last_total_day', 'infinity', true),
      set_config('app.month_start', coalesce(opened.month_start, 1)::text, true)];
  else
    if date_to is not null then
      opened.first_day := date_from;
      opened.last_day := date_to;
    else
      opened.first_day := passbook_read.resolve_first_day(
        opened.today, date_from, time_range, requested_year, requested_month, opened.month_start);
      opened.last_day := passbook_read.resolve_last_day(
        opened.today, date_from, time_range, opened.first_day, opened.month_start);
      opened.has_planned := coalesce(opened.last_day = opened.today and opened.last_row_on > opened.today
        and (time_range = 'month' or time_range like 'this-%' or opened.first_day is not distinct from date_from), false);
    end if;
    /* A range of up to two months that starts within a month is read as days. Extended, it would be read in two parts, as days
    and as months, which takes two lookups for each category. */
    if coalesce(opened.last_row_on <= opened.last_day, true)
      and (opened.last_day - opened.first_day > 61
        or opened.first_day <= opened.last_day and extract(day from opened.first_day) = opened.month_start) then
      last_total_day := passbook_read.period_end('year', opened.last_day, opened.month_start);
    end if;
    set_values := array[
      set_config('app.first_day', coalesce(opened.first_day, '-infinity')::text, true),
      set_config('app.last_day', coalesce(opened.last_day, 'infinity')::text, true),
      set_config('app.last_total_day', coalesce(last_total_day, opened.last_day, 'infinity')::text, true),
      set_config('app.month_start', coalesce(opened.month_start, 1)::text, true)];
    if opened.has_planned then
      set_values := array[set_config('app.last_planned_day', case
        when time_range = 'month' then passbook_read.period_end('month', opened.today, opened.month_start)::text
        when time_range like 'this-%' then passbook_read.period_end(
          substr(time_range, 6), opened.today, case time_range when 'this-year' then 1 else opened.month_start end)::text
        else 'infinity' end, true)];
    end if;
  end if;
  /* Without a person there is no day. */
  if opened.today is not null then
    return next opened;
  end if;
end
$$;
