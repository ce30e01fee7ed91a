-- One user's expenses in the session's days, and the refunds of expenses, in two parts: the merchants with the largest expenses
-- in order, by merchant and currency, and the total by currency, with a null merchant. A refund belongs to the merchant of its
-- purchase. A merchant is identified by its key and shown in its most recent spelling. A row without a merchant has its title.
--
-- Without a search text the largest merchants are found by upper bounds, which are stored by year and for all days, the
-- largest first. The sum of a merchant's bounds in the years of the range is at least its total. So the query computes the
-- totals of the merchants with the largest bounds, and then of every merchant whose bounds allow a larger total than the last
-- of them: at least one of the n bounds of such a merchant is at least an n-th of this total.
-- A variant has no filter (`crates/store/src/query.rs`).
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 maximum number of merchants,
-- $5 categories, $6 accounts, $7 search text, $8 own categories, $9 tags, $10 merchants
with lists as materialized (
  -- The lists of bounds: for each category one for each year of the range, or one for all days if the range is long.
  select named.category, years.period_start
  from unnest(coalesce($5::text[], '{ALL}')) as named (category)
  cross join (select case
    when not isfinite(passbook_read.first_day()) or not isfinite(passbook_read.last_total_day()) then true
    else passbook_read.last_total_day() - passbook_read.first_day() >= 1461 end as is_long) as shape
  cross join lateral (
    select '-infinity'::date as period_start where shape.is_long
    union all
    select passbook_read.month_first_day(years.first_month::date, passbook_read.month_start())
    -- No row if the first value is null.
    from generate_series(
      case when not shape.is_long then
        date_trunc('year', passbook_read.month_of(passbook_read.first_day(), passbook_read.month_start())::timestamp) end,
      passbook_read.month_of(passbook_read.last_total_day(), passbook_read.month_start())::timestamp,
      '1 year') as years (first_month)
  ) as years
  where row($7, $8, $9, $10)::passbook_read.row_search is null
), firsts as materialized (
  select array(
    select b.merchant_key
    from lists
    cross join lateral (
      select b.merchant_key, b.upper_bound_cents
      from passbook_read.merchant_upper_bounds as b
      where b.user_id = $1 and b.category = lists.category and b.period_start = lists.period_start
      order by b.upper_bound_cents desc
      limit greatest(2 * $4::bigint, 20)) as b
    group by b.merchant_key
    order by sum(b.upper_bound_cents) desc
    limit greatest(2 * $4::bigint, 20)) as keys
), first_parts as materialized (
  select s.merchant_key, s.unconverted_currency, s.transaction_count, s.cents, s.refund_count, s.refund_cents
  from firsts
  cross join lateral passbook_read.merchant_sums(
    firsts.keys, passbook_read.first_day(), passbook_read.last_total_day(), $2, $3, $5, $6) as s
  where s.user_id = $1
), lowest as materialized (
  -- The smallest bound that can belong to a larger total than that of the last place; 0 if there are fewer merchants.
  select least(9223372036854775807, floor(coalesce((
    select coalesce(sum(p.cents) filter (where p.unconverted_currency = ''), 0)
    from first_parts as p
    group by p.merchant_key
    order by 1 desc
    offset $4::bigint - 1 limit 1), 0) / greatest(1, (select count(*) from lists))))::bigint as bound
), others as materialized (
  select array(
    select b.merchant_key
    from lists
    cross join lateral (
      select b.merchant_key
      from passbook_read.merchant_upper_bounds as b
      where b.user_id = $1 and b.category = lists.category and b.period_start = lists.period_start
        and b.upper_bound_cents >= (select lowest.bound from lowest)
      offset 0) as b
    except
    select unnest(firsts.keys) from firsts) as keys
), parts as materialized (
  select p.* from first_parts as p
  union all
  select s.merchant_key, s.unconverted_currency, s.transaction_count, s.cents, s.refund_count, s.refund_cents
  from others
  cross join lateral passbook_read.merchant_sums(
    others.keys, passbook_read.first_day(), passbook_read.last_total_day(), $2, $3, $5, $6) as s
  where s.user_id = $1
  union all
  select t.merchant_key, case when t.converted_cents is null then t.currency else '' end, 1,
    coalesce(t.converted_cents, t.amount_cents), 0, 0
  from passbook_read.counted_transactions(
    passbook_read.first_day(), passbook_read.last_total_day(), $2, $3, $5, $6,
    row($7, $8, $9, $10)::passbook_read.row_search) as t
  where t.user_id = $1 and t.type = 'EXPENSE' and t.merchant_key is not null
    and not (row($7, $8, $9, $10)::passbook_read.row_search is null)
), merchants as materialized (
  select p.merchant_key, coalesce(sum(p.cents) filter (where p.unconverted_currency = ''), 0) as total
  from parts as p
  group by p.merchant_key
), largest as materialized (
  -- Among all merchants whose total is at least that of the last place: the name decides between equal totals.
  select m.merchant_key, named.merchant, row_number() over (order by m.total desc, named.merchant collate "C") as place
  from merchants as m
  cross join lateral (
    select passbook_read.trim_white_space(coalesce(t.merchant_name, t.title)) as merchant
    from passbook_read.counted_transactions(
      passbook_read.first_day(), passbook_read.last_total_day(), $2, $3, $5, $6,
      row($7, $8, $9, $10)::passbook_read.row_search) as t
    where t.user_id = $1 and t.type = 'EXPENSE' and t.merchant_key = m.merchant_key collate "default"
    order by t.date desc, t.transaction_id desc
    limit 1) as named
  where m.total >= coalesce((
    select last_place.total from merchants as last_place order by last_place.total desc offset $4::bigint - 1 limit 1), 0)
  order by place
  limit $4::bigint
), refunds as (
  -- Those that no stored total contains.
  select r.merchant_key, r.unconverted_currency, r.cents
  from passbook_read.split_range(passbook_read.first_day(), passbook_read.last_total_day(),
    case when row($7, $8, $9, $10)::passbook_read.row_search is null then 'month' else 'day' end,
    passbook_read.month_start()) as spans
  cross join lateral passbook_read.counted_refunds(spans.first_day, spans.last_day, $2, $3, $5, $6,
    row($7, $8, $9, $10)::passbook_read.row_search) as r
  where r.user_id = $1 and spans.period = 'day'
)
select
  s.place, s.merchant, coalesce(nullif(s.unconverted_currency, ''), profile.preferred_currency) as currency, s.count,
  s.cents::bigint as amount_cents, case when s.unconverted_currency = '' then s.cents::bigint end as converted_cents,
  s.refund_count, s.refund_cents::bigint as refund_cents
from (
  select l.place, l.merchant, p.unconverted_currency, sum(p.transaction_count)::bigint as count,
    sum(p.cents) as cents, sum(p.refund_count)::bigint as refund_count, sum(p.refund_cents) as refund_cents
  from (
    select p.* from parts as p
    union all
    select r.merchant_key, r.unconverted_currency, 0, 0, 1, r.cents from refunds as r) as p
  join largest as l using (merchant_key)
  group by l.place, l.merchant, p.unconverted_currency
  union all
  select null, null, t.unconverted_currency, sum(t.transaction_count)::bigint, sum(t.cents),
    sum(t.refund_count)::bigint, sum(t.refund_cents)
  from passbook_read.counted_totals(
    passbook_read.first_day(), passbook_read.last_total_day(), 'year', $2, $3, $5, $6,
    row($7, $8, $9, $10)::passbook_read.row_search, 'total') as t
  where t.user_id = $1 and t.measure = 'EXPENSE'
  group by t.unconverted_currency
  having (sum(t.transaction_count), sum(t.refund_count)) <> (0, 0)
) as s
join passbook_read.current_user_profile as profile on profile.user_id = $1
order by s.place
