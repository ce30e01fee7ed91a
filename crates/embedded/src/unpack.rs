//! Unpacks the downloaded archive and restores symbolic links and the permission to execute, which npm packages cannot
//! contain.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::error::Error;
use crate::program;

/// Time limit of `tar`, in seconds.
const UNPACK_SECONDS_MAX: u64 = 120;
/// Path of the file in the package that lists the symbolic links.
const LINKS: &str = "native/pg-symlinks.json";
/// Permission bits of folders and executable files.
const EXECUTABLE: u32 = 0o755;
/// Permission bits that every file gets.
const READABLE: u32 = 0o444;

/// Unpacks an archive into a folder. Returns the folder of the package inside.
pub(crate) async fn unpack(archive: &Path, folder: &Path) -> Result<PathBuf, Error> {
    let mut command = Command::new("tar");
    // `-o`: for root, do not restore the owner ids in the archive.
    command.args(["-x", "-z", "-o", "-f"]).arg(archive).arg("-C").arg(folder);
    program::succeed(command, UNPACK_SECONDS_MAX).await?;
    let package = folder.join("package");
    make_readable(&package)?;
    for program in list(&package.join("native").join("bin"))? {
        set_mode(&program, EXECUTABLE)?;
    }
    for (target, source) in links(&package.join(LINKS))? {
        let link = package.join(target);
        std::os::unix::fs::symlink(source, &link).map_err(Error::io("link", &link))?;
    }
    Ok(package)
}

/// Returns the symbolic links of the package: the path of each link in the package, and its target relative to the
/// link, so that the package can be moved.
fn links(path: &Path) -> Result<Vec<(PathBuf, PathBuf)>, Error> {
    let text = std::fs::read(path).map_err(Error::io("read", path))?;
    let parsed: Option<Vec<_>> = serde_json::from_slice::<serde_json::Value>(&text)
        .ok()
        .and_then(|list| list.as_array()?.iter().map(link).collect());
    let malformed = || std::io::Error::new(std::io::ErrorKind::InvalidData, "not a list of symbolic links");
    parsed.ok_or_else(|| Error::io("parse", path)(malformed()))
}

/// Returns the path and the relative target of one link; `None` if the entry is malformed or leaves the package.
fn link(entry: &serde_json::Value) -> Option<(PathBuf, PathBuf)> {
    let inner_path = |key: &str| {
        let path = Path::new(entry.get(key)?.as_str()?);
        path.components().all(|part| matches!(part, Component::Normal(_))).then_some(path)
    };
    let (source, target) = (inner_path("source")?, inner_path("target")?);
    let up: PathBuf = target.parent()?.components().map(|_| Component::ParentDir).collect();
    Some((target.to_owned(), up.join(source)))
}

/// Makes all files readable for the account that runs PostgreSQL, independent of the umask.
fn make_readable(folder: &Path) -> Result<(), Error> {
    set_mode(folder, EXECUTABLE)?;
    for path in list(folder)? {
        if path.is_dir() {
            make_readable(&path)?;
        } else {
            let found = path.metadata().map_err(Error::io("examine", &path))?;
            set_mode(&path, found.permissions().mode() & 0o777 | READABLE)?;
        }
    }
    Ok(())
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = folder.read_dir().map_err(Error::io("list", folder))?;
    entries.map(|entry| Ok(entry.map_err(Error::io("list", folder))?.path())).collect()
}

fn set_mode(path: &Path, mode: u32) -> Result<(), Error> {
    std::fs::set_permissions(path, Permissions::from_mode(mode))
        .map_err(Error::io("change the permissions of", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_targets_are_relative_to_the_link() {
        let entry =
            serde_json::json!({"source": "native/lib/libpq.so.5.18", "target": "native/lib/libpq.so"});
        let expected =
            (PathBuf::from("native/lib/libpq.so"), PathBuf::from("../../native/lib/libpq.so.5.18"));
        assert_eq!(link(&entry), Some(expected));
    }

    #[test]
    fn links_that_leave_the_package_are_rejected() {
        for (source, target) in [("/etc/passwd", "a"), ("a", "/etc/x"), ("../a", "b"), ("a", "b/../../c")] {
            assert_eq!(link(&serde_json::json!({"source": source, "target": target})), None);
        }
    }
}
