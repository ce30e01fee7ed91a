-- Banks, accounts and their balances; securities, their prices, and what is held of them; wallets; simulated accounts.

-- Imported ledgers. The account map is the text of the person's TOML file, which the next import of the ledger uses again.
-- Without one, the ledger was imported with the built-in map. The server does not read this table.
create table passbook.ledgers (
  user_id uuid not null references passbook.users on delete cascade,
  ledger text not null check (length(ledger) between 1 and 200),
  account_map text check (octet_length(account_map) <= 1048576),
  map_name text check (map_name <> '' and length(map_name) <= 4096),
  imported_at passbook.moment not null,
  -- The name that the accounts of the ledger have in `accounts.ledger_id`.
  ledger_id text not null generated always as ('beancount:' || ledger) stored,
  primary key (user_id, ledger),
  unique (user_id, ledger_id),
  check ((account_map is null) = (map_name is null))
);

create table passbook.bank_connections (
  user_id uuid not null references passbook.users on delete cascade,
  bank_id uuid not null,
  name passbook.display_name not null,
  status text not null default 'MANUAL'
    check (status in ('CONNECTED', 'NEEDS_UPDATE', 'ERROR', 'DISCONNECTED', 'MANUAL')),
  new_accounts_available boolean not null default false,
  last_successful_update passbook.moment,
  last_failed_update passbook.moment,
  consent_expires_at passbook.moment,
  error_code text check (error_code ~ '^[A-Z0-9_]{1,64}$'),
  -- True if an import created it. Undoing the import removes it with its last account.
  created_by_import boolean not null default false,
  primary key (user_id, bank_id)
);

create table passbook.accounts (
  user_id uuid not null,
  account_id uuid not null,
  bank_id uuid not null,
  name passbook.display_name not null,
  type text not null check (type in ('depository', 'credit', 'loan', 'investment', 'other')),
  subtype text not null check (subtype <> '' and subtype = lower(subtype) and length(subtype) <= 100),
  currency passbook.currency_code not null,
  -- The present balance as a loader states it, and the moment of which it is. Signed from the owner's side: what is owed is
  -- negative. Null if only files state balances.
  balance_cents passbook.cents,
  balance_updated_at passbook.moment,
  -- The balance before this day was 0.
  opened_on passbook.calendar_day,
  closed_on passbook.calendar_day,
  -- The first day from which on a loader states every transaction.
  rows_complete_from passbook.calendar_day,
  -- The first day whose transactions files may state twice, computed by each import.
  ambiguous_from passbook.calendar_day,
  -- True if an import created the account. Undoing the import removes it, if nothing else uses it.
  created_by_import boolean not null default false,
  -- The ledger that contains the account, if one does: importing that ledger again replaces what it no longer has.
  ledger_id text,
  primary key (user_id, account_id),
  check ((balance_cents is null) = (balance_updated_at is null)),
  check (opened_on <= closed_on),
  foreign key (user_id, bank_id) references passbook.bank_connections on delete cascade,
  -- An import stores the ledger after its accounts.
  foreign key (user_id, ledger_id) references passbook.ledgers (user_id, ledger_id) deferrable initially deferred
);

create index accounts_by_bank on passbook.accounts (user_id, bank_id);

create index accounts_by_ledger on passbook.accounts (user_id, ledger_id) where ledger_id is not null;

-- The balance at the end of a day, as a loader states it.
create table passbook.balance_snapshots (
  user_id uuid not null,
  account_id uuid not null,
  date passbook.calendar_day not null,
  balance_cents passbook.cents not null,
  primary key (user_id, account_id, date),
  foreign key (user_id, account_id) references passbook.accounts on delete cascade
);

create table passbook.securities (
  user_id uuid not null references passbook.users on delete cascade,
  security_id uuid not null,
  name passbook.display_name not null,
  type text not null
    check (type in ('EQUITY', 'ETF', 'MUTUAL_FUND', 'BOND', 'CASH', 'CRYPTOCURRENCY', 'DERIVATIVE', 'OTHER')),
  currency passbook.currency_code not null,
  symbol text check (symbol <> '' and length(symbol) <= 100),
  isin text check (isin ~ '^[A-Z]{2}[A-Z0-9]{9}[0-9]$'),
  is_cash_equivalent boolean not null default false,
  primary key (user_id, security_id)
);

-- The closing price of one unit, in the security's currency.
create table passbook.security_prices (
  user_id uuid not null,
  security_id uuid not null,
  date passbook.calendar_day not null,
  price passbook.quantity not null check (price >= 0),
  primary key (user_id, security_id, date),
  foreign key (user_id, security_id) references passbook.securities on delete cascade
);

-- What an account holds now.
create table passbook.holdings (
  user_id uuid not null,
  account_id uuid not null,
  security_id uuid not null,
  quantity passbook.quantity not null,
  -- In the security's currency.
  cost_basis_cents passbook.cents,
  primary key (user_id, account_id, security_id),
  foreign key (user_id, account_id) references passbook.accounts on delete cascade,
  foreign key (user_id, security_id) references passbook.securities on delete cascade
);

create table passbook.wallets (
  user_id uuid not null references passbook.users on delete cascade,
  wallet_id uuid not null,
  name passbook.display_name not null,
  network text not null check (network ~ '^[A-Z0-9_]{1,32}$'),
  address text check (length(address) between 8 and 128),
  updated_at passbook.moment not null,
  primary key (user_id, wallet_id)
);

-- The quantity in a wallet from a day on, one row per security and day on which it changed.
create table passbook.wallet_quantities (
  user_id uuid not null,
  wallet_id uuid not null,
  security_id uuid not null,
  date passbook.calendar_day not null,
  quantity passbook.quantity not null check (quantity >= 0),
  primary key (user_id, wallet_id, security_id, date),
  foreign key (user_id, wallet_id) references passbook.wallets on delete cascade,
  foreign key (user_id, security_id) references passbook.securities on delete cascade
);

-- Simulated accounts: shown, never counted.
create table passbook.paper_accounts (
  user_id uuid not null references passbook.users on delete cascade,
  paper_account_id uuid not null,
  name passbook.display_name not null,
  provider text not null check (provider ~ '^[A-Z0-9_]{1,32}$'),
  currency passbook.currency_code not null,
  cash_cents passbook.cents not null,
  starting_balance_cents passbook.cents not null,
  updated_at passbook.moment not null,
  primary key (user_id, paper_account_id)
);

create table passbook.paper_positions (
  user_id uuid not null,
  paper_account_id uuid not null,
  security_id uuid not null,
  side text not null check (side in ('LONG', 'SHORT')),
  -- 0 when the position is closed: not shown.
  quantity passbook.quantity not null check (quantity >= 0),
  average_entry_price passbook.quantity not null check (average_entry_price >= 0),
  primary key (user_id, paper_account_id, security_id, side),
  foreign key (user_id, paper_account_id) references passbook.paper_accounts on delete cascade,
  foreign key (user_id, security_id) references passbook.securities on delete cascade
);
