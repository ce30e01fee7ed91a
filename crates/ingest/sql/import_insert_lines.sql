-- Stores the lines of one file.
insert into passbook.import_observations (
  user_id, file_id, statement, position, line, booked, cents, currency, pending, value_day, transaction_day, source_id,
  source_id_is_authoritative, replaces, reference, party, party_account, text, code, category, original_cents,
  original_currency, fee_cents, fee_included, transfer_with, raw)
select
  user_id, file_id, statement, position, line, booked, cents, currency, pending, value_day, transaction_day, source_id,
  source_id_is_authoritative, replaces, reference, party, party_account, text, code, category, original_cents,
  original_currency, fee_cents, fee_included, transfer_with, raw
from pg_temp.import_lines
