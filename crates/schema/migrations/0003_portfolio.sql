-- Securities, what is held of them and what they were worth; wallets; simulated accounts.

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
