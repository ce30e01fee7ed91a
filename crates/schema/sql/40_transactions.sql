-- Transactions, and the facts that are derived from several rows and stored with each of them: the amount in the user's
-- preferred currency, whether a posted row supersedes the row, the link that is shown, and the category that a refund refunds.
--
-- Triggers keep the facts right in the transaction of the writer, for every writer and every statement. The columns can be
-- written by the role passbook_deriver only, as whom the triggers run that change other rows.
--
-- Concurrent writers. A statement that writes transactions locks the base currency in share mode, and then the rows of its
-- users until the end of the transaction. Writers of one user therefore run one after the other, and each sees the rows that
-- the others have committed. Writers of different users do not wait for each other. A statement that writes exchange rates
-- locks the base currency exclusively, so no row is converted at the same time. Each writer also increments a version in the
-- row that it has locked: a transaction with an older snapshot (repeatable read) then fails with a serialisation error instead
-- of computing from old rows.

create table passbook.transactions (
  user_id uuid not null,
  transaction_id uuid not null,
  account_id uuid not null,
  -- The bank's posting date; for a pending row the day of the transaction.
  date passbook.calendar_day not null,
  type text not null check (type in ('INCOME', 'EXPENSE', 'INTERNAL_TRANSFER')),
  category text not null,
  -- Without a sign, in the row's own currency. The kind of the category decides if the money came or went.
  amount_cents passbook.cents not null check (amount_cents >= 0),
  currency passbook.currency_code not null,
  title passbook.free_text not null,
  pending boolean not null default false,
  provider_category text check (length(provider_category) <= 200),
  merchant_name passbook.free_text check (passbook_read.trim_white_space(merchant_name) <> ''),
  linked_transaction_id uuid check (linked_transaction_id <> transaction_id),
  -- True for a transaction of a file. Only imports write such rows.
  imported boolean not null default false,
  merchant_key text generated always as (
    left(coalesce(passbook_read.merchant_key(merchant_name), passbook_read.payee_key(title)), 200)) stored,
  -- The start of each text: an index contains it, and cannot contain more. `matching_transactions` knows both lengths.
  merchant_search text generated always as (left(passbook_read.search_text(merchant_name), 200)) stored,
  title_search text generated always as (left(passbook_read.search_text(title), 300)) stored,
  category_kind text not null generated always as (
    case when type = 'INCOME' or (type = 'INTERNAL_TRANSFER' and category = 'TRANSFER_IN') then 'income' else 'expense' end
  ) stored,
  -- In the user's preferred currency, at the rate of the row's own date; null without a rate.
  converted_cents bigint,
  -- True for a pending row whose posted row is stored: no answer contains it.
  is_superseded boolean not null default false,
  -- The link that is shown: a link to a superseded row leads to the posted row.
  resolved_linked_transaction_id uuid,
  -- Of a refund: category, account and merchant of the purchase to which `resolved_linked_transaction_id` leads.
  refunded_category text,
  refunded_account_id uuid,
  refunded_merchant_key text,
  -- The labels that count. Null without any.
  own_category_id uuid,
  tag_ids uuid[],
  note text,
  primary key (user_id, transaction_id),
  foreign key (user_id, account_id) references passbook.accounts on delete cascade,
  -- An unknown category violates it too.
  foreign key (category, category_kind) references passbook.categories (category, category_kind),
  -- `derive_links` removes links to deleted rows, by one statement for all of them. `on delete set null` would run an update,
  -- with its statement triggers, for each deleted row.
  foreign key (user_id, linked_transaction_id) references passbook.transactions (user_id, transaction_id)
    deferrable initially deferred,
  check (type <> 'INTERNAL_TRANSFER' or category in ('TRANSFER_IN', 'TRANSFER_OUT', 'CREDIT_CARD_PAYMENT'))
);

create index transactions_by_link on passbook.transactions (user_id, linked_transaction_id)
  where linked_transaction_id is not null;

-- The included columns answer the filters of lists and of totals, so only the rows of a page are read from the table. The
-- order by amount has no texts: a search for text reads the other index, and then orders what it found.
create index transactions_newest on passbook.transactions (user_id, date desc, transaction_id desc)
  include (account_id, amount_cents, pending, is_superseded, type, category, currency, merchant_search, title_search,
    converted_cents);

create index transactions_by_amount on passbook.transactions
  (user_id, converted_cents desc nulls last, date desc, transaction_id desc)
  include (account_id, amount_cents, pending, is_superseded, type, category);

-- The included columns answer totals of some accounts on the days of incomplete months.
create index transactions_by_account on passbook.transactions (user_id, account_id, date desc, transaction_id desc)
  include (type, category, amount_cents, pending, is_superseded, currency, converted_cents);

-- The included columns answer totals of some merchants on the days of incomplete months.
create index transactions_by_merchant on passbook.transactions (user_id, merchant_key, date desc, transaction_id desc)
  include (type, category, account_id, amount_cents, pending, is_superseded, currency, converted_cents)
  where merchant_key is not null;

-- Rows without labels are in neither of these.
create index transactions_by_own_category on passbook.transactions
  (user_id, own_category_id, date desc, transaction_id desc)
  include (type, category, account_id, amount_cents, pending, is_superseded, currency, converted_cents)
  where own_category_id is not null;

create index transactions_with_tags on passbook.transactions (user_id, date desc, transaction_id desc)
  include (tag_ids, type, category, account_id, amount_cents, pending, is_superseded, currency, converted_cents)
  where tag_ids is not null;

create index transactions_with_note on passbook.transactions (user_id, transaction_id) where note is not null;

create index transactions_refunds on passbook.transactions (user_id, date) where category = 'REFUND';

-- LINKS

-- Which posted row is the same payment as a pending one: it links to it, on the same account and of the same type. The
-- link of a transfer or a refund means something else.
--
-- `is not distinct from` keeps PostgreSQL from the index of an account, with which it would read all rows of the account.
-- An account is never null.
create view passbook.pending_matches with (security_invoker = true) as
  select posted.user_id, pending.transaction_id as pending_id, posted.transaction_id
  from passbook.transactions as posted
  join passbook.transactions as pending
    on pending.user_id = posted.user_id and pending.transaction_id = posted.linked_transaction_id
  where pending.pending and not posted.pending
    and posted.type <> 'INTERNAL_TRANSFER' and posted.category <> 'REFUND'
    and posted.account_id is not distinct from pending.account_id and posted.type = pending.type
    and posted.linked_transaction_id is not null;

-- The derived links of every stored row, computed from the rows that they depend on.
create view passbook.recomputed_links with (security_invoker = true) as
  select
    t.user_id,
    t.transaction_id,
    t.pending and exists (
      select from passbook.pending_matches as matches
      where matches.user_id = t.user_id and matches.pending_id = t.transaction_id) as is_superseded,
    shown.link as resolved_linked_transaction_id,
    purchase.category as refunded_category, purchase.account_id as refunded_account_id,
    purchase.merchant_key as refunded_merchant_key
  from passbook.transactions as t
  cross join lateral (
    -- A link to a superseded pending row leads on to its posted row; the posted row's own link to it is omitted.
    select case when t.linked_transaction_id is not null then nullif(coalesce((
      select matches.transaction_id from passbook.pending_matches as matches
      where matches.user_id = t.user_id and matches.pending_id = t.linked_transaction_id
      order by matches.transaction_id <> t.transaction_id, matches.transaction_id
      limit 1), t.linked_transaction_id), t.transaction_id) end as link
    -- Computed once per row, although it is used twice.
    offset 0) as shown
  left join lateral (
    -- "offset 0" makes PostgreSQL look up the row in the index.
    select p.category, p.account_id, p.merchant_key from passbook.transactions as p
    where t.category = 'REFUND' and p.user_id = t.user_id and p.transaction_id = shown.link and p.type = 'EXPENSE'
    offset 0) as purchase on true;

create view passbook.recomputed_users with (security_invoker = true) as
  select users.user_id,
    (select t.date from passbook.transactions as t where t.user_id = users.user_id order by t.date desc limit 1) as last_row_on,
    exists (
      select from passbook.transactions as t where t.user_id = users.user_id and t.converted_cents is null) as has_unconverted
  from passbook.users;

-- ONE ROW

-- Before any row is locked: no exchange rate changes until the end of the transaction. The rates that an earlier statement of
-- the transaction has cached are dropped, because a statement after it may have changed them.
create function passbook.lock_rates() returns trigger
language plpgsql as $$
begin
  perform from passbook.base_currency for share;
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

-- Locks the user of a row, and converts the amount. The first row of a user waits for other writers of this user.
create function passbook.convert_and_lock() returns trigger
language plpgsql as $$
declare
  user_currency text;
begin
  loop
    select users.preferred_currency into user_currency from passbook.users
    where users.user_id = new.user_id for no key update;
    exit when found;
    /* If another writer has meanwhile deleted the user and created the same user again, a further query finds it. */
    if not exists (select from passbook.users where users.user_id = new.user_id) then
      raise exception 'there is no user %', new.user_id using errcode = 'foreign_key_violation';
    end if;
  end loop;
  if tg_op = 'INSERT' then
    /* A posted row that is neither a transfer nor a refund supersedes the pending row to which it links, as a rule. Its link
       is then not shown. `derive_links` corrects the rows that have to do with a link. */
    if new.pending or new.type = 'INTERNAL_TRANSFER' or new.category = 'REFUND' then
      new.resolved_linked_transaction_id := new.linked_transaction_id;
    end if;
  end if;
  if new.currency = user_currency then
    new.converted_cents := new.amount_cents;
  else
    new.converted_cents := passbook.convert_row(new.amount_cents, new.currency, user_currency, new.date);
  end if;
  return new;
end
$$;

create trigger convert_inserted before insert on passbook.transactions
  for each row execute function passbook.convert_and_lock();

create trigger convert_updated before update on passbook.transactions
  for each row when (new.amount_cents <> old.amount_cents or new.currency <> old.currency or new.date <> old.date
    or new.user_id <> old.user_id)
  execute function passbook.convert_and_lock();

-- OTHER ROWS

set local role passbook_deriver;
alter default privileges for role passbook_deriver revoke execute on functions from public;

-- The settings keep the plans, which PostgreSQL chooses once per connection, independent of the number of rows that the first
-- statement wrote. `offset 0` keeps `exists` a look-up by the index of links: with statistics from before the first links,
-- PostgreSQL would join all new rows with all links.
create function passbook.derive_links() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set jit = off as $$
declare
  written uuid[];
  /* The rows whose meaning for linked rows changed, each with its user. */
  key_users uuid[];
  key_ids uuid[];
begin
  if tg_op = 'INSERT' then
    written := array(select distinct rows.user_id from new_rows as rows order by rows.user_id);
    select array_agg(keys.user_id), array_agg(keys.id) into key_users, key_ids
    from (
      select rows.user_id, rows.linked_transaction_id as id from new_rows as rows
      where rows.linked_transaction_id is not null
      union
      select rows.user_id, rows.transaction_id from new_rows as rows
      where exists (
        select from passbook.transactions as linking
        where linking.user_id = rows.user_id and linking.linked_transaction_id = rows.transaction_id
        offset 0)) as keys;
  elsif tg_op = 'DELETE' then
    written := array(select distinct rows.user_id from old_rows as rows order by rows.user_id);
    select array_agg(keys.user_id), array_agg(keys.id) into key_users, key_ids
    from (
      select distinct rows.user_id, rows.linked_transaction_id as id from old_rows as rows
      where rows.linked_transaction_id is not null) as keys;
    update passbook.transactions as t set linked_transaction_id = null
    from old_rows as gone
    where t.user_id = gone.user_id and t.linked_transaction_id = gone.transaction_id and t.linked_transaction_id is not null;
  elsif exists (select from new_rows) then
    written := array(
      select rows.user_id from old_rows as rows union select rows.user_id from new_rows as rows order by user_id);
    with changed as materialized (
      select r.user_id, r.transaction_id, r.linked_transaction_id
      from (
        select 1 as sign, n.user_id, n.transaction_id, n.linked_transaction_id, n.account_id, n.type, n.category, n.pending,
          n.merchant_key
        from new_rows as n
        union all
        select -1, o.user_id, o.transaction_id, o.linked_transaction_id, o.account_id, o.type, o.category, o.pending,
          o.merchant_key
        from old_rows as o) as r
      group by r.user_id, r.transaction_id, r.linked_transaction_id, r.account_id, r.type, r.category, r.pending, r.merchant_key
      having sum(r.sign) <> 0
    )
    select array_agg(keys.user_id), array_agg(keys.id) into key_users, key_ids
    from (
      select changed.user_id, changed.linked_transaction_id as id from changed
      where changed.linked_transaction_id is not null
      union
      select changed.user_id, changed.transaction_id from changed
      where changed.linked_transaction_id is not null or exists (
        select from passbook.transactions as linking
        where linking.user_id = changed.user_id and linking.linked_transaction_id = changed.transaction_id
        offset 0)) as keys;
  end if;
  if written is null or written = '{}' then
    return null;
  end if;
  perform from passbook.users where users.user_id = any (written) order by users.user_id for no key update;
  update passbook.users
  set data_version = users.data_version + 1, last_row_on = facts.last_row_on, has_unconverted = facts.has_unconverted
  from passbook.recomputed_users as facts
  where users.user_id = any (written) and facts.user_id = users.user_id;
  if key_ids is not null then
    update passbook.transactions as t
    set is_superseded = links.is_superseded,
      resolved_linked_transaction_id = links.resolved_linked_transaction_id,
      refunded_category = links.refunded_category, refunded_account_id = links.refunded_account_id,
      refunded_merchant_key = links.refunded_merchant_key
    from (
      select keys.user_id, keys.id from unnest(key_users, key_ids) as keys (user_id, id)
      union
      select linking.user_id, linking.transaction_id
      from unnest(key_users, key_ids) as keys (user_id, id)
      join passbook.transactions as linking
        on linking.user_id = keys.user_id and linking.linked_transaction_id = keys.id) as affected
    join passbook.recomputed_links as links
      on links.user_id = affected.user_id and links.transaction_id = affected.id
    where t.user_id = affected.user_id and t.transaction_id = affected.id
      and (t.is_superseded, t.resolved_linked_transaction_id, t.refunded_category, t.refunded_account_id, t.refunded_merchant_key)
        is distinct from (links.is_superseded, links.resolved_linked_transaction_id, links.refunded_category,
          links.refunded_account_id, links.refunded_merchant_key);
  end if;
  return null;
end
$$;

-- Converts amounts of users again, on given days: those that rates of the given currencies convert; null: all. The rows are in
-- the order of their days, so that `convert_row` keeps the rates.
create function passbook.reconvert(of_users uuid[], changed text[], from_day date, to_day date) returns void
language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set jit = off as $$
begin
  update passbook.transactions as t
  set converted_cents = fresh.cents
  from (
    select ordered.user_id, ordered.transaction_id,
      case when ordered.currency = ordered.preferred_currency then ordered.amount_cents
        else passbook.convert_row(ordered.amount_cents, ordered.currency, ordered.preferred_currency, ordered.date)
      end as cents
    from (
      select t.user_id, t.transaction_id, t.amount_cents, t.currency, t.date, users.preferred_currency
      from passbook.users
      join passbook.transactions as t on t.user_id = users.user_id
      where users.user_id = any (of_users) and t.date between from_day and to_day
        and (changed is null or (t.currency <> users.preferred_currency
          and (t.currency = any (changed) or users.preferred_currency = any (changed))))
      order by t.date, t.currency
      offset 0) as ordered
    offset 0) as fresh
  where t.user_id = fresh.user_id and t.transaction_id = fresh.transaction_id
    and t.converted_cents is distinct from fresh.cents;
end
$$;

-- Converts all amounts of a user whose preferred currency changed.
create function passbook.change_currency() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from passbook.base_currency for share;
  perform passbook.reconvert(array[new.user_id], null, '-infinity', 'infinity');
  return null;
end
$$;

-- Before rates change: waits until no transaction is written, and lets none be written until the end of the transaction.
--
-- Only at the level `read committed` does a query after the wait see the rows that others have written meanwhile. With the
-- snapshot of another level, `change_rates` would leave these rows at the former rate.
create function passbook.lock_rate_changes() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
    raise exception 'exchange rates can be written at the isolation level read committed only; received %',
      current_setting('transaction_isolation')
      using errcode = 'feature_not_supported',
        hint = 'Write exchange rates in a transaction of their own that begins with: begin isolation level read committed.';
  end if;
  update passbook.base_currency set version = base_currency.version + 1;
  if not found then
    raise exception 'exchange rates need a base currency' using errcode = 'foreign_key_violation';
  end if;
  return null;
end
$$;

-- Converts the amounts again whose rate may have changed. A rate serves its own day and at most 31 days after it. All amounts
-- of a user whose preferred currency has other rates are converted again.
create function passbook.change_rates() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set jit = off as $$
declare
  changed text[];
  from_day date;
  to_day date;
begin
  if tg_op = 'INSERT' then
    select array_agg(distinct rates.currency), min(rates.date), max(rates.date) + 31
    into changed, from_day, to_day from new_rows as rates;
  elsif tg_op = 'DELETE' then
    select array_agg(distinct rates.currency), min(rates.date), max(rates.date) + 31
    into changed, from_day, to_day from old_rows as rates;
  else
    select array_agg(distinct rates.currency), min(rates.date), max(rates.date) + 31
    into changed, from_day, to_day from (table old_rows union all table new_rows) as rates;
  end if;
  if tg_op <> 'DELETE' and exists (select from passbook.base_currency as base where base.currency = any (changed)) then
    raise exception 'the base currency has no exchange rate' using errcode = 'check_violation';
  end if;
  perform passbook.reconvert(
    array(
      select users.user_id from passbook.users
      where exists (
        select from passbook.transactions as t
        where t.user_id = users.user_id and t.date between from_day and to_day and t.currency <> users.preferred_currency
          and (t.currency = any (changed) or users.preferred_currency = any (changed)))
      order by users.user_id for no key update),
    changed, from_day, to_day);
  return null;
end
$$;

grant execute on function passbook.derive_links(), passbook.change_currency(), passbook.lock_rate_changes(),
  passbook.change_rates() to passbook_owner;
set local role passbook_owner;

create trigger derive_links_of_inserted after insert on passbook.transactions
  referencing new table as new_rows for each statement execute function passbook.derive_links();

create trigger derive_links_of_updated after update on passbook.transactions
  referencing old table as old_rows new table as new_rows for each statement execute function passbook.derive_links();

create trigger derive_links_of_deleted after delete on passbook.transactions
  referencing old table as old_rows for each statement execute function passbook.derive_links();

create trigger change_currency after update of preferred_currency on passbook.users
  for each row when (old.preferred_currency <> new.preferred_currency) execute function passbook.change_currency();

create trigger lock_rate_changes before insert or update or delete on passbook.exchange_rates
  for each statement execute function passbook.lock_rate_changes();

create trigger change_rates_inserted after insert on passbook.exchange_rates
  referencing new table as new_rows for each statement execute function passbook.change_rates();

create trigger change_rates_updated after update on passbook.exchange_rates
  referencing old table as old_rows new table as new_rows for each statement execute function passbook.change_rates();

create trigger change_rates_deleted after delete on passbook.exchange_rates
  referencing old table as old_rows for each statement execute function passbook.change_rates();
