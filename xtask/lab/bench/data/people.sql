-- The people of the benchmark, their accounts, the merchants and the exchange rates. Everything is computed from hashes
-- of numbers, so every run makes the same rows.
-- Variables of psql: people = number of other people, scale = divisor of the rows of the measured people, last_day = the
-- last day of the data.
\set ON_ERROR_STOP on
set client_min_messages = warning;
create schema bench;
grant usage on schema bench to passbook_writer;

-- A number from 0 up to, but not including, 1. The same person, number and purpose give the same result.
create function bench.draw(person integer, number bigint, purpose integer) returns double precision
language sql immutable strict parallel safe as $$
  select (hashint8extended((person::bigint << 32) + number, purpose) & 9007199254740991)::double precision
    / 9007199254740992
$$;

create function bench.id(kind text, person integer, number bigint) returns uuid
language sql immutable strict parallel safe as $$
  select md5(kind || ' ' || person || ' ' || number)::uuid
$$;

-- The people whose requests are measured come first. The others have 2,000 rows each over 36 months to 20 years.
create table bench.people as
select
  measured.person, bench.id('user', measured.person, 0) as user_id, measured.email || '@bench.example' as email,
  measured.rows / :scale as rows, measured.days, 'EUR' as currency
from (values
  (1, 'rows-10000', 10000, 7304), (2, 'rows-100000', 100000, 7304), (3, 'rows-1000000', 1000000, 7304),
  (4, 'recurring', 4000, 760), (5, 'portfolio', 2000, 3652)
) as measured (person, email, rows, days)
where :people <= 100 or measured.person in (2)
union all
select
  100 + n, bench.id('user', 100 + n, 0), 'person-' || n || '@bench.example', 2000,
  1096 + floor(bench.draw(100 + n, 0, 1) * 6208)::integer, case when n % 5 = 0 then 'USD' else 'EUR' end
from generate_series(1, :people) as n;
alter table bench.people add primary key (person);

-- 60 categories: 50 of expenses, 7 of income and the 3 of transfers.
create table bench.categories as
select category_kind, row_number() over (partition by category_kind order by category collate "C")::integer - 1 as number,
  category
from passbook.categories
where category not in ('TRANSFER_IN', 'TRANSFER_OUT', 'CREDIT_CARD_PAYMENT', 'REFUND');
delete from bench.categories where number >= case category_kind when 'expense' then 50 else 7 end;

-- 5,040 merchants, some with accents.
create table bench.merchants as
select
  row_number() over (order by md5(first || second || city))::integer as rank,
  first || ' ' || second || ' ' || city as name,
  (select c.category from bench.categories as c
    where c.category_kind = 'expense' and c.number = floor(50 * power(bench.draw(0, hashtext(first || second || city), 2), 1.5))
  ) as category
from
  unnest(array['Café', 'Bäckerei', 'Super', 'Urban', 'Green', 'Nord', 'Alpha', 'Prime', 'Blue', 'Old', 'Royal', 'City',
    'Maison', 'Casa', 'Golden', 'Fresh', 'Silver', 'Metro', 'Atlas', 'Vélo', 'Grand', 'Pure', 'Rapid', 'Kleine']) as first,
  unnest(array['Market', 'Kitchen', 'Books', 'Energy', 'Mobile', 'Garden', 'Sports', 'Pharmacy', 'Travel', 'Fuel',
    'Fashion', 'Bikes', 'Insurance', 'Records', 'Studio']) as second,
  unnest(array['Berlin', 'Zürich', 'London', 'Paris', 'Wien', 'Oslo', 'Madrid', 'Kraków', 'Lisboa', 'Dublin', 'Göteborg',
    'Boston', 'Austin', 'Seattle']) as city;
alter table bench.merchants add primary key (rank);
grant select on all tables in schema bench to passbook_writer;
grant execute on all functions in schema bench to passbook_writer;

set role passbook_writer;
begin;

-- A rate for each working day: 20 years and the month before.
insert into passbook.exchange_rates (currency, date, rate)
select quoted.currency, day::date,
  round((quoted.level * (1 + 0.12 * sin(extract(epoch from day) / 86400 / quoted.period)))::numeric, 4)
from generate_series(:'last_day'::date - 7400, :'last_day'::date, interval '1 day') as day
cross join (values ('USD', 1.12, 310.0), ('GBP', 0.85, 420.0), ('CHF', 1.08, 530.0)) as quoted (currency, level, period)
where extract(isodow from day) < 6;

insert into passbook.users (user_id, email, preferred_currency, time_zone)
select p.user_id, p.email, p.currency, 'Europe/Berlin' from bench.people as p;

insert into passbook.excluded_categories (user_id, category)
select p.user_id, c.category
from bench.people as p
join bench.categories as c on c.category_kind = 'expense' and c.number in (p.person % 25, 25 + p.person % 25);

insert into passbook.bank_connections (user_id, bank_id, name, last_successful_update)
select p.user_id, bench.id('bank', p.person, n), 'Bank ' || chr(65 + n), :'last_day'::timestamptz
from bench.people as p cross join generate_series(0, 2) as n;

-- Accounts 0 to 2 are in the person's own currency, 3 to 5 in others. The person with the portfolio has 12.
insert into passbook.accounts (
  user_id, account_id, bank_id, name, type, subtype, currency, balance_cents, balance_updated_at)
select
  p.user_id, bench.id('account', p.person, n), bench.id('bank', p.person, n % 3), 'Account ' || chr(65 + n),
  'depository', 'checking',
  case n % 6
    when 3 then case p.currency when 'EUR' then 'USD' else 'EUR' end
    when 4 then 'GBP' when 5 then 'CHF' else p.currency end,
  floor(bench.draw(p.person, n, 3) * 2000000), :'last_day'::timestamptz
from bench.people as p cross join generate_series(0, case p.email when 'portfolio@bench.example' then 11 else 5 end) as n;

-- Ten years of balances: every account changes every third day.
insert into passbook.balance_snapshots (user_id, account_id, date, balance_cents)
select p.user_id, bench.id('account', p.person, n), day::date, floor(bench.draw(p.person, n * 10000 + day_number, 4) * 2000000)
from bench.people as p
cross join generate_series(0, 11) as n
cross join generate_series(:'last_day'::date - 3652, :'last_day'::date, interval '3 days') with ordinality as days (day, day_number)
where p.email = 'portfolio@bench.example';

insert into passbook.budgets (user_id, budget_id, category, target_cents, currency)
select p.user_id, bench.id('budget', p.person, c.number), c.category, 20000 + 1000 * c.number, p.currency
from bench.people as p
join bench.categories as c on c.category_kind = 'expense' and c.number < 12;
commit;
