-- One person's own data. Every table is led by user_id: keys, foreign keys and indexes start with it.

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

create table passbook.banks (
  user_id uuid not null references passbook.users on delete cascade,
  bank_id uuid not null,
  name text not null check (name <> ''),
  status text not null default 'MANUAL'
    check (status in ('CONNECTED', 'NEEDS_UPDATE', 'ERROR', 'DISCONNECTED', 'MANUAL')),
  new_accounts_available boolean not null default false,
  last_successful_update timestamptz,
  last_failed_update timestamptz,
  consent_expires_at timestamptz,
  error_code text check (error_code ~ '^[A-Z0-9_]{1,64}$'),
  primary key (user_id, bank_id)
);

create table passbook.accounts (
  user_id uuid not null,
  account_id uuid not null,
  bank_id uuid not null,
  name text not null check (name <> ''),
  type text not null check (type in ('depository', 'credit', 'loan', 'investment', 'other')),
  subtype text not null check (subtype <> '' and subtype = lower(subtype)),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Signed from the owner's side: what is owed is negative.
  balance_cents bigint not null,
  balance_updated_at timestamptz not null,
  closed_on date,
  -- Which ledger the account is kept in, where one does: importing that ledger again replaces what it no longer has.
  source text check (source <> ''),
  primary key (user_id, account_id),
  foreign key (user_id, bank_id) references passbook.banks on delete cascade
);

create index accounts_by_bank on passbook.accounts (user_id, bank_id);

-- The balance at the end of a day, one row per account and day on which it changed.
create table passbook.balance_snapshots (
  user_id uuid not null,
  account_id uuid not null,
  as_of date not null,
  balance_cents bigint not null,
  primary key (user_id, account_id, as_of),
  foreign key (user_id, account_id) references passbook.accounts on delete cascade
);

-- Lower case without accents: compatibility decomposition, combining marks removed, and the letters that
-- decomposition leaves whole by a table. Used for searching only.
create function passbook_read.fold(value text) returns text
language sql immutable strict parallel safe as $$
  select replace(replace(replace(replace(
    translate(
      lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g') collate "und-x-icu"),
      'øłđðħıŧŋĸſ', 'olddhitnks'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
$$;

-- A merchant's name without white space around it.
create function passbook_read.merchant_spelling(value text) returns text
language sql immutable strict parallel safe as $$
  select btrim(value, E' \t\r\n\u00a0')
$$;

-- Lower case and trimmed, accents kept: one merchant, however a bank spells its case.
create function passbook_read.merchant_key(value text) returns text
language sql immutable strict parallel safe as $$
  select lower(passbook_read.merchant_spelling(value) collate "und-x-icu")
$$;

create table passbook.transactions (
  user_id uuid not null,
  transaction_id uuid not null,
  account_id uuid not null,
  -- The bank's posting date; for a pending row the day of the transaction.
  date date not null check (date between '1900-01-01' and '2200-12-31'),
  type text not null check (type in ('INCOME', 'EXPENSE', 'INTERNAL_TRANSFER')),
  category text not null references passbook.categories,
  direction text not null check (direction in ('in', 'out')),
  -- A magnitude in hundredths of the row's own currency; the direction is its sign.
  amount_cents bigint not null check (amount_cents between 0 and 9000000000000000),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  title text not null,
  pending boolean not null default false,
  provider_category text,
  merchant_name text check (btrim(merchant_name) <> ''),
  linked_transaction_id uuid check (linked_transaction_id <> transaction_id),
  merchant_key text generated always as (passbook_read.merchant_key(merchant_name)) stored,
  merchant_search text generated always as (passbook_read.fold(merchant_name)) stored,
  title_search text generated always as (passbook_read.fold(title)) stored,
  side text not null generated always as (
    case when type = 'INCOME' or (type = 'INTERNAL_TRANSFER' and category = 'TRANSFER_IN') then 'income' else 'expense' end
  ) stored,
  primary key (user_id, transaction_id),
  foreign key (user_id, account_id) references passbook.accounts on delete cascade,
  foreign key (category, side) references passbook.categories (category, side),
  foreign key (user_id, linked_transaction_id) references passbook.transactions (user_id, transaction_id)
    on delete set null (linked_transaction_id) deferrable initially deferred,
  check (direction = case side when 'income' then 'in' else 'out' end),
  check (type <> 'INTERNAL_TRANSFER' or category in ('TRANSFER_IN', 'TRANSFER_OUT', 'CREDIT_CARD_PAYMENT'))
);

create index transactions_newest on passbook.transactions (user_id, date desc, transaction_id desc);
create index transactions_by_account on passbook.transactions (user_id, account_id, date desc, transaction_id desc);
create index transactions_by_link on passbook.transactions (user_id, linked_transaction_id)
  where linked_transaction_id is not null;

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
