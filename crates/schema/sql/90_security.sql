-- Row-level security and rights.

-- Every table with a user_id shows the owner, as whom the views and functions read, the rows of the user of the open
-- transaction only. The writer writes the rows of all users.
do $$
declare
  personal regclass;
begin
  for personal in
    select columns.attrelid::regclass
    from pg_catalog.pg_attribute as columns
    join pg_catalog.pg_class as classes on classes.oid = columns.attrelid
    where classes.relnamespace = 'passbook'::regnamespace and classes.relkind = 'r' and columns.attname = 'user_id'
  loop
    execute format('alter table %s enable row level security', personal);
    execute format('alter table %s force row level security', personal);
    execute format(
      'create policy own_rows on %s to passbook_owner using (user_id = (select passbook.current_user_id()))', personal);
    execute format('create policy writer on %s to passbook_writer using (true) with check (true)', personal);
    execute format('grant select, insert, update, delete on %s to passbook_writer', personal);
  end loop;
end
$$;

-- Before a user is known, one row of a token may be seen: the one whose hash is presented.
create policy presented_token on passbook.personal_access_tokens for select to passbook_owner
  using (token_hash = decode(nullif(current_setting('app.presented_token_hash', true), ''), 'hex'));

-- The writer loads. It changes neither the record of migrations nor the categories. Triggers of a writer write derived tables;
-- `reject_direct_write` rejects every other statement.
grant usage on schema passbook, passbook_read to passbook_writer;
grant select on passbook.migrations, passbook.categories to passbook_writer;
grant select, insert, update, delete on passbook.rate_base, passbook.exchange_rates, passbook.oauth_clients to passbook_writer;
grant select, update on passbook.rate_state to passbook_writer;
grant select on
  passbook.posted_twins, passbook.computed_links, passbook.contributions, passbook.computed_totals,
  passbook.computed_account_totals, passbook.computed_merchant_totals, passbook.computed_merchant_bounds,
  passbook_read.rate_base, passbook_read.exchange_rates to passbook_writer;

revoke all on all functions in schema passbook_read from public;
revoke all on function passbook.set_bank_name() from public;
-- A generated column and a trigger compute with the rights of the writer.
grant execute on function
  passbook_read.fold(text), passbook_read.merchant_spelling(text), passbook_read.merchant_key(text),
  passbook_read.rate_on(text, date), passbook_read.convert_cents(bigint, numeric, numeric),
  passbook_read.convert_at(bigint, text, numeric, text, numeric), passbook_read.convert_on(bigint, text, text, date)
  to passbook_writer;

grant usage on schema passbook_read to passbook_reader;
grant select on all tables in schema passbook_read to passbook_reader;
grant execute on all functions in schema passbook_read to passbook_reader;
