//! Which PostgreSQL to run: the named one, else the first installed one that will do, else a fetched one.

use std::path::{Path, PathBuf};

use crate::account::{Account, command_as};
use crate::folders::Folders;
use crate::{Config, Error, cluster, download, install, places, program};

/// Nothing newer than this version is used in our SQL, and nothing older is tested.
pub(crate) const OLDEST_MAJOR: u32 = 15;
const VERSION_SECONDS_MAX: u64 = 10;

/// A folder that holds `postgres` and `initdb`, with symbolic links resolved: PostgreSQL looks for its shared
/// files relative to it.
#[derive(Clone, Debug)]
pub(crate) struct Binaries {
    folder: PathBuf,
    major: u32,
}

impl Binaries {
    /// Finds or fetches binaries that run as the account and fit the cluster, if there is one.
    pub(crate) async fn choose(
        config: &Config,
        folders: &Folders,
        account: Option<&Account>,
    ) -> Result<Binaries, Error> {
        let places = match &config.postgres_bin {
            Some(folder) => vec![folder.clone()],
            None => places::all(config.search_path.as_deref(), folders),
        };
        Choice { config, folders, account, wanted: cluster::major(folders)? }.among(&places).await
    }

    pub(crate) fn postgres(&self) -> PathBuf {
        self.folder.join("postgres")
    }

    pub(crate) fn initdb(&self) -> PathBuf {
        self.folder.join("initdb")
    }

    fn will_do(&self, wanted: Option<u32>) -> bool {
        self.major >= OLDEST_MAJOR && wanted.is_none_or(|wanted| wanted == self.major)
    }
}

struct Choice<'a> {
    config: &'a Config,
    folders: &'a Folders,
    account: Option<&'a Account>,
    wanted: Option<u32>,
}

impl Choice<'_> {
    async fn among(&self, places: &[PathBuf]) -> Result<Binaries, Error> {
        let mut passed_over = Vec::new();
        for place in places {
            match probe(place, self.account).await {
                Some(binaries) if binaries.will_do(self.wanted) => return Ok(binaries),
                Some(binaries) => passed_over.push(binaries),
                None => {}
            }
        }
        self.otherwise(&passed_over).await
    }

    async fn otherwise(&self, passed_over: &[Binaries]) -> Result<Binaries, Error> {
        let may_fetch = self.config.download && self.config.postgres_bin.is_none();
        if let Some(cluster) = self.wanted.filter(|wanted| !may_fetch || *wanted != download::MAJOR) {
            let folder = self.folders.cluster();
            return Err(Error::OtherMajor { folder, cluster, passed_over: list(passed_over) });
        }
        if let Some(folder) = self.config.postgres_bin.clone() {
            let by = self.account.map_or_else(String::new, |account| format!(" by {}", account.name));
            return Err(Error::NotUsable { folder, by });
        }
        if !may_fetch {
            return Err(Error::DownloadRefused {
                passed_over: list(passed_over),
                install: install::command(),
            });
        }
        let fetched = download::fetch(self.folders, self.config.search_path.as_deref()).await;
        let folder = fetched.map_err(|error| with_list(error, passed_over))?;
        let found = probe(&folder, self.account).await;
        found.ok_or_else(|| Error::NotForThisSystem { folder, install: install::command() })
    }
}

/// Asks the binaries for their version as the account that would run them, so that those it cannot reach do
/// not count.
async fn probe(folder: &Path, account: Option<&Account>) -> Option<Binaries> {
    let postgres = folder.join("postgres").canonicalize().ok()?;
    let folder = postgres.parent()?.to_owned();
    folder.join("initdb").is_file().then_some(())?;
    let mut command = command_as(account, &postgres);
    command.arg("--version");
    let output = program::run(command, VERSION_SECONDS_MAX).await.ok()?;
    let major = major(&String::from_utf8_lossy(&output.stdout))?;
    Some(Binaries { folder, major })
}

/// From `postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)` or `postgres (PostgreSQL) 19beta1`.
fn major(version: &str) -> Option<u32> {
    let number = version.split_whitespace().nth(2)?;
    number.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
}

fn list(passed_over: &[Binaries]) -> String {
    if passed_over.is_empty() {
        return String::new();
    }
    let name = |binaries: &Binaries| format!("{} in {}", binaries.major, binaries.folder.display());
    let mut names: Vec<String> = passed_over.iter().map(name).collect();
    names.dedup();
    format!(" (only {})", names.join(", "))
}

fn with_list(error: Error, found: &[Binaries]) -> Error {
    match error {
        Error::NotFound { reason, install, .. } => {
            Error::NotFound { passed_over: list(found), reason, install }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn choose_among_nothing(download: bool, wanted: Option<u32>) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let data_dir = folder.path().to_owned();
        let config = Config { data_dir, postgres_bin: None, search_path: None, download, durable: false };
        let folders = Folders::of(folder.path()).expect("an absolute path");
        let choice = Choice { config: &config, folders: &folders, account: None, wanted };
        choice.among(&[folder.path().to_owned()]).await.expect_err("nothing to choose").to_string()
    }

    #[tokio::test]
    async fn when_fetching_is_forbidden_the_install_command_is_named() {
        let text = choose_among_nothing(false, None).await;
        let mend = format!("--no-download forbids fetching it.\nInstall it with `{}`", install::command());
        assert!(text.contains(&mend), "{text}");
    }

    #[tokio::test]
    async fn fetching_without_npm_names_the_install_command_too() {
        let text = choose_among_nothing(true, None).await;
        assert!(text.contains("npm is not on PATH") && text.contains(&install::command()), "{text}");
    }

    #[tokio::test]
    async fn an_existing_cluster_is_fetched_for_only_if_the_version_fits() {
        assert!(choose_among_nothing(true, Some(16)).await.contains("was made by PostgreSQL 16"));
        assert!(choose_among_nothing(true, Some(download::MAJOR)).await.contains("npm is not on PATH"));
        assert!(
            choose_among_nothing(false, Some(download::MAJOR)).await.contains("was made by PostgreSQL 18")
        );
    }

    #[test]
    fn what_is_too_old_is_passed_over_and_listed() {
        let of = |major| Binaries { folder: "/usr/bin".into(), major };
        assert!(!of(14).will_do(None));
        assert!(of(15).will_do(None) && of(15).will_do(Some(15)) && !of(15).will_do(Some(16)));
        assert_eq!(list(&[of(13), of(14), of(14)]), " (only 13 in /usr/bin, 14 in /usr/bin)");
    }

    #[test]
    fn the_major_version_is_the_first_number() {
        assert_eq!(major("postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)\n"), Some(15));
        assert_eq!(major("postgres (PostgreSQL) 19beta1"), Some(19));
        assert_eq!(major("postgres: not found"), None);
    }
}
