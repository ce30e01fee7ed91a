-- The wall under the queries. Whoever reads through a view reads as the owner of the tables, and the owner
-- sees the rows of app.user_id only: without that setting, none.

create function passbook.current_user_id() returns uuid
language sql stable parallel safe as $$
  select nullif(current_setting('app.user_id', true), '')::uuid
$$;

do $$
declare
  led_by_user text;
begin
  foreach led_by_user in array array[
    'users', 'excluded_categories', 'banks', 'accounts', 'balance_snapshots', 'transactions', 'budgets',
    'securities', 'security_prices', 'holdings', 'wallets', 'wallet_holdings', 'paper_accounts',
    'paper_positions', 'oauth_consents', 'personal_access_tokens'
  ] loop
    execute format('alter table passbook.%I enable row level security', led_by_user);
    execute format('alter table passbook.%I force row level security', led_by_user);
    execute format(
      'create policy own_rows on passbook.%I to passbook_owner using (user_id = (select passbook.current_user_id()))',
      led_by_user);
    execute format(
      'create policy writer on passbook.%I to passbook_writer using (true) with check (true)', led_by_user);
  end loop;
end
$$;

-- Before a user is known, one token row may be seen: the one whose hash is being presented.
create policy presented_token on passbook.personal_access_tokens for select to passbook_owner
  using (token_hash = decode(nullif(current_setting('app.presented_token_hash', true), ''), 'hex'));

-- The writer loads; it neither changes the tables nor the record of migrations.
grant usage on schema passbook to passbook_writer;
grant select, insert, update, delete on all tables in schema passbook to passbook_writer;
revoke insert, update, delete on passbook.migrations, passbook.categories from passbook_writer;
