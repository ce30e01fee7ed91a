//! Chooses the PostgreSQL binaries: the configured ones, else the first suitable ones on this machine, else
//! downloaded ones.

use std::path::{Path, PathBuf};

use super::account::{UnixAccount, command_as};
use super::error::{DOWNLOAD_MAJOR, Error, OLDEST_MAJOR};
use super::folders::{EmbeddedConfig, Folders};
use super::{download, install, locations, program};

/// Time limit for `postgres --version`, in seconds.
const VERSION_SECONDS_MAX: u64 = 10;

/// A folder with `postgres` and `initdb`. Symbolic links are resolved, because PostgreSQL finds its shared files
/// relative to this folder.
#[derive(Clone, Debug)]
pub(crate) struct Binaries {
    folder: PathBuf,
    major: u32,
}

impl Binaries {
    /// Locates or downloads binaries that the account can run and that have the version of the cluster, if there is
    /// one.
    pub(crate) async fn choose(
        config: &EmbeddedConfig,
        folders: &Folders,
        account: Option<&UnixAccount>,
    ) -> Result<Binaries, Error> {
        let candidates = match &config.postgres_bin {
            Some(folder) => vec![folder.clone()],
            None => locations::all(config.search_path.as_deref(), folders),
        };
        Choice { config, folders, account, required: folders.cluster_major()? }.among(&candidates).await
    }

    pub(crate) fn into_folder(self) -> PathBuf {
        self.folder
    }

    pub(crate) fn postgres(&self) -> PathBuf {
        self.folder.join("postgres")
    }

    pub(crate) fn initdb(&self) -> PathBuf {
        self.folder.join("initdb")
    }

    /// Returns true if the version is supported and equals the required version, if there is one.
    fn is_suitable(&self, required: Option<u32>) -> bool {
        self.major >= OLDEST_MAJOR && required.is_none_or(|required| required == self.major)
    }
}

/// The conditions that binaries must meet.
struct Choice<'a> {
    config: &'a EmbeddedConfig,
    folders: &'a Folders,
    account: Option<&'a UnixAccount>,
    /// Major version of the existing cluster, which the binaries must have; `None` without a cluster.
    required: Option<u32>,
}

impl Choice<'_> {
    /// Chooses the first suitable binaries of the candidate folders.
    async fn among(&self, candidates: &[PathBuf]) -> Result<Binaries, Error> {
        let mut unsuitable = Vec::new();
        for folder in candidates {
            match probe(folder, self.account).await {
                Some(binaries) if binaries.is_suitable(self.required) => return Ok(binaries),
                Some(binaries) => unsuitable.push(binaries),
                None => {}
            }
        }
        self.download_or_fail(&unsuitable).await
    }

    /// Downloads binaries, or returns the error that explains why nothing suitable was found.
    async fn download_or_fail(&self, unsuitable: &[Binaries]) -> Result<Binaries, Error> {
        let may_download = self.config.download && self.config.postgres_bin.is_none();
        if let Some(cluster) = self.required.filter(|required| !may_download || *required != DOWNLOAD_MAJOR) {
            let folder = self.folders.cluster();
            return Err(Error::OtherMajor { folder, cluster, passed_over: list(unsuitable) });
        }
        if let Some(folder) = self.config.postgres_bin.clone() {
            let by = self.account.map_or_else(String::new, |account| format!(" by {}", account.name));
            return Err(Error::NotUsable { folder, by });
        }
        if !may_download {
            return Err(Error::DownloadRefused {
                passed_over: list(unsuitable),
                install: install::command(),
            });
        }
        let downloaded = download::fetch(self.folders, self.config.search_path.as_deref()).await;
        let folder = downloaded.map_err(|error| with_list(error, unsuitable))?;
        let found = probe(&folder, self.account).await;
        found.ok_or_else(|| Error::NotForThisSystem { folder, install: install::command() })
    }
}

/// Returns the binaries in a folder with their version. Runs `postgres --version` as the account that will run the
/// server, so binaries that this account cannot reach are not returned.
async fn probe(folder: &Path, account: Option<&UnixAccount>) -> Option<Binaries> {
    let postgres = folder.join("postgres").canonicalize().ok()?;
    let folder = postgres.parent()?.to_owned();
    folder.join("initdb").is_file().then_some(())?;
    let mut command = command_as(account, &postgres);
    command.arg("--version");
    let output = program::run(command, VERSION_SECONDS_MAX).await.ok()?;
    let major = major(&String::from_utf8_lossy(&output.stdout))?;
    Some(Binaries { folder, major })
}

/// Parses the major version from `postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)` or `postgres (PostgreSQL)
/// 19beta1`.
fn major(version: &str) -> Option<u32> {
    let number = version.split_whitespace().nth(2)?;
    number.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
}

/// Lists unsuitable binaries for an error message; empty if there are none.
fn list(unsuitable: &[Binaries]) -> String {
    if unsuitable.is_empty() {
        return String::new();
    }
    let name = |binaries: &Binaries| format!("{} in {}", binaries.major, binaries.folder.display());
    let mut names: Vec<String> = unsuitable.iter().map(name).collect();
    names.dedup();
    format!(" (only {})", names.join(", "))
}

/// Adds the list of unsuitable binaries to an [`Error::NotFound`].
fn with_list(error: Error, unsuitable: &[Binaries]) -> Error {
    match error {
        Error::NotFound { reason, install, .. } => {
            Error::NotFound { passed_over: list(unsuitable), reason, install }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn choose_among_nothing(download: bool, required: Option<u32>) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let data_dir = folder.path().to_owned();
        let config =
            EmbeddedConfig { data_dir, postgres_bin: None, search_path: None, download, durable: false };
        let folders = Folders::new(folder.path()).expect("an absolute path");
        let choice = Choice { config: &config, folders: &folders, account: None, required };
        choice.among(&[folder.path().to_owned()]).await.expect_err("nothing to choose").to_string()
    }

    #[tokio::test]
    async fn error_without_download_names_the_install_command() {
        let text = choose_among_nothing(false, None).await;
        let remedy =
            format!("the configuration forbids fetching it.\nInstall it with `{}`", install::command());
        assert!(text.contains(&remedy), "{text}");
    }

    #[tokio::test]
    async fn error_without_npm_names_the_install_command() {
        let text = choose_among_nothing(true, None).await;
        assert!(text.contains("npm is not on PATH") && text.contains(&install::command()), "{text}");
    }

    #[tokio::test]
    async fn download_for_an_existing_cluster_needs_its_version() {
        assert!(choose_among_nothing(true, Some(16)).await.contains("was made by PostgreSQL 16"));
        assert!(choose_among_nothing(true, Some(DOWNLOAD_MAJOR)).await.contains("npm is not on PATH"));
        assert!(
            choose_among_nothing(false, Some(DOWNLOAD_MAJOR)).await.contains("was made by PostgreSQL 18")
        );
    }

    #[test]
    fn unsuitable_versions_are_skipped_and_listed() {
        let version = |major| Binaries { folder: "/usr/bin".into(), major };
        assert!(!version(14).is_suitable(None));
        assert!(
            version(15).is_suitable(None)
                && version(15).is_suitable(Some(15))
                && !version(15).is_suitable(Some(16))
        );
        assert_eq!(list(&[version(13), version(14), version(14)]), " (only 13 in /usr/bin, 14 in /usr/bin)");
    }

    #[test]
    fn major_version_is_the_first_number() {
        assert_eq!(major("postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)\n"), Some(15));
        assert_eq!(major("postgres (PostgreSQL) 19beta1"), Some(19));
        assert_eq!(major("postgres: not found"), None);
    }
}
