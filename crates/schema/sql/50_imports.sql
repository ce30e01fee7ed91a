-- Ledgers and files of banks and other apps. Every line of a file is stored as an observation. The transactions of all files
-- are a pure function of the files with their options and of the rules, so that the order of imports leaves no trace.

-- Imported ledgers. The account map is the text of the person's TOML file, which the next import of the ledger uses again.
-- Without one, the ledger was imported with the built-in map. The server does not read this table.
create table passbook.ledgers (
  user_id uuid not null references passbook.users on delete cascade,
  ledger text not null check (length(ledger) between 1 and 200),
  account_map text,
  map_name text check (map_name <> ''),
  imported_at timestamptz not null,
  primary key (user_id, ledger),
  check ((account_map is null) = (map_name is null))
);

create table passbook.import_files (
  user_id uuid not null references passbook.users on delete cascade,
  -- Derived from the digest.
  file_id uuid not null,
  -- SHA-256 of the bytes.
  digest bytea not null check (length(digest) = 32),
  name text not null check (name <> ''),
  format text not null check (format <> ''),
  profile text check (profile <> ''),
  -- True if transactions that the file should list and lacks are removed.
  replaces_missing boolean not null default false,
  imported_at timestamptz not null default now(),
  primary key (user_id, file_id),
  unique (user_id, digest)
);

-- The part of a file that concerns one account.
create table passbook.import_statements (
  user_id uuid not null,
  file_id uuid not null,
  -- Position in the file, from 0.
  statement integer not null check (statement >= 0),
  account_id uuid not null,
  -- The account as the file names it.
  iban text,
  bank text,
  account_number text,
  account_name text,
  kind text not null check (kind in ('window', 'chain', 'delta')),
  chain_number text,
  as_of date,
  first_day date,
  last_day date,
  lists_pending boolean not null,
  -- Each as "kind day cents currency"; the currency may be missing.
  balances text[] not null,
  -- Identifiers that the source withdrew.
  removed text[] not null,
  primary key (user_id, file_id, statement),
  foreign key (user_id, file_id) references passbook.import_files on delete cascade,
  foreign key (user_id, account_id) references passbook.accounts on delete cascade
);

create index import_statements_by_account on passbook.import_statements (user_id, account_id);

-- The lines of a statement, as the file states them.
create table passbook.import_observations (
  user_id uuid not null,
  file_id uuid not null,
  statement integer not null,
  -- Position in the statement, from 0.
  position integer not null check (position >= 0),
  -- First line of the record in the file, from 1.
  line bigint not null,
  booked date not null,
  -- Signed hundredths.
  cents bigint not null,
  currency text check (currency ~ '^[A-Z]{3}$'),
  pending boolean not null,
  value_day date,
  transaction_day date,
  source_id text,
  source_id_is_authoritative boolean not null,
  replaces text,
  reference text,
  party text,
  party_account text,
  text text not null,
  code text,
  category text,
  original_cents bigint,
  original_currency text check (original_currency ~ '^[A-Z]{3}$'),
  fee_cents bigint,
  fee_included boolean not null,
  transfer_with text,
  raw text not null,
  primary key (user_id, file_id, statement, position),
  foreign key (user_id, file_id, statement) references passbook.import_statements on delete cascade
);

-- The rules file of a person.
create table passbook.import_rules (
  user_id uuid primary key references passbook.users on delete cascade,
  name text not null check (name <> ''),
  rules text not null check (length(rules) <= 1048576)
);

-- What files prove about an account, and the balance that the account had before a file set it.
create table passbook.import_accounts (
  user_id uuid not null,
  account_id uuid not null,
  -- The last day on which the transactions agree with the balances of the files.
  reconciled_through date,
  set_cents bigint,
  set_at timestamptz,
  former_cents bigint,
  former_at timestamptz,
  -- Days of the balance snapshots that files added.
  snapshot_days date[] not null default '{}',
  primary key (user_id, account_id),
  foreign key (user_id, account_id) references passbook.accounts on delete cascade
);
