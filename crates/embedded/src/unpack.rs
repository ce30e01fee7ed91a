//! Unpacks the fetched archive and restores what the package format cannot carry: symbolic links and the
//! permission to run.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::{Error, program};

const UNPACK_SECONDS_MAX: u64 = 120;
const LINKS: &str = "native/pg-symlinks.json";
const RUNNABLE: u32 = 0o755;
const READABLE: u32 = 0o444;

/// Unpacks into the folder and answers the package's own folder within.
pub(crate) async fn unpack(archive: &Path, folder: &Path) -> Result<PathBuf, Error> {
    let mut command = Command::new("tar");
    // `-o`: as root, do not make a stranger's number the owner.
    command.args(["-x", "-z", "-o", "-f"]).arg(archive).arg("-C").arg(folder);
    program::succeed(command, UNPACK_SECONDS_MAX).await?;
    let package = folder.join("package");
    make_readable(&package)?;
    for program in list(&package.join("native").join("bin"))? {
        set_mode(&program, RUNNABLE)?;
    }
    for (target, source) in links(&package.join(LINKS))? {
        let link = package.join(target);
        std::os::unix::fs::symlink(source, &link).map_err(Error::io("link", &link))?;
    }
    Ok(package)
}

/// Pairs of a link's path in the package and what it names, relative to where it lies so that the package
/// can be moved.
fn links(path: &Path) -> Result<Vec<(PathBuf, PathBuf)>, Error> {
    let text = std::fs::read(path).map_err(Error::io("read", path))?;
    let parsed: Option<Vec<_>> = serde_json::from_slice::<serde_json::Value>(&text)
        .ok()
        .and_then(|list| list.as_array()?.iter().map(link).collect());
    let unreadable = || std::io::Error::new(std::io::ErrorKind::InvalidData, "not a list of links");
    parsed.ok_or_else(|| Error::io("understand", path)(unreadable()))
}

fn link(entry: &serde_json::Value) -> Option<(PathBuf, PathBuf)> {
    let within = |key: &str| {
        let path = Path::new(entry.get(key)?.as_str()?);
        path.components().all(|part| matches!(part, Component::Normal(_))).then_some(path)
    };
    let (source, target) = (within("source")?, within("target")?);
    let up: PathBuf = target.parent()?.components().map(|_| Component::ParentDir).collect();
    Some((target.to_owned(), up.join(source)))
}

/// Whatever the umask is, the account that runs PostgreSQL must be able to read everything.
fn make_readable(folder: &Path) -> Result<(), Error> {
    set_mode(folder, RUNNABLE)?;
    for path in list(folder)? {
        if path.is_dir() {
            make_readable(&path)?;
        } else {
            let found = path.metadata().map_err(Error::io("look at", &path))?;
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
    std::fs::set_permissions(path, Permissions::from_mode(mode)).map_err(Error::io("set the mode of", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_relative_to_where_they_lie() {
        let entry =
            serde_json::json!({"source": "native/lib/libpq.so.5.18", "target": "native/lib/libpq.so"});
        let expected =
            (PathBuf::from("native/lib/libpq.so"), PathBuf::from("../../native/lib/libpq.so.5.18"));
        assert_eq!(link(&entry), Some(expected));
    }

    #[test]
    fn links_out_of_the_package_are_not_understood() {
        for (source, target) in [("/etc/passwd", "a"), ("a", "/etc/x"), ("../a", "b"), ("a", "b/../../c")] {
            assert_eq!(link(&serde_json::json!({"source": source, "target": target})), None);
        }
    }
}
