-- The reading contract: what the server may see, and the rules that every number obeys, each in one place.
-- The reader holds rights on this schema only; the tables behind it are out of its reach.

create view passbook_read.schema_version as
  select max(version) as version from passbook.migrations;

create view passbook_read.exchange_rates as
  select rates.currency, rates.as_of, rates.units_per_base from passbook.exchange_rates as rates;

create view passbook_read.rate_base as
  select rate_base.currency from passbook.rate_base;

-- The day it is for a person. Tests and demonstrations may fix it for one transaction with app.today.
create function passbook_read.today_in(time_zone text) returns date
language sql stable parallel safe as $$
  select coalesce(
    nullif(current_setting('app.today', true), '')::date,
    (now() at time zone time_zone)::date)
$$;

create view passbook_read.people as
  select
    users.user_id,
    users.email,
    users.preferred_currency,
    users.time_zone,
    passbook_read.today_in(users.time_zone) as today,
    array(
      select excluded.category from passbook.excluded_categories as excluded
      where excluded.user_id = users.user_id order by excluded.category collate "C"
    ) as excluded_categories
  from passbook.users;

-- RATES -----------------------------------------------------------------------------------------------------

-- The last stored rate on or before a day: never a later one, never older than 31 days, never a guess.
create function passbook_read.rate_on(wanted text, day date) returns numeric
language plpgsql stable parallel safe as $$
begin
  if wanted = (select base.currency from passbook_read.rate_base as base) then
    return 1;
  end if;
  return (
    select rates.units_per_base from passbook_read.exchange_rates as rates
    where rates.currency = wanted and rates.as_of between day - 31 and day
    order by rates.as_of desc limit 1);
end
$$;

-- amount × to / from, rounded once to whole cents, half away from zero. The quotient is taken in integers
-- (div truncates exactly), because dividing first and rounding after would round twice.
create function passbook_read.convert_cents(amount_cents bigint, from_rate numeric, to_rate numeric) returns bigint
language plpgsql immutable strict parallel safe as $$
begin
  return sign(amount_cents::numeric) * div(2 * abs(amount_cents::numeric) * to_rate + from_rate, 2 * from_rate);
end
$$;

-- An amount in another currency on a day; null when a rate is missing.
create function passbook_read.convert_on(amount_cents bigint, from_currency text, to_currency text, day date) returns bigint
language sql stable parallel safe as $$
  select case
    when from_currency = to_currency then amount_cents
    else passbook_read.convert_cents(
      amount_cents, passbook_read.rate_on(from_currency, day), passbook_read.rate_on(to_currency, day))
  end
$$;

-- TRANSACTIONS ----------------------------------------------------------------------------------------------

-- Which posted row is the same payment as a pending one: it links to it, on the same account and of the same type. The
-- link of a transfer or a refund means something else.
create view passbook.posted_twins as
  select twin.user_id, pending.transaction_id as pending_id, twin.transaction_id
  from passbook.transactions as twin
  join passbook.transactions as pending
    on pending.user_id = twin.user_id and pending.transaction_id = twin.linked_transaction_id
  where pending.pending and not twin.pending
    and twin.type <> 'INTERNAL_TRANSFER' and twin.category <> 'REFUND'
    and twin.account_id = pending.account_id and twin.type = pending.type
    and twin.linked_transaction_id is not null;

-- Every transaction that exists for any answer. A pending row that its posted twin links to does not: they are
-- one payment. A link says what it is by its row: a transfer's other leg, a refund's purchase, else the twin.
create view passbook_read.transactions as
  select
    t.user_id,
    t.transaction_id,
    t.date,
    t.type,
    t.category,
    t.amount_cents,
    t.currency,
    t.title,
    t.pending,
    t.provider_category,
    t.merchant_name,
    t.merchant_key,
    t.merchant_search,
    t.title_search,
    t.account_id,
    (select accounts.name from passbook.accounts
      where accounts.user_id = t.user_id and accounts.account_id = t.account_id) as account_name,
    (select banks.name from passbook.accounts join passbook.banks using (user_id, bank_id)
      where accounts.user_id = t.user_id and accounts.account_id = t.account_id) as bank_name,
    -- A link to a replaced pending row leads on to its posted twin; the twin's own link to it is omitted.
    case when t.linked_transaction_id is not null then nullif(coalesce((
      select twins.transaction_id from passbook.posted_twins as twins
      where twins.user_id = t.user_id and twins.pending_id = t.linked_transaction_id
      order by twins.transaction_id <> t.transaction_id, twins.transaction_id
      limit 1), t.linked_transaction_id), t.transaction_id) end as linked_transaction_id,
    t.type = 'EXPENSE' and exists (
      select from passbook.excluded_categories as excluded
      where excluded.user_id = t.user_id and excluded.category = t.category) as excluded,
    users.preferred_currency,
    passbook_read.convert_on(t.amount_cents, t.currency, users.preferred_currency, t.date) as converted_cents
  from passbook.transactions as t
  join passbook.users on users.user_id = t.user_id
  where not t.pending or not exists (
    select from passbook.posted_twins as twins
    where twins.user_id = t.user_id and twins.pending_id = t.transaction_id);

-- The resolved days of the open reading transaction. A query says `date between first_day() and last_day()`:
-- both are constant while it runs, so an index on the date serves it.
create function passbook_read.first_day() returns date
language sql stable parallel safe as $$ select current_setting('app.first_day')::date $$;

create function passbook_read.last_day() returns date
language sql stable parallel safe as $$ select current_setting('app.last_day')::date $$;

-- As many days directly before; null when the session's days are open at either end.
create function passbook_read.previous_first_day() returns date
language sql stable parallel safe as $$
  select case when isfinite(passbook_read.first_day()) and isfinite(passbook_read.last_day())
    then passbook_read.first_day() - (passbook_read.last_day() - passbook_read.first_day() + 1) end
$$;

create function passbook_read.previous_last_day() returns date
language sql stable parallel safe as $$
  select case when isfinite(passbook_read.first_day()) and isfinite(passbook_read.last_day())
    then passbook_read.first_day() - 1 end
$$;

-- The rows that totals are made of: no transfers; pending rows and excluded categories only if asked for.
create function passbook_read.counted_transactions(
  from_day date, to_day date, include_pending boolean, include_excluded boolean)
returns setof passbook_read.transactions
language sql stable parallel safe as $$
  select t.* from passbook_read.transactions as t
  where t.date between from_day and to_day
    and t.type <> 'INTERNAL_TRANSFER'
    and (include_pending or not t.pending)
    and (include_excluded or not t.excluded)
$$;

-- The rows that a list is made of, within the session's days. Everything narrows; null narrows nothing.
-- The text is searched literally, without regard to case and accents.
create function passbook_read.listed_transactions(
  of_types text[], of_categories text[], of_accounts uuid[],
  amount_min bigint, amount_max bigint, wanted text, only_pending boolean)
returns setof passbook_read.transactions
language sql stable parallel safe as $$
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
      or position(passbook_read.fold(wanted) in t.title_search) > 0)))
$$;

create view passbook_read.budgets as
  select budgets.user_id, budgets.budget_id, budgets.category, categories.side, budgets.target_cents, budgets.currency
  from passbook.budgets
  join passbook.categories using (category);

-- SESSIONS --------------------------------------------------------------------------------------------------

-- What a credential may do. A deployment may redefine this view over its own tables, keeping the columns.
-- owner_user_id is the one person an owner-only client serves, null when it serves everyone.
create view passbook_read.grants as
  select
    users.user_id,
    'personal_access_token' as credential,
    tokens.token_id::text as reference,
    tokens.user_id as owner_user_id,
    tokens.scopes,
    tokens.rest,
    tokens.mcp,
    tokens.revoked_at is not null as revoked,
    tokens.expires_at <= now() as expired
  from passbook.users
  join passbook.personal_access_tokens as tokens on tokens.user_id = users.user_id
  union all
  select
    users.user_id,
    'oauth_client',
    clients.client_id,
    clients.owner_user_id,
    clients.scopes,
    clients.rest,
    clients.mcp,
    clients.revoked_at is not null or exists (
      select from passbook.oauth_consents as consents
      where consents.user_id = users.user_id and consents.client_id = clients.client_id
        and consents.revoked_at is not null),
    false
  from passbook.users
  cross join passbook.oauth_clients as clients;

-- The days a question is about. Explicit days win over a time range; a missing end is open (null).
-- '1m' is today − 1 month + 1 day … today: Postgres clamps the subtraction to the month's end.
create function passbook_read.resolve_range(
  today date, date_from date, date_to date, time_range text, year integer, month integer)
returns table (first_day date, last_day date)
language sql immutable parallel safe as $$
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
    when '6m' then interval '6 months' when '1y' then interval '1 year' end as length) as span
$$;

-- Opens the reading transaction: names the user to the wall, resolves the days that are asked about, and says
-- who asks, what the credential may do and the person's settings. One row, or none when the user is unknown.
-- The range 'month' asks for a whole month; a year or month left out is the current one.
create function passbook_read.open_session(
  of_user uuid, of_credential text, of_reference text,
  date_from date, date_to date, time_range text, asked_year integer, asked_month integer, fixed_today date)
returns table (
  email text, preferred_currency text, today date, excluded_categories text[],
  grant_found boolean, owner_user_id uuid, scopes text[], rest boolean, mcp boolean, revoked boolean, expired boolean,
  first_day date, last_day date)
language plpgsql volatile as $$
declare
  person record;
  range record;
begin
  perform
    set_config('app.user_id', of_user::text, true),
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
      person.email, person.preferred_currency, person.today, person.excluded_categories,
      grants.user_id is not null, grants.owner_user_id, grants.scopes, grants.rest, grants.mcp, grants.revoked,
      grants.expired, range.first_day, range.last_day
    from (values (of_user)) as asked (user_id)
    left join passbook_read.grants as grants
      on grants.user_id = asked.user_id and grants.credential = of_credential and grants.reference = of_reference;
end
$$;

-- Whose token this is. Runs before a user is known, so it is the one definer function: it shows the wall a
-- hash, and the wall shows the one row that has it.
create function passbook_read.find_personal_access_token(presented_hash bytea)
returns table (token_id uuid, user_id uuid)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_catalog.set_config('app.presented_token_hash', pg_catalog.encode(presented_hash, 'hex'), true);
  return query
    select tokens.token_id, tokens.user_id from passbook.personal_access_tokens as tokens
    where tokens.token_hash = presented_hash;
  perform pg_catalog.set_config('app.presented_token_hash', '', true);
end
$$;

revoke all on all functions in schema passbook_read from public;
grant usage on schema passbook_read to passbook_reader, passbook_writer;
grant select on all tables in schema passbook_read to passbook_reader;
grant execute on all functions in schema passbook_read to passbook_reader;
-- Stored columns are derived by whoever writes the row.
grant execute on function passbook_read.fold(text), passbook_read.merchant_spelling(text),
  passbook_read.merchant_key(text) to passbook_writer;
