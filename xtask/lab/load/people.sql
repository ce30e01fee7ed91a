-- The people of the load tests. "heavy" has 100,000 rows over 20 years with amounts in a foreign currency, "wide" has
-- 100,000 rows in the 25 months that are searched for recurring payments, and 50 others have 400 rows each.
\set ON_ERROR_STOP on
set client_min_messages = warning;

create temporary table people as
select
  number, md5('user ' || number)::uuid as user_id, md5('account ' || number)::uuid as account_id,
  case number when 1 then 'heavy' when 2 then 'wide' else 'person-' || number - 2 end as name,
  case when number <= 2 then 100000 else 400 end as rows,
  case number when 2 then 755 else 7300 end as days
from generate_series(1, 52) as number;
grant select on people to passbook_writer;
set role passbook_writer;

insert into passbook.exchange_rates (currency, date, rate)
select 'USD', day::date, 1.1
from generate_series(current_date - 7400, current_date, interval '7 days') as day;

insert into passbook.users (user_id, email, preferred_currency, time_zone)
select user_id, name || '@bench.example', 'EUR', 'Europe/Berlin' from people;
insert into passbook.bank_connections (user_id, bank_id, name, last_successful_update)
select user_id, user_id, 'Bank', now() from people;
insert into passbook.accounts (
  user_id, account_id, bank_id, name, type, subtype, currency, balance_cents, balance_updated_at)
select user_id, account_id, user_id, 'Account', 'depository', 'checking', 'USD', 0, now() from people;

insert into passbook.transactions (
  user_id, transaction_id, account_id, date, type, category, amount_cents, currency, title, merchant_name)
select
  user_id, md5(number || ' ' || n)::uuid, account_id, current_date - (n::bigint * days / rows)::integer,
  'EXPENSE', 'GROCERIES', 100 + n::bigint * 7919 % 90000, 'USD', 'PAYMENT ' || n, 'Merchant ' || n::bigint * 104729 % 3000
from people cross join generate_series(0, rows - 1) as n;
reset role;
vacuum (analyze);
