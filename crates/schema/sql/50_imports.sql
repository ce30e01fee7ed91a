-- Files of banks and other apps. Every line of a file is stored. The transactions of all files are a pure function of the files
-- with their options and of the rules, so that the order of imports leaves no trace.

create table passbook.import_files (
  user_id uuid not null references passbook.users on delete cascade,
  -- Derived from the digest.
  file_id uuid not null,
  -- SHA-256 of the bytes.
  digest bytea not null check (length(digest) = 32),
  name passbook.free_text not null check (name <> ''),
  format text not null check (length(format) between 1 and 100),
  profile text check (length(profile) between 1 and 4096),
  -- True if transactions that the file should list and lacks are removed.
  replaces_missing boolean not null default false,
  -- The order of day and month that the person chose, or that was chosen for an earlier file.
  date_order text check (date_order in ('dmy', 'mdy', 'ymd')),
  imported_at passbook.moment not null default now(),
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
  iban passbook.free_text,
  bank passbook.free_text,
  account_number passbook.free_text,
  account_name passbook.free_text,
  -- complete: lists all transactions of its days; sequence: continues the statement with the number before; changes: lists what
  -- is new.
  kind text not null check (kind in ('complete', 'sequence', 'changes')),
  sequence_number passbook.free_text,
  statement_date passbook.calendar_day,
  first_day passbook.calendar_day,
  last_day passbook.calendar_day,
  lists_pending boolean not null,
  -- Identifiers that the source withdrew.
  withdrawn_ids text[] not null check (array_position(withdrawn_ids, null) is null),
  primary key (user_id, file_id, statement),
  check (first_day <= last_day),
  foreign key (user_id, file_id) references passbook.import_files on delete cascade,
  foreign key (user_id, account_id) references passbook.accounts on delete cascade
);

create index import_statements_by_account on passbook.import_statements (user_id, account_id);

-- The balances that a statement states.
create table passbook.statement_balances (
  user_id uuid not null,
  file_id uuid not null,
  statement integer not null,
  -- Position in the statement, from 0.
  position integer not null check (position >= 0),
  kind text not null check (kind in ('opening', 'closing', 'interim', 'available')),
  date passbook.calendar_day not null,
  amount_cents passbook.cents not null,
  currency passbook.currency_code,
  primary key (user_id, file_id, statement, position),
  foreign key (user_id, file_id, statement) references passbook.import_statements on delete cascade
);

-- The lines of a statement, as the file states them.
create table passbook.import_lines (
  user_id uuid not null,
  file_id uuid not null,
  statement integer not null,
  -- Position in the statement, from 0.
  position integer not null check (position >= 0),
  -- First line of the record in the file, from 1.
  line bigint not null,
  booking_date passbook.calendar_day not null,
  -- Signed hundredths.
  amount_cents passbook.cents not null,
  currency passbook.currency_code,
  pending boolean not null,
  value_date passbook.calendar_day,
  transaction_date passbook.calendar_day,
  source_id passbook.free_text,
  source_id_is_authoritative boolean not null,
  replaces passbook.free_text,
  reference passbook.free_text,
  counterparty_name passbook.free_text,
  merchant_key text generated always as (passbook_read.merchant_key(counterparty_name)) stored,
  counterparty_account passbook.free_text,
  description passbook.free_text not null,
  bank_transaction_code passbook.free_text,
  category passbook.free_text,
  -- The person's own category with its parent, the tags and the note.
  own_category passbook.free_text,
  own_parent passbook.free_text,
  tags text[] not null default '{}' check (array_position(tags, null) is null),
  note passbook.free_text,
  original_cents passbook.cents,
  original_currency passbook.currency_code,
  fee_cents passbook.cents,
  fee_included boolean not null,
  -- The balance after the line, if the file states one.
  balance_after_cents passbook.cents,
  transfer_with passbook.free_text,
  raw text not null check (octet_length(raw) <= 16777216),
  primary key (user_id, file_id, statement, position),
  foreign key (user_id, file_id, statement) references passbook.import_statements on delete cascade
);

-- The rules file of a person.
create table passbook.import_rules (
  user_id uuid primary key references passbook.users on delete cascade,
  name passbook.free_text not null check (name <> ''),
  rules text not null check (length(rules) <= 1048576)
);

-- The profiles of a person for CSV files of banks that Passbook does not know. The lines of imported files stay as they were
-- read, whatever becomes of a profile.
create table passbook.csv_profiles (
  user_id uuid not null references passbook.users on delete cascade,
  name text not null check (length(name) between 1 and 200),
  -- The profile (TOML).
  profile text not null check (octet_length(profile) <= 65536),
  primary key (user_id, name)
);

-- The balances that the files of an account state, computed from them by each import. `domain` compares them with the
-- transactions.
create table passbook.stated_balances (
  user_id uuid not null,
  account_id uuid not null,
  date passbook.calendar_day not null,
  -- Position among the balances of the day, from 0: the newest file is last.
  position integer not null check (position >= 0),
  balance_cents passbook.cents not null,
  -- Null for the end of the day. Else the balance is of a moment within the day, and this is the sum of the transactions of
  -- the day that the same file lists.
  listed_cents bigint,
  primary key (user_id, account_id, date, position),
  foreign key (user_id, account_id) references passbook.accounts on delete cascade
);

-- The days of which files list every transaction of an account, without overlap, computed by each import.
create table passbook.covered_days (
  user_id uuid not null,
  account_id uuid not null,
  first_day passbook.calendar_day not null,
  last_day passbook.calendar_day not null,
  primary key (user_id, account_id, first_day),
  check (first_day <= last_day),
  foreign key (user_id, account_id) references passbook.accounts on delete cascade
);
