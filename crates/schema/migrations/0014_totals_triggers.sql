-- The triggers that keep the totals right, and the functions that check derived data and derive them again.

-- TRIGGERS ----------------------------------------------------------------------------------------------------

-- Adds the rows of the transition table to the totals, or subtracts them: the argument is 1 or -1. A total of no
-- transaction is deleted. An update runs this function twice, first with the new rows and then with the old ones, so that
-- no total is deleted and created again.
create function passbook.apply_totals() returns trigger
language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set jit = off set work_mem = '64MB'
as $$
declare
  former_user text := current_setting('app.user_id', true);
  one_pass uuid;
  written uuid[] := array(select distinct rows.user_id from rows order by rows.user_id);
begin
  if written = '{}' then
    return null;
  end if;
  for one_pass in select passes from passbook.passes(written) loop
    if one_pass is not null then
      perform set_config('app.user_id', one_pass::text, true);
    end if;
    perform from passbook.derived_states as states
    where states.user_id = any (written) order by states.user_id for no key update;
    if tg_argv[0] = '1' then
      with days as materialized (
        select r.user_id, p.kind, p.category, r.date as day, r.pending,
          case when r.converted_cents is null then r.currency else '' end as currency,
          count(*) as transaction_count, sum(coalesce(r.converted_cents, r.amount_cents)) as cents
        from rows as r
        cross join lateral (values (r.type, r.category), ('REFUND', r.purchase_category)) as p (kind, category)
        where not r.replaced and r.type <> 'INTERNAL_TRANSFER' and p.category is not null
          and (one_pass is null or r.user_id = one_pass)
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
      insert into passbook.totals as stored
        (unit, user_id, kind, category, first_day, pending, currency, transaction_count, cents)
      select * from (
        select u.* from units as u
        union all
        select u.unit, u.user_id, u.kind, '', u.day, u.pending, u.currency, sum(u.transaction_count), sum(u.cents)
        from units as u where u.kind = 'EXPENSE' group by 1, 2, 3, 5, 6, 7) as added
      order by 2, 1, 3, 4, 5, 6, 7
      on conflict (user_id, unit, kind, category, first_day, pending, currency) do update
        set transaction_count = stored.transaction_count + excluded.transaction_count,
          cents = stored.cents + excluded.cents;

      with months as materialized (
        select r.user_id, r.account_id, p.kind, p.category, date_trunc('month', r.date::timestamp)::date as day, r.pending,
          case when r.converted_cents is null then r.currency else '' end as currency,
          count(*) as transaction_count, sum(coalesce(r.converted_cents, r.amount_cents)) as cents
        from rows as r
        cross join lateral (values (r.type, r.category), ('REFUND', r.purchase_category)) as p (kind, category)
        where not r.replaced and r.type <> 'INTERNAL_TRANSFER' and p.category is not null
          and (one_pass is null or r.user_id = one_pass)
        group by 1, 2, 3, 4, 5, 6, 7
      ), units as materialized (
        select 'month' as unit, m.* from months as m
        union all
        select 'year', m.user_id, m.account_id, m.kind, m.category, date_trunc('year', m.day::timestamp)::date, m.pending,
          m.currency, sum(m.transaction_count), sum(m.cents)
        from months as m group by 2, 3, 4, 5, 6, 7, 8
      )
      insert into passbook.account_totals as stored
        (unit, user_id, account_id, kind, category, first_day, pending, currency, transaction_count, cents)
      select * from (
        select u.* from units as u
        union all
        select u.unit, u.user_id, u.account_id, u.kind, '', u.day, u.pending, u.currency, sum(u.transaction_count),
          sum(u.cents)
        from units as u where u.kind = 'EXPENSE' group by 1, 2, 3, 4, 6, 7, 8) as added
      order by 2, 3, 1, 4, 5, 6, 7, 8
      on conflict (user_id, account_id, unit, kind, category, first_day, pending, currency) do update
        set transaction_count = stored.transaction_count + excluded.transaction_count,
          cents = stored.cents + excluded.cents;

      with months as materialized (
        select r.user_id, date_trunc('month', r.date::timestamp)::date as day, r.merchant_key, r.category, r.pending,
          case when r.converted_cents is null then r.currency else '' end as currency,
          count(*) as transaction_count, sum(coalesce(r.converted_cents, r.amount_cents)) as cents
        from rows as r
        where not r.replaced and r.type = 'EXPENSE' and r.merchant_key is not null
          and (one_pass is null or r.user_id = one_pass)
        group by 1, 2, 3, 4, 5, 6
      )
      insert into passbook.merchant_totals as stored
        (unit, user_id, first_day, merchant_key, category, pending, currency, transaction_count, cents)
      select * from (
        select 'month' as unit, m.* from months as m
        union all
        select 'all', m.user_id, '-infinity', m.merchant_key, m.category, m.pending, m.currency, sum(m.transaction_count),
          sum(m.cents)
        from months as m group by 2, 4, 5, 6, 7) as added
      order by 2, 1, 4, 3, 5, 6, 7
      on conflict (user_id, unit, merchant_key, first_day, category, pending, currency) do update
        set transaction_count = stored.transaction_count + excluded.transaction_count,
          cents = stored.cents + excluded.cents;
    else
      with days as materialized (
        select r.user_id, p.kind, p.category, r.date as day, r.pending,
          case when r.converted_cents is null then r.currency else '' end as currency,
          count(*) as transaction_count, sum(coalesce(r.converted_cents, r.amount_cents)) as cents
        from rows as r
        cross join lateral (values (r.type, r.category), ('REFUND', r.purchase_category)) as p (kind, category)
        where not r.replaced and r.type <> 'INTERNAL_TRANSFER' and p.category is not null
          and (one_pass is null or r.user_id = one_pass)
        group by 1, 2, 3, 4, 5, 6
      ), units as materialized (
        select 'day' as unit, d.* from days as d
        union all
        select units.unit, d.user_id, d.kind, d.category, date_trunc(units.unit, d.day::timestamp)::date, d.pending,
          d.currency, sum(d.transaction_count), sum(d.cents)
        from days as d cross join (values ('month'), ('year')) as units (unit)
        group by 1, 2, 3, 4, 5, 6, 7
      ), subtracted as materialized (
        select u.* from units as u
        union all
        select u.unit, u.user_id, u.kind, '', u.day, u.pending, u.currency, sum(u.transaction_count), sum(u.cents)
        from units as u where u.kind = 'EXPENSE' group by 1, 2, 3, 5, 6, 7
      ), emptied as (
        delete from passbook.totals as stored using subtracted as s
        where stored.user_id = s.user_id and stored.unit = s.unit and stored.kind = s.kind
          and stored.category = s.category and stored.first_day = s.day and stored.pending = s.pending
          and stored.currency = s.currency and stored.transaction_count = s.transaction_count
      )
      update passbook.totals as stored
      set transaction_count = stored.transaction_count - s.transaction_count, cents = stored.cents - s.cents
      from subtracted as s
      where stored.user_id = s.user_id and stored.unit = s.unit and stored.kind = s.kind
        and stored.category = s.category and stored.first_day = s.day and stored.pending = s.pending
        and stored.currency = s.currency and stored.transaction_count <> s.transaction_count;

      with months as materialized (
        select r.user_id, r.account_id, p.kind, p.category, date_trunc('month', r.date::timestamp)::date as day, r.pending,
          case when r.converted_cents is null then r.currency else '' end as currency,
          count(*) as transaction_count, sum(coalesce(r.converted_cents, r.amount_cents)) as cents
        from rows as r
        cross join lateral (values (r.type, r.category), ('REFUND', r.purchase_category)) as p (kind, category)
        where not r.replaced and r.type <> 'INTERNAL_TRANSFER' and p.category is not null
          and (one_pass is null or r.user_id = one_pass)
        group by 1, 2, 3, 4, 5, 6, 7
      ), units as materialized (
        select 'month' as unit, m.* from months as m
        union all
        select 'year', m.user_id, m.account_id, m.kind, m.category, date_trunc('year', m.day::timestamp)::date, m.pending,
          m.currency, sum(m.transaction_count), sum(m.cents)
        from months as m group by 2, 3, 4, 5, 6, 7, 8
      ), subtracted as materialized (
        select u.* from units as u
        union all
        select u.unit, u.user_id, u.account_id, u.kind, '', u.day, u.pending, u.currency, sum(u.transaction_count),
          sum(u.cents)
        from units as u where u.kind = 'EXPENSE' group by 1, 2, 3, 4, 6, 7, 8
      ), emptied as (
        delete from passbook.account_totals as stored using subtracted as s
        where stored.user_id = s.user_id and stored.account_id = s.account_id and stored.unit = s.unit
          and stored.kind = s.kind and stored.category = s.category and stored.first_day = s.day
          and stored.pending = s.pending and stored.currency = s.currency
          and stored.transaction_count = s.transaction_count
      )
      update passbook.account_totals as stored
      set transaction_count = stored.transaction_count - s.transaction_count, cents = stored.cents - s.cents
      from subtracted as s
      where stored.user_id = s.user_id and stored.account_id = s.account_id and stored.unit = s.unit
        and stored.kind = s.kind and stored.category = s.category and stored.first_day = s.day
        and stored.pending = s.pending and stored.currency = s.currency
        and stored.transaction_count <> s.transaction_count;

      with months as materialized (
        select r.user_id, date_trunc('month', r.date::timestamp)::date as day, r.merchant_key, r.category, r.pending,
          case when r.converted_cents is null then r.currency else '' end as currency,
          count(*) as transaction_count, sum(coalesce(r.converted_cents, r.amount_cents)) as cents
        from rows as r
        where not r.replaced and r.type = 'EXPENSE' and r.merchant_key is not null
          and (one_pass is null or r.user_id = one_pass)
        group by 1, 2, 3, 4, 5, 6
      ), subtracted as materialized (
        select 'month' as unit, m.* from months as m
        union all
        select 'all', m.user_id, '-infinity', m.merchant_key, m.category, m.pending, m.currency, sum(m.transaction_count),
          sum(m.cents)
        from months as m group by 2, 4, 5, 6, 7
      ), emptied as (
        delete from passbook.merchant_totals as stored using subtracted as s
        where stored.user_id = s.user_id and stored.unit = s.unit and stored.first_day = s.day
          and stored.merchant_key = s.merchant_key and stored.category = s.category and stored.pending = s.pending
          and stored.currency = s.currency and stored.transaction_count = s.transaction_count
      )
      update passbook.merchant_totals as stored
      set transaction_count = stored.transaction_count - s.transaction_count, cents = stored.cents - s.cents
      from subtracted as s
      where stored.user_id = s.user_id and stored.unit = s.unit and stored.first_day = s.day
        and stored.merchant_key = s.merchant_key and stored.category = s.category and stored.pending = s.pending
        and stored.currency = s.currency and stored.transaction_count <> s.transaction_count;
    end if;
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
  truncate passbook.totals, passbook.account_totals, passbook.merchant_totals;
  return null;
end
$$;

create trigger truncate_totals after truncate on passbook.transactions
  for each statement execute function passbook.truncate_totals();

-- DERIVING AGAIN ----------------------------------------------------------------------------------------------

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
    and computed.merchant_key = stored.merchant_key and computed.category = stored.category
    and computed.pending = stored.pending and computed.currency = stored.currency
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
  insert into passbook.totals (user_id, unit, kind, category, first_day, pending, currency, transaction_count, cents)
  select c.user_id, c.unit, c.kind, c.category, c.first_day, c.pending, c.currency, c.transaction_count, c.cents
  from passbook.computed_totals as c;
  insert into passbook.account_totals
    (user_id, account_id, unit, kind, category, first_day, pending, currency, transaction_count, cents)
  select c.user_id, c.account_id, c.unit, c.kind, c.category, c.first_day, c.pending, c.currency, c.transaction_count,
    c.cents
  from passbook.computed_account_totals as c;
  insert into passbook.merchant_totals
    (user_id, unit, first_day, merchant_key, category, pending, currency, transaction_count, cents)
  select c.user_id, c.unit, c.first_day, c.merchant_key, c.category, c.pending, c.currency, c.transaction_count, c.cents
  from passbook.computed_merchant_totals as c;
  perform set_config('passbook.deriving', '', true);
end
$$;
