//! `user delete`: the printed numbers, and the rows that remain.

use std::collections::BTreeMap;

use tests::admin::admin;
use tests::app::App;
use tests::tenant_pair::Tenant;
use tokio_postgres::Client;

/// Every table with the column that names the owner of a row. The column is empty for shared tables.
const TABLES: &str = "select c.relname::text, coalesce(a.attname::text, '') from pg_class as c \
     left join pg_attribute as a on a.attrelid = c.oid and a.attname = 'user_id' \
     where c.relnamespace = 'passbook'::regnamespace and c.relkind in ('r', 'p') order by 1";

/// Returns the number of rows of each table: all of them, and those of `user`.
async fn counts(superuser: &Client, user: &str) -> BTreeMap<String, (i64, i64)> {
    let mut counts = BTreeMap::new();
    for row in superuser.query(TABLES, &[]).await.expect("the tables are read") {
        let (table, owner): (String, String) = (row.get(0), row.get(1));
        let own = if owner.is_empty() { "false".to_owned() } else { format!("{owner} = '{user}'") };
        let query = format!("select count(*), count(*) filter (where {own}) from passbook.{table}");
        let row = superuser.query_one(&query, &[]).await.expect("the rows are counted");
        counts.insert(table, (row.get(0), row.get(1)));
    }
    counts
}

/// The printed number of deleted rows of each table.
fn printed(text: &str) -> BTreeMap<String, i64> {
    let rows = text.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<&str>>());
    rows.map(|row| (row[0].to_owned(), row[1].parse().expect("a number"))).collect()
}

#[tokio::test]
async fn deleted_user_leaves_no_row_and_other_rows_stay() {
    let app = App::start().await;
    let tenants = Tenant::pair();
    for tenant in &tenants {
        app.load(tenant.records()).await;
        app.write(&tenant.import_rows()).await;
    }
    let superuser = app.database.connect("postgres").await;
    let user = &tenants[0].household.user;
    let before = counts(&superuser, &user.user_id.to_string()).await;

    let words = ["user", "delete", user.email.as_str()];
    let planned = admin(&app.database, &[&words[..], &["--dry-run"]].concat());
    assert_eq!(planned.stderr, "dry run: nothing was stored\n");
    assert_eq!(counts(&superuser, &user.user_id.to_string()).await, before, "a dry run changes nothing");
    let deleted = admin(&app.database, &[&words[..], &["--yes"]].concat()).done();
    assert_eq!(deleted, planned.done(), "the dry run must print the same numbers");

    let after = counts(&superuser, &user.user_id.to_string()).await;
    let mut expected = BTreeMap::new();
    for (table, (all, own)) in &before {
        assert_eq!(after[table], (all - own, 0), "{table}");
        if *own > 0 {
            expected.insert(table.clone(), *own);
        }
    }
    assert!(expected.len() > 15, "the fixture fills every personal table");
    assert_eq!(printed(&deleted), expected);
    admin(&app.database, &["user", "delete", &user.email, "--yes"]).failed(65);
}
