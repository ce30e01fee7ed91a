-- Transactions, and the facts that are derived from several rows and stored with each of them: the amount in the user's
-- preferred currency, whether the row is replaced by its posted twin, the link that is shown, and the category of a refund's
-- purchase.
--
-- Triggers keep the facts right in the transaction of the writer, for every writer and every statement. The triggers run
-- with the rights of the writer, so that row-level security applies to them too.
--
-- Concurrent writers. A statement that writes transactions locks the row of `rate_state` in share mode, and then the rows
-- of `derived_states` of its users until the end of the transaction. Writers of one user therefore run one after the other,
-- and each sees the rows that the others have committed. Writers of different users do not wait for each other. A statement
-- that writes exchange rates locks `rate_state` exclusively, so no row is converted at the same time. Each writer also
-- increments a version in the row that it has locked: a transaction with an older snapshot (repeatable read) then fails
-- with a serialisation error instead of computing from old rows.

-- One row per user: the currency of the user's converted amounts. Writers of the user's rows lock this row.
create table passbook.derived_states (
  user_id uuid primary key references passbook.users on delete cascade,
  currency text not null,
  version bigint not null default 0
);

create table passbook.transactions (
  user_id uuid not null,
  transaction_id uuid not null,
  account_id uuid not null,
  -- The bank's posting date; for a pending row the day of the transaction.
  date date not null check (date between '1900-01-01' and '2200-12-31'),
  type text not null check (type in ('INCOME', 'EXPENSE', 'INTERNAL_TRANSFER')),
  category text not null,
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
  -- In the currency of `derived_states`, at the rate of the row's own date; null without a rate.
  converted_cents bigint,
  -- True for a pending row whose posted twin is stored: no answer contains it.
  replaced boolean not null default false,
  -- The link that is shown: a link to a replaced row leads to its posted twin.
  shown_link uuid,
  -- Of a refund: the category of the purchase to which `shown_link` leads.
  purchase_category text,
  -- True for a transaction of a file. Only imports write such rows.
  imported boolean not null default false,
  primary key (user_id, transaction_id),
  foreign key (user_id, account_id) references passbook.accounts on delete cascade,
  foreign key (category, side) references passbook.categories (category, side),
  foreign key (user_id, linked_transaction_id) references passbook.transactions (user_id, transaction_id)
    on delete set null (linked_transaction_id) deferrable initially deferred,
  check (direction = case side when 'income' then 'in' else 'out' end),
  check (type <> 'INTERNAL_TRANSFER' or category in ('TRANSFER_IN', 'TRANSFER_OUT', 'CREDIT_CARD_PAYMENT'))
);

create index transactions_by_link on passbook.transactions (user_id, linked_transaction_id)
  where linked_transaction_id is not null;

-- The included columns answer the filters of lists and of totals, so only the rows of a page are read from the table. The
-- order by amount has no texts: a search for text reads the other index, and then orders what it found.
create index transactions_newest on passbook.transactions (user_id, date desc, transaction_id desc)
  include (account_id, amount_cents, pending, replaced, type, category, currency, merchant_search, title_search,
    converted_cents);

-- Pages that are ordered by amount.
create index transactions_by_amount on passbook.transactions
  (user_id, converted_cents desc nulls last, date desc, transaction_id desc)
  include (account_id, amount_cents, pending, replaced, type, category);

-- The included columns answer totals of some accounts on the days of incomplete months.
create index transactions_by_account on passbook.transactions (user_id, account_id, date desc, transaction_id desc)
  include (type, category, amount_cents, pending, replaced, currency, converted_cents, purchase_category);

-- The included columns answer totals of some merchants on the days of incomplete months.
create index transactions_by_merchant on passbook.transactions (user_id, merchant_key, date desc, transaction_id desc)
  include (category, account_id, amount_cents, pending, replaced, currency, converted_cents)
  where type = 'EXPENSE' and merchant_key is not null;

-- Which posted row is the same payment as a pending one: it links to it, on the same account and of the same type. The
-- link of a transfer or a refund means something else.
--
-- `is not distinct from` keeps PostgreSQL from the index of an account, with which it would read all rows of the account.
-- An account is never null.
create view passbook.posted_twins with (security_invoker = true) as
  select twin.user_id, pending.transaction_id as pending_id, twin.transaction_id
  from passbook.transactions as twin
  join passbook.transactions as pending
    on pending.user_id = twin.user_id and pending.transaction_id = twin.linked_transaction_id
  where pending.pending and not twin.pending
    and twin.type <> 'INTERNAL_TRANSFER' and twin.category <> 'REFUND'
    and twin.account_id is not distinct from pending.account_id and twin.type = pending.type
    and twin.linked_transaction_id is not null;

-- The derived links of every stored row, computed from the rows that they depend on.
create view passbook.computed_links with (security_invoker = true) as
  select
    t.user_id,
    t.transaction_id,
    t.pending and exists (
      select from passbook.posted_twins as twins
      where twins.user_id = t.user_id and twins.pending_id = t.transaction_id) as replaced,
    shown.link as shown_link,
    case when t.category = 'REFUND' and shown.link is not null then (
      select purchase.category from passbook.transactions as purchase
      where purchase.user_id = t.user_id and purchase.transaction_id = shown.link and purchase.type = 'EXPENSE')
    end as purchase_category
  from passbook.transactions as t
  cross join lateral (
    -- A link to a replaced pending row leads on to its posted twin; the twin's own link to it is omitted.
    select case when t.linked_transaction_id is not null then nullif(coalesce((
      select twins.transaction_id from passbook.posted_twins as twins
      where twins.user_id = t.user_id and twins.pending_id = t.linked_transaction_id
      order by twins.transaction_id <> t.transaction_id, twins.transaction_id
      limit 1), t.linked_transaction_id), t.transaction_id) end as link
    -- Computed once per row, although it is used twice.
    offset 0) as shown;

-- Triggers of the writer write derived tables, and `derive_all`. Every other statement is rejected.
create function passbook.reject_direct_write() returns trigger
language plpgsql as $$
begin
  raise exception 'the table passbook.% is derived from other tables and cannot be written directly', tg_table_name
    using errcode = 'insufficient_privilege', hint = 'Write the other tables: triggers maintain this one.';
end
$$;

-- The passes in which a trigger does its work: one pass, null, if the current role sees the rows of all users; else one
-- pass per user, for which the trigger sets `app.user_id`. The latter happens when the owner of the tables writes, which
-- PostgreSQL 18 also does for the triggers of cascading statements.
create function passbook.passes(of_users uuid[]) returns setof uuid
language plpgsql stable as $$
begin
  if not row_security_active('passbook.derived_states')
    or pg_has_role(current_user, 'passbook_writer', 'usage') then
    return next null::uuid;
  else
    return query select distinct one.user_id from unnest(of_users) as one (user_id) order by one.user_id;
  end if;
end
$$;

-- Before any row is locked: no exchange rate changes until the end of the transaction. The rates that an earlier statement of
-- the transaction has kept are forgotten, because a statement after it may have changed them.
create function passbook.lock_rates() returns trigger
language plpgsql as $$
begin
  perform from passbook.rate_state for share;
  perform set_config('passbook.known_rates', '', true);
  return null;
end
$$;

create trigger lock_rates before insert or update on passbook.transactions
  for each statement execute function passbook.lock_rates();

-- The same as `passbook_read.convert_on`, for the rows of one statement that writes transactions. It keeps rates until the
-- end of the statement in a setting, as a list of `USD>EUR@day=rate,rate;`. The day is in seconds, which no setting formats
-- differently.
create function passbook.convert_row(amount_cents bigint, from_currency text, to_currency text, day date) returns bigint
language plpgsql as $$
declare
  known text := current_setting('passbook.known_rates', true);
  wanted constant text := concat(from_currency, '>', to_currency, '@', extract(epoch from day), '=');
  rates text := split_part(split_part(known, wanted, 2), ';', 1);
  known_length_max constant integer := 500;
begin
  if rates is null or rates = '' then
    rates := concat(passbook_read.rate_on(from_currency, day), ',', passbook_read.rate_on(to_currency, day));
    if length(known) > known_length_max then
      known := '';
    end if;
    perform set_config('passbook.known_rates', concat(known, wanted, rates, ';'), true);
  end if;
  return passbook_read.convert_at(
    amount_cents, from_currency, nullif(split_part(rates, ',', 1), '')::numeric,
    to_currency, nullif(split_part(rates, ',', 2), '')::numeric);
end
$$;

-- Stores the derived columns of a row. Values that a statement gives for these columns are never stored.
create function passbook.derive_row() returns trigger
language plpgsql as $$
declare
  locked text := current_setting('passbook.locked_state', true);
  state_currency text;
  attempts_max constant integer := 10;
begin
  /* The first row of a user waits for other writers of this user. The setting lasts as long as the lock: until the
     transaction ends, or until a rollback to a savepoint before it. If another writer has meanwhile deleted the user and
     created the same user again, only a further query finds the new state. If there is no such user, the foreign key of
     the account rejects the row. */
  if left(locked, 36) = new.user_id::text then
    state_currency := substr(locked, 38);
  else
    for attempt in 1..attempts_max loop
      select states.currency into state_currency from passbook.derived_states as states
      where states.user_id = new.user_id for no key update;
      exit when found or not exists (select from passbook.users where users.user_id = new.user_id);
      if attempt = attempts_max then
        raise exception 'the state of the user % changes all the time', new.user_id using errcode = 'serialization_failure';
      end if;
    end loop;
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
    /* A posted row that is neither a transfer nor a refund replaces the pending row to which it links, as a rule. Its link is
       then not shown. `derive_links` corrects the rows that have to do with a link. */
    if new.replaced is distinct from false or new.purchase_category is not null then
      new.replaced := false;
      new.purchase_category := null;
    end if;
    if new.pending or new.type = 'INTERNAL_TRANSFER' or new.category = 'REFUND' then
      new.shown_link := new.linked_transaction_id;
    elsif new.shown_link is not null then
      new.shown_link := null;
    end if;
  end if;
  if new.currency = state_currency then
    new.converted_cents := new.amount_cents;
  else
    new.converted_cents := passbook.convert_row(new.amount_cents, new.currency, state_currency, new.date);
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
--
-- Only at the level `read committed` does a query after the wait see the rows that others have written meanwhile. With the
-- snapshot of another level, `convert_again` would leave these rows at the former rate.
create function passbook.lock_rate_changes() returns trigger
language plpgsql as $$
begin
  if row_security_active('passbook.transactions') and not pg_has_role(current_user, 'passbook_writer', 'usage') then
    raise exception 'the role % does not see the transactions that a new rate converts', current_user
      using errcode = 'insufficient_privilege', hint = 'Write exchange rates as passbook_writer or as a superuser.';
  end if;
  if current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
    raise exception 'exchange rates can be written at the isolation level read committed only; received %',
      current_setting('transaction_isolation')
      using errcode = 'feature_not_supported',
        hint = 'Write exchange rates in a transaction of their own that begins with: begin isolation level read committed.';
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
