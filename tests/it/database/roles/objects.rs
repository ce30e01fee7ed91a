//! The start-up check of the objects of the schema: every missing table, view, column, constraint, index, function and
//! policy is named, also by `/ready`, `passbook-admin doctor` and `passbook-admin migrate`; objects that a deployment
//! adds are accepted.

use hyper::Method;
use tests::admin::run_program;
use tests::app::App;
use tests::database::{Database, execute};
use tests::household::Household;

use super::{database_with_a_person, problems, store_of};

/// Objects of the schemas: a description as in a problem, the statement that renames the object, and the statement that
/// gives it its name back. One column per table.
const RENAMES: &str = "
    with relations as (
      select c.oid, c.relkind, format('%I.%I', n.nspname, c.relname) as name, n.nspname, c.relname
      from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
      where n.nspname in ('passbook', 'passbook_read') and c.relkind in ('r', 'v')
    )
    select format('the %s %s is missing', kind, name),
      format('alter %s %s rename to away', kind, name), format('alter %s %I.away rename to %I', kind, nspname, relname)
    from (select case relkind when 'v' then 'view' else 'table' end as kind, relations.* from relations) as named
    union all
    select format('the column %s of %s is missing', a.attname, r.name),
      format('alter table %s rename column %I to away', r.name, a.attname),
      format('alter table %s rename column away to %I', r.name, a.attname)
    from relations as r join pg_attribute as a on a.attrelid = r.oid and a.attnum = 1
    where r.name <> 'passbook_read.grants'
    union all
    select format('the constraint %s of %s is missing', k.conname, r.name),
      format('alter table %s rename constraint %I to away', r.name, k.conname),
      format('alter table %s rename constraint away to %I', r.name, k.conname)
    from relations as r join pg_constraint as k on k.conrelid = r.oid where k.contype <> 'n'
    union all
    select format('the index %s on %s is missing', c.relname, r.name),
      format('alter index passbook.%I rename to away', c.relname),
      format('alter index passbook.away rename to %I', c.relname)
    from relations as r join pg_index as i on i.indrelid = r.oid join pg_class as c on c.oid = i.indexrelid
    where not exists (select from pg_constraint as k where k.conindid = c.oid and k.contype <> 'f')
    union all
    select format('the trigger %s on %s is missing', t.tgname, r.name),
      format('alter trigger %I on %s rename to away', t.tgname, r.name),
      format('alter trigger away on %s rename to %I', r.name, t.tgname)
    from relations as r join pg_trigger as t on t.tgrelid = r.oid where not t.tgisinternal
    union all
    select format('the function %I.%I(%s) is missing', n.nspname, p.proname, oidvectortypes(p.proargtypes)),
      format('alter function %s rename to away', p.oid::regprocedure),
      format('alter function %I.away(%s) rename to %I', n.nspname, oidvectortypes(p.proargtypes), p.proname)
    from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
    where n.nspname in ('passbook', 'passbook_read')
    union all
    select format('the policy %s on %s is missing', p.polname, r.name),
      format('alter policy %I on %s rename to away', p.polname, r.name),
      format('alter policy away on %s rename to %I', r.name, p.polname)
    from relations as r join pg_policy as p on p.polrelid = r.oid
    order by 1";

/// The lowest number of objects in [`RENAMES`]: the matrix must not become empty unnoticed.
const RENAMED_MIN: usize = 200;

#[tokio::test]
async fn every_missing_object_is_named_by_the_check() {
    let database = database_with_a_person().await;
    let superuser = database.connect("postgres").await;
    let mut admin = database.connect("postgres").await;
    let rows = superuser.query(RENAMES, &[]).await.expect("the query runs");
    assert!(rows.len() > RENAMED_MIN, "{}", rows.len());
    for row in rows.iter().step_by(tests::cases(12, 1)) {
        let (finding, away, back): (String, String, String) = (row.get(0), row.get(1), row.get(2));
        execute(&superuser, &away).await;
        let found = passbook_store::check_schema(&mut admin)
            .await
            .unwrap_or_else(|error| panic!("{away}: {error:?}"));
        assert!(found.iter().any(|problem| problem.sentence == finding), "{away}: {finding}: {found:#?}");
        execute(&superuser, &back).await;
    }
    assert_eq!(problems(&database, "passbook_reader").await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_object_is_named_at_start_and_by_ready_doctor_and_migrate() {
    for (drop, object) in [
        (
            "drop function passbook_read.rate_on(text, date) cascade",
            "function passbook_read.rate_on(text, date)",
        ),
        ("drop index passbook.transactions_newest", "index transactions_newest on passbook.transactions"),
        ("drop policy own_rows on passbook.accounts", "policy own_rows on passbook.accounts"),
    ] {
        let app = App::start().await;
        app.load(Household::new().records()).await;
        execute(&app.database.connect("postgres").await, drop).await;

        let ready = app.send(Method::GET, "/ready", &[]).await;
        assert_eq!(ready.status, 503, "{drop}");
        let database = &ready.json()["checks"][1];
        assert_eq!((&database["name"], &database["ok"]), (&"database".into(), &false.into()), "{drop}");
        let message = database["message"].as_str().expect("a message").to_owned();
        assert!(message.contains("missing or changed: "), "{message}");
        assert!(message.contains(object), "{message}");

        let (reader, owner) = (app.database.url("passbook_reader"), app.database.url("postgres"));
        let reader = [("PASSBOOK_DATABASE_URL", reader.as_str())];
        let owner = [("PASSBOOK_ADMIN_DATABASE_URL", owner.as_str())];
        for (name, arguments, environment) in [
            ("passbook-server", &[][..], &reader),
            ("passbook-admin", &["doctor"], &reader),
            ("passbook-admin", &["migrate"], &owner),
            ("passbook-admin", &["migrate", "--dry-run"], &owner),
        ] {
            let ended = run_program(name, environment, arguments);
            assert_eq!(ended.code, 64, "{name} {arguments:?}: {ended:?}");
            let text = ended.stdout + &ended.stderr;
            assert!(text.contains(&format!("the {object} is missing: ")), "{name} {arguments:?}: {text}");
        }
    }
}

#[tokio::test]
async fn readiness_repeats_the_check_for_all_callers_at_most_once_a_minute() {
    let app = App::start().await;
    app.send(Method::GET, "/ready", &[]).await.ok();
    execute(&app.database.connect("postgres").await, "drop index passbook.transactions_newest").await;
    // The last check is younger than a minute, so the database only has to answer.
    let store = store_of(&app.database, "passbook_reader");
    let first = store.recheck().await.expect("the check runs");
    assert_eq!(first.len(), 1, "{first:?}");
    execute(
        &app.database.connect("postgres").await,
        "create index transactions_newest on passbook.transactions (user_id, date desc, transaction_id desc) include (account_id, amount_cents, pending, is_superseded, type, category, currency, merchant_search, title_search, converted_cents)",
    )
    .await;
    assert_eq!(store.clone().recheck().await.expect("the database answers"), first);
    app.send(Method::GET, "/ready", &[]).await.ok();
}

#[tokio::test]
async fn readiness_notices_that_new_sessions_may_write() {
    let database = Database::fresh().await;
    let superuser = database.connect("postgres").await;
    let role = "a reader of its own";
    let alter = format!(
        "alter role \"{role}\" in database \"{}\"",
        database.configuration(role).get_dbname().expect("a name")
    );
    execute(
        &superuser,
        &format!(
            "create role \"{role}\" login; grant passbook_reader to \"{role}\"; \
             {alter} set default_transaction_read_only = on; alter role \"{role}\" set statement_timeout = '5s'"
        ),
    )
    .await;
    let store = store_of(&database, role);
    assert_eq!(passbook_store::check(&store).await.expect("the check runs"), []);
    // The session of the store keeps its own setting.
    execute(&superuser, &format!("{alter} set default_transaction_read_only = off")).await;
    let findings = passbook_store::check(&store).await.expect("the check runs");
    assert!(
        findings.iter().any(|finding| finding.sentence.ends_with("not read-only by default")),
        "{findings:?}"
    );
    execute(&superuser, &format!("drop owned by \"{role}\"; drop role \"{role}\"")).await;
}

#[tokio::test]
async fn additional_indexes_partitions_and_functions_are_accepted() {
    let database = Database::fresh().await;
    let superuser = database.connect("postgres").await;
    execute(
        &superuser,
        "create index transactions_by_title on passbook.transactions (user_id, title_search);
         create table passbook.notes (note text);
         alter table passbook.users add column nickname text;
         create function passbook_read.double(amount bigint) returns bigint language sql immutable return 2 * amount;
         create view passbook_read.doubled as select user_id, passbook_read.double(1) as two from passbook_read.current_user_profile;
         alter view passbook_read.doubled owner to passbook_owner",
    )
    .await;
    // The snapshots of balances become a partitioned table with the same name, columns, keys and policies.
    execute(
        &superuser,
        "alter table passbook.balance_snapshots rename to old_snapshots;
         alter table passbook.old_snapshots rename constraint balance_snapshots_pkey to old_pkey;
         alter table passbook.old_snapshots rename constraint balance_snapshots_user_id_account_id_fkey to old_fkey;
         create table passbook.balance_snapshots (
           user_id uuid not null, account_id uuid not null, date passbook.calendar_day not null,
           balance_cents passbook.cents not null,
           primary key (user_id, account_id, date),
           foreign key (user_id, account_id) references passbook.accounts on delete cascade
         ) partition by hash (user_id);
         create table passbook.balance_snapshots_0 partition of passbook.balance_snapshots
           for values with (modulus 2, remainder 0);
         create table passbook.balance_snapshots_1 partition of passbook.balance_snapshots
           for values with (modulus 2, remainder 1);
         alter table passbook.balance_snapshots owner to passbook_owner;
         alter table passbook.balance_snapshots enable row level security, force row level security;
         create policy own_rows on passbook.balance_snapshots to passbook_owner
           using (user_id = (select passbook.current_user_id()));
         create policy writer on passbook.balance_snapshots to passbook_writer using (true) with check (true)",
    )
    .await;
    assert_eq!(problems(&database, "passbook_reader").await, []);
}
