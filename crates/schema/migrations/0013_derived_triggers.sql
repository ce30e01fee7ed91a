-- The triggers that keep the derived facts right, and the view that reads the facts.

-- TRIGGERS ON TRANSACTIONS ------------------------------------------------------------------------------------

-- Before any row is locked: no exchange rate changes until the end of the transaction.
create function passbook.lock_rates() returns trigger
language plpgsql as $$
begin
  perform from passbook.rate_state for share;
  return null;
end
$$;

create trigger lock_rates before insert or update on passbook.transactions
  for each statement execute function passbook.lock_rates();

-- Stores the derived columns of a row. Values that a statement gives for these columns are never stored.
create function passbook.derive_row() returns trigger
language plpgsql as $$
declare
  locked text := current_setting('passbook.locked_state', true);
  state_currency text;
begin
  /* The first row of a user waits for other writers of this user. The setting lasts as long as the lock: until the
     transaction ends, or until a rollback to a savepoint before it. If there is no such user, the foreign key of the
     account rejects the row. */
  if left(locked, 36) = new.user_id::text then
    state_currency := substr(locked, 38);
  else
    select states.currency into state_currency from passbook.derived_states as states
    where states.user_id = new.user_id for no key update;
    perform set_config('passbook.locked_state', concat(new.user_id, ' ', state_currency), true);
  end if;
  if tg_op = 'UPDATE' then
    if (new.replaced, new.shown_link, new.purchase_category)
      is distinct from (old.replaced, old.shown_link, old.purchase_category) then
      select links.replaced, links.shown_link, links.purchase_category
      into new.replaced, new.shown_link, new.purchase_category
      from passbook.computed_links as links
      where links.user_id = old.user_id and links.transaction_id = old.transaction_id;
    end if;
    if (new.converted_cents, new.amount_cents, new.currency, new.date, new.user_id)
      is not distinct from (old.converted_cents, old.amount_cents, old.currency, old.date, old.user_id) then
      return new;
    end if;
  else
    /* `derive_links` corrects the rows that have to do with a link. */
    new.replaced := false;
    new.shown_link := new.linked_transaction_id;
    new.purchase_category := null;
  end if;
  if new.currency = state_currency then
    new.converted_cents := new.amount_cents;
  else
    new.converted_cents := passbook_read.convert_on(new.amount_cents, new.currency, state_currency, new.date);
  end if;
  return new;
end
$$;

create trigger derive_row before insert or update on passbook.transactions
  for each row execute function passbook.derive_row();

-- Stores the derived links of the rows on which a statement has an effect. The settings keep the plans, which PostgreSQL
-- chooses once per connection, independent of the number of rows that the first statement wrote.
create function passbook.derive_links() returns trigger
language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set jit = off
as $$
declare
  former_user text := current_setting('app.user_id', true);
  one_pass uuid;
  written uuid[];
  /* The rows whose meaning for linked rows changed, each with its user. */
  key_users uuid[];
  key_ids uuid[];
begin
  if tg_op = 'INSERT' then
    written := array(select distinct rows.user_id from new_rows as rows order by rows.user_id);
  elsif tg_op = 'DELETE' then
    written := array(select distinct rows.user_id from old_rows as rows order by rows.user_id);
  else
    written := array(
      select rows.user_id from old_rows as rows union select rows.user_id from new_rows as rows order by user_id);
  end if;
  if written = '{}' then
    return null;
  end if;
  for one_pass in select passes from passbook.passes(written) loop
    if one_pass is not null then
      perform set_config('app.user_id', one_pass::text, true);
    end if;
    perform from passbook.derived_states as states
    where states.user_id = any (written) order by states.user_id for no key update;
    update passbook.derived_states as states set version = states.version + 1 where states.user_id = any (written);
    if tg_op = 'INSERT' then
      select array_agg(keys.user_id), array_agg(keys.id) into key_users, key_ids
      from (
        select rows.user_id, rows.linked_transaction_id as id from new_rows as rows
        where rows.linked_transaction_id is not null
        union
        select rows.user_id, rows.transaction_id from new_rows as rows
        where exists (
          select from passbook.transactions as linking
          where linking.user_id = rows.user_id and linking.linked_transaction_id = rows.transaction_id)) as keys;
    elsif tg_op = 'DELETE' then
      select array_agg(keys.user_id), array_agg(keys.id) into key_users, key_ids
      from (
        select distinct rows.user_id, rows.linked_transaction_id as id from old_rows as rows
        where rows.linked_transaction_id is not null) as keys;
    else
      with old_meaning as (
        select user_id, transaction_id, linked_transaction_id, account_id, type, category, pending from old_rows
      ), new_meaning as (
        select user_id, transaction_id, linked_transaction_id, account_id, type, category, pending from new_rows
      ), changed as materialized (
        (select * from old_meaning except select * from new_meaning)
        union
        (select * from new_meaning except select * from old_meaning)
      )
      select array_agg(keys.user_id), array_agg(keys.id) into key_users, key_ids
      from (
        select changed.user_id, changed.linked_transaction_id as id from changed
        where changed.linked_transaction_id is not null
        union
        select changed.user_id, changed.transaction_id from changed
        where changed.linked_transaction_id is not null or exists (
          select from passbook.transactions as linking
          where linking.user_id = changed.user_id and linking.linked_transaction_id = changed.transaction_id)) as keys;
    end if;
    if key_ids is not null then
      update passbook.transactions as t
      set replaced = links.replaced, shown_link = links.shown_link, purchase_category = links.purchase_category
      from (
        select keys.user_id, keys.id from unnest(key_users, key_ids) as keys (user_id, id)
        union
        select linking.user_id, linking.transaction_id
        from unnest(key_users, key_ids) as keys (user_id, id)
        join passbook.transactions as linking
          on linking.user_id = keys.user_id and linking.linked_transaction_id = keys.id) as affected
      join passbook.computed_links as links
        on links.user_id = affected.user_id and links.transaction_id = affected.id
      where t.user_id = affected.user_id and t.transaction_id = affected.id
        and (t.replaced, t.shown_link, t.purchase_category)
          is distinct from (links.replaced, links.shown_link, links.purchase_category);
    end if;
  end loop;
  perform set_config('app.user_id', coalesce(former_user, ''), true);
  return null;
end
$$;

create trigger derive_links_of_inserted after insert on passbook.transactions
  referencing new table as new_rows for each statement execute function passbook.derive_links();
create trigger derive_links_of_updated after update on passbook.transactions
  referencing old table as old_rows new table as new_rows for each statement execute function passbook.derive_links();
create trigger derive_links_of_deleted after delete on passbook.transactions
  referencing old table as old_rows for each statement execute function passbook.derive_links();

-- TRIGGERS ON USERS AND RATES ---------------------------------------------------------------------------------

create function passbook.add_states() returns trigger
language plpgsql as $$
begin
  perform set_config('passbook.locked_state', '', true);
  insert into passbook.derived_states (user_id, currency)
  select users.user_id, users.preferred_currency from new_rows as users;
  return null;
end
$$;

create trigger add_states after insert on passbook.users
  referencing new table as new_rows for each statement execute function passbook.add_states();

-- Converts all amounts of a user whose preferred currency changed. The value -1 is none that `derive_row` stores, so the
-- row is converted again.
create function passbook.change_currency() returns trigger
language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set jit = off
as $$
declare
  changed uuid[];
begin
  changed := array(
    select users.user_id from new_rows as users
    join passbook.derived_states as states on states.user_id = users.user_id
    where states.currency <> users.preferred_currency
    order by users.user_id);
  if changed = '{}' then
    return null;
  end if;
  perform set_config('passbook.locked_state', '', true);
  perform from passbook.rate_state for share;
  perform from passbook.derived_states as states
  where states.user_id = any (changed) order by states.user_id for no key update;
  update passbook.derived_states as states
  set currency = users.preferred_currency, version = states.version + 1
  from new_rows as users
  where states.user_id = any (changed) and users.user_id = states.user_id;
  update passbook.transactions as t set converted_cents = -1 where t.user_id = any (changed);
  return null;
end
$$;

create trigger change_currency after update on passbook.users
  referencing new table as new_rows for each statement execute function passbook.change_currency();

-- Before rates change: waits until no transaction is written, and lets none be written until the end of the transaction.
create function passbook.lock_rate_changes() returns trigger
language plpgsql as $$
begin
  if row_security_active('passbook.transactions') and not pg_has_role(current_user, 'passbook_writer', 'usage') then
    raise exception 'the role % does not see the transactions that a new rate converts', current_user
      using errcode = 'insufficient_privilege', hint = 'Write exchange rates as passbook_writer or as a superuser.';
  end if;
  update passbook.rate_state set version = version + 1;
  return null;
end
$$;

create trigger lock_rate_changes before insert or update or delete or truncate on passbook.exchange_rates
  for each statement execute function passbook.lock_rate_changes();
create trigger lock_rate_changes before insert or update or delete or truncate on passbook.rate_base
  for each statement execute function passbook.lock_rate_changes();

-- Converts again the amounts in given currencies (null: all) on given days. All amounts of a user whose preferred currency
-- is among them are converted again.
create function passbook.convert_again(of_currencies text[], first_day date, last_day date) returns void
language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set jit = off
as $$
begin
  perform from passbook.derived_states as states
  where exists (
    select from passbook.transactions as t
    where t.user_id = states.user_id and t.date between first_day and last_day and t.currency <> states.currency
      and (of_currencies is null or t.currency = any (of_currencies) or states.currency = any (of_currencies)))
  order by states.user_id for no key update;
  update passbook.transactions as t
  set converted_cents = -1
  from passbook.derived_states as states
  where t.user_id = states.user_id and t.date between first_day and last_day and t.currency <> states.currency
    and (of_currencies is null or t.currency = any (of_currencies) or states.currency = any (of_currencies))
    and t.converted_cents is distinct from
      passbook_read.convert_on(t.amount_cents, t.currency, states.currency, t.date);
end
$$;

-- A rate serves the days from its own day until the next rate, at most 31 days later. Adjacent days are one span.
create function passbook.change_rates() returns trigger
language plpgsql as $$
declare
  changed passbook.exchange_rates[];
  span record;
begin
  if tg_op <> 'INSERT' then
    changed := array(
      select row(rows.currency, rows.as_of, rows.units_per_base)::passbook.exchange_rates from old_rows as rows);
  end if;
  if tg_op <> 'DELETE' then
    changed := changed || array(
      select row(rows.currency, rows.as_of, rows.units_per_base)::passbook.exchange_rates from new_rows as rows);
  end if;
  for span in
    select spans.days, array_agg(spans.currency) as currencies
    from (
      select days.currency, unnest(range_agg(daterange(days.first_day, days.last_day, '[]'))) as days
      from (
        select rates.currency, rates.as_of as first_day,
          least(rates.as_of + 31, (
            select min(next.as_of) - 1 from passbook.exchange_rates as next
            where next.currency = rates.currency and next.as_of > rates.as_of)) as last_day
        from unnest(changed) as rates) as days
      group by days.currency) as spans
    group by spans.days
  loop
    perform passbook.convert_again(span.currencies, lower(span.days), upper(span.days) - 1);
  end loop;
  return null;
end
$$;

create trigger change_rates_inserted after insert on passbook.exchange_rates
  referencing new table as new_rows for each statement execute function passbook.change_rates();
create trigger change_rates_updated after update on passbook.exchange_rates
  referencing old table as old_rows new table as new_rows for each statement execute function passbook.change_rates();
create trigger change_rates_deleted after delete on passbook.exchange_rates
  referencing old table as old_rows for each statement execute function passbook.change_rates();

create function passbook.change_base() returns trigger
language plpgsql as $$
begin
  perform passbook.convert_again(null, '-infinity', 'infinity');
  return null;
end
$$;

-- For each row, because a load writes the base again without a change, and a statement's trigger would run all the same.
create trigger change_base after insert or delete on passbook.rate_base
  for each row execute function passbook.change_base();
create trigger change_base_updated after update on passbook.rate_base
  for each row when (old.currency <> new.currency) execute function passbook.change_base();
create trigger change_base_truncated after truncate on passbook.rate_base
  for each statement execute function passbook.change_base();

create trigger change_rates_truncated after truncate on passbook.exchange_rates
  for each statement execute function passbook.change_base();

-- THE READING CONTRACT ----------------------------------------------------------------------------------------

-- Every transaction that exists for any answer, with the stored facts. The joins find at most one row each, so
-- PostgreSQL leaves out a join whose columns a query does not use.
create or replace view passbook_read.transactions as
  select
    t.user_id,
    t.transaction_id,
    t.date,
    t.type,
    t.category,
    t.amount_cents,
    t.currency,
    t.title,
    t.pending,
    t.provider_category,
    t.merchant_name,
    t.merchant_key,
    t.merchant_search,
    t.title_search,
    t.account_id,
    accounts.name as account_name,
    banks.name as bank_name,
    t.shown_link as linked_transaction_id,
    t.type = 'EXPENSE' and exists (
      select from passbook.excluded_categories as excluded
      where excluded.user_id = t.user_id and excluded.category = t.category) as excluded,
    states.currency as preferred_currency,
    t.converted_cents
  from passbook.transactions as t
  left join passbook.accounts on accounts.user_id = t.user_id and accounts.account_id = t.account_id
  left join passbook.banks on banks.user_id = accounts.user_id and banks.bank_id = accounts.bank_id
  left join passbook.derived_states as states on states.user_id = t.user_id
  where not t.replaced;
