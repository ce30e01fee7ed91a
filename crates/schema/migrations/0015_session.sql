-- The reading transaction with fewer statements: the settings of its plans, the person and the grant in one query.

-- Opens the reading transaction: sets the user for row-level security, resolves the requested days, and returns the
-- person's settings and the grant of the credential. One row, or none if the user is unknown. The range 'month' names a
-- whole month; a missing year or month is the current one. The session is set before the grant is read, because an ended
-- session revokes the grant.
--
-- Also sets for this transaction that a prepared statement keeps the plan of its first execution, and that nothing is
-- compiled (JIT). Settings of the role would not reach its members, and a pooler drops settings of the connection.
--
-- Every request calls this function. Assignments of PL/pgSQL start no executor. Each kind of credential has its own query,
-- because PostgreSQL then leaves the other kinds out of the plan.
create or replace function passbook_read.open_session(
  of_user uuid, of_credential text, of_reference text,
  date_from date, date_to date, time_range text, asked_year integer, asked_month integer, fixed_today date,
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
      people.email, people.preferred_currency, people.time_zone, people.today, people.excluded_categories,
      grants.user_id is not null, grants.owner_user_id, grants.scopes, grants.rest, grants.mcp, grants.revoked,
      grants.expired
    into
      email, preferred_currency, time_zone, today, excluded_categories,
      grant_found, owner_user_id, scopes, rest, mcp, revoked, expired
    from passbook_read.people as people
    left join passbook_read.grants as grants
      on grants.user_id = of_user and grants.credential = 'personal_access_token' and grants.reference = of_reference
    where people.user_id = of_user;
  else
    select
      people.email, people.preferred_currency, people.time_zone, people.today, people.excluded_categories,
      grants.user_id is not null, grants.owner_user_id, grants.scopes, grants.rest, grants.mcp, grants.revoked,
      grants.expired
    into
      email, preferred_currency, time_zone, today, excluded_categories,
      grant_found, owner_user_id, scopes, rest, mcp, revoked, expired
    from passbook_read.people as people
    left join passbook_read.grants as grants
      on grants.user_id = of_user and grants.credential = of_credential and grants.reference = of_reference
    where people.user_id = of_user;
  end if;
  is_known := found;
  first_day := date_from;
  last_day := date_to;
  if time_range = 'month' or (date_from is null and date_to is null and time_range is not null) then
    select resolved.first_day, resolved.last_day into first_day, last_day
    from passbook_read.resolve_range(
      today, date_from, date_to, time_range,
      case when time_range = 'month' then coalesce(asked_year, extract(year from today)::integer) end,
      case when time_range = 'month' then coalesce(asked_month, extract(month from today)::integer) end) as resolved;
  end if;
  set_value := set_config('app.first_day', coalesce(first_day, '-infinity')::text, true);
  set_value := set_config('app.last_day', coalesce(last_day, 'infinity')::text, true);
  if is_known then
    return next;
  end if;
end
$$;

-- Pages that are ordered by amount.
create index transactions_by_amount on passbook.transactions
  (user_id, converted_cents desc nulls last, date desc, transaction_id desc);
