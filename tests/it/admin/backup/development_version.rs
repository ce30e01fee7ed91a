//! A backup of the last development version with other columns is rejected. To be deleted at the first release.

use tests::database::Database;

use super::{as_superuser, path_in};

/// One household with a row in every table: a bundle, a statement file, a ledger and rules.
const BACKUP: &[u8] = include_bytes!("version_23.passbook");
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
