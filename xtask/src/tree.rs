//! Reads the files of the repository: those that git tracks or would add, or every file if there is no git.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::Command;

/// Folders whose files are not read if git is not available.
const IGNORED: [&str; 2] = ["target", ".git"];

/// The files of the repository by their path from the root, with forward slashes. A file that is not UTF-8 has no text.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    files: BTreeMap<String, Option<String>>,
}

impl Tree {
    pub(crate) fn read(root: &Path) -> io::Result<Tree> {
        let mut paths = Vec::new();
        match git_paths(root) {
            Some(known) => paths.extend(known),
            None => walk(root, "", &mut paths)?,
        }
        let mut files = BTreeMap::new();
        for path in paths {
            // Git still lists a file that was deleted but not committed; such a file is skipped.
            if let Ok(bytes) = std::fs::read(root.join(&path)) {
                files.insert(path, String::from_utf8(bytes).ok());
            }
        }
        Ok(Tree { files })
    }

    /// Returns path and text of each text file, in order of path.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// Returns path and text of each text file whose path starts with `start` and ends with `end`, in order of path.
    pub(crate) fn texts_in<'a>(
        &'a self,
        start: &'a str,
        end: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.texts().filter(move |(path, _)| path.starts_with(start) && path.ends_with(end))
    }

    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.as_deref()
    }

    /// Returns true if a file or a folder has this path.
    pub(crate) fn contains(&self, path: &str) -> bool {
        let folder = format!("{}/", path.trim_end_matches('/'));
        self.files.contains_key(path) || self.files.keys().any(|file| file.starts_with(&folder))
    }

    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Tree {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), Some((*text).to_owned()))).collect();
        Tree { files }
    }
}

/// Returns the paths that git lists. `None` without git or its folder, as in an unpacked archive.
fn git_paths(root: &Path) -> Option<Vec<String>> {
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").args(arguments).current_dir(root).output().ok()?;
    let listed = String::from_utf8(output.stdout).ok()?;
    let paths: Vec<String> = listed.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect();
    // For an archive that was unpacked into a folder that git ignores, git lists nothing.
    (output.status.success() && !paths.is_empty()).then_some(paths)
}

fn walk(root: &Path, folder: &str, paths: &mut Vec<String>) -> io::Result<()> {
    for entry in root.join(folder).read_dir()? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        if entry.file_type()?.is_dir() {
            if !IGNORED.contains(&name.as_str()) {
                walk(root, &path, paths)?;
            }
        } else {
            paths.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_git_every_file_outside_target_is_read() {
        let mut paths = Vec::new();
        walk(&crate::repository::root(), "", &mut paths).expect("the repository is readable");
        assert!(paths.contains(&"xtask/src/tree.rs".to_owned()));
        assert!(paths.iter().all(|path| !path.starts_with("target/") && !path.starts_with(".git/")));
    }

    #[test]
    fn tree_contains_its_files_and_their_folders() {
        let tree = Tree::of(&[("docs/schema.md", "")]);
        assert!(tree.contains("docs/schema.md") && tree.contains("docs") && tree.contains("docs/"));
        assert!(!tree.contains("docs/sch") && !tree.contains("doc"));
    }
}
