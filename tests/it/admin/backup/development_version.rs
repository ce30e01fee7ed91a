//! A backup of the last development version with another schema is restored. To be deleted at the first release.

use tests::admin::admin;
use tests::database::Database;

use super::{as_superuser, path_in};

/// One household with a row in every table: a bundle, a statement file, a ledger and rules.
const BACKUP: &[u8] = include_bytes!("version_23.passbook");
/// The number of rows of each table after the restore.
const ROWS: [(&str, i64); 27] = [
    ("account_reconciliations", 1),
    ("accounts", 3),
    ("balance_snapshots", 6),
    ("bank_connections", 3),
    ("base_currency", 1),
    ("budgets", 1),
    ("exchange_rates", 1),
    ("excluded_categories", 1),
    ("holdings", 1),
    ("import_files", 1),
    ("import_lines", 2),
    ("import_rules", 1),
    ("import_statements", 1),
    ("ledgers", 1),
    ("oauth_clients", 1),
    ("oauth_consents", 1),
    ("oauth_sessions", 1),
    ("paper_accounts", 1),
    ("paper_positions", 1),
    ("personal_access_tokens", 1),
    ("securities", 1),
    ("security_prices", 1),
    ("statement_balances", 2),
    ("transactions", 6),
    ("users", 1),
    ("wallet_quantities", 1),
    ("wallets", 1),
];

#[tokio::test]
async fn backup_of_version_23_is_restored_whole() {
    let folder = tests::temporary::folder();
    let path = path_in(folder.path(), "version_23.passbook");
    std::fs::write(&path, BACKUP).expect("the file is written");
    let database = Database::bare().await;
    as_superuser(&database, &["restore", &path, "--dry-run"]).done();
    let restored = as_superuser(&database, &["restore", &path]).done();
    assert!(restored.contains("41 rows in 26 tables, schema version 23"), "{restored}");
    let superuser = database.connect("postgres").await;
    for (table, rows) in ROWS {
        let query = format!("select count(*) from passbook.{table}");
        assert_eq!(
            superuser.query_one(&query, &[]).await.expect("a count").get::<_, i64>(0),
            rows,
            "{table}"
        );
    }
    assert_eq!(admin(&database, &["derive", "--check"]).done(), "derived data are right\n");
    // The files prove the same as before, from lines and balances that have other columns now.
    let reconciled = admin(&database, &["reconcile", "--user", "ada@example.org"]).done();
    assert!(reconciled.contains("2026-01-31") && reconciled.contains("none"), "{reconciled}");
    admin(&database, &["undo", "s.mt940", "--user", "ada@example.org"]).done();
    let snapshots = "select count(*) from passbook.balance_snapshots where imported";
    assert_eq!(superuser.query_one(snapshots, &[]).await.expect("a count").get::<_, i64>(0), 0);
}

#[tokio::test]
async fn backup_of_version_23_with_other_columns_stores_nothing() {
    let folder = tests::temporary::folder();
    let path = path_in(folder.path(), "changed.passbook");
    std::fs::write(&path, BACKUP).expect("the file is written");
    let mut changed = super::archive::Unpacked::read(&path);
    changed.manifest["tables"][0]["columns"][0] = serde_json::json!("user_id; drop table passbook.users");
    changed.write(&path);
    let database = Database::bare().await;
    let message = as_superuser(&database, &["restore", &path]).failed(65);
    assert!(
        message.contains("must be a table of this version, with the columns user_id, account_id"),
        "{message}"
    );
}
