//! The folders that are used when no setting names one (XDG Base Directory Specification).

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The default data folder of root if `XDG_DATA_HOME` is not set. PostgreSQL then runs as another account, which cannot
/// enter root's home folder.
const ROOT_DATA_DIR: &str = "/var/lib/passbook";

/// Returns the default data folder: `passbook` in `XDG_DATA_HOME`, otherwise `/var/lib/passbook` for root, and
/// `.local/share/passbook` in the home folder for other accounts. `None` without a home folder. `variable` returns the
/// value of an environment variable.
///
/// Root honours `XDG_DATA_HOME`, because whoever sets the variable chooses the folder, in a container for example. `sudo`
/// removes the variable by default, so root does not use the folder of another account by accident.
pub(crate) fn default_data_dir<'a>(
    variable: impl Fn(&str) -> Option<&'a OsStr>,
    is_root: bool,
) -> Option<PathBuf> {
    let folder = absolute(&variable, "XDG_DATA_HOME").map(|folder| folder.join("passbook"));
    folder.or_else(|| match is_root {
        true => Some(PathBuf::from(ROOT_DATA_DIR)),
        false => absolute(&variable, "HOME").map(|home| home.join(".local/share/passbook")),
    })
}

/// Returns the path of the default settings file: `passbook/config.toml` in `XDG_CONFIG_HOME`, otherwise in `.config`
/// of the home folder.
pub(crate) fn default_file<'a>(variable: impl Fn(&str) -> Option<&'a OsStr>) -> Option<PathBuf> {
    let folder = absolute(&variable, "XDG_CONFIG_HOME")
        .or_else(|| absolute(&variable, "HOME").map(|home| home.join(".config")));
    folder.map(|folder| folder.join("passbook/config.toml"))
}

/// Returns true if this process runs as root.
pub(crate) fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}

/// Returns the folder in an environment variable. A relative path is ignored, as the specification demands.
fn absolute<'a>(variable: impl Fn(&str) -> Option<&'a OsStr>, name: &str) -> Option<PathBuf> {
    let path = Path::new(variable(name)?);
    path.is_absolute().then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(environment: &[(&str, &str)]) -> [Option<String>; 3] {
        let variable = |name: &str| {
            let (_, value) = environment.iter().find(|(known, _)| *known == name)?;
            Some(OsStr::new(*value))
        };
        let folders =
            [default_data_dir(variable, false), default_file(variable), default_data_dir(variable, true)];
        folders.map(|path| path.map(|path| path.display().to_string()))
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn xdg_folders_take_precedence_over_the_default_folders() {
        let home = ("HOME", "/home/ada");
        let xdg = [home, ("XDG_DATA_HOME", "/data"), ("XDG_CONFIG_HOME", "/config")];
        let root = some("/var/lib/passbook");
        let of_home =
            [some("/home/ada/.local/share/passbook"), some("/home/ada/.config/passbook/config.toml"), root];
        assert_eq!(folders(&[home]), of_home);
        assert_eq!(
            folders(&xdg),
            [some("/data/passbook"), some("/config/passbook/config.toml"), some("/data/passbook")]
        );
    }

    #[test]
    fn relative_and_empty_folders_are_ignored() {
        let ignored = [("HOME", "home"), ("XDG_DATA_HOME", "data"), ("XDG_CONFIG_HOME", "")];
        assert_eq!(folders(&ignored), [None, None, some("/var/lib/passbook")]);
    }
}
