-- One user's names of some kinds: accounts with their bank and type; banks with their accounts; own categories with the fixed
-- one, and tags; merchants in their most recent spelling, with the text that names them.
--
-- A text names the merchant whose key is that of the text, which an index finds. Only if there is none, the keys of all merchants
-- are compared without accents: with the whole text, and if none is equal with the beginnings of their words. Of these, a text
-- has the 21 with the largest expenses. Without texts, the 2,000 merchants with the largest expenses are returned.
-- $1 user id, $2 kinds: account, bank, own category, tag, merchant; $3 texts that name merchants
with known as not materialized (
  select b.merchant_key, b.upper_bound_cents
  from passbook_read.merchant_upper_bounds as b
  where b.user_id = $1 and b.category = 'ALL' and b.period_start = '-infinity' and 'merchant' = any ($2)
), whole as materialized (
  select texts.given, known.merchant_key, known.upper_bound_cents, keys.place
  from unnest($3::text[]) as texts (given)
  cross join lateral (values
    (1, passbook_read.merchant_key(texts.given)), (2, passbook_read.payee_key(texts.given))) as keys (place, merchant_key)
  cross join lateral (
    select known.merchant_key, known.upper_bound_cents from known
    where known.merchant_key = left(keys.merchant_key, 200) collate "C"
    -- "offset 0" makes PostgreSQL look up the key in the index.
    offset 0) as known
), compared as materialized (
  select texts.given, passbook_read.search_text(passbook_read.trim_white_space(texts.given)) as text
  from unnest($3::text[]) as texts (given)
  where texts.given not in (select whole.given from whole)
), fitting as (
  select whole.given, whole.merchant_key, whole.upper_bound_cents, whole.place from whole
  union all
  select compared.given, folded.merchant_key, folded.upper_bound_cents, case when folded.text = compared.text then 3 else 4 end
  from (
    -- "offset 0" makes PostgreSQL compute each text once.
    select known.merchant_key, known.upper_bound_cents, passbook_read.search_text(known.merchant_key) as text
    from known
    where (select count(*) from compared where compared.text <> '') > 0
    offset 0) as folded
  join compared on compared.text <> '' and position(compared.text in folded.text) > 0
    and folded.text ~ ('(^|[^[:alnum:]])' || regexp_replace(compared.text, '\W', '\\\&', 'g'))
)
select 'account' as kind, a.account_id::text as id, a.account_name as name,
  concat_ws(', ', a.bank_name, a.subtype) as detail, array[a.account_id] as ids, null as given
from passbook_read.account_names as a
where a.user_id = $1 and 'account' = any ($2)
union all
select 'bank', b.bank_id::text, b.name, null,
  array(select a.account_id from passbook_read.account_names as a where a.user_id = b.user_id and a.bank_id = b.bank_id), null
from passbook_read.bank_connections as b
where b.user_id = $1 and 'bank' = any ($2)
union all
select l.kind, l.label_id::text, l.name, l.category, array[l.label_id], null
from passbook_read.labels as l
where l.user_id = $1 and l.kind = any ($2)
union all
select 'merchant', m.merchant_key, named.merchant, null, '{}', m.given
from (
  select ranked.given, ranked.merchant_key
  from (
    select f.given, f.merchant_key, rank() over (partition by f.given order by f.place) as place,
      row_number() over (partition by f.given order by f.place, f.upper_bound_cents desc) as number
    from fitting as f) as ranked
  where ranked.place = 1 and ranked.number <= 21
  union all
  (select null, known.merchant_key from known where $3::text[] = '{}' order by known.upper_bound_cents desc limit 2000)) as m
cross join lateral (
  select passbook_read.trim_white_space(coalesce(t.merchant_name, t.title)) as merchant
  from passbook_read.transactions as t
  where t.user_id = $1 and t.type = 'EXPENSE' and t.merchant_key = m.merchant_key collate "default"
  order by t.date desc, t.transaction_id desc
  limit 1) as named
