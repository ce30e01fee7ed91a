-- Stores the transactions that are new or differ from the stored ones. Returns the numbers of inserted and of updated rows.
-- `offset 0` keeps each look-up of a line by its whole key. With statistics from before a large import, PostgreSQL expects few
-- lines of the person, and would read all of them for each transaction.
-- $1 user id
with given as (
  select
    computed.transaction_id, computed.account_id, computed.date, computed.type, computed.category,
    computed.amount_cents, computed.currency,
    case when computed.is_fee then 'Fee: ' || left(lines.title, 16000) else lines.title end as title,
    computed.pending,
    case when not computed.is_fee then left(lines.category, 200) end as provider_category,
    case when not computed.is_fee then nullif(passbook_read.trim_white_space(coalesce(computed.merchant, lines.counterparty_name)), '') end as merchant_name,
    computed.linked_transaction_id
  from pg_temp.computed_transactions as computed
  cross join lateral (
    select stored.counterparty_name, coalesce(stored.category, stored.bank_transaction_code) as category,
      coalesce(nullif(btrim(stored.description), ''), nullif(btrim(stored.counterparty_name), ''),
        nullif(stored.bank_transaction_code, ''), 'No description') as title
    from passbook.import_lines as stored
    where stored.user_id = $1 and stored.file_id = computed.file_id
      and stored.statement = computed.statement and stored.position = computed.position
    offset 0) as lines
), merged as (
  insert into passbook.transactions as stored (
    user_id, transaction_id, account_id, date, type, category, amount_cents, currency, title, pending,
    provider_category, merchant_name, linked_transaction_id, imported)
  select
    $1, transaction_id, account_id, date, type, category, amount_cents, currency, title, pending,
    provider_category, merchant_name, linked_transaction_id, true
  from given
  order by transaction_id
  on conflict (user_id, transaction_id) do update set
    account_id = excluded.account_id, date = excluded.date, type = excluded.type, category = excluded.category,
    amount_cents = excluded.amount_cents, currency = excluded.currency,
    title = excluded.title, pending = excluded.pending, provider_category = excluded.provider_category,
    merchant_name = excluded.merchant_name, linked_transaction_id = excluded.linked_transaction_id
  where row(
    stored.account_id, stored.date, stored.type, stored.category, stored.amount_cents, stored.currency,
    stored.title, stored.pending, stored.provider_category, stored.merchant_name, stored.linked_transaction_id)
  is distinct from row(
    excluded.account_id, excluded.date, excluded.type, excluded.category, excluded.amount_cents,
    excluded.currency, excluded.title, excluded.pending, excluded.provider_category, excluded.merchant_name,
    excluded.linked_transaction_id)
  returning stored.xmax = 0 as is_new
)
select count(*) filter (where is_new), count(*) filter (where not is_new) from merged
