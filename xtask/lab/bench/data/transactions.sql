-- One batch of the transactions. Batch B of N holds the same part of the history of each measured person, in the order of
-- the days, and the whole history of some of the others: the rows of a measured person are scattered over the pages of the
-- table, as after years of daily imports. The people are divided into parts, whose rows can be stored at the same time.
-- Of 100 rows, 2 are pending and 1 is linked: a posted row to its pending one, a refund to its purchase, or a transfer
-- to its other leg. 20 % of the rows are in a foreign currency. Merchants follow Zipf's law.
-- Variables of psql: batch from 0, batches, part from 0, parts, last_day.
\set ON_ERROR_STOP on
set client_min_messages = warning;
set role passbook_writer;

with numbered as (
  select
    p.person, p.user_id, p.rows, p.days, n, n % 100 as place, n / 100 % 4 as block
  from bench.people as p
  cross join lateral (
    select p.rows::bigint * :batch / :batches, p.rows::bigint * (:batch + 1) / :batches - 1 where p.person <= 100
    union all
    select 0, p.rows - 1 where p.person > 100 and p.person / :parts % :batches = :batch
  ) as chosen (first, last)
  cross join generate_series(chosen.first, chosen.last) as n
  where p.person % :parts = :part
), linked as (
  select
    numbered.*,
    case
      when place = 1 and block in (0, 2) then n - 1
      when place = 60 and block = 1 then n - 50
      when place = 21 and block = 3 then n - 1
    end as link
  from numbered
), typed as (
  select
    linked.*,
    -- A linked row repeats account, merchant and amount of the row that its link names.
    coalesce(link, n) as source,
    case
      when place in (0, 2, 10) or place = 1 and block in (0, 2) then 'EXPENSE'
      when place = 60 and block = 1 then 'REFUND'
      when place in (20, 21) and block = 3 then 'INTERNAL_TRANSFER'
      when bench.draw(person, n, 11) < 0.06 then 'INTERNAL_TRANSFER'
      when bench.draw(person, n, 11) < 0.14 then 'INCOME'
      else 'EXPENSE'
    end as kind
  from linked
), priced as (
  select
    typed.*,
    case
      when place = 20 and block = 3 then 0
      when place = 21 and block = 3 then 1
      when bench.draw(person, source, 12) < 0.2 then 3 + floor(3 * bench.draw(person, source, 13))
      else floor(3 * bench.draw(person, source, 13))
    end::integer as account,
    m.name as merchant, m.category as merchant_category,
    floor(exp(4.6 + bench.draw(person, source, 15) * case when kind = 'INCOME' then 8.5 else 6.5 end))::bigint as cents
  from typed
  join bench.merchants as m on m.rank = floor(exp(bench.draw(person, source, 14) * ln(5041)))
)
insert into passbook.transactions (
  user_id, transaction_id, account_id, date, type, category, amount_cents, currency, title, pending,
  provider_category, merchant_name, linked_transaction_id)
select
  p.user_id, bench.id('transaction', p.person, n), a.account_id,
  :'last_day'::date - p.days + 1 + floor((n + bench.draw(p.person, n, 16)) / p.rows * p.days)::integer,
  case kind when 'REFUND' then 'INCOME' else kind end,
  case kind
    when 'EXPENSE' then merchant_category
    when 'INCOME' then (select c.category from bench.categories as c
      where c.category_kind = 'income' and c.number = floor(7 * bench.draw(p.person, n, 17)))
    when 'REFUND' then 'REFUND'
    else case when place = 21 or place <> 20 and bench.draw(p.person, n, 17) < 0.5 then 'TRANSFER_IN' else 'TRANSFER_OUT' end
  end,
  cents, a.currency, upper(merchant) || ' ' || lpad(floor(bench.draw(p.person, n, 18) * 1000000)::text, 6, '0'),
  place in (0, 2),
  case when bench.draw(p.person, n, 19) < 0.5 then 'GENERAL_' || merchant_category end,
  case when bench.draw(p.person, n, 20) >= 0.08 then merchant end,
  bench.id('transaction', p.person, link)
from priced as p
join passbook.accounts as a
  on a.user_id = p.user_id and a.account_id = bench.id('account', p.person, p.account)
order by n::double precision / p.rows, p.person;
