-- Who may read, and through what. A plain token is never stored: only its SHA-256.

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

-- Clients that sign in through the identity provider. Not led by user_id: a client known to the operator
-- serves everyone, and an owner-only client must be recognised when somebody else presents it.
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
