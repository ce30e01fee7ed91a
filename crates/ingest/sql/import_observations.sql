-- The lines of all files of a person, in the order of files, statements and positions.
-- $1 user id
select
  file_id, statement, booked, cents, currency, pending, source_id, source_id_is_authoritative, replaces, party,
  party_account, text, code, category, original_cents, original_currency,
  case when fee_included then null else fee_cents end as fee_cents,
  coalesce(fee_included and fee_cents = cents, false) as is_fee, transfer_with
from passbook.import_observations
where user_id = $1
order by file_id, statement, position
