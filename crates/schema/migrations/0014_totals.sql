-- Totals of income, expenses and refunds, stored by day, month and year, so that a query over decades reads a few hundred
-- rows. Triggers change them in the transaction of the writer, by the difference that a statement makes.
--
-- Which rows count: no transfer, no row that is replaced by its posted twin. Each row is converted and rounded on its own
-- before it is added (`converted_cents`). Excluded categories are left out when totals are read, because a change of the
-- excluded categories must not change stored totals.
--
-- Writers of one user run one after the other: `derive_row` and `apply_totals` lock the row of `derived_states`. So two
-- writers never change the same total at the same time.

-- TABLES ------------------------------------------------------------------------------------------------------

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
  primary key (user_id, account_id, unit, kind, category, first_day, pending, currency)
);

-- Expenses by merchant. The unit `all` has one row for all days, with the first day -infinity.
create table passbook.merchant_totals (
  user_id uuid not null,
  unit text collate "C" not null check (unit in ('month', 'all')),
  merchant_key text collate "C" not null,
  first_day date not null,
  category text collate "C" not null,
  pending boolean not null,
  currency text collate "C" not null,
  transaction_count bigint not null,
  cents numeric not null,
  primary key (user_id, unit, merchant_key, first_day, category, pending, currency)
);

do $$
declare
  derived text;
begin
  foreach derived in array array['totals', 'account_totals', 'merchant_totals'] loop
    execute format('alter table passbook.%I enable row level security', derived);
    execute format('alter table passbook.%I force row level security', derived);
    execute format(
      'create policy own_rows on passbook.%I to passbook_owner using (user_id = (select passbook.current_user_id()))',
      derived);
    execute format(
      'create policy writer on passbook.%I to passbook_writer using (true) with check (true)', derived);
    execute format('grant select, insert, update, delete on passbook.%I to passbook_writer', derived);
  end loop;
end
$$;

-- The newest row of a merchant, which has the spelling that is shown, and the rows of a merchant.
create index transactions_by_merchant on passbook.transactions (user_id, merchant_key, date desc, transaction_id desc)
  where type = 'EXPENSE' and merchant_key is not null;

-- The refunds of purchases.
create index transactions_refunds on passbook.transactions (user_id, date) where purchase_category is not null;

-- THE PLAIN COMPUTATION ---------------------------------------------------------------------------------------

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
  select c.user_id, units.unit,
    case units.unit when 'all' then '-infinity' else date_trunc(units.unit, c.date::timestamp)::date end as first_day,
    c.merchant_key, c.category, c.pending, c.currency, count(*) as transaction_count, sum(c.cents) as cents
  from passbook.contributions as c
  cross join (values ('month'), ('all')) as units (unit)
  where c.merchant_key is not null
  group by 1, 2, 3, 4, 5, 6, 7;

grant select on passbook.contributions, passbook.computed_totals, passbook.computed_account_totals,
  passbook.computed_merchant_totals to passbook_writer;

-- The totals of the rows that are stored already. The owner sees the rows of all users while row-level security is not
-- forced.
alter table passbook.transactions no force row level security;
alter table passbook.totals no force row level security;
alter table passbook.account_totals no force row level security;
alter table passbook.merchant_totals no force row level security;

insert into passbook.totals (user_id, unit, kind, category, first_day, pending, currency, transaction_count, cents)
select c.user_id, c.unit, c.kind, c.category, c.first_day, c.pending, c.currency, c.transaction_count, c.cents
from passbook.computed_totals as c;

insert into passbook.account_totals
  (user_id, account_id, unit, kind, category, first_day, pending, currency, transaction_count, cents)
select c.user_id, c.account_id, c.unit, c.kind, c.category, c.first_day, c.pending, c.currency, c.transaction_count, c.cents
from passbook.computed_account_totals as c;

insert into passbook.merchant_totals
  (user_id, unit, first_day, merchant_key, category, pending, currency, transaction_count, cents)
select c.user_id, c.unit, c.first_day, c.merchant_key, c.category, c.pending, c.currency, c.transaction_count, c.cents
from passbook.computed_merchant_totals as c;

alter table passbook.transactions force row level security;
alter table passbook.totals force row level security;
alter table passbook.account_totals force row level security;
alter table passbook.merchant_totals force row level security;

-- Triggers of the writer write the totals, and `derive_all`. Every other statement is rejected.
do $$
declare
  derived text;
begin
  drop trigger reject_direct_write on passbook.derived_states;
  drop trigger reject_direct_write on passbook.rate_state;
  foreach derived in array array['derived_states', 'rate_state', 'totals', 'account_totals', 'merchant_totals'] loop
    execute format(
      'create trigger reject_direct_write before insert or update or delete on passbook.%I for each statement
         when (pg_trigger_depth() = 0 and current_setting(''passbook.deriving'', true) is distinct from ''on'')
         execute function passbook.reject_direct_write()', derived);
  end loop;
end
$$;
