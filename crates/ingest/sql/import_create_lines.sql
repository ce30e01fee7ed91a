-- The lines of one file on their way to the table of lines. PostgreSQL copies rows only into tables without row-level security.
create temp table given_lines (
  user_id uuid, file_id uuid, statement integer, position integer, line bigint, booking_date date, amount_cents bigint,
  currency text, pending boolean, value_date date, transaction_date date, source_id text,
  source_id_is_authoritative boolean, replaces text, reference text, counterparty_name text, counterparty_account text,
  description text, bank_transaction_code text, category text, own_category text, own_parent text, tags text[], note text, original_cents bigint, original_currency text,
  fee_cents bigint, fee_included boolean, balance_after_cents bigint, transfer_with text, raw text) on commit drop
