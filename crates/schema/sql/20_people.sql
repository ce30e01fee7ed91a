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
return coalesce(
  nullif(current_setting('app.today', true), '')::date,
  (now() at time zone time_zone)::date);

create table passbook.users (
  user_id uuid primary key,
  email text not null check (email like '%_@_%' and length(email) <= 320),
  preferred_currency text not null default 'EUR' check (preferred_currency ~ '^[A-Z]{3}$'),
  -- An IANA zone name; it decides what "today" is. An unknown zone raises an error here, so it cannot be stored.
  time_zone text not null default 'UTC' check (timezone(time_zone, timestamptz '2000-01-01 00:00:00+00') is not null),
  created_at timestamptz not null default now()
);

-- By Unicode's rules and not the database's locale, which may know the case of ASCII only.
create unique index users_by_email on passbook.users (lower(email collate "und-x-icu"));

create table passbook.excluded_categories (
  user_id uuid not null references passbook.users on delete cascade,
  category text not null,
  side text not null generated always as ('expense') stored,
  primary key (user_id, category),
  foreign key (category, side) references passbook.categories (category, side)
);

-- What a person means to spend or expects to earn in a month, by category.
create table passbook.budgets (
  user_id uuid not null references passbook.users on delete cascade,
  budget_id uuid not null,
  category text not null references passbook.categories,
  target_cents bigint check (target_cents between 0 and 9000000000000000),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  primary key (user_id, budget_id),
  unique (user_id, category)
);

-- Personal access tokens. A plain token is never stored: only its SHA-256.
create table passbook.personal_access_tokens (
  user_id uuid not null references passbook.users on delete cascade,
  token_id uuid not null,
  token_hash bytea not null unique check (length(token_hash) = 32),
  name text not null check (name <> '' and length(name) <= 100),
  last_four text not null check (length(last_four) = 4),
  scopes text[] not null,
  rest boolean not null default true,
  mcp boolean not null default true,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null check (expires_at > created_at and expires_at <= created_at + interval '366 days'),
  revoked_at timestamptz,
  primary key (user_id, token_id)
);

-- Clients that sign in through the identity provider. Not led by user_id: a client known to the operator serves everyone,
-- and an owner-only client must be recognised when somebody else presents it.
create table passbook.oauth_clients (
  client_id text primary key check (length(client_id) between 1 and 200),
  kind text not null check (kind in ('personal_dashboard', 'known_mcp')),
  owner_user_id uuid references passbook.users on delete cascade,
  name text not null check (name <> '' and length(name) <= 100),
  redirect_uris text[] not null default '{}',
  scopes text[] not null,
  rest boolean not null default true,
  mcp boolean not null default true,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  check ((kind = 'personal_dashboard') = (owner_user_id is not null))
);

-- What a person agreed to. A live client is enough; a consent row can only take access away.
create table passbook.oauth_consents (
  user_id uuid not null references passbook.users on delete cascade,
  client_id text not null references passbook.oauth_clients on delete cascade,
  granted_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (user_id, client_id)
);

-- A session of an OAuth client. A token of a session without a row is as good as its client: nothing has to be written when
-- people sign in, and a row can only take access away. What is revoked stays so when the client is deleted.
create table passbook.oauth_sessions (
  user_id uuid not null references passbook.users on delete cascade,
  session_id text not null check (length(session_id) between 1 and 200),
  client_id text references passbook.oauth_clients on delete set null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (user_id, session_id)
);
