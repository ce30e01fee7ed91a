-- The lines of all files of a person, in the order of files, statements and positions.
-- $1 user id
select
  file_id, statement, booking_date, amount_cents, currency, pending, source_id, source_id_is_authoritative, replaces,
  counterparty_name, merchant_key, counterparty_account, description, bank_transaction_code, category, original_cents, original_currency,
  case when fee_included then null else fee_cents end as fee_cents,
  coalesce(fee_included and fee_cents = amount_cents, false) as is_fee, balance_after_cents::bigint,
  transfer_with, own_category is not null or note is not null or tags <> '{}' as has_labels
from passbook.import_lines
where user_id = $1
order by file_id, statement, position
