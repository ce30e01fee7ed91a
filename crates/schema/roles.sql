-- The three roles, made once by whoever may make roles. They hold no password and cannot log in until an
-- operator says so: alter role passbook_reader login password '…'. The reader's limits sit on the role, where
-- a pooler cannot lose them.
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
  null; -- another set-up made them at the same moment
end
$$;
