//! Migrations: record and atomicity. Every object of the schema is defined once. Every query of the store can be prepared on
//! the schema with the expected types. The transcript `schema_version` has the rejection of a newer or edited record.

use std::collections::BTreeMap;

use passbook_schema::{Applied, Error, MIGRATIONS, Status, latest_version, migrate, status};
use tests::database::{Database, execute, one};
use tokio_postgres::Client;

fn names() -> Vec<&'static str> {
    MIGRATIONS.iter().map(|migration| migration.name).collect()
}

/// The record of migrations: version, name, hash and time.
async fn recorded(client: &Client) -> Vec<(i32, String, String, String)> {
    let query = "select version, name, sha256, applied_at::text from passbook.migrations order by version";
    let rows = client.query(query, &[]).await.expect("the record can be read");
    rows.iter().map(|row| (row.get(0), row.get(1), row.get(2), row.get(3))).collect()
}

/// Everything that the migrations define, as text: relations with columns and rights, constraints, indexes, functions,
/// views and policies.
async fn definition(client: &Client) -> String {
    let query = "
        with ours as (select oid from pg_namespace where nspname in ('passbook', 'passbook_read'))
        select line from (
          select concat_ws(' ', 'relation', c.oid::regclass, c.relkind, c.relowner::regrole, c.relacl,
            c.relrowsecurity, c.relforcerowsecurity) as line
          from pg_class as c where c.relnamespace in (select oid from ours)
          union all
          select concat_ws(' ', 'column', a.attrelid::regclass, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod),
            a.attnotnull, a.attgenerated, pg_get_expr(d.adbin, d.adrelid))
          from pg_attribute as a join pg_class as c on c.oid = a.attrelid
          left join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
          where c.relnamespace in (select oid from ours) and a.attnum > 0 and not a.attisdropped
          union all
          select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
          from pg_constraint where connamespace in (select oid from ours)
          union all
          select concat_ws(' ', 'function', oid::regprocedure, proowner::regrole, proacl, pg_get_functiondef(oid))
          from pg_proc where pronamespace in (select oid from ours)
          union all
          select concat_ws(' ', 'view', schemaname, viewname, definition)
          from pg_views where schemaname in ('passbook', 'passbook_read')
          union all
          select concat_ws(' ', 'policy', to_jsonb(pg_policies)) from pg_policies where schemaname = 'passbook'
          union all
          select concat_ws(' ', 'schema', oid::regnamespace, nspowner::regrole, nspacl)
          from pg_namespace where oid in (select oid from ours)
          union all
          select concat_ws(' ', 'category', to_jsonb(categories)) from passbook.categories
        ) as lines order by line collate \"C\"";
    let rows = client.query(query, &[]).await.expect("the query runs");
    rows.iter().map(|row| row.get::<_, String>(0)).collect::<Vec<String>>().join("\n")
}

#[test]
fn store_expects_the_latest_schema_version() {
    assert_eq!(passbook_store::EXPECTED_SCHEMA_VERSION, latest_version());
}

/// No object is defined twice, so that a reader finds its definition at the first try.
#[test]
fn every_object_is_defined_once() {
    let mut definitions = BTreeMap::new();
    for line in MIGRATIONS.iter().flat_map(|migration| migration.sql.lines()) {
        let words: Vec<&str> =
            line.split(' ').filter(|word| !["or", "replace", "unique"].contains(word)).collect();
        let ["create", kind, name, rest @ ..] = words.as_slice() else { continue };
        if *kind == "schema" {
            continue;
        }
        let relation = rest.iter().skip_while(|word| **word != "on").nth(1).copied().unwrap_or_default();
        // A trigger and a policy are named within their table.
        let place = if ["trigger", "policy"].contains(kind) { relation } else { "" };
        let name = name.split('(').next().unwrap_or(name);
        *definitions.entry((*kind, name, place)).or_insert(0) += 1;
    }
    assert!(definitions.len() > 150, "the definitions must be found: {}", definitions.len());
    definitions.retain(|_, count| *count > 1);
    assert_eq!(definitions, BTreeMap::new());
}

#[tokio::test]
async fn all_migrations_are_applied_in_order_and_recorded_once() {
    let mut client = Database::bare().await.connect("postgres").await;
    assert_eq!(status(&client).await.expect("the status is read"), Status::Absent);
    let applied = migrate(&mut client).await.expect("a bare database is migrated");
    assert_eq!(applied, Applied { from: 0, to: latest_version(), names: names() });
    assert_eq!(status(&client).await.expect("the status is read"), Status::Current);

    let record = recorded(&client).await;
    let expected: Vec<(i32, String, String)> =
        MIGRATIONS.iter().map(|known| (known.version, known.name.to_owned(), known.sha256())).collect();
    let found: Vec<(i32, String, String)> =
        record.iter().cloned().map(|(version, name, hash, _)| (version, name, hash)).collect();
    assert_eq!(found, expected);

    let before = definition(&client).await;
    let again = migrate(&mut client).await.expect("a second migration succeeds");
    assert_eq!(again, Applied { from: latest_version(), to: latest_version(), names: Vec::new() });
    assert_eq!(recorded(&client).await, record);
    assert_eq!(definition(&client).await, before);
}

#[tokio::test]
async fn concurrent_migrations_both_succeed_and_one_applies_them() {
    let database = Database::bare().await;
    let (mut first, mut second) = (database.connect("postgres").await, database.connect("postgres").await);
    let (one, other) = tokio::join!(migrate(&mut first), migrate(&mut second));
    let mut applied = [one.expect("the first succeeds").names, other.expect("the second succeeds").names];
    applied.sort_by_key(Vec::len);
    assert_eq!(applied, [Vec::new(), names()]);
    assert_eq!(recorded(&first).await.len(), MIGRATIONS.len());
    assert_eq!(status(&second).await.expect("the status is read"), Status::Current);
}

#[tokio::test]
async fn failed_migration_changes_nothing() {
    let mut client = Database::bare().await.connect("postgres").await;
    let in_the_way = "create schema passbook_read authorization passbook_owner; \
                      create view passbook_read.current_user_profile as select 1 as mine";
    execute(&client, in_the_way).await;
    let error = migrate(&mut client).await.expect_err("a view of this name exists");
    assert!(matches!(error, Error::Migration { version: 1, name: "schema", .. }), "{error:?}");
    let Error::Migration { source, .. } = &error else { unreachable!("matched above") };
    assert!(
        source.as_db_error().is_some_and(|error| error.message().contains("\"current_user_profile\"")),
        "{source:?}"
    );

    assert_eq!(status(&client).await.expect("the status is read"), Status::Absent);
    let left = "select count(*) from pg_namespace where nspname = 'passbook'";
    let left: i64 = one(&client, left).await;
    assert_eq!(left, 0, "the tables must be undone too");

    execute(&client, "drop view passbook_read.current_user_profile").await;
    assert_eq!(migrate(&mut client).await.expect("the migration succeeds").names, names());
}

/// `cargo xtask bless` selects this test by the name of the module.
mod snapshots {
    use std::fmt::Write as _;
    use std::path::Path;

    use tests::database::Database;

    /// The file of the objects that the start-up check expects.
    const OBJECTS: &str = "crates/store/data/objects.tsv";
    /// The file of the SHA-256 that the start-up check expects.
    const SHA256: &str = "crates/store/data/schema.sha256";

    #[tokio::test]
    async fn start_up_check_expects_the_objects_of_the_migrations() {
        let mut client = Database::fresh().await.connect("postgres").await;
        let objects = passbook_store::schema_objects(&mut client).await.expect("the objects are listed");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let path = root.join(OBJECTS);
        let sha256 = format!("{}\n", passbook_schema::latest_sha256());
        if std::env::var_os("PASSBOOK_TEST_BLESS").is_some() {
            std::fs::write(&path, &objects).expect("the file is written");
            std::fs::write(root.join(SHA256), &sha256).expect("the file is written");
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        let expected = std::fs::read_to_string(root.join(SHA256)).unwrap_or_default();
        assert_eq!(expected, sha256, "{SHA256} differs from the schema: run cargo xtask bless");
        let line = committed.lines().zip(objects.lines()).find(|(old, new)| old != new);
        assert!(
            committed == objects,
            "{OBJECTS} differs from the migrations: run cargo xtask bless: {line:?}"
        );
    }

    #[tokio::test]
    async fn every_query_can_be_prepared_by_the_reader_with_its_types() {
        let reader = Database::fresh().await.connect("passbook_reader").await;
        let mut text = String::new();
        for query in passbook_store::QUERIES {
            let prepared = reader.prepare(query.sql).await;
            let statement = prepared.unwrap_or_else(|error| panic!("{}: {error:?}", query.name));
            let parameters: Vec<&str> = statement.params().iter().map(|kind| kind.name()).collect();
            let columns: Vec<String> = statement
                .columns()
                .iter()
                .map(|column| format!("{} {}", column.name(), column.type_().name()))
                .collect();
            writeln!(text, "{}: ({}) -> ({})", query.name, parameters.join(", "), columns.join(", "))
                .expect("writing to a string succeeds");
        }
        insta::assert_snapshot!("queries", text);
    }
}
