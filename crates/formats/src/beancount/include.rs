//! Finds the files that an `include` directive names: one file, or all files that match a pattern with `*` in the file
//! name.

use std::path::{Path, PathBuf};

/// Returns the files that an `include` in the file `from` names, sorted by name.
///
/// # Errors
///
/// The broken rule.
pub(super) fn resolve(from: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    let path = from.parent().unwrap_or(Path::new("")).join(pattern);
    if !pattern.contains('*') {
        return Ok(vec![path]);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if folder.to_string_lossy().contains('*') {
        return Err("an include must have `*` in the file name only, not in a folder".to_owned());
    }
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("the folder must be readable: {error}"))?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| path.file_name().is_some_and(|file| fits(&name, &file.to_string_lossy())))
        .filter(|path| path.is_file())
        .collect();
    if paths.is_empty() {
        return Err("an include must match at least one file".to_owned());
    }
    paths.sort();
    Ok(paths)
}

fn fits(pattern: &str, name: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut rest) = name.strip_prefix(before) else { return false };
    loop {
        if fits(after, rest) {
            return true;
        }
        let mut characters = rest.chars();
        if characters.next().is_none() {
            return false;
        }
        rest = characters.as_str();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn star_matches_any_characters() {
        for (pattern, name, expected) in [
            ("*.beancount", "2024.beancount", true),
            ("20*-*.bean", "2024-05.bean", true),
            ("*.beancount", "notes.txt", false),
            ("a*", "b", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }
}
