//! The tables of a backup.

use tests::database::Database;

use super::{manifest, path_in};
use tests::admin::{admin, number};

#[tokio::test]
async fn every_table_is_in_the_backup_or_filled_by_migrations() {
    let database = Database::fresh().await;
    let folder = tests::temporary::folder();
    let path = path_in(folder.path(), "money.passbook");
    admin(&database, &["backup", &path]).done();
    let copied: Vec<String> = manifest(&path).tables.into_iter().map(|table| table.name).collect();
    let client = database.connect("postgres").await;
    let tables = "select tablename::text from pg_tables where schemaname = 'passbook' order by tablename";
    for row in client.query(tables, &[]).await.expect("the query runs") {
        let name: String = row.get(0);
        let count = format!("select count(*) from passbook.{name}");
        let is_filled = client.query_one(&count, &[]).await.expect("the query runs").get::<_, i64>(0) > 0;
        let is_copied = copied.contains(&name);
        // Triggers derive these rows again when the others are restored.
        let is_derived = ["totals", "_state", "_states", "_bounds"].iter().any(|end| name.ends_with(end));
        assert!(!is_derived || !is_copied, "{name} is derived");
        // A restore replaces the default of the base currency, and creates other rows of migrations by migrating.
        assert!(
            is_copied != is_filled || name == "base_currency" || is_derived,
            "{name}: copied {is_copied}, filled {is_filled}"
        );
    }
    // A backup has the values of rows, not the state of a sequence.
    let sequences = "select count(*) from pg_sequences where schemaname in ('passbook', 'passbook_read')";
    assert_eq!(number(&database, sequences).await, 0);
}
