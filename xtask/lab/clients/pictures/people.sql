-- The people whose views `people.mjs` compares with REST: empty, small, evil, debt and wide. The demo household is the
-- sixth. Everything is computed from numbers, so every run of a day makes the same rows.
-- Variables of psql: rows = transactions of the wide person.
\set ON_ERROR_STOP on
set client_min_messages = warning;

create temporary table people as
select kind, md5(kind)::uuid as user_id, row_count, accounts, digits
from (values ('empty', 0, 0, 0), ('small', 1, 1, 3), ('evil', 300, 4, 4), ('debt', 300, 6, 10), ('wide', :rows, 40, 5))
  as kinds (kind, row_count, accounts, digits);

-- Texts of third parties. None may become an element, need more space than there is, or turn the text around it.
create temporary table names as
select kind, number, left(word || case kind when 'evil' then ' ' || hostile else ' shop' end, 200) as name
from people
cross join generate_series(0, 1999) as number
cross join lateral (values (chr(65 + number % 26) || chr(97 + number / 26 % 26) || 'a', (array[
  '<img src=x onerror=alert(1)>"''&amp;</script><b>', repeat('W', 200), E'\u202egnirts desrever\u202c \u05e2\u05d1\u05e8\u05d9\u05ea',
  'Z' || repeat(E'\u0351\u036b', 40) || 'algo'])[1 + number % 4])) as texts (word, hostile);

create temporary table categories as
select category_kind, category, row_number() over (partition by category_kind order by category) - 1 as number
from passbook.categories
where category not in ('TRANSFER_IN', 'TRANSFER_OUT', 'CREDIT_CARD_PAYMENT', 'REFUND');
grant select on people, names, categories to passbook_writer;

set role passbook_writer;
begin;
insert into passbook.users (user_id, email) select user_id, kind || '@people.example' from people;

insert into passbook.bank_connections (user_id, bank_id, name, status, last_successful_update)
select user_id, md5('bank ' || number)::uuid, name, case number when 1 then 'ERROR' else 'CONNECTED' end, now() - number * interval '2 days'
from people join names using (kind)
where number < least(accounts, 4);

-- Every fourth account is in dollars, and one of the debts in a currency without a rate.
insert into passbook.accounts (user_id, account_id, bank_id, name, type, subtype, currency, balance_cents, balance_updated_at)
select
  user_id, md5('account ' || number)::uuid, md5('bank ' || number % 4)::uuid, name,
  case when kind = 'debt' then 'loan' else (array['depository', 'credit', 'investment'])[1 + number % 3] end, 'checking',
  case when kind = 'debt' and number = 5 then 'KWD' when number % 4 = 3 then 'USD' else 'EUR' end,
  case when kind = 'debt' or number % 3 = 1 then -1 else 1 end * (10 ^ digits)::bigint * (number + 12) + 34, now()
from people join names using (kind)
where number < accounts;

insert into passbook.balance_snapshots (user_id, account_id, date, balance_cents)
select a.user_id, a.account_id, current_date - 13 * week, a.balance_cents + a.balance_cents / 97 * week
from passbook.accounts as a join people using (user_id) cross join generate_series(1, 60) as week
where kind <> 'small';

insert into passbook.budgets (user_id, budget_id, category, target_cents, currency)
select user_id, md5('budget ' || number)::uuid, category, (10 ^ (digits - 2))::bigint * number, 'EUR'
from people join categories on category_kind = 'expense' and number between 1 and 9
where row_count > 1;

-- Two people have words of their own: the one with hostile names, and the one with more rows than any other.
insert into passbook.own_categories (user_id, own_category_id, name, category, parent_id)
select user_id, md5('own ' || n.number)::uuid, n.name, c.category, case when n.number > 7 then md5('own ' || n.number - 8)::uuid end
from people join names as n using (kind) join categories as c on category_kind = 'expense' and c.number = n.number
where kind in ('evil', 'wide') and n.number < 12;

insert into passbook.tags (user_id, tag_id, name)
select user_id, md5('tag ' || number)::uuid, name from people join names using (kind)
where kind in ('evil', 'wide') and number between 20 and 27;

-- The first 300 rows are twelve monthly payments over 25 months; the others are scattered over ten years.
insert into passbook.transactions (
  user_id, transaction_id, account_id, date, type, category, amount_cents, currency, title, merchant_name, pending)
select
  user_id, md5('transaction ' || n)::uuid, a.account_id,
  case when n < 300 then (current_date - n % 12 * 2 - n / 12 * interval '1 month')::date else current_date - n * 7919 % 3650 end,
  case c.category_kind when 'income' then 'INCOME' else 'EXPENSE' end, c.category,
  case when n < 300 then 7 * n % 12 + 3 else n * 7919 % 997 + 1 end * (10 ^ (digits - 2))::bigint + n / 150, a.currency, 'Title of ' || names.name, names.name, n % 300 = 299
from people
cross join lateral generate_series(0, row_count - 1) as n
join names using (kind)
join categories as c on c.category_kind = case n % 6 when 5 then 'income' else 'expense' end
join passbook.accounts as a using (user_id)
where names.number = case when n < 300 then n % 12 else n % 2000 end
  and c.number = names.number % case n % 6 when 5 then 8 else 60 end
  and a.account_id = md5('account ' || n % accounts)::uuid;

-- Two of three rows have an own category, every second a tag and every fourth two.
insert into passbook.transaction_labels (user_id, transaction_id, given_own_category_id, given_note)
select user_id, md5('transaction ' || n)::uuid, case when n % 3 < 2 then md5('own ' || n % 12)::uuid end, case when n % 5 = 0 then name end
from people cross join lateral generate_series(0, row_count - 1) as n join names using (kind)
where kind in ('evil', 'wide') and number = n % 2000;

insert into passbook.transaction_tags (user_id, transaction_id, tag_id, is_given)
select distinct user_id, md5('transaction ' || n)::uuid, md5('tag ' || 20 + n / step % 8)::uuid, true
from people cross join lateral generate_series(0, row_count - 1) as n cross join (values (2), (4)) as steps (step)
where kind in ('evil', 'wide') and n % step = 0;
commit;
