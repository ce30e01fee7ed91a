-- Two corrections of derived data: totals after a statement that inserts rows and updates others, and rates that are written
-- with an older snapshot.

-- TOTALS ------------------------------------------------------------------------------------------------------

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
-- first statement wrote.
create or replace function passbook.apply_totals() returns trigger
language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set jit = off set work_mem = '64MB'
set plan_cache_mode = force_generic_plan
as $$
declare
  former_user text := current_setting('app.user_id', true);
  one_pass uuid;
  sign bigint := tg_argv[0];
  written uuid[] := array(select distinct rows.user_id from rows order by rows.user_id);
  /* The users of the pass that exist. The state of a user is deleted before the rows of the user. */
  locked uuid[];
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
    )
    merge into passbook.merchant_bounds as stored
    using (
      select y.user_id, groups.category, spans.day, y.merchant_key, sum(y.transaction_count) as transaction_count,
        sum(y.cents) as cents
      from years as y
      cross join lateral (values (y.category), ('')) as groups (category)
      cross join lateral (values (y.day), ('-infinity')) as spans (day)
      group by 1, 2, 3, 4
      order by 1, 2, 3, 4) as change
    on stored.user_id = change.user_id and stored.category = change.category and stored.first_day = change.day
      and stored.merchant_key = change.merchant_key
    when matched and stored.transaction_count + change.transaction_count = 0 and stored.cents + change.cents = 0 then delete
    when matched then update set
      transaction_count = stored.transaction_count + change.transaction_count, cents = stored.cents + change.cents
    when not matched then
      insert (user_id, category, first_day, merchant_key, transaction_count, cents)
      values (change.user_id, change.category, change.day, change.merchant_key, change.transaction_count, change.cents);
  end loop;
  perform set_config('app.user_id', coalesce(former_user, ''), true);
  return null;
end
$$;

-- RATES -------------------------------------------------------------------------------------------------------

-- Before rates change: waits until no transaction is written, and lets none be written until the end of the transaction.
--
-- Only at the level `read committed` does a query after the wait see the rows that others have written meanwhile. With the
-- snapshot of another level, `convert_again` would leave these rows at the former rate.
create or replace function passbook.lock_rate_changes() returns trigger
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

-- DERIVING AGAIN ----------------------------------------------------------------------------------------------

-- Totals that an earlier version has stored may be wrong. Only then everything is derived again.
do $$
declare
  altered text;
  tables constant text[] := array['users', 'transactions', 'derived_states', 'totals', 'account_totals', 'merchant_totals',
    'merchant_bounds'];
begin
  /* The owner sees the rows of all users while row-level security is not forced. */
  foreach altered in array tables loop
    execute format('alter table passbook.%I no force row level security', altered);
  end loop;
  if exists (select from passbook.check_derived()) then
    perform passbook.derive_all();
  end if;
  /* No table can be altered while it has deferred checks. */
  set constraints all immediate;
  foreach altered in array tables loop
    execute format('alter table passbook.%I force row level security', altered);
  end loop;
end
$$;
