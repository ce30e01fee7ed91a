-- Look-ups of credentials, row-level security and rights.

-- The look-ups run as the deriver, because the user of the row is unknown or another one.
set local role passbook_deriver;

-- The token with a hash. Runs before a user is known.
create function passbook_read.find_personal_access_token(presented_hash bytea)
returns table (token_id uuid, user_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select tokens.token_id, tokens.user_id from passbook.personal_access_tokens as tokens
  where tokens.token_hash = presented_hash
$$;

-- True if a client is the dashboard of one user, for whoever presents it.
create function passbook_read.is_personal_client(presented_client text) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (
    select from passbook.oauth_clients as clients
    where clients.client_id = presented_client and clients.user_id is not null and clients.revoked_at is null)
$$;

grant execute on function passbook_read.find_personal_access_token(bytea), passbook_read.is_personal_client(text)
  to passbook_owner, passbook_reader;
set local role passbook_owner;

-- Every table with a user_id shows the owner, as whom the views and functions read, the rows of the user of the open
-- transaction only. The writer writes the rows of all users, and the deriver derives data from them. The tables of the grant
-- are read once a request: there a call costs less than the query that computes the user once for many rows. If a query and a
-- policy both name the user with `=`, PostgreSQL adds a step to the plan that compares the two. The policy of users avoids the
-- step with `is not distinct from`, which compares in each row: cheaper for one row, dearer for many.
do $$
declare
  personal regclass;
begin
  for personal in
    select columns.attrelid::regclass
    from pg_catalog.pg_attribute as columns
    join pg_catalog.pg_class as classes on classes.oid = columns.attrelid
    where classes.relnamespace = 'passbook'::regnamespace and classes.relkind in ('r', 'p') and not classes.relispartition
      and columns.attname = 'user_id'
  loop
    execute format('alter table %s enable row level security', personal);
    execute format('alter table %s force row level security', personal);
    execute format('create policy own_rows on %s to passbook_owner using (user_id %s)', personal,
      case when personal = 'passbook.users'::regclass then 'is not distinct from passbook.current_user_id()'
        when personal::text ~ '^passbook\.(personal_access_tokens|oauth_)' then '= passbook.current_user_id()'
        else '= (select passbook.current_user_id())' end);
    execute format('create policy writer on %s to passbook_writer using (true) with check (true)', personal);
    execute format('grant select, insert, update, delete on %s to passbook_writer', personal);
  end loop;
  foreach personal in array array[
    'passbook.users', 'passbook.transactions', 'passbook.transaction_labels', 'passbook.transaction_tags',
    'passbook.category_totals', 'passbook.account_category_totals', 'passbook.merchant_totals',
    'passbook.merchant_upper_bounds']::regclass[]
  loop
    execute format('create policy deriver on %s to passbook_deriver using (true) with check (true)', personal);
  end loop;
  -- The sources of names, and the look-ups of credentials, which name a user or another one.
  foreach personal in array array[
    'passbook.excluded_categories', 'passbook.accounts', 'passbook.bank_connections', 'passbook.own_categories',
    'passbook.tags', 'passbook.personal_access_tokens', 'passbook.oauth_clients']::regclass[]
  loop
    execute format('create policy deriver on %s for select to passbook_deriver using (true)', personal);
  end loop;
end
$$;

-- Clients that serve everyone.
create policy shared_clients on passbook.oauth_clients for select to passbook_owner using (user_id is null);

-- The writer loads. It changes neither the record of migrations, nor what the migrations insert, nor derived data.
grant usage on schema passbook, passbook_read to passbook_writer;
grant select on passbook.migrations, passbook.categories, passbook.time_zones to passbook_writer;
grant select, insert, delete, update (currency) on passbook.base_currency to passbook_writer;
grant select, insert, update, delete on passbook.exchange_rates to passbook_writer;
revoke insert, update, delete on
  passbook.category_totals, passbook.account_category_totals, passbook.merchant_totals, passbook.merchant_upper_bounds
  from passbook_writer;
revoke insert, update on passbook.users, passbook.transactions from passbook_writer;
grant
  insert (user_id, email, preferred_currency, time_zone, month_start, created_at),
  update (user_id, email, preferred_currency, time_zone, month_start, created_at) on passbook.users to passbook_writer;
grant
  insert (user_id, transaction_id, account_id, date, type, category, amount_cents, currency, title, pending,
    provider_category, merchant_name, linked_transaction_id, imported),
  update (user_id, transaction_id, account_id, date, type, category, amount_cents, currency, title, pending,
    provider_category, merchant_name, linked_transaction_id, imported) on passbook.transactions to passbook_writer;
grant select on
  passbook.pending_matches, passbook.recomputed_links, passbook.recomputed_users, passbook.recomputed_names, passbook.recomputed_labels,
  passbook.recomputed_category_totals,
  passbook.recomputed_account_category_totals, passbook.recomputed_merchant_totals,
  passbook.recomputed_merchant_upper_bounds, passbook_read.base_currency, passbook_read.exchange_rates
  to passbook_writer, passbook_deriver;
-- The operator's tool lists balances by the same rule as the server.
grant select on passbook_read.balance_facts to passbook_writer;
grant execute on function passbook_read.today_in(text) to passbook_writer;

-- The deriver reads what derived data are computed from, writes these data, and removes links to deleted rows.
revoke create on schema passbook, passbook_read from passbook_deriver;
grant select on
  passbook.excluded_categories, passbook.accounts, passbook.bank_connections, passbook.own_categories, passbook.tags
  to passbook_deriver;
grant select, update (data_version, last_row_on, has_unconverted, excluded_categories, names) on passbook.users
  to passbook_deriver;
grant
  select,
  update (converted_cents, is_superseded, resolved_linked_transaction_id, refunded_category, refunded_account_id,
    refunded_merchant_key, linked_transaction_id, own_category_id, tag_ids, note)
  on passbook.transactions to passbook_deriver;
grant select, delete, update (given_own_category_id, given_note) on passbook.transaction_labels to passbook_deriver;
grant select, delete, update (is_given) on passbook.transaction_tags to passbook_deriver;
grant select, update (version) on passbook.base_currency to passbook_deriver;
grant select (user_id, token_id, token_hash) on passbook.personal_access_tokens to passbook_deriver;
grant select (user_id, client_id, revoked_at) on passbook.oauth_clients to passbook_deriver;
grant select, insert, update, delete on
  passbook.category_totals, passbook.account_category_totals, passbook.merchant_totals, passbook.merchant_upper_bounds
  to passbook_deriver;

-- Checks, generated columns and triggers compute with the rights of the writer.
grant execute on function
  passbook_read.trim_white_space(text), passbook_read.search_text(text), passbook_read.merchant_key(text),
  passbook_read.payee_key(text), passbook_read.rate_on(text, date), passbook_read.convert_cents(bigint, numeric, numeric),
  passbook_read.convert_at(bigint, text, numeric, text, numeric), passbook_read.convert_on(bigint, text, text, date),
  passbook_read.month_of(date, integer), passbook_read.month_first_day(date, integer),
  passbook_read.period_start(text, date, integer),
  passbook.convert_row(bigint, text, text, date), passbook.total_entries(passbook.transactions), passbook.check_derived()
  to passbook_writer, passbook_deriver;

-- Policies call this function as any role.
grant execute on function passbook.current_user_id() to public;

-- The reader selects from the views and calls the functions of passbook_read.
grant usage on schema passbook_read to passbook_reader;
grant select on all tables in schema passbook_read to passbook_reader;
grant execute on all functions in schema passbook_read to passbook_reader;
