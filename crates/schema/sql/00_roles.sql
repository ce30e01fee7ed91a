-- The four roles, the two schemas, and the record of applied migrations.
--
-- The roles have no password and cannot log in until an operator allows it: alter role passbook_reader login password '…'.
-- The reader's limits are settings of the role, so they also apply behind a connection pooler, which may drop settings of a
-- session. They are defaults; what the reader may do, its rights decide.
do $$
begin
  if not exists (select from pg_roles where rolname = 'passbook_owner') then
    create role passbook_owner nologin nosuperuser nobypassrls;
  end if;
  if not exists (select from pg_roles where rolname = 'passbook_writer') then
    create role passbook_writer nologin nosuperuser nobypassrls;
  end if;
  -- Owns the triggers that maintain derived data, which alone may write these data, and the look-ups of credentials. Nobody is a
  -- member but the role that runs the migrations.
  if not exists (select from pg_roles where rolname = 'passbook_deriver') then
    create role passbook_deriver nologin nosuperuser nobypassrls;
  end if;
  if not exists (select from pg_roles where rolname = 'passbook_reader') then
    create role passbook_reader nologin nosuperuser nobypassrls;
    alter role passbook_reader set default_transaction_read_only = on;
    alter role passbook_reader set statement_timeout = '5s';
    alter role passbook_reader set lock_timeout = '1s';
    alter role passbook_reader set idle_in_transaction_session_timeout = '10s';
  end if;
exception when duplicate_object or unique_violation then
  null; -- another migration created them at the same time
end
$$;

-- The role that runs the migrations also loads data, so it becomes a member of the owner, the deriver and the writer.
do $$
declare
  writing text;
  -- From PostgreSQL 16 on, a role that creates a role becomes a member that may not switch to it.
  required text := case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end;
begin
  foreach writing in array array['passbook_owner', 'passbook_deriver', 'passbook_writer'] loop
    if not pg_has_role(current_user, writing, required) then
      execute format('grant %I to %I', writing, current_user);
    end if;
  end loop;
end
$$;

-- The schema passbook contains the tables; passbook_read contains the views and functions that the server may use.
create schema if not exists passbook authorization passbook_owner;
create schema if not exists passbook_read authorization passbook_owner;

set local role passbook_owner;

-- Nobody may execute a function but those to whom it is granted.
alter default privileges for role passbook_owner revoke execute on functions from public;
-- Functions of the deriver are created in the files below.
grant usage, create on schema passbook, passbook_read to passbook_deriver;

create table if not exists passbook.migrations (
  version integer primary key,
  name text not null,
  sha256 text not null,
  applied_at timestamptz not null default now()
);
