//! The default data folder, which all programs share, so that one program finds the server that another started.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::account::is_root;

/// Data folder of root. Not in root's home, which the account that PostgreSQL runs as cannot enter.
const ROOT_DATA_DIR: &str = "/var/lib/passbook";

/// Returns the default data folder: `/var/lib/passbook` for root, else `passbook` in the user's data folder
/// (`XDG_DATA_HOME`, or `.local/share` in the home folder). `None` if there is no home folder. `variable` returns
/// environment variables. A relative `XDG_DATA_HOME` is ignored, as the XDG specification requires.
pub fn usual_data_dir(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if is_root() {
        return Some(PathBuf::from(ROOT_DATA_DIR));
    }
    let named = variable("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || {
        variable("HOME").filter(|home| !home.is_empty()).map(|home| PathBuf::from(home).join(".local/share"))
    };
    Some(named.or_else(home)?.join("passbook"))
}
