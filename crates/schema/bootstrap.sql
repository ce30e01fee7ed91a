-- What has to exist before the first migration: the two schemas, owned by the owner, and the record of
-- migrations. `passbook` holds the tables; `passbook_read` is what the server may see.
do $$
begin
  if not pg_has_role(current_user, 'passbook_owner', 'member') then
    execute format('grant passbook_owner to %I', current_user);
  end if;
end
$$;

create schema if not exists passbook authorization passbook_owner;
create schema if not exists passbook_read authorization passbook_owner;

set local role passbook_owner;

create table if not exists passbook.migrations (
  version integer primary key,
  name text not null,
  sha256 text not null,
  applied_at timestamptz not null default now()
);
