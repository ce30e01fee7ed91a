-- Imported ledgers, each with the account map of its last import.

-- The account map is the text of the person's TOML file, which the next import of the ledger uses again. Without one, the
-- ledger was imported with the built-in map. The server does not read this table.
create table passbook.ledgers (
  user_id uuid not null references passbook.users on delete cascade,
  ledger text not null check (length(ledger) between 1 and 200),
  account_map text,
  map_name text check (map_name <> ''),
  imported_at timestamptz not null,
  primary key (user_id, ledger),
  check ((account_map is null) = (map_name is null))
);

alter table passbook.ledgers enable row level security;
alter table passbook.ledgers force row level security;
create policy own_rows on passbook.ledgers to passbook_owner
  using (user_id = (select passbook.current_user_id()));
create policy writer on passbook.ledgers to passbook_writer using (true) with check (true);
grant select, insert, update, delete on passbook.ledgers to passbook_writer;
