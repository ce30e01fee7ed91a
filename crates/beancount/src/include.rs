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

/// Returns true if the name matches the pattern. Each part between two stars is taken at its first occurrence, which
/// finds a match if there is one, so that the time is at most the product of both lengths.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else { return pattern == name };
    let (middle, end) = after.rsplit_once('*').unwrap_or(("", after));
    let Some(mut rest) = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(end)) else {
        return false;
    };
    for part in middle.split('*') {
        match rest.find(part) {
            Some(start) => rest = &rest[start + part.len()..],
            None => return false,
        }
    }
    true
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
            ("a*a", "a", false),
            ("*a*b", "xayb", true),
            ("*a*b", "bya", false),
            ("**", "", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn pattern_with_many_stars_takes_linear_time() {
        let (pattern, name) = (format!("{}b", "*a".repeat(1_000)), "a".repeat(5_000));
        assert!(!fits(&pattern, &name));
        assert!(fits(&pattern, &format!("{name}b")));
    }
}
