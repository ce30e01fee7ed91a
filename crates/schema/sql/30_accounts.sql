-- Banks, accounts and their balances; securities, their prices, and what is held of them; wallets; simulated accounts.

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
  primary key (user_id, bank_id),
  constraint banks_name_key unique (user_id, bank_id, name)
);

create table passbook.accounts (
  user_id uuid not null,
  account_id uuid not null,
  bank_id uuid not null,
  -- The name of the bank, so that a request needs no join. The foreign key keeps both equal.
  bank_name text not null,
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
  constraint accounts_bank_fkey foreign key (user_id, bank_id, bank_name) references passbook.banks (user_id, bank_id, name)
    on update cascade on delete cascade
);

create index accounts_by_bank on passbook.accounts (user_id, bank_id);

-- Writers name the bank only by its identifier. An unknown bank violates the foreign key. The lock makes a writer wait for
-- another one who renames the bank.
create function passbook.set_bank_name() returns trigger
language plpgsql as $$
begin
  select banks.name into new.bank_name
  from passbook.banks
  where banks.user_id = new.user_id and banks.bank_id = new.bank_id
  for key share;
  new.bank_name := coalesce(new.bank_name, '');
  return new;
end
$$;

create trigger set_bank_name before insert or update of user_id, bank_id, bank_name on passbook.accounts
  for each row execute function passbook.set_bank_name();

-- The balance at the end of a day, one row per account and day on which it changed.
create table passbook.balance_snapshots (
  user_id uuid not null,
  account_id uuid not null,
  as_of date not null,
  balance_cents bigint not null,
  primary key (user_id, account_id, as_of),
  foreign key (user_id, account_id) references passbook.accounts on delete cascade
);

create table passbook.securities (
  user_id uuid not null references passbook.users on delete cascade,
  security_id uuid not null,
  name text not null check (name <> ''),
  type text not null
    check (type in ('EQUITY', 'ETF', 'MUTUAL_FUND', 'BOND', 'CASH', 'CRYPTOCURRENCY', 'DERIVATIVE', 'OTHER')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  symbol text check (symbol <> ''),
  isin text check (isin ~ '^[A-Z]{2}[A-Z0-9]{9}[0-9]$'),
  is_cash_equivalent boolean not null default false,
  primary key (user_id, security_id)
);

-- The closing price of one unit, in the security's currency.
create table passbook.security_prices (
  user_id uuid not null,
  security_id uuid not null,
  as_of date not null,
  price numeric not null check (price >= 0 and price < 'Infinity'),
  primary key (user_id, security_id, as_of),
  foreign key (user_id, security_id) references passbook.securities on delete cascade
);

-- What an account holds now.
create table passbook.holdings (
  user_id uuid not null,
  account_id uuid not null,
  security_id uuid not null,
  quantity numeric not null check (quantity > '-Infinity' and quantity < 'Infinity'),
  -- In the security's currency.
  cost_basis_cents bigint,
  primary key (user_id, account_id, security_id),
  foreign key (user_id, account_id) references passbook.accounts on delete cascade,
  foreign key (user_id, security_id) references passbook.securities on delete cascade
);

create table passbook.wallets (
  user_id uuid not null references passbook.users on delete cascade,
  wallet_id uuid not null,
  name text not null check (name <> ''),
  network text not null check (network ~ '^[A-Z0-9_]{1,32}$'),
  address text check (length(address) between 8 and 128),
  updated_at timestamptz not null,
  primary key (user_id, wallet_id)
);

-- The quantity in a wallet from a day on, one row per security and day on which it changed.
create table passbook.wallet_holdings (
  user_id uuid not null,
  wallet_id uuid not null,
  security_id uuid not null,
  as_of date not null,
  quantity numeric not null check (quantity >= 0 and quantity < 'Infinity'),
  primary key (user_id, wallet_id, security_id, as_of),
  foreign key (user_id, wallet_id) references passbook.wallets on delete cascade,
  foreign key (user_id, security_id) references passbook.securities on delete cascade
);

-- Simulated accounts: shown, never counted.
create table passbook.paper_accounts (
  user_id uuid not null references passbook.users on delete cascade,
  paper_account_id uuid not null,
  name text not null check (name <> ''),
  provider text not null check (provider ~ '^[A-Z0-9_]{1,32}$'),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  cash_cents bigint not null,
  starting_balance_cents bigint not null,
  updated_at timestamptz not null,
  primary key (user_id, paper_account_id)
);

create table passbook.paper_positions (
  user_id uuid not null,
  paper_account_id uuid not null,
  security_id uuid not null,
  side text not null check (side in ('LONG', 'SHORT')),
  -- 0 when the position is closed: not shown.
  quantity numeric not null check (quantity >= 0 and quantity < 'Infinity'),
  average_entry_price numeric not null check (average_entry_price >= 0 and average_entry_price < 'Infinity'),
  primary key (user_id, paper_account_id, security_id, side),
  foreign key (user_id, paper_account_id) references passbook.paper_accounts on delete cascade,
  foreign key (user_id, security_id) references passbook.securities on delete cascade
);
