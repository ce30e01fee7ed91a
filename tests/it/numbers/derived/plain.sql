-- The rules of derived data, computed from the rows of users when they are read. The schema contains nothing derived.
create schema plain;

create view plain.pending_matches as
  select posted.user_id, pending.transaction_id as pending_id, posted.transaction_id
  from passbook.transactions as posted
  join passbook.transactions as pending
    on pending.user_id = posted.user_id and pending.transaction_id = posted.linked_transaction_id
  where pending.pending and not posted.pending
    and posted.type <> 'INTERNAL_TRANSFER' and posted.category <> 'REFUND'
    and posted.account_id = pending.account_id and posted.type = pending.type
    and posted.linked_transaction_id is not null;

create view plain.transactions as
  select
    t.user_id, t.transaction_id, t.date, t.type, t.category, t.amount_cents, t.currency, t.title, t.pending,
    t.merchant_name, passbook_read.merchant_key(t.merchant_name) as merchant_key, t.merchant_search, t.title_search,
    t.account_id,
    case when t.linked_transaction_id is not null then nullif(coalesce((
      select matches.transaction_id from plain.pending_matches as matches
      where matches.user_id = t.user_id and matches.pending_id = t.linked_transaction_id
      order by matches.transaction_id <> t.transaction_id, matches.transaction_id
      limit 1), t.linked_transaction_id), t.transaction_id) end as linked_transaction_id,
    t.type = 'EXPENSE' and exists (
      select from passbook.excluded_categories as excluded
      where excluded.user_id = t.user_id and excluded.category = t.category) as excluded,
    passbook_read.convert_on(t.amount_cents, t.currency, users.preferred_currency, t.date) as converted_cents
  from passbook.transactions as t
  join passbook.users on users.user_id = t.user_id
  where not t.pending or not exists (
    select from plain.pending_matches as matches
    where matches.user_id = t.user_id and matches.pending_id = t.transaction_id);

create function plain.counted_transactions(
  from_day date, to_day date, include_pending boolean, include_excluded boolean,
  of_categories text[], of_accounts uuid[], wanted text)
returns setof plain.transactions
language sql stable as $$
  select t.* from plain.transactions as t
  where t.date between from_day and to_day
    and (of_categories is null or t.category = any (of_categories))
    and (of_accounts is null or t.account_id = any (of_accounts))
    and (wanted is null or (passbook_read.search_text(wanted) <> '' and (
      position(passbook_read.search_text(wanted) in t.merchant_search) > 0
      or position(passbook_read.search_text(wanted) in t.title_search) > 0)))
    and t.type <> 'INTERNAL_TRANSFER'
    and (include_pending or not t.pending)
    and (include_excluded or of_categories is not null or not t.excluded)
$$;

-- Each derived value that differs from its rule.
create view plain.differences as
  with visible as (
    select t.*, case when t.category = 'REFUND' then (
      select purchase.category from plain.transactions as purchase
      where purchase.user_id = t.user_id and purchase.transaction_id = t.linked_transaction_id
        and purchase.type = 'EXPENSE') end as refunded_category
    from plain.transactions as t
  ), parts as (
    select v.*, part.kind, part.bucket, case when v.converted_cents is null then v.currency else '' end as counted_currency,
      coalesce(v.converted_cents, v.amount_cents) as cents
    from visible as v
    cross join lateral (values
      (v.type, v.category), (v.type, case when v.type = 'EXPENSE' then 'ALL' end), ('REFUND', v.refunded_category)
    ) as part (kind, bucket)
    where v.type <> 'INTERNAL_TRANSFER' and part.bucket is not null
  ), spans as (
    select p.*, unit, date_trunc(unit, p.date::timestamp)::date as span
    from parts as p cross join unnest(array['day', 'month', 'year']) as unit
  )
  select 'transactions' as relation, t.title as detail
  from passbook.transactions as t
  left join visible as v on v.user_id = t.user_id and v.transaction_id = t.transaction_id
  where t.is_superseded <> (v.transaction_id is null)
    or v.transaction_id is not null and (t.converted_cents, t.resolved_linked_transaction_id, t.refunded_category)
      is distinct from (v.converted_cents, v.linked_transaction_id, v.refunded_category)
  union all
  select 'category_totals', concat_ws(' ', s.*, p.*)
  from (select user_id, unit, kind, bucket, span, pending, counted_currency, count(*) as n, sum(cents) as cents
    from spans group by 1, 2, 3, 4, 5, 6, 7) as p
  full join passbook.category_totals as s
    on (s.user_id, s.period, s.measure, s.category, s.period_start, s.pending, s.unconverted_currency)
      = (p.user_id, p.unit, p.kind, p.bucket, p.span, p.pending, p.counted_currency)
  where (s.transaction_count, s.cents) is distinct from (p.n, p.cents)
  union all
  select 'account_category_totals', concat_ws(' ', s.*, p.*)
  from (select user_id, account_id, unit, kind, bucket, span, pending, counted_currency, count(*) as n, sum(cents) as cents
    from spans where unit <> 'day' group by 1, 2, 3, 4, 5, 6, 7, 8) as p
  full join passbook.account_category_totals as s
    on (s.user_id, s.account_id, s.period, s.measure, s.category, s.period_start, s.pending, s.unconverted_currency)
      = (p.user_id, p.account_id, p.unit, p.kind, p.bucket, p.span, p.pending, p.counted_currency)
  where (s.transaction_count, s.cents) is distinct from (p.n, p.cents)
  union all
  select 'merchant_totals', concat_ws(' ', s.*, p.*)
  from (
    select user_id, unit, merchant_key, span, account_id, category, pending, counted_currency, count(*) as n,
      sum(cents) as cents
    from (
      select * from spans where unit = 'month'
      union all
      select p.*, 'all', '-infinity' from parts as p) as every
    where kind = 'EXPENSE' and bucket <> 'ALL' and merchant_key is not null group by 1, 2, 3, 4, 5, 6, 7, 8) as p
  full join passbook.merchant_totals as s
    on (s.user_id, s.period, s.merchant_key, s.period_start, s.account_id, s.category, s.pending, s.unconverted_currency)
      = (p.user_id, p.unit, p.merchant_key, p.span, p.account_id, p.category, p.pending, p.counted_currency)
  where (s.transaction_count, s.cents) is distinct from (p.n, p.cents)
  union all
  select 'merchant_upper_bounds', concat_ws(' ', s.*, p.*)
  from (
    select user_id, bucket, span, merchant_key, count(*) as n, sum(coalesce(converted_cents, 0)) as cents
    from (
      select * from spans where unit = 'year'
      union all
      select p.*, 'all', '-infinity' from parts as p) as every
    where kind = 'EXPENSE' and merchant_key is not null group by 1, 2, 3, 4) as p
  full join passbook.merchant_upper_bounds as s
    on (s.user_id, s.category, s.period_start, s.merchant_key) = (p.user_id, p.bucket, p.span, p.merchant_key)
  where (s.transaction_count, s.cents) is distinct from (p.n, p.cents)
  union all
  select check_derived.relation, check_derived.user_id::text from passbook.check_derived();
