-- Totals by merchant also by account, upper bounds that find the largest merchants without reading all of them, and indexes
-- that answer filters and incomplete months without reading rows of the table.

-- CATEGORIES --------------------------------------------------------------------------------------------------

-- `transactions_category_side_fkey` implies it: the side of a row is never null.
alter table passbook.transactions drop constraint transactions_category_fkey;

-- Totals are read by the categories of the reference table. So a category outside that table must not get into a total, or
-- it would be missing from every answer. Null for the total of all categories, which has no foreign key.
alter table passbook.account_totals add column side text collate "C" generated always as (
  case when category = '' then null when kind = 'INCOME' then 'income' else 'expense' end) stored;
alter table passbook.account_totals
  add foreign key (category, side) references passbook.categories (category, side);

-- INDEXES -----------------------------------------------------------------------------------------------------

-- The included columns answer the filters of lists and of totals, so only the rows of a page are read from the table. The
-- order by amount has no texts: a search for text reads the other index, and then orders what it found.
drop index passbook.transactions_newest;
create index transactions_newest on passbook.transactions (user_id, date desc, transaction_id desc)
  include (account_id, amount_cents, pending, replaced, type, category, currency, merchant_search, title_search,
    converted_cents);
drop index passbook.transactions_by_amount;
create index transactions_by_amount on passbook.transactions
  (user_id, converted_cents desc nulls last, date desc, transaction_id desc)
  include (account_id, amount_cents, pending, replaced, type, category);

-- The included columns answer totals of some accounts on the days of incomplete months.
drop index passbook.transactions_by_account;
create index transactions_by_account on passbook.transactions (user_id, account_id, date desc, transaction_id desc)
  include (type, category, amount_cents, pending, replaced, currency, converted_cents, purchase_category);

-- The included columns answer totals of some merchants on the days of incomplete months.
drop index passbook.transactions_by_merchant;
create index transactions_by_merchant on passbook.transactions (user_id, merchant_key, date desc, transaction_id desc)
  include (category, account_id, amount_cents, pending, replaced, currency, converted_cents)
  where type = 'EXPENSE' and merchant_key is not null;

-- MERCHANTS ---------------------------------------------------------------------------------------------------

drop function passbook_read.merchant_sums(text[], date, date, boolean, boolean, text[], boolean);
drop view passbook_read.merchant_totals, passbook.computed_merchant_totals;
drop table passbook.merchant_totals;

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

grant select on passbook.computed_merchant_totals, passbook.computed_merchant_bounds to passbook_writer;

-- The totals of the rows that are stored already. The owner sees the rows of all users while row-level security is not
-- forced on transactions.
alter table passbook.transactions no force row level security;

insert into passbook.merchant_totals
  (user_id, unit, merchant_key, first_day, account_id, category, pending, currency, transaction_count, cents)
select c.user_id, c.unit, c.merchant_key, c.first_day, c.account_id, c.category, c.pending, c.currency,
  c.transaction_count, c.cents
from passbook.computed_merchant_totals as c;

insert into passbook.merchant_bounds (user_id, category, first_day, merchant_key, transaction_count, cents)
select c.user_id, c.category, c.first_day, c.merchant_key, c.transaction_count, c.cents
from passbook.computed_merchant_bounds as c;

alter table passbook.transactions force row level security;

do $$
declare
  derived text;
begin
  foreach derived in array array['merchant_totals', 'merchant_bounds'] loop
    execute format('alter table passbook.%I enable row level security', derived);
    execute format('alter table passbook.%I force row level security', derived);
    execute format(
      'create policy own_rows on passbook.%I to passbook_owner using (user_id = (select passbook.current_user_id()))',
      derived);
    execute format('create policy writer on passbook.%I to passbook_writer using (true) with check (true)', derived);
    execute format('grant select, insert, update, delete on passbook.%I to passbook_writer', derived);
    execute format(
      'create trigger reject_direct_write before insert or update or delete on passbook.%I for each statement
         when (pg_trigger_depth() = 0 and current_setting(''passbook.deriving'', true) is distinct from ''on'')
         execute function passbook.reject_direct_write()', derived);
  end loop;
end
$$;
