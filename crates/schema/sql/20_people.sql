-- The users, their settings, and the credentials with which they read. Every table of a user's rows is led by user_id: keys,
-- foreign keys and indexes start with it.

-- Returns the user of the open transaction; null without one.
create function passbook.current_user_id() returns uuid
language sql stable parallel safe
return nullif(current_setting('app.user_id', true), '')::uuid;

-- The session that the presented token names; null when the token names none.
create function passbook_read.session_id() returns text
language sql stable parallel safe
return nullif(current_setting('app.session_id', true), '');

-- The date of today in a time zone. Tests and demonstrations set another date for one transaction with app.today.
create function passbook_read.today_in(time_zone text) returns date
language sql stable parallel safe
return coalesce(nullif(current_setting('app.today', true), '')::date, (now() at time zone time_zone)::date);

-- The months of a person begin on a day of the month, `month_start`; 0 is the last working day, Monday to Friday, of the month
-- before. A month that begins up to the 16th is named by the calendar month in which it begins, a later one by the next: that
-- which has most of its days. Three months are a quarter, twelve are a year of the stored totals; no answer shows such a year.

-- The calendar month, as its first day, that names the person's month of a day. After the last working day of a month, the next
-- working day lies in the next month. PL/pgSQL, as the next function: PostgreSQL would copy an expression of SQL into each place
-- that names a period, or plan it again in each statement. For months that begin on the 1st, neither function is called.
create function passbook_read.month_of(day date, month_start integer) returns date
language plpgsql immutable parallel safe as $$
begin
  return case
    when month_start = 0 then date_trunc('month',
      (day + case extract(isodow from day) when 5 then 3 when 6 then 2 else 1 end)::timestamp)::date
    when month_start <= 16 then date_trunc('month', (day - month_start + 1)::timestamp)::date
    else (date_trunc('month', (day - month_start + 1)::timestamp) + interval '1 month')::date
  end;
end
$$;

-- The first day of the person's month that a calendar month names.
create function passbook_read.month_first_day(month date, month_start integer) returns date
language plpgsql immutable parallel safe as $$
begin
  return case
    when month_start = 0 then month - case extract(isodow from month) when 1 then 3 when 7 then 2 else 1 end
    when month_start <= 16 then month + month_start - 1
    else (month - interval '1 month')::date + month_start - 1
  end;
end
$$;

-- The first day of the day, ISO week, month, quarter or year that contains a day.
create function passbook_read.period_start(unit text, day date, month_start integer) returns date
language sql immutable parallel safe
return case
  when month_start = 1 or unit in ('day', 'week') then date_trunc(unit, day::timestamp)::date
  else passbook_read.month_first_day(
    date_trunc(unit, passbook_read.month_of(day, month_start)::timestamp)::date, month_start)
end;

-- The length of a period. Constants, because text that becomes an interval would keep PostgreSQL from inlining the function.
create function passbook_read.period_length(unit text) returns interval
language sql immutable parallel safe
return case unit
  when 'day' then interval '1 day' when 'week' then interval '1 week' when 'month' then interval '1 month'
  when 'quarter' then interval '3 months' when 'year' then interval '1 year'
end;

-- The last day of the day, ISO week, month, quarter or year that contains a day.
create function passbook_read.period_end(unit text, day date, month_start integer) returns date
language sql immutable parallel safe
return case
  when month_start = 1 or unit in ('day', 'week')
    then (date_trunc(unit, day::timestamp) + passbook_read.period_length(unit) - interval '1 day')::date
  else passbook_read.month_first_day((date_trunc(unit, passbook_read.month_of(day, month_start)::timestamp)
    + passbook_read.period_length(unit))::date, month_start) - 1
end;

create table passbook.users (
  user_id uuid primary key,
  email text not null check (email like '%_@_%' and length(email) <= 320),
  preferred_currency passbook.currency_code not null default 'EUR',
  -- An IANA zone name; it decides what "today" is.
  time_zone text not null default 'UTC' references passbook.time_zones,
  -- The day on which the person's months begin, such as payday; 0: the last working day of the month before.
  month_start smallint not null default 1 check (month_start between 0 and 28),
  created_at passbook.moment not null default now(),
  -- Triggers increment it with every statement that writes transactions of the user. Writers of a user's transactions lock the
  -- row.
  data_version bigint not null default 0,
  -- The day of the newest transaction, and true if the amount of some transaction has no exchange rate: a request knows
  -- without a query that no row follows today, and that every amount is converted.
  last_row_on date,
  has_unconverted boolean not null default false,
  -- The categories of `excluded_categories`, and the names that rows of a list need, as `recomputed_names` has them.
  excluded_categories text[] not null default '{}',
  names text[] not null default '{}'
);

-- By Unicode's rules and not the database's locale, which may know the case of ASCII only.
create unique index users_by_email on passbook.users (lower(email collate "und-x-icu"));

create table passbook.excluded_categories (
  user_id uuid not null references passbook.users on delete cascade,
  category text not null,
  category_kind text not null generated always as ('expense') stored,
  primary key (user_id, category),
  foreign key (category, category_kind) references passbook.categories (category, category_kind)
);

-- What a person means to spend or expects to earn in a month, by category.
create table passbook.budgets (
  user_id uuid not null references passbook.users on delete cascade,
  budget_id uuid not null,
  category text not null references passbook.categories,
  target_cents passbook.cents check (target_cents >= 0),
  currency passbook.currency_code not null,
  primary key (user_id, budget_id),
  unique (user_id, category)
);

-- The permissions of a token or client: names of scopes, of Passbook or of a host.
create domain passbook.scopes as text[] check (
  array_ndims(value) is distinct from 2 and array_position(value, null) is null and '' <> all (value)
  and array_to_string(value, ' ') ~ '^([!-~]{1,100}( |$))*$');

-- Personal access tokens. A plain token is never stored: only its SHA-256.
create table passbook.personal_access_tokens (
  user_id uuid not null references passbook.users on delete cascade,
  token_id uuid not null,
  token_hash bytea not null unique check (length(token_hash) = 32),
  name passbook.display_name not null check (length(name) <= 100),
  last_four text not null check (length(last_four) = 4),
  scopes passbook.scopes not null,
  rest boolean not null default true,
  mcp boolean not null default true,
  created_at passbook.moment not null default now(),
  expires_at passbook.moment not null check (expires_at > created_at and expires_at <= created_at + interval '366 days'),
  revoked_at passbook.moment,
  primary key (user_id, token_id)
);

-- Addresses to which a provider sends a browser back: https, http on the user's own machine, or a scheme with a dot in it.
create domain passbook.redirect_uris as text[] check (
  array_position(value, null) is null
  and array_to_string(value, ' ')
    ~* '^((https://|http://(localhost|127[.]|\[::1\])|[a-z][a-z0-9+-]*[.][a-z0-9.+-]*:)[!-~]+( |$))*$'
  and octet_length(array_to_string(value, ' ')) <= 200000);

-- Clients that sign in through the identity provider. With a user: a dashboard of this user alone, which row-level security
-- shows to nobody else. Without a user: a client known to the operator, which serves everyone.
create table passbook.oauth_clients (
  client_id text primary key check (length(client_id) between 1 and 200),
  kind text not null check (kind in ('personal_dashboard', 'known_mcp')),
  user_id uuid references passbook.users on delete cascade,
  name passbook.display_name not null check (length(name) <= 100),
  redirect_uris passbook.redirect_uris not null default '{}',
  scopes passbook.scopes not null,
  rest boolean not null default true,
  mcp boolean not null default true,
  created_at passbook.moment not null default now(),
  revoked_at passbook.moment,
  check ((kind = 'personal_dashboard') = (user_id is not null))
);

create index oauth_clients_by_user on passbook.oauth_clients (user_id);

-- What a person agreed to. A live client is enough; a consent row can only take access away.
create table passbook.oauth_consents (
  user_id uuid not null references passbook.users on delete cascade,
  client_id text not null references passbook.oauth_clients on delete cascade,
  granted_at passbook.moment not null default now(),
  revoked_at passbook.moment,
  primary key (user_id, client_id)
);

create index oauth_consents_by_client on passbook.oauth_consents (client_id);

-- A session of an OAuth client. A token of a session without a row is as good as its client: nothing has to be written when
-- people sign in, and a row can only take access away. What is revoked stays so when the client is deleted.
create table passbook.oauth_sessions (
  user_id uuid not null references passbook.users on delete cascade,
  session_id text not null check (length(session_id) between 1 and 200),
  client_id text references passbook.oauth_clients on delete set null,
  created_at passbook.moment not null default now(),
  revoked_at passbook.moment,
  primary key (user_id, session_id)
);

create index oauth_sessions_by_client on passbook.oauth_sessions (client_id);
