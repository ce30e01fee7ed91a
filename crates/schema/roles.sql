-- The three roles, made by whoever may make roles. They hold no password and cannot log in until an operator
-- says so: `alter role passbook_reader login password '…'`.
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
  end if;
exception when duplicate_object or unique_violation then
  null; -- another set-up made them at the same moment
end
$$;
