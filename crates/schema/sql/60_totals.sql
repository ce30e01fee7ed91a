-- Totals of income, expenses and refunds, stored by day, month and year, so that a query over decades reads a few hundred
-- rows. Triggers change them in the transaction of the writer, by the difference that a statement makes.
--
-- Which rows count: no transfer, no row that is replaced by its posted twin. Each row is converted and rounded on its own
-- before it is added (`converted_cents`). Excluded categories are left out when totals are read, because a change of the
-- excluded categories must not change stored totals.
--
-- Writers of one user run one after the other: `derive_row` and `apply_totals` lock the row of `derived_states`. So two
-- writers never change the same total at the same time.

-- The totals of all accounts together.
create table passbook.totals (
  user_id uuid not null,
  unit text collate "C" not null check (unit in ('day', 'month', 'year')),
  -- EXPENSE and INCOME: by the row's category. REFUND: refunds by the category of their purchase.
  kind text collate "C" not null check (kind in ('EXPENSE', 'INCOME', 'REFUND')),
  -- Empty: all expense categories together.
  category text collate "C" not null,
  -- First day of the day, month or year.
  first_day date not null,
  pending boolean not null,
  -- Empty: rows with a rate, converted to the person's currency. Else the currency of rows without a rate.
  currency text collate "C" not null,
  transaction_count bigint not null,
  -- Numeric, because a sum of amounts may exceed 64 bits.
  cents numeric not null,
  primary key (user_id, unit, kind, category, first_day, pending, currency)
);

-- The same by account. Without days: a query reads the rows of the incomplete months.
create table passbook.account_totals (
  user_id uuid not null,
  account_id uuid not null,
  unit text collate "C" not null check (unit in ('month', 'year')),
  kind text collate "C" not null check (kind in ('EXPENSE', 'INCOME', 'REFUND')),
  category text collate "C" not null,
  first_day date not null,
  pending boolean not null,
  currency text collate "C" not null,
  transaction_count bigint not null,
  cents numeric not null,
  -- Totals are read by the categories of the reference table. So a category outside that table must not get into a total, or
  -- it would be missing from every answer. Null for the total of all categories, which has no foreign key.
  side text collate "C" generated always as (
    case when category = '' then null when kind = 'INCOME' then 'income' else 'expense' end) stored,
  primary key (user_id, account_id, unit, kind, category, first_day, pending, currency),
  foreign key (category, side) references passbook.categories (category, side)
);

-- Expenses by merchant and account. The unit `all` has the totals of all days, with the first day -infinity.
create table passbook.merchant_totals (
  user_id uuid not null,
  unit text collate "C" not null check (unit in ('month', 'all')),
  merchant_key text collate "C" not null,
  first_day date not null,
  account_id uuid not null,
  category text collate "C" not null,
  pending boolean not null,
  currency text collate "C" not null,
  transaction_count bigint not null,
  cents numeric not null,
  primary key (user_id, unit, merchant_key, first_day, account_id, category, pending, currency)
);

-- Upper bounds: the converted expenses of a merchant in a year and on all days, on all accounts, pending rows and excluded
-- categories included. By category, and with an empty category of all categories together.
create table passbook.merchant_bounds (
  user_id uuid not null,
  category text collate "C" not null,
  -- The first day of the year; -infinity for all days.
  first_day date not null,
  merchant_key text collate "C" not null,
  transaction_count bigint not null,
  cents numeric not null,
  -- Under row-level security an index finds values of bigint, but not of numeric: its comparisons are not leakproof.
  bound bigint not null generated always as (least(cents, 9223372036854775807)::bigint) stored,
  primary key (user_id, category, first_day, merchant_key)
);

-- The largest merchants first.
create index merchant_bounds_largest on passbook.merchant_bounds (user_id, category, first_day, bound desc);

-- What each stored row adds to the totals of its day, account and merchant.
create view passbook.contributions with (security_invoker = true) as
  select
    t.user_id, t.account_id, parts.kind, parts.category, t.date, t.pending,
    case when t.converted_cents is null then t.currency else '' end as currency,
    coalesce(t.converted_cents, t.amount_cents) as cents,
    case when parts.kind = 'EXPENSE' then t.merchant_key end as merchant_key
  from passbook.transactions as t
  cross join lateral (values (t.type, t.category), ('REFUND', t.purchase_category)) as parts (kind, category)
  where not t.replaced and t.type <> 'INTERNAL_TRANSFER' and parts.category is not null;

-- The totals, computed from all rows. `derive_all` stores them, and `check_derived` compares them with the stored totals.
create view passbook.computed_totals with (security_invoker = true) as
  select c.user_id, units.unit, c.kind, groups.category, date_trunc(units.unit, c.date::timestamp)::date as first_day,
    c.pending, c.currency, count(*) as transaction_count, sum(c.cents) as cents
  from passbook.contributions as c
  cross join (values ('day'), ('month'), ('year')) as units (unit)
  cross join lateral (values (c.category), (case when c.kind = 'EXPENSE' then '' end)) as groups (category)
  where groups.category is not null
  group by 1, 2, 3, 4, 5, 6, 7;

create view passbook.computed_account_totals with (security_invoker = true) as
  select c.user_id, c.account_id, units.unit, c.kind, groups.category,
    date_trunc(units.unit, c.date::timestamp)::date as first_day, c.pending, c.currency,
    count(*) as transaction_count, sum(c.cents) as cents
  from passbook.contributions as c
  cross join (values ('month'), ('year')) as units (unit)
  cross join lateral (values (c.category), (case when c.kind = 'EXPENSE' then '' end)) as groups (category)
  where groups.category is not null
  group by 1, 2, 3, 4, 5, 6, 7, 8;

create view passbook.computed_merchant_totals with (security_invoker = true) as
  select c.user_id, units.unit, c.merchant_key,
    case units.unit when 'all' then '-infinity' else date_trunc(units.unit, c.date::timestamp)::date end as first_day,
    c.account_id, c.category, c.pending, c.currency, count(*) as transaction_count, sum(c.cents) as cents
  from passbook.contributions as c
  cross join (values ('month'), ('all')) as units (unit)
  where c.merchant_key is not null
  group by 1, 2, 3, 4, 5, 6, 7, 8;

create view passbook.computed_merchant_bounds with (security_invoker = true) as
  select c.user_id, groups.category, spans.first_day, c.merchant_key, count(*) as transaction_count,
    sum(case when c.currency = '' then c.cents else 0 end) as cents
  from passbook.contributions as c
  cross join lateral (values (c.category), ('')) as groups (category)
  cross join lateral (values (date_trunc('year', c.date::timestamp)::date), ('-infinity')) as spans (first_day)
  where c.merchant_key is not null
  group by 1, 2, 3, 4;

do $$
declare
  derived text;
begin
  foreach derived in array array[
    'derived_states', 'rate_state', 'totals', 'account_totals', 'merchant_totals', 'merchant_bounds'
  ] loop
    execute format(
      'create trigger reject_direct_write before insert or update or delete on passbook.%I for each statement
         when (pg_trigger_depth() = 0 and current_setting(''passbook.deriving'', true) is distinct from ''on'')
         execute function passbook.reject_direct_write()', derived);
  end loop;
end
$$;

-- Adds the rows of the transition table to the totals, or subtracts them: the argument is 1 or -1.
--
-- A total may be below zero until the end of a statement. After `insert … on conflict do update`, the triggers of the update
-- run first. If an updated row is the posted twin of an inserted one, `derive_links` excludes the inserted row from the
-- totals before it is added to them. So every change is stored, and only a total of nothing is deleted. An update runs this
-- function twice, first with the new rows and then with the old ones, so that few totals are deleted and created again.
--
-- The totals of a deleted user are deleted by `delete_totals_of_users`, before the user's rows. These rows are subtracted
-- from nothing.
--
-- The settings keep the plans, which PostgreSQL chooses once per connection, independent of the number of rows that the
-- first statement wrote. `merchant_bounds` has two indexes, so its rows are found by `on conflict`: a `merge` into a table
-- without statistics may read all merchants of a category and year for each of them. Without `enable_sort`, rows are grouped
-- in a hash table: PostgreSQL expects few rows with a merchant, and would sort the many.
create function passbook.apply_totals() returns trigger
language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set enable_sort = off set jit = off
set work_mem = '64MB' set plan_cache_mode = force_generic_plan
as $$
declare
  former_user text := current_setting('app.user_id', true);
  one_pass uuid;
  sign bigint := tg_argv[0];
  written uuid[] := array(select distinct rows.user_id from rows order by rows.user_id);
  /* The users of the pass that exist. The state of a user is deleted before the rows of the user. */
  locked uuid[];
  /* The rows of `merchant_bounds` that have become empty. */
  emptied tid[];
begin
  if written = '{}' then
    return null;
  end if;
  for one_pass in select passes from passbook.passes(written) loop
    if one_pass is not null then
      perform set_config('app.user_id', one_pass::text, true);
    end if;
    locked := array(
      select states.user_id from passbook.derived_states as states
      where states.user_id = any (written) order by states.user_id for no key update);
    continue when locked = '{}';

    with days as materialized (
      select r.user_id, p.kind, p.category, r.date as day, r.pending,
        case when r.converted_cents is null then r.currency else '' end as currency,
        sign * count(*) as transaction_count, sign * sum(coalesce(r.converted_cents, r.amount_cents)) as cents
      from rows as r
      cross join lateral (values (r.type, r.category), ('REFUND', r.purchase_category)) as p (kind, category)
      where not r.replaced and r.type <> 'INTERNAL_TRANSFER' and p.category is not null
        and r.user_id = any (locked)
      group by 1, 2, 3, 4, 5, 6
    ), months as materialized (
      select d.user_id, d.kind, d.category, date_trunc('month', d.day::timestamp)::date as day, d.pending, d.currency,
        sum(d.transaction_count) as transaction_count, sum(d.cents) as cents
      from days as d group by 1, 2, 3, 4, 5, 6
    ), units as materialized (
      select 'day' as unit, d.* from days as d
      union all
      select 'month', m.* from months as m
      union all
      select 'year', m.user_id, m.kind, m.category, date_trunc('year', m.day::timestamp)::date, m.pending, m.currency,
        sum(m.transaction_count), sum(m.cents)
      from months as m group by 2, 3, 4, 5, 6, 7
    )
    merge into passbook.totals as stored
    using (
      select u.unit, u.user_id, u.kind, u.category, u.day, u.pending, u.currency, u.transaction_count, u.cents
      from units as u
      union all
      select u.unit, u.user_id, u.kind, '', u.day, u.pending, u.currency, sum(u.transaction_count), sum(u.cents)
      from units as u where u.kind = 'EXPENSE' group by 1, 2, 3, 5, 6, 7
      order by 2, 1, 3, 4, 5, 6, 7) as change
    on stored.user_id = change.user_id and stored.unit = change.unit and stored.kind = change.kind
      and stored.category = change.category and stored.first_day = change.day and stored.pending = change.pending
      and stored.currency = change.currency
    when matched and stored.transaction_count + change.transaction_count = 0 and stored.cents + change.cents = 0 then delete
    when matched then update set
      transaction_count = stored.transaction_count + change.transaction_count, cents = stored.cents + change.cents
    when not matched then
      insert (unit, user_id, kind, category, first_day, pending, currency, transaction_count, cents)
      values (change.unit, change.user_id, change.kind, change.category, change.day, change.pending, change.currency,
        change.transaction_count, change.cents);

    with months as materialized (
      select r.user_id, r.account_id, p.kind, p.category, date_trunc('month', r.date::timestamp)::date as day, r.pending,
        case when r.converted_cents is null then r.currency else '' end as currency,
        sign * count(*) as transaction_count, sign * sum(coalesce(r.converted_cents, r.amount_cents)) as cents
      from rows as r
      cross join lateral (values (r.type, r.category), ('REFUND', r.purchase_category)) as p (kind, category)
      where not r.replaced and r.type <> 'INTERNAL_TRANSFER' and p.category is not null
        and r.user_id = any (locked)
      group by 1, 2, 3, 4, 5, 6, 7
    ), units as materialized (
      select 'month' as unit, m.* from months as m
      union all
      select 'year', m.user_id, m.account_id, m.kind, m.category, date_trunc('year', m.day::timestamp)::date, m.pending,
        m.currency, sum(m.transaction_count), sum(m.cents)
      from months as m group by 2, 3, 4, 5, 6, 7, 8
    )
    merge into passbook.account_totals as stored
    using (
      select u.unit, u.user_id, u.account_id, u.kind, u.category, u.day, u.pending, u.currency, u.transaction_count, u.cents
      from units as u
      union all
      select u.unit, u.user_id, u.account_id, u.kind, '', u.day, u.pending, u.currency, sum(u.transaction_count),
        sum(u.cents)
      from units as u where u.kind = 'EXPENSE' group by 1, 2, 3, 4, 6, 7, 8
      order by 2, 3, 1, 4, 5, 6, 7, 8) as change
    on stored.user_id = change.user_id and stored.account_id = change.account_id and stored.unit = change.unit
      and stored.kind = change.kind and stored.category = change.category and stored.first_day = change.day
      and stored.pending = change.pending and stored.currency = change.currency
    when matched and stored.transaction_count + change.transaction_count = 0 and stored.cents + change.cents = 0 then delete
    when matched then update set
      transaction_count = stored.transaction_count + change.transaction_count, cents = stored.cents + change.cents
    when not matched then
      insert (unit, user_id, account_id, kind, category, first_day, pending, currency, transaction_count, cents)
      values (change.unit, change.user_id, change.account_id, change.kind, change.category, change.day, change.pending,
        change.currency, change.transaction_count, change.cents);

    with months as materialized (
      select r.user_id, r.merchant_key, date_trunc('month', r.date::timestamp)::date as day, r.account_id, r.category,
        r.pending, case when r.converted_cents is null then r.currency else '' end as currency,
        sign * count(*) as transaction_count, sign * sum(coalesce(r.converted_cents, r.amount_cents)) as cents
      from rows as r
      where not r.replaced and r.type = 'EXPENSE' and r.merchant_key is not null
        and r.user_id = any (locked)
      group by 1, 2, 3, 4, 5, 6, 7
    )
    merge into passbook.merchant_totals as stored
    using (
      select 'month' as unit, m.user_id, m.merchant_key, m.day, m.account_id, m.category, m.pending, m.currency,
        m.transaction_count, m.cents
      from months as m
      union all
      select 'all', m.user_id, m.merchant_key, '-infinity', m.account_id, m.category, m.pending, m.currency,
        sum(m.transaction_count), sum(m.cents)
      from months as m group by 2, 3, 5, 6, 7, 8
      order by 2, 1, 3, 4, 5, 6, 7, 8) as change
    on stored.user_id = change.user_id and stored.unit = change.unit and stored.merchant_key = change.merchant_key
      and stored.first_day = change.day and stored.account_id = change.account_id and stored.category = change.category
      and stored.pending = change.pending and stored.currency = change.currency
    when matched and stored.transaction_count + change.transaction_count = 0 and stored.cents + change.cents = 0 then delete
    when matched then update set
      transaction_count = stored.transaction_count + change.transaction_count, cents = stored.cents + change.cents
    when not matched then
      insert (unit, user_id, merchant_key, first_day, account_id, category, pending, currency, transaction_count, cents)
      values (change.unit, change.user_id, change.merchant_key, change.day, change.account_id, change.category,
        change.pending, change.currency, change.transaction_count, change.cents);

    with years as materialized (
      select r.user_id, r.category, date_trunc('year', r.date::timestamp)::date as day, r.merchant_key,
        sign * count(*) as transaction_count, sign * sum(coalesce(r.converted_cents, 0)) as cents
      from rows as r
      where not r.replaced and r.type = 'EXPENSE' and r.merchant_key is not null
        and r.user_id = any (locked)
      group by 1, 2, 3, 4
    ),
    changed as (
      insert into passbook.merchant_bounds as stored (user_id, category, first_day, merchant_key, transaction_count, cents)
      select y.user_id, groups.category, spans.day, y.merchant_key, sum(y.transaction_count), sum(y.cents)
      from years as y
      cross join lateral (values (y.category), ('')) as groups (category)
      cross join lateral (values (y.day), ('-infinity')) as spans (day)
      group by 1, 2, 3, 4
      order by 1, 2, 3, 4
      on conflict (user_id, category, first_day, merchant_key) do update set
        transaction_count = stored.transaction_count + excluded.transaction_count, cents = stored.cents + excluded.cents
      returning stored.ctid as row, stored.transaction_count, stored.cents
    )
    select array_agg(changed.row) into emptied from changed where changed.transaction_count = 0 and changed.cents = 0;
    delete from passbook.merchant_bounds as stored where stored.ctid = any (emptied);
  end loop;
  perform set_config('app.user_id', coalesce(former_user, ''), true);
  return null;
end
$$;

-- Triggers run in the order of their names: these before `derive_links_…`, whose updates change the totals in turn.
create trigger add_totals_of_inserted after insert on passbook.transactions
  referencing new table as rows for each statement execute function passbook.apply_totals('1');

create trigger add_totals_of_updated after update on passbook.transactions
  referencing new table as rows for each statement execute function passbook.apply_totals('1');

create trigger add_totals_subtract_updated after update on passbook.transactions
  referencing old table as rows for each statement execute function passbook.apply_totals('-1');

create trigger add_totals_subtract_deleted after delete on passbook.transactions
  referencing old table as rows for each statement execute function passbook.apply_totals('-1');

-- Deletes the totals of deleted users: the rows of the user are deleted in the same statement, in any order.
create function passbook.delete_totals_of_users() returns trigger
language plpgsql as $$
declare
  former_user text := current_setting('app.user_id', true);
  one_pass uuid;
begin
  for one_pass in select passes from passbook.passes(array(select rows.user_id from old_rows as rows)) loop
    if one_pass is not null then
      perform set_config('app.user_id', one_pass::text, true);
    end if;
    delete from passbook.totals as t using old_rows as rows where t.user_id = rows.user_id;
    delete from passbook.account_totals as t using old_rows as rows where t.user_id = rows.user_id;
    delete from passbook.merchant_totals as t using old_rows as rows where t.user_id = rows.user_id;
    delete from passbook.merchant_bounds as t using old_rows as rows where t.user_id = rows.user_id;
  end loop;
  perform set_config('app.user_id', coalesce(former_user, ''), true);
  return null;
end
$$;

create trigger delete_totals after delete on passbook.users
  referencing old table as old_rows for each statement execute function passbook.delete_totals_of_users();

-- The deletion of all rows at once, which only the owner of the table may do.
create function passbook.truncate_totals() returns trigger
language plpgsql as $$
begin
  truncate passbook.totals, passbook.account_totals, passbook.merchant_totals, passbook.merchant_bounds;
  return null;
end
$$;

create trigger truncate_totals after truncate on passbook.transactions
  for each statement execute function passbook.truncate_totals();

-- The differences between derived and computed data: the number of differing rows by table and user. No row if all is
-- right. The role must see the rows of all users.
create function passbook.check_derived()
returns table (relation text, user_id uuid, differences bigint)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  select 'derived_states', coalesce(states.user_id, users.user_id), count(*)
  from passbook.users full join passbook.derived_states as states on states.user_id = users.user_id
  where states.currency is distinct from users.preferred_currency
  group by 2
  union all
  select 'transactions', t.user_id, count(*)
  from passbook.transactions as t
  join passbook.users on users.user_id = t.user_id
  join passbook.computed_links as links on links.user_id = t.user_id and links.transaction_id = t.transaction_id
  where (t.replaced, t.shown_link, t.purchase_category)
      is distinct from (links.replaced, links.shown_link, links.purchase_category)
    or t.converted_cents is distinct from
      passbook_read.convert_on(t.amount_cents, t.currency, users.preferred_currency, t.date)
  group by 2
  union all
  select 'totals', coalesce(stored.user_id, computed.user_id), count(*)
  from passbook.totals as stored
  full join passbook.computed_totals as computed
    on computed.user_id = stored.user_id and computed.unit = stored.unit and computed.kind = stored.kind
    and computed.category = stored.category and computed.first_day = stored.first_day
    and computed.pending = stored.pending and computed.currency = stored.currency
  where (stored.transaction_count, stored.cents) is distinct from (computed.transaction_count, computed.cents)
  group by 2
  union all
  select 'account_totals', coalesce(stored.user_id, computed.user_id), count(*)
  from passbook.account_totals as stored
  full join passbook.computed_account_totals as computed
    on computed.user_id = stored.user_id and computed.account_id = stored.account_id and computed.unit = stored.unit
    and computed.kind = stored.kind and computed.category = stored.category and computed.first_day = stored.first_day
    and computed.pending = stored.pending and computed.currency = stored.currency
  where (stored.transaction_count, stored.cents) is distinct from (computed.transaction_count, computed.cents)
  group by 2
  union all
  select 'merchant_totals', coalesce(stored.user_id, computed.user_id), count(*)
  from passbook.merchant_totals as stored
  full join passbook.computed_merchant_totals as computed
    on computed.user_id = stored.user_id and computed.unit = stored.unit and computed.first_day = stored.first_day
    and computed.merchant_key = stored.merchant_key and computed.account_id = stored.account_id
    and computed.category = stored.category and computed.pending = stored.pending and computed.currency = stored.currency
  where (stored.transaction_count, stored.cents) is distinct from (computed.transaction_count, computed.cents)
  group by 2
  union all
  select 'merchant_bounds', coalesce(stored.user_id, computed.user_id), count(*)
  from passbook.merchant_bounds as stored
  full join passbook.computed_merchant_bounds as computed
    on computed.user_id = stored.user_id and computed.category = stored.category
    and computed.first_day = stored.first_day and computed.merchant_key = stored.merchant_key
  where (stored.transaction_count, stored.cents) is distinct from (computed.transaction_count, computed.cents)
  group by 2
  order by 1, 2;
end
$$;

-- Derives everything again from the rows of users, and stores it. Other writers wait until the end of the transaction. The
-- role must see the rows of all users.
create function passbook.derive_all() returns void
language plpgsql as $$
begin
  if row_security_active('passbook.transactions') and not pg_has_role(current_user, 'passbook_writer', 'usage') then
    raise exception 'the role % does not see the rows of all users', current_user
      using errcode = 'insufficient_privilege', hint = 'Derive as passbook_writer or as a superuser.';
  end if;
  perform set_config('passbook.deriving', 'on', true), set_config('passbook.locked_state', '', true);
  update passbook.rate_state set version = version + 1;
  perform from passbook.derived_states as states order by states.user_id for update;
  delete from passbook.derived_states as states
  where not exists (select from passbook.users where users.user_id = states.user_id);
  insert into passbook.derived_states as states (user_id, currency)
  select users.user_id, users.preferred_currency from passbook.users
  on conflict (user_id) do update set currency = excluded.currency, version = states.version + 1;
  delete from passbook.totals;
  delete from passbook.account_totals;
  delete from passbook.merchant_totals;
  delete from passbook.merchant_bounds;
  /* The triggers of these updates change totals; the totals are replaced afterwards. */
  update passbook.transactions as t
  set replaced = links.replaced, shown_link = links.shown_link, purchase_category = links.purchase_category
  from passbook.computed_links as links
  where links.user_id = t.user_id and links.transaction_id = t.transaction_id
    and (t.replaced, t.shown_link, t.purchase_category)
      is distinct from (links.replaced, links.shown_link, links.purchase_category);
  update passbook.transactions as t set converted_cents = -1
  from passbook.derived_states as states
  where states.user_id = t.user_id and t.converted_cents is distinct from
    passbook_read.convert_on(t.amount_cents, t.currency, states.currency, t.date);
  delete from passbook.totals;
  delete from passbook.account_totals;
  delete from passbook.merchant_totals;
  delete from passbook.merchant_bounds;
  insert into passbook.totals (user_id, unit, kind, category, first_day, pending, currency, transaction_count, cents)
  select c.user_id, c.unit, c.kind, c.category, c.first_day, c.pending, c.currency, c.transaction_count, c.cents
  from passbook.computed_totals as c;
  insert into passbook.account_totals
    (user_id, account_id, unit, kind, category, first_day, pending, currency, transaction_count, cents)
  select c.user_id, c.account_id, c.unit, c.kind, c.category, c.first_day, c.pending, c.currency, c.transaction_count,
    c.cents
  from passbook.computed_account_totals as c;
  insert into passbook.merchant_totals
    (user_id, unit, merchant_key, first_day, account_id, category, pending, currency, transaction_count, cents)
  select c.user_id, c.unit, c.merchant_key, c.first_day, c.account_id, c.category, c.pending, c.currency,
    c.transaction_count, c.cents
  from passbook.computed_merchant_totals as c;
  insert into passbook.merchant_bounds (user_id, category, first_day, merchant_key, transaction_count, cents)
  select c.user_id, c.category, c.first_day, c.merchant_key, c.transaction_count, c.cents
  from passbook.computed_merchant_bounds as c;
  perform set_config('passbook.deriving', '', true);
end
$$;
