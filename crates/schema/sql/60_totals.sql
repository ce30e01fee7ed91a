-- Totals of income, expenses and refunds, stored by day, month and year, so that a query over decades reads a few hundred
-- rows. Triggers change them in the transaction of the writer, by the difference that a statement makes.
--
-- Which rows count: no transfer, no row that a posted row supersedes. Each row is converted and rounded on its own before it is
-- added (`converted_cents`). Excluded categories are left out when totals are read, because a change of the excluded
-- categories must not change stored totals.
--
-- Writers of one user run one after the other, because each locks the row of the user. So two writers never change the same
-- total at the same time.

-- TABLES

-- The totals of all accounts together.
create table passbook.category_totals (
  user_id uuid not null,
  period text collate "C" not null check (period in ('day', 'month', 'year')),
  measure text collate "C" not null check (measure in ('EXPENSE', 'INCOME', 'OWN')),
  -- The row's category, or ALL: all expenses together. Of OWN, the expenses with an own category, by month and year only: the
  -- identifier of the own category, a space, and the row's category.
  category text collate "C" not null,
  period_start date not null,
  pending boolean not null,
  -- Empty: rows with a rate, converted to the user's currency. Else the currency of rows without a rate.
  unconverted_currency text collate "C" not null,
  transaction_count bigint not null,
  -- Numeric, because a sum of amounts may exceed 64 bits.
  cents numeric not null,
  -- Refunds of the period, as part of EXPENSE: by the category of their purchase, without a purchase as REFUND.
  refund_count bigint not null,
  refund_cents numeric not null,
  primary key (user_id, period, measure, category, period_start, pending, unconverted_currency)
);

-- The same by account, for refunds that of the purchase. Without days: a query reads the rows of the incomplete months. By day
-- there is only BOOKED, what booked rows add to the balance: transfers included, of no category, in the currency of the rows.
create table passbook.account_category_totals (
  user_id uuid not null,
  account_id uuid not null,
  period text collate "C" not null check (period in ('day', 'month', 'year')),
  measure text collate "C" not null check (measure in ('EXPENSE', 'INCOME', 'BOOKED')),
  category text collate "C" not null,
  period_start date not null,
  pending boolean not null,
  unconverted_currency text collate "C" not null,
  transaction_count bigint not null,
  cents numeric not null,
  refund_count bigint not null,
  refund_cents numeric not null,
  primary key (user_id, account_id, period, measure, category, period_start, pending, unconverted_currency)
);

-- Expenses by merchant and account, with the refunds of these purchases. The period `all` has the totals of all days, and
-- starts at -infinity.
create table passbook.merchant_totals (
  user_id uuid not null,
  period text collate "C" not null check (period in ('month', 'all')),
  merchant_key text collate "C" not null,
  period_start date not null,
  account_id uuid not null,
  category text collate "C" not null,
  pending boolean not null,
  unconverted_currency text collate "C" not null,
  transaction_count bigint not null,
  cents numeric not null,
  refund_count bigint not null,
  refund_cents numeric not null,
  primary key (user_id, period, merchant_key, period_start, account_id, category, pending, unconverted_currency)
);

-- Upper bounds: the converted expenses of a merchant in a year and on all days, on all accounts, pending rows and excluded
-- categories included. By category, and as ALL of all categories together.
create table passbook.merchant_upper_bounds (
  user_id uuid not null,
  category text collate "C" not null,
  -- The first day of the year; -infinity for all days.
  period_start date not null,
  merchant_key text collate "C" not null,
  transaction_count bigint not null,
  cents numeric not null,
  -- Under row-level security an index finds values of bigint, but not of numeric: its comparisons are not leakproof.
  upper_bound_cents bigint not null generated always as (least(cents, 9223372036854775807)::bigint) stored,
  primary key (user_id, category, period_start, merchant_key)
);

-- The largest merchants first. Partial, so that statements of the triggers, which do not have the condition, find their rows by
-- the primary key also in a table without statistics.
create index merchant_upper_bounds_largest on passbook.merchant_upper_bounds
  (user_id, category, period_start, upper_bound_cents desc) where transaction_count <> 0;

-- PERIODS

-- Divides a range of days, which may be infinite, into years, months and days, in periods that are at most as long as a given
-- one.
create function passbook_read.split_range(from_day date, to_day date, coarsest text, month_start integer)
returns table (period text, first_day date, last_day date)
language sql immutable parallel safe
begin atomic
  -- "offset 0" makes PostgreSQL compute each value once, although it is used often.
  with around as (
    select from_day - 1 as before, to_day + 1 as after, month_start as start offset 0
  ), starts as (
    select
      coarsest as longest,
      passbook_read.period_end('month', around.before, around.start) + 1 as first_month,
      passbook_read.period_start('month', around.after, around.start) - 1 as last_month,
      passbook_read.period_end('year', around.before, around.start) + 1 as first_year,
      passbook_read.period_start('year', around.after, around.start) - 1 as last_year
    from around
    offset 0
  ), whole as (
    select
      case when longest <> 'day' and first_month <= last_month then first_month end as first_month,
      case when longest <> 'day' and first_month <= last_month then last_month end as last_month,
      case when longest = 'year' and first_year <= last_year then first_year end as first_year,
      case when longest = 'year' and first_year <= last_year then last_year end as last_year
    from starts
    offset 0
  )
  select spans.period, spans.first_day, spans.last_day
  from whole
  cross join lateral (values
    ('day', from_day, coalesce(first_month - 1, to_day)),
    ('month', first_month, coalesce(first_year - 1, last_month)),
    ('year', first_year, last_year),
    ('month', last_year + 1, last_month),
    ('day', last_month + 1, to_day)
  ) as spans (period, first_day, last_day)
  where spans.first_day <= spans.last_day and spans.last_day > '-infinity' and spans.first_day < 'infinity';
end;

-- The longest period whose totals lie in one part of a grouping by month, week, day or none (null).
create function passbook_read.coarsest_period(grouped_by text) returns text
language sql immutable parallel safe
return case grouped_by when 'month' then 'month' when 'week' then 'day' when 'day' then 'day' else 'year' end;

-- The number of days, ISO weeks or months that touch the days from one to another.
create function passbook_read.period_count(unit text, from_day date, to_day date, month_start integer) returns bigint
language sql immutable parallel safe
return 1 + case unit
  when 'month' then extract(year from age(
      passbook_read.month_of(to_day, month_start), passbook_read.month_of(from_day, month_start))) * 12
    + extract(month from age(passbook_read.month_of(to_day, month_start), passbook_read.month_of(from_day, month_start)))
  when 'week' then (passbook_read.period_end(unit, to_day, 1) - passbook_read.period_end(unit, from_day, 1)) / 7
  else to_day - from_day
end::bigint;

-- THE RULE, AND THE PLAIN COMPUTATION

-- What a row adds to totals: an expense or income of its category; a refund also to the expenses of its purchase, or without a
-- purchase of itself; to the balance of its account, in its own currency (BOOKED); and an expense to its own category (OWN).
create function passbook.total_entries(t passbook.transactions)
returns table (
  account_id uuid, measure text, category text, unconverted_currency text, merchant_key text, transaction_count integer,
  cents bigint, refund_count integer, refund_cents bigint)
language sql immutable parallel safe as $$
  select case when e.is_refund then coalesce(t.refunded_account_id, t.account_id) else t.account_id end, e.measure, e.category,
    case when e.measure = 'BOOKED' or t.converted_cents is null then t.currency else '' end,
    case
      when e.is_refund and t.refunded_account_id is not null then t.refunded_merchant_key
      when e.measure = 'EXPENSE' then t.merchant_key
    end,
    1 - e.is_refund::integer, case when e.is_refund then 0 else e.cents end,
    e.is_refund::integer, case when e.is_refund then e.cents else 0 end
  from (values
    (t.type, t.category, false, coalesce(t.converted_cents, t.amount_cents)),
    ('EXPENSE', case t.category when 'REFUND' then coalesce(t.refunded_category, t.category) end, true,
      coalesce(t.converted_cents, t.amount_cents)),
    ('BOOKED', case when not t.pending then '' end, false,
      case when t.type = 'INCOME' or t.category = 'TRANSFER_IN' then t.amount_cents else -t.amount_cents end),
    ('OWN', case t.type when 'EXPENSE' then t.own_category_id || ' ' || t.category end, false,
      coalesce(t.converted_cents, t.amount_cents))
  ) as e (measure, category, is_refund, cents)
  where not t.is_superseded and e.measure <> 'INTERNAL_TRANSFER' and e.category is not null
$$;

-- The totals, computed from all rows. `derive_all` stores them, and `check_derived` compares them with the stored totals.
create view passbook.recomputed_category_totals with (security_invoker = true) as
  select t.user_id, periods.period, e.measure, groups.category,
    passbook_read.period_start(periods.period, t.date, users.month_start) as period_start, t.pending, e.unconverted_currency,
    sum(e.transaction_count) as transaction_count, sum(e.cents) as cents, sum(e.refund_count) as refund_count,
    sum(e.refund_cents) as refund_cents
  from passbook.transactions as t
  join passbook.users using (user_id)
  cross join lateral passbook.total_entries(t) as e
  cross join (values ('day'), ('month'), ('year')) as periods (period)
  cross join lateral (values (e.category), (case when e.measure = 'EXPENSE' then 'ALL' end)) as groups (category)
  where groups.category is not null and e.measure <> 'BOOKED' and (e.measure <> 'OWN' or periods.period <> 'day')
  group by 1, 2, 3, 4, 5, 6, 7;

create view passbook.recomputed_account_category_totals with (security_invoker = true) as
  select t.user_id, e.account_id, periods.period, e.measure, groups.category,
    passbook_read.period_start(periods.period, t.date, users.month_start) as period_start, t.pending, e.unconverted_currency,
    sum(e.transaction_count) as transaction_count, sum(e.cents) as cents, sum(e.refund_count) as refund_count,
    sum(e.refund_cents) as refund_cents
  from passbook.transactions as t
  join passbook.users using (user_id)
  cross join lateral passbook.total_entries(t) as e
  cross join (values ('day'), ('month'), ('year')) as periods (period)
  cross join lateral (values (e.category), (case when e.measure = 'EXPENSE' then 'ALL' end)) as groups (category)
  where groups.category is not null and (e.measure = 'BOOKED') = (periods.period = 'day') and e.measure <> 'OWN'
  group by 1, 2, 3, 4, 5, 6, 7, 8;

create view passbook.recomputed_merchant_totals with (security_invoker = true) as
  select t.user_id, periods.period, e.merchant_key,
    case periods.period when 'all' then '-infinity' else passbook_read.period_start('month', t.date, users.month_start) end
      as period_start, e.account_id, e.category, t.pending, e.unconverted_currency,
    sum(e.transaction_count) as transaction_count, sum(e.cents) as cents, sum(e.refund_count) as refund_count,
    sum(e.refund_cents) as refund_cents
  from passbook.transactions as t
  join passbook.users using (user_id)
  cross join lateral passbook.total_entries(t) as e
  cross join (values ('month'), ('all')) as periods (period)
  where e.merchant_key is not null
  group by 1, 2, 3, 4, 5, 6, 7, 8;

create view passbook.recomputed_merchant_upper_bounds with (security_invoker = true) as
  select t.user_id, groups.category, spans.period_start, e.merchant_key, sum(e.transaction_count) as transaction_count,
    sum(case when e.unconverted_currency = '' then e.cents else 0 end) as cents
  from passbook.transactions as t
  join passbook.users using (user_id)
  cross join lateral passbook.total_entries(t) as e
  cross join lateral (values (e.category), ('ALL')) as groups (category)
  cross join lateral (values (passbook_read.period_start('year', t.date, users.month_start)), ('-infinity')) as spans (period_start)
  where e.merchant_key is not null and e.transaction_count <> 0
  group by 1, 2, 3, 4;

-- A change of the totals of one day, account, category and merchant.
create type passbook.total_change as (
  user_id uuid, account_id uuid, measure text, category text, day date, pending boolean, unconverted_currency text,
  merchant_key text, transaction_count bigint, cents numeric, refund_count bigint, refund_cents numeric);

-- TRIGGERS

set local role passbook_deriver;

-- Adds to the totals what a statement changes: what the new rows add, less what the old rows added. A row that changes nothing
-- that counts, such as a title, writes no total.
--
-- A total may be below zero until the end of a statement. After `insert … on conflict do update`, the triggers of the update
-- run first. If an updated row supersedes an inserted one, `derive_links` excludes the inserted row from the totals before it
-- is added to them. So every change is stored, and only a total of nothing is deleted.
--
-- The totals of a deleted user are deleted by `delete_totals_of_users`, before the user's rows. These rows are subtracted
-- from nothing.
--
-- The settings keep the plans, which PostgreSQL chooses once per connection, independent of the number of rows that the
-- first statement wrote. Without `enable_sort`, rows are grouped in a hash table: PostgreSQL expects few rows with a merchant,
-- and would sort the many.
create function passbook.update_totals() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set enable_sort = off set jit = off
set work_mem = '64MB' set plan_cache_mode = force_generic_plan as $$
declare
  changes passbook.total_change[];
  /* The users that exist. A deleted user is deleted before the rows of the user. */
  locked uuid[];
begin
  if tg_op = 'INSERT' then
    changes := array(
      select row(r.user_id, e.account_id, e.measure, e.category, r.date, r.pending, e.unconverted_currency, e.merchant_key,
        sum(e.transaction_count), sum(e.cents), sum(e.refund_count), sum(e.refund_cents))::passbook.total_change
      from new_rows as r
      cross join lateral passbook.total_entries(row(r.*)::passbook.transactions) as e
      group by r.user_id, e.account_id, e.measure, e.category, r.date, r.pending, e.unconverted_currency, e.merchant_key);
  elsif tg_op = 'DELETE' then
    changes := array(
      select row(r.user_id, e.account_id, e.measure, e.category, r.date, r.pending, e.unconverted_currency, e.merchant_key,
        -sum(e.transaction_count), -sum(e.cents), -sum(e.refund_count), -sum(e.refund_cents))::passbook.total_change
      from old_rows as r
      cross join lateral passbook.total_entries(row(r.*)::passbook.transactions) as e
      group by r.user_id, e.account_id, e.measure, e.category, r.date, r.pending, e.unconverted_currency, e.merchant_key);
  -- Comparing what counts costs a fifth of computing entries, and most new titles, tags and notes change nothing of it.
  elsif exists (
    select from (
      select n.user_id, n.account_id, n.date, n.type, n.category, n.amount_cents, n.currency, n.converted_cents, n.pending,
        n.is_superseded, n.merchant_key, n.own_category_id, n.refunded_category, n.refunded_account_id, n.refunded_merchant_key
      from new_rows as n
      except all
      select o.user_id, o.account_id, o.date, o.type, o.category, o.amount_cents, o.currency, o.converted_cents, o.pending,
        o.is_superseded, o.merchant_key, o.own_category_id, o.refunded_category, o.refunded_account_id, o.refunded_merchant_key
      from old_rows as o) as changed) then
    changes := array(
      select row(r.user_id, r.account_id, r.measure, r.category, r.date, r.pending, r.unconverted_currency, r.merchant_key,
        sum(r.sign * r.transaction_count), sum(r.sign * r.cents), sum(r.sign * r.refund_count),
        sum(r.sign * r.refund_cents))::passbook.total_change
      from (
        select 1 as sign, n.user_id, n.date, n.pending, e.*
        from new_rows as n cross join lateral passbook.total_entries(row(n.*)::passbook.transactions) as e
        union all
        select -1, o.user_id, o.date, o.pending, e.*
        from old_rows as o cross join lateral passbook.total_entries(row(o.*)::passbook.transactions) as e) as r
      group by r.user_id, r.account_id, r.measure, r.category, r.date, r.pending, r.unconverted_currency, r.merchant_key
      having (sum(r.sign * r.transaction_count), sum(r.sign * r.cents), sum(r.sign * r.refund_count),
        sum(r.sign * r.refund_cents)) <> (0, 0, 0, 0));
  end if;
  -- A deleted transaction updates the rows that link to it, mostly none.
  if changes is null or changes = '{}' then
    return null;
  end if;
  locked := array(
    select users.user_id from passbook.users
    where users.user_id in (select c.user_id from unnest(changes) as c) order by users.user_id for no key update);

  with days as materialized (
    select c.user_id, c.measure, c.category, c.day, c.pending, c.unconverted_currency,
      sum(c.transaction_count)::bigint as transaction_count, sum(c.cents) as cents, sum(c.refund_count)::bigint as refund_count,
      sum(c.refund_cents) as refund_cents
    from unnest(changes) as c where c.user_id = any (locked) and c.measure <> 'BOOKED' group by 1, 2, 3, 4, 5, 6
  ), months as materialized (
    select d.user_id, d.measure, d.category, passbook_read.period_start('month', d.day, users.month_start) as day, d.pending,
      d.unconverted_currency, sum(d.transaction_count)::bigint as transaction_count, sum(d.cents) as cents,
      sum(d.refund_count)::bigint as refund_count, sum(d.refund_cents) as refund_cents
    from days as d join passbook.users using (user_id) group by 1, 2, 3, 4, 5, 6
  ), periods as materialized (
    select 'day' as period, d.* from days as d where d.measure <> 'OWN'
    union all
    select 'month', m.* from months as m
    union all
    select 'year', m.user_id, m.measure, m.category, passbook_read.period_start('year', m.day, users.month_start), m.pending,
      m.unconverted_currency, sum(m.transaction_count)::bigint, sum(m.cents), sum(m.refund_count)::bigint, sum(m.refund_cents)
    from months as m join passbook.users using (user_id) group by 2, 3, 4, 5, 6, 7
  )
  merge into passbook.category_totals as stored
  using (
    select p.user_id, p.period, p.measure, p.category, p.day, p.pending, p.unconverted_currency, p.transaction_count, p.cents,
      p.refund_count, p.refund_cents
    from periods as p
    union all
    select p.user_id, p.period, p.measure, 'ALL', p.day, p.pending, p.unconverted_currency, sum(p.transaction_count),
      sum(p.cents), sum(p.refund_count), sum(p.refund_cents)
    from periods as p where p.measure = 'EXPENSE' group by 1, 2, 3, 5, 6, 7
    order by 1, 2, 3, 4, 5, 6, 7) as change
  on stored.user_id = change.user_id and stored.period = change.period and stored.measure = change.measure
    and stored.category = change.category and stored.period_start = change.day and stored.pending = change.pending
    and stored.unconverted_currency = change.unconverted_currency
  when matched and (stored.transaction_count + change.transaction_count, stored.cents + change.cents,
    stored.refund_count + change.refund_count, stored.refund_cents + change.refund_cents) = (0, 0, 0, 0) then delete
  when matched then update set
    transaction_count = stored.transaction_count + change.transaction_count, cents = stored.cents + change.cents,
    refund_count = stored.refund_count + change.refund_count, refund_cents = stored.refund_cents + change.refund_cents
  when not matched then
    insert values (change.user_id, change.period, change.measure, change.category, change.day, change.pending,
      change.unconverted_currency, change.transaction_count, change.cents, change.refund_count, change.refund_cents);

  with months as materialized (
    select c.user_id, c.account_id, c.measure, c.category, passbook_read.period_start('month', c.day, users.month_start) as day, c.pending,
      c.unconverted_currency, sum(c.transaction_count)::bigint as transaction_count, sum(c.cents) as cents,
      sum(c.refund_count)::bigint as refund_count, sum(c.refund_cents) as refund_cents
    from unnest(changes) as c join passbook.users using (user_id)
    where c.user_id = any (locked) and c.measure not in ('BOOKED', 'OWN') group by 1, 2, 3, 4, 5, 6, 7
  ), periods as materialized (
    select 'month' as period, m.* from months as m
    union all
    select 'year', m.user_id, m.account_id, m.measure, m.category, passbook_read.period_start('year', m.day, users.month_start), m.pending,
      m.unconverted_currency, sum(m.transaction_count)::bigint, sum(m.cents), sum(m.refund_count)::bigint, sum(m.refund_cents)
    from months as m join passbook.users using (user_id) group by 2, 3, 4, 5, 6, 7, 8
    union all
    select 'day', c.user_id, c.account_id, c.measure, c.category, c.day, c.pending, c.unconverted_currency,
      c.transaction_count, c.cents, 0, 0
    from unnest(changes) as c where c.user_id = any (locked) and c.measure = 'BOOKED'
  )
  merge into passbook.account_category_totals as stored
  using (
    select p.user_id, p.account_id, p.period, p.measure, p.category, p.day, p.pending, p.unconverted_currency,
      p.transaction_count, p.cents, p.refund_count, p.refund_cents
    from periods as p
    union all
    select p.user_id, p.account_id, p.period, p.measure, 'ALL', p.day, p.pending, p.unconverted_currency,
      sum(p.transaction_count), sum(p.cents), sum(p.refund_count), sum(p.refund_cents)
    from periods as p where p.measure = 'EXPENSE' group by 1, 2, 3, 4, 6, 7, 8
    order by 1, 2, 3, 4, 5, 6, 7, 8) as change
  on stored.user_id = change.user_id and stored.account_id = change.account_id and stored.period = change.period
    and stored.measure = change.measure and stored.category = change.category and stored.period_start = change.day
    and stored.pending = change.pending and stored.unconverted_currency = change.unconverted_currency
  when matched and (stored.transaction_count + change.transaction_count, stored.cents + change.cents,
    stored.refund_count + change.refund_count, stored.refund_cents + change.refund_cents) = (0, 0, 0, 0) then delete
  when matched then update set
    transaction_count = stored.transaction_count + change.transaction_count, cents = stored.cents + change.cents,
    refund_count = stored.refund_count + change.refund_count, refund_cents = stored.refund_cents + change.refund_cents
  when not matched then
    insert values (change.user_id, change.account_id, change.period, change.measure, change.category, change.day,
      change.pending, change.unconverted_currency, change.transaction_count, change.cents, change.refund_count,
      change.refund_cents);

  with months as materialized (
    select c.user_id, c.merchant_key, passbook_read.period_start('month', c.day, users.month_start) as day, c.account_id, c.category,
      c.pending, c.unconverted_currency, sum(c.transaction_count)::bigint as transaction_count, sum(c.cents) as cents,
      sum(c.refund_count)::bigint as refund_count, sum(c.refund_cents) as refund_cents
    from unnest(changes) as c join passbook.users using (user_id)
    where c.user_id = any (locked) and c.merchant_key is not null group by 1, 2, 3, 4, 5, 6, 7
  )
  merge into passbook.merchant_totals as stored
  using (
    select 'month' as period, m.* from months as m
    union all
    select 'all', m.user_id, m.merchant_key, '-infinity', m.account_id, m.category, m.pending, m.unconverted_currency,
      sum(m.transaction_count), sum(m.cents), sum(m.refund_count), sum(m.refund_cents)
    from months as m group by 2, 3, 5, 6, 7, 8
    order by 2, 1, 3, 4, 5, 6, 7, 8) as change
  on stored.user_id = change.user_id and stored.period = change.period and stored.merchant_key = change.merchant_key
    and stored.period_start = change.day and stored.account_id = change.account_id and stored.category = change.category
    and stored.pending = change.pending and stored.unconverted_currency = change.unconverted_currency
  when matched and (stored.transaction_count + change.transaction_count, stored.cents + change.cents,
    stored.refund_count + change.refund_count, stored.refund_cents + change.refund_cents) = (0, 0, 0, 0) then delete
  when matched then update set
    transaction_count = stored.transaction_count + change.transaction_count, cents = stored.cents + change.cents,
    refund_count = stored.refund_count + change.refund_count, refund_cents = stored.refund_cents + change.refund_cents
  when not matched then
    insert values (change.user_id, change.period, change.merchant_key, change.day, change.account_id, change.category,
      change.pending, change.unconverted_currency, change.transaction_count, change.cents, change.refund_count,
      change.refund_cents);

  with years as materialized (
    select c.user_id, c.category, passbook_read.period_start('year', c.day, users.month_start) as day, c.merchant_key,
      sum(c.transaction_count)::bigint as transaction_count,
      sum(case when c.unconverted_currency = '' then c.cents else 0 end) as cents
    from unnest(changes) as c join passbook.users using (user_id)
    where c.user_id = any (locked) and c.merchant_key is not null and (c.transaction_count, c.cents) <> (0, 0) group by 1, 2, 3, 4
  )
  merge into passbook.merchant_upper_bounds as stored
  using (
    select y.user_id, groups.category, spans.day, y.merchant_key, sum(y.transaction_count) as transaction_count,
      sum(y.cents) as cents
    from years as y
    cross join lateral (values (y.category), ('ALL')) as groups (category)
    cross join lateral (values (y.day), ('-infinity')) as spans (day)
    group by 1, 2, 3, 4
    order by 1, 2, 3, 4) as change
  on stored.user_id = change.user_id and stored.category = change.category and stored.period_start = change.day
    and stored.merchant_key = change.merchant_key
  when matched and stored.transaction_count + change.transaction_count = 0 and stored.cents + change.cents = 0 then delete
  when matched then update set
    transaction_count = stored.transaction_count + change.transaction_count, cents = stored.cents + change.cents
  when not matched then
    insert (user_id, category, period_start, merchant_key, transaction_count, cents)
    values (change.user_id, change.category, change.day, change.merchant_key, change.transaction_count, change.cents);
  return null;
end
$$;

-- Deletes the totals of deleted users: the rows of the user are deleted in the same statement, in any order.
create function passbook.delete_totals_of_users() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from passbook.category_totals as t using old_rows as rows where t.user_id = rows.user_id;
  delete from passbook.account_category_totals as t using old_rows as rows where t.user_id = rows.user_id;
  delete from passbook.merchant_totals as t using old_rows as rows where t.user_id = rows.user_id;
  delete from passbook.merchant_upper_bounds as t using old_rows as rows where t.user_id = rows.user_id;
  return null;
end
$$;

-- Stores the totals of a user again; null: of all users.
create function passbook.store_totals(of_user uuid) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from passbook.category_totals as t where of_user is null or t.user_id = of_user;
  delete from passbook.account_category_totals as t where of_user is null or t.user_id = of_user;
  delete from passbook.merchant_totals as t where of_user is null or t.user_id = of_user;
  delete from passbook.merchant_upper_bounds as t where of_user is null or t.user_id = of_user;
  insert into passbook.category_totals
    select t.* from passbook.recomputed_category_totals as t where of_user is null or t.user_id = of_user;
  insert into passbook.account_category_totals
    select t.* from passbook.recomputed_account_category_totals as t where of_user is null or t.user_id = of_user;
  insert into passbook.merchant_totals
    select t.* from passbook.recomputed_merchant_totals as t where of_user is null or t.user_id = of_user;
  insert into passbook.merchant_upper_bounds
    select t.* from passbook.recomputed_merchant_upper_bounds as t where of_user is null or t.user_id = of_user;
end
$$;

-- Months that begin on another day have other totals.
create function passbook.change_month_start() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform passbook.store_totals(new.user_id);
  return null;
end
$$;

-- Derives everything again from the rows of users, and stores it. Other writers wait until the end of the transaction.
create function passbook.derive_all() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update passbook.base_currency set version = base_currency.version + 1;
  perform from passbook.users order by users.user_id for no key update;
  /* The triggers of this update change totals, which are replaced afterwards. */
  update passbook.transactions as t
  set is_superseded = links.is_superseded,
    resolved_linked_transaction_id = links.resolved_linked_transaction_id,
    refunded_category = links.refunded_category, refunded_account_id = links.refunded_account_id,
    refunded_merchant_key = links.refunded_merchant_key,
    converted_cents = passbook_read.convert_on(t.amount_cents, t.currency, users.preferred_currency, t.date)
  from passbook.recomputed_links as links, passbook.users
  where links.user_id = t.user_id and links.transaction_id = t.transaction_id and users.user_id = t.user_id
    and ((t.is_superseded, t.resolved_linked_transaction_id, t.refunded_category, t.refunded_account_id, t.refunded_merchant_key)
        is distinct from (links.is_superseded, links.resolved_linked_transaction_id, links.refunded_category,
          links.refunded_account_id, links.refunded_merchant_key)
      or t.converted_cents is distinct from
        passbook_read.convert_on(t.amount_cents, t.currency, users.preferred_currency, t.date));
  update passbook.transactions as t set own_category_id = labels.own_category_id, tag_ids = labels.tag_ids, note = labels.note
  from passbook.recomputed_labels as labels
  where labels.user_id = t.user_id and labels.transaction_id = t.transaction_id
    and (t.own_category_id, t.tag_ids, t.note) is distinct from (labels.own_category_id, labels.tag_ids, labels.note);
  update passbook.users
  set last_row_on = facts.last_row_on, has_unconverted = facts.has_unconverted,
    excluded_categories = named.excluded_categories, names = named.names
  from passbook.recomputed_users as facts
  join passbook.recomputed_names as named using (user_id)
  where facts.user_id = users.user_id;
  perform passbook.store_totals(null);
end
$$;

grant execute on function passbook.update_totals(), passbook.delete_totals_of_users(), passbook.change_month_start()
  to passbook_owner;
grant execute on function passbook.derive_all() to passbook_writer;
set local role passbook_owner;

-- Triggers run in the order of their names: these before `derive_links_…`, whose updates change the totals in turn.
create trigger add_totals_of_inserted after insert on passbook.transactions
  referencing new table as new_rows for each statement execute function passbook.update_totals();

create trigger add_totals_of_updated after update on passbook.transactions
  referencing old table as old_rows new table as new_rows for each statement execute function passbook.update_totals();

create trigger add_totals_of_deleted after delete on passbook.transactions
  referencing old table as old_rows for each statement execute function passbook.update_totals();

create trigger change_month_start after update of month_start on passbook.users
  for each row when (old.month_start <> new.month_start) execute function passbook.change_month_start();

create trigger delete_totals after delete on passbook.users
  referencing old table as old_rows for each statement execute function passbook.delete_totals_of_users();

-- The differences between derived and computed data: the number of differing rows by table and user. No row if all is
-- right. The role must see the rows of all users.
create function passbook.check_derived()
returns table (relation text, user_id uuid, differences bigint)
language sql stable as $$
  select 'transactions', t.user_id, count(*)
  from passbook.transactions as t
  join passbook.users on users.user_id = t.user_id
  join passbook.recomputed_links as links on links.user_id = t.user_id and links.transaction_id = t.transaction_id
  where (t.is_superseded, t.resolved_linked_transaction_id, t.refunded_category, t.refunded_account_id, t.refunded_merchant_key)
      is distinct from (links.is_superseded, links.resolved_linked_transaction_id, links.refunded_category,
        links.refunded_account_id, links.refunded_merchant_key)
    or t.converted_cents is distinct from
      passbook_read.convert_on(t.amount_cents, t.currency, users.preferred_currency, t.date)
  group by 2
  union all
  select 'labels', t.user_id, count(*)
  from passbook.transactions as t
  join passbook.recomputed_labels as labels on labels.user_id = t.user_id and labels.transaction_id = t.transaction_id
  where (t.own_category_id, t.tag_ids, t.note) is distinct from (labels.own_category_id, labels.tag_ids, labels.note)
  group by 2
  union all
  select 'users', user_id, 1
  from passbook.users
  join passbook.recomputed_users as computed using (user_id)
  join passbook.recomputed_names as named using (user_id)
  where (users.last_row_on, users.has_unconverted, users.excluded_categories, users.names)
    is distinct from (computed.last_row_on, computed.has_unconverted, named.excluded_categories, named.names)
  union all
  select 'category_totals', user_id, greatest(count(stored.user_id), count(computed.user_id))
  from passbook.category_totals as stored natural full join passbook.recomputed_category_totals as computed
  where stored.user_id is null or computed.user_id is null group by 2
  union all
  select 'account_category_totals', user_id, greatest(count(stored.user_id), count(computed.user_id))
  from passbook.account_category_totals as stored natural full join passbook.recomputed_account_category_totals as computed
  where stored.user_id is null or computed.user_id is null group by 2
  union all
  select 'merchant_totals', user_id, greatest(count(stored.user_id), count(computed.user_id))
  from passbook.merchant_totals as stored natural full join passbook.recomputed_merchant_totals as computed
  where stored.user_id is null or computed.user_id is null group by 2
  union all
  select 'merchant_upper_bounds', user_id, greatest(count(stored.user_id), count(computed.user_id))
  from passbook.merchant_upper_bounds as stored natural full join passbook.recomputed_merchant_upper_bounds as computed
  where stored.user_id is null or computed.user_id is null group by 2
  order by 1, 2
$$;
