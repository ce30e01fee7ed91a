//! `backup` and `restore`: the same data in another database, and the rejection of every other file and database.

mod archive;
mod damaged;
mod development_version;
mod round_trip;
mod snapshot;
mod tables;

use std::path::Path;

use passbook_domain::category::{ExpenseCategory, IncomeCategory};
use passbook_ingest::backup::{BackupFile, Manifest};
use passbook_ingest::load::{Options, load};
use passbook_records::Located;
use tests::app::TODAY;
use tests::database::Database;
use tests::tenant_pair::Tenant;

use tests::admin::{Ended, run};

/// Runs the program on a database as the superuser.
fn as_superuser(database: &Database, words: &[&str]) -> Ended {
    run(&[("PASSBOOK_ADMIN_DATABASE_URL", &database.url("postgres"))], words, "")
}

/// A database with the demo household, and a tenant with rows in every table.
async fn filled_database() -> (Database, Tenant) {
    let database = Database::fresh().await;
    let mut writer = database.connect(passbook_schema::WRITER).await;
    passbook_demo::install(&mut writer, TODAY).await.expect("the demo household is loaded");
    let tenant = Tenant::new("amaranth", 7, ExpenseCategory::Tobacco, IncomeCategory::Pension);
    let records = tenant.records().into_iter();
    let located: Vec<_> = records.map(|record| Ok(Located { place: "test".to_owned(), record })).collect();
    load(&mut writer, located.into_iter(), Options::default()).await.expect("the records are valid");
    let imported = tenant.import_rows();
    database.connect("postgres").await.batch_execute(&imported).await.expect("the rows fit the schema");
    (database, tenant)
}

/// Reads the manifest of a backup and checks the whole file.
fn manifest(path: &str) -> Manifest {
    let file = std::fs::File::open(path).expect("the backup exists");
    let backup = BackupFile::open(file).expect("a manifest");
    backup.verify().expect("the backup is complete");
    backup.manifest().clone()
}

/// The path of a file in a folder, as an argument.
fn path_in(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("UTF-8").to_owned()
}

/// The number of schemas of Passbook in a database.
async fn schemas(database: &Database) -> i64 {
    let query = "select count(*) from pg_namespace where nspname like 'passbook%'";
    let client = database.connect("postgres").await;
    client.query_one(query, &[]).await.expect("the query runs").get(0)
}
