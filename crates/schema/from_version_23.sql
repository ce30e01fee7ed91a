-- Restores a backup of version 23, the last development version with another schema. To be deleted at the first release.

-- Each table of the backup, in the order in which its rows can be stored: the table that stores them, and its columns under
-- their names of that time. What begins with `null` is stored elsewhere or not at all.
create temp table v23_tables (position integer generated always as identity, stored text, received text, columns text)
  on commit drop;
insert into v23_tables (stored, received, columns) values
  ('base_currency', 'rate_base', 'only_row, currency'),
  ('exchange_rates', 'exchange_rates', 'currency, date as as_of, rate as units_per_base'),
  ('users', 'users', 'user_id, email, preferred_currency, time_zone, created_at'),
  ('excluded_categories', 'excluded_categories', 'user_id, category'),
  ('budgets', 'budgets', 'user_id, budget_id, category, target_cents, currency'),
  ('personal_access_tokens', 'personal_access_tokens',
    'user_id, token_id, token_hash, name, last_four, scopes, rest, mcp, created_at, expires_at, revoked_at'),
  ('oauth_clients', 'oauth_clients',
    'client_id, kind, user_id as owner_user_id, name, redirect_uris, scopes, rest, mcp, created_at, revoked_at'),
  ('oauth_consents', 'oauth_consents', 'user_id, client_id, granted_at, revoked_at'),
  ('oauth_sessions', 'oauth_sessions', 'user_id, session_id, client_id, created_at, revoked_at'),
  ('ledgers', 'ledgers', 'user_id, ledger, account_map, map_name, imported_at'),
  ('bank_connections', 'banks', 'user_id, bank_id, name, status, new_accounts_available, last_successful_update,
    last_failed_update, consent_expires_at, error_code'),
  ('accounts', 'accounts', 'user_id, account_id, bank_id, name, type, subtype, currency, balance_cents, balance_updated_at,
    closed_on, ledger_id as source, null::text as bank_name'),
  ('balance_snapshots', 'balance_snapshots', 'user_id, account_id, date as as_of, balance_cents'),
  ('securities', 'securities', 'user_id, security_id, name, type, currency, symbol, isin, is_cash_equivalent'),
  ('security_prices', 'security_prices', 'user_id, security_id, date as as_of, price'),
  ('holdings', 'holdings', 'user_id, account_id, security_id, quantity, cost_basis_cents'),
  ('wallets', 'wallets', 'user_id, wallet_id, name, network, address, updated_at'),
  ('wallet_quantities', 'wallet_holdings', 'user_id, wallet_id, security_id, date as as_of, quantity'),
  ('paper_accounts', 'paper_accounts',
    'user_id, paper_account_id, name, provider, currency, cash_cents, starting_balance_cents, updated_at'),
  ('paper_positions', 'paper_positions', 'user_id, paper_account_id, security_id, side, quantity, average_entry_price'),
  ('transactions', 'transactions', 'user_id, transaction_id, account_id, date, type, category, null::text as direction,
    amount_cents, currency, title, pending, provider_category, merchant_name, linked_transaction_id, imported'),
  ('import_files', 'import_files', 'user_id, file_id, digest, name, format, profile, replaces_missing, imported_at'),
  ('import_statements', 'import_statements', 'user_id, file_id, statement, account_id, iban, bank, account_number,
    account_name, kind, sequence_number as chain_number, statement_date as as_of, first_day, last_day, lists_pending,
    null::text[] as balances, withdrawn_ids as removed'),
  ('import_lines', 'import_observations', 'user_id, file_id, statement, position, line, booking_date as booked,
    amount_cents as cents, currency, pending, value_date as value_day, transaction_date as transaction_day, source_id,
    source_id_is_authoritative, replaces, reference, counterparty_name as party, counterparty_account as party_account,
    description as text, bank_transaction_code as code, category, original_cents, original_currency, fee_cents,
    fee_included, transfer_with, raw'),
  ('import_rules', 'import_rules', 'user_id, name, rules');
create temp table v23_import_accounts (user_id uuid, account_id uuid, reconciled_through date, set_cents bigint,
  set_at timestamptz, former_cents bigint, former_at timestamptz, snapshot_days date[]) on commit drop;
do $$
declare
  listed record;
begin
  for listed in select stored, received, columns from pg_temp.v23_tables loop
    execute format('create temp table v23_%s on commit drop as select %s from passbook.%s with no data',
      listed.received, listed.columns, listed.stored);
  end loop;
end
$$;

-- ROWS
delete from passbook.base_currency;
update v23_import_statements
set kind = case kind when 'window' then 'complete' when 'chain' then 'sequence' else 'changes' end;
-- The next import computes the balances of files again.
delete from v23_balance_snapshots as s using v23_import_accounts as accounts
where accounts.user_id = s.user_id and accounts.account_id = s.account_id and s.as_of = any (accounts.snapshot_days);
update v23_accounts as a set balance_cents = accounts.former_cents, balance_updated_at = accounts.former_at
from v23_import_accounts as accounts
where accounts.user_id = a.user_id and accounts.account_id = a.account_id
  and (accounts.set_cents, accounts.set_at) = (a.balance_cents, a.balance_updated_at);
do $$
declare
  listed record;
begin
  for listed in
    select stored, received, regexp_replace(columns, ',\s+null::\S+ as \w+', '', 'g') as columns
    from pg_temp.v23_tables order by position
  loop
    execute format('insert into passbook.%s (%s) select %s from pg_temp.v23_%s', listed.stored,
      regexp_replace(listed.columns, ' as \w+', '', 'g'), regexp_replace(listed.columns, '\w+ as ', '', 'g'),
      listed.received);
  end loop;
end
$$;

-- Each balance was a text: kind, day, cents and perhaps currency.
insert into passbook.statement_balances (user_id, file_id, statement, position, kind, date, amount_cents, currency)
select s.user_id, s.file_id, s.statement, b.position - 1, split_part(b.balance, ' ', 1), split_part(b.balance, ' ', 2)::date,
  split_part(b.balance, ' ', 3)::bigint, nullif(split_part(b.balance, ' ', 4), '')
from v23_import_statements as s
cross join unnest(s.balances) with ordinality as b (balance, position);
