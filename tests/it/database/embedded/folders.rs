//! Data folders with unusual names or with files of earlier runs.

use passbook_embedded::running_in;

use super::{folder, query_text, session, start};

#[tokio::test]
async fn socket_of_a_too_long_path_is_in_tmp() {
    let folder = folder();
    let deep = folder.path().join("d".repeat(120));
    open(folder.path());
    let server = start(&deep).await;
    let elsewhere = server.address().socket_dir.clone();
    assert!(elsewhere.starts_with("/tmp") && !elsewhere.starts_with(folder.path()), "{elsewhere:?}");
    let found = running_in(&deep).await.expect("readable").expect("it runs");
    assert_eq!(query_text(&session(&found, "postgres").await, "select 'here'").await, "here");
    server.stop().await.expect("a clean end");
    assert!(!elsewhere.exists());
}

#[tokio::test]
async fn folder_name_may_contain_commas_quotes_and_spaces() {
    let folder = folder();
    open(folder.path());
    let server = start(&folder.path().join("a, \"b\" 'c' $d")).await;
    assert_eq!(query_text(&session(server.address(), "postgres").await, "select 'here'").await, "here");
    server.stop().await.expect("a clean end");
}

#[tokio::test]
async fn interrupted_cluster_creation_is_removed() {
    let folder = folder();
    let half_done = folder.path().join("postgres/cluster.new.4711");
    std::fs::create_dir_all(&half_done).expect("room");
    std::fs::write(half_done.join("PG_VERSION"), "15\n").expect("room");
    let server = start(folder.path()).await;
    assert!(!half_done.exists());
    assert!(folder.path().join("postgres/cluster/base").is_dir());
    server.stop().await.expect("a clean end");

    // A folder that appears during a start is removed by the next start.
    std::fs::create_dir(&half_done).expect("room");
    start(folder.path()).await.stop().await.expect("a clean end");
    assert!(!half_done.exists());
}

#[tokio::test]
async fn cluster_and_socket_are_private_to_one_account() {
    use std::os::unix::fs::MetadataExt;
    let folder = folder();
    let server = start(folder.path()).await;
    for name in ["cluster", "socket"] {
        let found = folder.path().join("postgres").join(name).metadata().expect("it is there");
        assert_eq!(found.mode() & 0o777, 0o700, "{name}");
        assert_ne!(found.uid(), 0, "{name}");
    }
    assert_eq!(folder.path().join("postgres").metadata().expect("it is there").mode() & 0o066, 0);
    server.stop().await.expect("a clean end");
}

/// For root, for example after the machine gained a `postgres` account.
#[tokio::test]
async fn existing_cluster_keeps_its_owner() {
    use std::os::unix::fs::MetadataExt;
    const NOBODY: u32 = 65534;
    let folder = folder();
    start(folder.path()).await.stop().await.expect("a clean end");
    let cluster = folder.path().join("postgres/cluster");
    if folder.path().metadata().expect("it is there").uid() == 0 {
        let chown =
            std::process::Command::new("chown").arg("-R").arg(NOBODY.to_string()).arg(&cluster).status();
        assert!(chown.expect("chown is everywhere").success());
    }
    let owner = || cluster.metadata().expect("it is there").uid();
    let before = owner();
    start(folder.path()).await.stop().await.expect("a clean end");
    assert_eq!(owner(), before);
}

/// Makes the folder above the data folder passable. For root, a start changes no folders above the data folder.
fn open(folder: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o711)).expect("ours");
}
