-- Creates the three roles. They have no password and cannot log in until an operator allows it:
-- alter role passbook_reader login password '…'. The reader's limits are settings of the role, so they also apply behind a
-- connection pooler, which may drop settings of a session.
do $$
begin
  if not exists (select from pg_roles where rolname = 'passbook_owner') then
    create role passbook_owner nologin nosuperuser nobypassrls;
  end if;
  if not exists (select from pg_roles where rolname = 'passbook_writer') then
    create role passbook_writer nologin nosuperuser nobypassrls;
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
