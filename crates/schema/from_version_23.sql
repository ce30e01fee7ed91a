-- Restores a backup of version 23, the last development version with another schema. To be deleted at the first release.

-- The tables of the backup.
create temp table v23_accounts (user_id uuid, account_id uuid, bank_id uuid, name text, type text, subtype text, currency
  text, balance_cents bigint, balance_updated_at timestamptz, closed_on date, source text, bank_name text) on commit drop;
create temp table v23_balance_snapshots (user_id uuid, account_id uuid, as_of date, balance_cents bigint) on commit drop;
create temp table v23_banks (user_id uuid, bank_id uuid, name text, status text, new_accounts_available boolean,
  last_successful_update timestamptz, last_failed_update timestamptz, consent_expires_at timestamptz, error_code text) on
  commit drop;
create temp table v23_budgets (user_id uuid, budget_id uuid, category text, target_cents bigint, currency text) on commit
  drop;
create temp table v23_exchange_rates (currency text, as_of date, units_per_base numeric) on commit drop;
create temp table v23_excluded_categories (user_id uuid, category text) on commit drop;
create temp table v23_holdings (user_id uuid, account_id uuid, security_id uuid, quantity numeric, cost_basis_cents bigint)
  on commit drop;
create temp table v23_import_accounts (user_id uuid, account_id uuid, reconciled_through date, set_cents bigint, set_at
  timestamptz, former_cents bigint, former_at timestamptz, snapshot_days date[]) on commit drop;
create temp table v23_import_files (user_id uuid, file_id uuid, digest bytea, name text, format text, profile text,
  replaces_missing boolean, imported_at timestamptz) on commit drop;
create temp table v23_import_observations (user_id uuid, file_id uuid, statement integer, position integer, line bigint,
  booked date, cents bigint, currency text, pending boolean, value_day date, transaction_day date, source_id text,
  source_id_is_authoritative boolean, replaces text, reference text, party text, party_account text, text text, code text,
  category text, original_cents bigint, original_currency text, fee_cents bigint, fee_included boolean, transfer_with text,
  raw text) on commit drop;
create temp table v23_import_rules (user_id uuid, name text, rules text) on commit drop;
create temp table v23_import_statements (user_id uuid, file_id uuid, statement integer, account_id uuid, iban text, bank
  text, account_number text, account_name text, kind text, chain_number text, as_of date, first_day date, last_day date,
  lists_pending boolean, balances text[], removed text[]) on commit drop;
create temp table v23_ledgers (user_id uuid, ledger text, account_map text, map_name text, imported_at timestamptz) on commit
  drop;
create temp table v23_oauth_clients (client_id text, kind text, owner_user_id uuid, name text, redirect_uris text[], scopes
  text[], rest boolean, mcp boolean, created_at timestamptz, revoked_at timestamptz) on commit drop;
create temp table v23_oauth_consents (user_id uuid, client_id text, granted_at timestamptz, revoked_at timestamptz) on commit
  drop;
create temp table v23_oauth_sessions (user_id uuid, session_id text, client_id text, created_at timestamptz, revoked_at
  timestamptz) on commit drop;
create temp table v23_paper_accounts (user_id uuid, paper_account_id uuid, name text, provider text, currency text,
  cash_cents bigint, starting_balance_cents bigint, updated_at timestamptz) on commit drop;
create temp table v23_paper_positions (user_id uuid, paper_account_id uuid, security_id uuid, side text, quantity numeric,
  average_entry_price numeric) on commit drop;
create temp table v23_personal_access_tokens (user_id uuid, token_id uuid, token_hash bytea, name text, last_four text,
  scopes text[], rest boolean, mcp boolean, created_at timestamptz, expires_at timestamptz, revoked_at timestamptz) on commit
  drop;
create temp table v23_rate_base (only_row boolean, currency text) on commit drop;
create temp table v23_securities (user_id uuid, security_id uuid, name text, type text, currency text, symbol text, isin
  text, is_cash_equivalent boolean) on commit drop;
create temp table v23_security_prices (user_id uuid, security_id uuid, as_of date, price numeric) on commit drop;
create temp table v23_transactions (user_id uuid, transaction_id uuid, account_id uuid, date date, type text, category text,
  direction text, amount_cents bigint, currency text, title text, pending boolean, provider_category text, merchant_name
  text, linked_transaction_id uuid, imported boolean) on commit drop;
create temp table v23_users (user_id uuid, email text, preferred_currency text, time_zone text, created_at timestamptz) on
  commit drop;
create temp table v23_wallet_holdings (user_id uuid, wallet_id uuid, security_id uuid, as_of date, quantity numeric) on
  commit drop;
create temp table v23_wallets (user_id uuid, wallet_id uuid, name text, network text, address text, updated_at timestamptz)
  on commit drop;

-- ROWS
delete from passbook.base_currency;
insert into passbook.base_currency (only_row, currency)
select only_row, currency from v23_rate_base;

insert into passbook.exchange_rates (currency, date, rate)
select currency, as_of, units_per_base from v23_exchange_rates;

insert into passbook.users (user_id, email, preferred_currency, time_zone, created_at)
select user_id, email, preferred_currency, time_zone, created_at from v23_users;

insert into passbook.excluded_categories (user_id, category)
select user_id, category from v23_excluded_categories;

insert into passbook.budgets (user_id, budget_id, category, target_cents, currency)
select user_id, budget_id, category, target_cents, currency from v23_budgets;

insert into passbook.personal_access_tokens (user_id, token_id, token_hash, name, last_four, scopes, rest, mcp, created_at,
  expires_at, revoked_at)
select user_id, token_id, token_hash, name, last_four, scopes, rest, mcp, created_at, expires_at, revoked_at from
  v23_personal_access_tokens;

insert into passbook.oauth_clients (client_id, kind, user_id, name, redirect_uris, scopes, rest, mcp, created_at, revoked_at)
select client_id, kind, owner_user_id, name, redirect_uris, scopes, rest, mcp, created_at, revoked_at from v23_oauth_clients;

insert into passbook.oauth_consents (user_id, client_id, granted_at, revoked_at)
select user_id, client_id, granted_at, revoked_at from v23_oauth_consents;

insert into passbook.oauth_sessions (user_id, session_id, client_id, created_at, revoked_at)
select user_id, session_id, client_id, created_at, revoked_at from v23_oauth_sessions;

insert into passbook.ledgers (user_id, ledger, account_map, map_name, imported_at)
select user_id, ledger, account_map, map_name, imported_at from v23_ledgers;

insert into passbook.bank_connections (user_id, bank_id, name, status, new_accounts_available, last_successful_update,
  last_failed_update, consent_expires_at, error_code)
select user_id, bank_id, name, status, new_accounts_available, last_successful_update, last_failed_update,
  consent_expires_at, error_code from v23_banks;

insert into passbook.accounts (user_id, account_id, bank_id, name, type, subtype, currency, balance_cents,
  balance_updated_at, closed_on, ledger_id)
select user_id, account_id, bank_id, name, type, subtype, currency, balance_cents, balance_updated_at, closed_on, source from
  v23_accounts;

insert into passbook.balance_snapshots (user_id, account_id, date, balance_cents, imported)
select s.user_id, s.account_id, s.as_of, s.balance_cents, coalesce(s.as_of = any (proofs.snapshot_days), false)
from v23_balance_snapshots as s
left join v23_import_accounts as proofs on proofs.user_id = s.user_id and proofs.account_id = s.account_id;

insert into passbook.securities (user_id, security_id, name, type, currency, symbol, isin, is_cash_equivalent)
select user_id, security_id, name, type, currency, symbol, isin, is_cash_equivalent from v23_securities;

insert into passbook.security_prices (user_id, security_id, date, price)
select user_id, security_id, as_of, price from v23_security_prices;

insert into passbook.holdings (user_id, account_id, security_id, quantity, cost_basis_cents)
select user_id, account_id, security_id, quantity, cost_basis_cents from v23_holdings;

insert into passbook.wallets (user_id, wallet_id, name, network, address, updated_at)
select user_id, wallet_id, name, network, address, updated_at from v23_wallets;

insert into passbook.wallet_quantities (user_id, wallet_id, security_id, date, quantity)
select user_id, wallet_id, security_id, as_of, quantity from v23_wallet_holdings;

insert into passbook.paper_accounts (user_id, paper_account_id, name, provider, currency, cash_cents, starting_balance_cents,
  updated_at)
select user_id, paper_account_id, name, provider, currency, cash_cents, starting_balance_cents, updated_at from
  v23_paper_accounts;

insert into passbook.paper_positions (user_id, paper_account_id, security_id, side, quantity, average_entry_price)
select user_id, paper_account_id, security_id, side, quantity, average_entry_price from v23_paper_positions;

insert into passbook.transactions (user_id, transaction_id, account_id, date, type, category, amount_cents, currency, title,
  pending, provider_category, merchant_name, linked_transaction_id, imported)
select user_id, transaction_id, account_id, date, type, category, amount_cents, currency, title, pending, provider_category,
  merchant_name, linked_transaction_id, imported from v23_transactions;

insert into passbook.import_files (user_id, file_id, digest, name, format, profile, replaces_missing, imported_at)
select user_id, file_id, digest, name, format, profile, replaces_missing, imported_at from v23_import_files;

insert into passbook.import_statements (user_id, file_id, statement, account_id, iban, bank, account_number, account_name,
  kind, sequence_number, statement_date, first_day, last_day, lists_pending, withdrawn_ids)
select user_id, file_id, statement, account_id, iban, bank, account_number, account_name, case kind when 'window' then
  'complete' when 'chain' then 'sequence' else 'changes' end, chain_number, as_of, first_day, last_day, lists_pending,
  removed from v23_import_statements;

-- Each balance was a text: kind, day, cents and perhaps currency.
insert into passbook.statement_balances (user_id, file_id, statement, position, kind, date, amount_cents, currency)
select s.user_id, s.file_id, s.statement, b.position - 1, split_part(b.balance, ' ', 1), split_part(b.balance, ' ', 2)::date,
  split_part(b.balance, ' ', 3)::bigint, nullif(split_part(b.balance, ' ', 4), '')
from v23_import_statements as s
cross join unnest(s.balances) with ordinality as b (balance, position);

insert into passbook.import_lines (user_id, file_id, statement, position, line, booking_date, amount_cents, currency,
  pending, value_date, transaction_date, source_id, source_id_is_authoritative, replaces, reference, counterparty_name,
  counterparty_account, description, bank_transaction_code, category, original_cents, original_currency, fee_cents,
  fee_included, transfer_with, raw)
select user_id, file_id, statement, position, line, booked, cents, currency, pending, value_day, transaction_day, source_id,
  source_id_is_authoritative, replaces, reference, party, party_account, text, code, category, original_cents,
  original_currency, fee_cents, fee_included, transfer_with, raw from v23_import_observations;

insert into passbook.import_rules (user_id, name, rules)
select user_id, name, rules from v23_import_rules;

insert into passbook.account_reconciliations (user_id, account_id, reconciled_through, statement_balance_cents,
  statement_balance_updated_at, previous_balance_cents, previous_balance_updated_at)
select user_id, account_id, reconciled_through, set_cents, set_at, former_cents, former_at from v23_import_accounts;
