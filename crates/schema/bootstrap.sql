-- Creates the two schemas and the record of applied migrations. The schema `passbook` contains the tables; the schema
-- `passbook_read` contains the views and functions that the server may use.
-- The role that runs the migrations also loads data, so it becomes a member of the owner and the writer.
do $$
declare
  writing text;
  -- From PostgreSQL 16 on, a role that creates a role becomes a member that may not switch to it.
  required text := case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end;
begin
  foreach writing in array array['passbook_owner', 'passbook_writer'] loop
    if not pg_has_role(current_user, writing, required) then
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
