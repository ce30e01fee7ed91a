-- Stores the lines of one file.
insert into passbook.import_lines (
  user_id, file_id, statement, position, line, booking_date, amount_cents, currency, pending, value_date, transaction_date,
  source_id, source_id_is_authoritative, replaces, reference, counterparty_name, counterparty_account, description,
  bank_transaction_code, category, own_category, own_parent, tags, note, original_cents, original_currency, fee_cents, fee_included, balance_after_cents,
  transfer_with, raw)
select
  user_id, file_id, statement, position, line, booking_date, amount_cents, currency, pending, value_date, transaction_date,
  source_id, source_id_is_authoritative, replaces, reference, counterparty_name, counterparty_account, description,
  bank_transaction_code, category, own_category, own_parent, tags, note, original_cents, original_currency, fee_cents, fee_included, balance_after_cents,
  transfer_with, raw
from pg_temp.given_lines
