//! Failed starts return an error that names the remedy.

use std::fs::{DirBuilder, create_dir_all};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};

use passbook_embedded::{Embedded, Error};

use super::{config, folder, start};

#[tokio::test]
async fn second_start_in_a_folder_is_in_use_error() {
    let folder = folder();
    let first = start(folder.path()).await;
    let error = Embedded::start(config(folder.path())).await.expect_err("the folder is taken");
    let expected = format!(
        "The database in {}/postgres is in use by process {}.\n\
         Stop that process first.",
        folder.path().display(),
        std::process::id()
    );
    assert_eq!(error.to_string(), expected);
    first.stop().await.expect("a clean end");
    start(folder.path()).await.stop().await.expect("free again");
}

#[tokio::test]
async fn cluster_of_another_version_is_not_changed() {
    let folder = folder();
    let cluster = folder.path().join("postgres/cluster");
    create_dir_all(&cluster).expect("room");
    std::fs::write(cluster.join("PG_VERSION"), "9\n").expect("room");
    let error = Embedded::start(config(folder.path())).await.expect_err("no such binaries");
    assert!(matches!(error, Error::OtherMajor { cluster: 9, .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("made by PostgreSQL 9") && text.contains("Install PostgreSQL 9"), "{text}");
    assert_eq!(std::fs::read_to_string(cluster.join("PG_VERSION")).expect("untouched"), "9\n");
}

#[tokio::test]
async fn configured_folder_without_binaries_is_an_error() {
    let folder = folder();
    let mut config = config(folder.path());
    config.postgres_bin = Some("/nowhere".into());
    config.download = true;
    let error = Embedded::start(config).await.expect_err("nothing to run");
    assert!(error.to_string().starts_with("The folder /nowhere has no `postgres`"), "{error}");
}

#[tokio::test]
async fn unexpected_end_of_the_server_shows_its_log() {
    let folder = folder();
    start(folder.path()).await.stop().await.expect("a clean end");
    let settings = folder.path().join("postgres/cluster/postgresql.auto.conf");
    std::fs::write(settings, "no_such_setting = 1\n").expect("room");
    let error = Embedded::start(config(folder.path())).await.expect_err("a bad setting");
    assert!(matches!(error, Error::Ended { .. }), "{error}");
    assert!(error.to_string().contains("no_such_setting"), "{error}");
}

/// For root, PostgreSQL runs as another account, which cannot enter the folder. An ordinary user can.
#[tokio::test]
async fn folder_that_the_account_cannot_enter_is_named() {
    let folder = folder();
    let home = folder.path().join("home");
    DirBuilder::new().mode(0o700).create(&home).expect("room");
    let outcome = Embedded::start(config(&home.join("data"))).await;
    if home.metadata().expect("it is there").uid() != 0 {
        outcome.expect("a server").stop().await.expect("a clean end");
        return;
    }
    let error = outcome.expect_err("the folder cannot be entered");
    let text = error.to_string();
    assert!(matches!(error, Error::NotReachable { .. }), "{text}");
    // The error names the innermost folder that cannot be entered.
    assert!(text.contains(&format!("Allow it with `chmod o+x {}`", home.display())), "{text}");
}
