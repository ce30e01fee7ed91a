-- Regular payments of the person whose recurring payments are measured: 40 monthly streams over 25 months, which make
-- 1,000 of the 5,000 rows in the window of the detection.
-- Variables of psql: last_day.
\set ON_ERROR_STOP on
set role passbook_writer;

insert into passbook.transactions (
  user_id, transaction_id, account_id, date, type, category, amount_cents, currency, title, merchant_name)
select
  p.user_id, bench.id('regular', stream, month), bench.id('account', p.person, stream % 3),
  (:'last_day'::date - stream % 28 - month * interval '1 month')::date,
  'EXPENSE', m.category, 500 + stream * 250 + floor(bench.draw(stream, month, 21) * stream), p.currency,
  upper(m.name) || ' ' || month, m.name
from bench.people as p
cross join generate_series(0, 39) as stream
cross join generate_series(0, 24) as month
join bench.merchants as m on m.rank = 5000 - stream
where p.email = 'recurring@bench.example';
