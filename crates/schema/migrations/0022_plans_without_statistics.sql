-- Triggers that write many rows into new tables in less time: they use the primary key in tables without statistics, and
-- change fewer rows a second time.

-- LINKS -------------------------------------------------------------------------------------------------------

-- Which posted row is the same payment as a pending one: it links to it, on the same account and of the same type. The
-- link of a transfer or a refund means something else.
--
-- `is not distinct from` keeps PostgreSQL from the index of an account, with which it would read all rows of the account.
-- An account is never null.
create or replace view passbook.posted_twins with (security_invoker = true) as
  select twin.user_id, pending.transaction_id as pending_id, twin.transaction_id
  from passbook.transactions as twin
  join passbook.transactions as pending
    on pending.user_id = twin.user_id and pending.transaction_id = twin.linked_transaction_id
  where pending.pending and not twin.pending
    and twin.type <> 'INTERNAL_TRANSFER' and twin.category <> 'REFUND'
    and twin.account_id is not distinct from pending.account_id and twin.type = pending.type
    and twin.linked_transaction_id is not null;

-- Stores the derived columns of a row. Values that a statement gives for these columns are never stored.
create or replace function passbook.derive_row() returns trigger
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
    new.converted_cents := passbook_read.convert_on(new.amount_cents, new.currency, state_currency, new.date);
  end if;
  return new;
end
$$;

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
-- first statement wrote. `merchant_bounds` has two indexes, so its rows are found by `on conflict`: a `merge` into a table
-- without statistics may read all merchants of a category and year for each of them. Without `enable_sort`, rows are grouped
-- in a hash table: PostgreSQL expects few rows with a merchant, and would sort the many.
create or replace function passbook.apply_totals() returns trigger
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
