//! A backup has the rows of one moment.

use std::sync::atomic::{AtomicBool, Ordering};

use passbook_ingest::backup::{BackupFile, Manifest, Origin, create};
use tests::database::Database;

use super::filled_database;

/// Writes a backup through the library, and calls `between` after the first table.
async fn backup(database: &Database, between: &(dyn Fn() + Send + Sync)) -> Manifest {
    let called = AtomicBool::new(false);
    let progress = |_rows| {
        if !called.swap(true, Ordering::Relaxed) {
            between();
        }
    };
    let origin = Origin { program_version: "1.2.3", progress: Some(&progress) };
    let mut writer = database.connect(passbook_schema::WRITER).await;
    let spool = tempfile::tempfile().expect("a temporary file");
    let mut output = tempfile::tempfile().expect("a temporary file");
    let manifest = create(&mut writer, spool, &mut output, origin).await.expect("the backup is written");
    let read = BackupFile::open(output).expect("a manifest");
    read.verify().expect("the backup is complete");
    assert_eq!((read.manifest(), manifest.program_version.as_str()), (&manifest, "1.2.3"));
    manifest
}

#[tokio::test]
async fn backup_has_the_rows_of_one_snapshot_while_others_write() {
    let (database, tenant) = filled_database().await;
    let before = backup(&database, &|| ()).await;
    let changed = AtomicBool::new(false);
    let change = || {
        // The callback blocks the backup, so the change is committed between two tables of it.
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                runtime.expect("a runtime").block_on(async {
                    let writer = database.connect(passbook_schema::WRITER).await;
                    let delete = "delete from passbook.users where user_id = $1";
                    let deleted = writer.execute(delete, &[&tenant.household.user.user_id]).await;
                    assert_eq!(deleted.expect("the user is deleted"), 1);
                    let insert = "insert into passbook.users (user_id, email) \
                                  values (gen_random_uuid(), 'late@example.org')";
                    writer.batch_execute(insert).await.expect("a user is stored");
                });
            });
        });
        changed.store(true, Ordering::Relaxed);
    };
    let during = backup(&database, &change).await;
    assert!(changed.load(Ordering::Relaxed));
    assert_eq!(during.tables, before.tables, "the backup must not see the change");
    let after = backup(&database, &|| ()).await;
    assert_ne!(after.tables, before.tables, "the change must be in the next backup");
}

#[tokio::test]
async fn values_are_copied_exactly_whatever_the_session_settings_are() {
    let (database, _) = filled_database().await;
    let usual = backup(&database, &|| ()).await;
    let superuser = database.connect("postgres").await;
    let odd = "do $$ begin execute format('alter database %I set timezone = ''Asia/Kathmandu''', current_database()); \
               execute format('alter database %I set datestyle = ''German''', current_database()); \
               execute format('alter database %I set bytea_output = ''escape''', current_database()); end $$";
    superuser.batch_execute(odd).await.expect("a superuser can change the settings");
    assert_eq!(backup(&database, &|| ()).await.tables, usual.tables);
}
