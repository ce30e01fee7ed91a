-- What has to exist before the first migration: the two schemas, owned by the owner, and the record of
-- migrations. `passbook` holds the tables; `passbook_read` is what the server may see.
-- Whoever sets the database up also loads it, so they become a member of both writing roles.
do $$
declare
  writing text;
begin
  foreach writing in array array['passbook_owner', 'passbook_writer'] loop
    if not pg_has_role(current_user, writing, 'member') then
      execute format('grant %I to %I', writing, current_user);
    end if;
  end loop;
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
