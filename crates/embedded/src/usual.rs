//! Where the data lies when nobody says: the same for every program, so that one finds what another started.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::account::is_root;

/// Root's own data must not lie in root's home, which the account that PostgreSQL runs as cannot enter.
const OF_ROOT: &str = "/var/lib/passbook";

/// The usual data folder: `/var/lib/passbook` for root, else `passbook` below `XDG_DATA_HOME`, else below
/// `.local/share` in the home folder; none without a home. `variable` reads the environment. A relative
/// `XDG_DATA_HOME` is ignored, as its specification asks.
pub fn usual_data_dir(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if is_root() {
        return Some(PathBuf::from(OF_ROOT));
    }
    let named = variable("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || {
        variable("HOME").filter(|home| !home.is_empty()).map(|home| PathBuf::from(home).join(".local/share"))
    };
    Some(named.or_else(home)?.join("passbook"))
}
