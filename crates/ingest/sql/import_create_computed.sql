-- The transactions of all files of a person, each with the line whose texts are shown.
create temp table computed_transactions (
  transaction_id uuid not null,
  account_id uuid not null,
  file_id uuid not null,
  statement integer not null,
  position integer not null,
  date date not null,
  type text not null,
  category text not null,
  amount_cents bigint not null,
  currency text not null,
  pending boolean not null,
  linked_transaction_id uuid,
  merchant text,
  is_fee boolean not null
) on commit drop
