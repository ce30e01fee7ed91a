//! Finds text that belongs in no file: paths of one machine, hosts of package registries, and marks of unfinished work
//! that name no owner.

use super::Finding;
use crate::rust_text::RustText;
use crate::tree::Tree;

/// Folders that exist only on a particular machine. They are written in two halves, so that this file has no finding.
const MACHINE: [&str; 3] = [concat!("/wo", "rk"), concat!("/ro", "ot"), concat!("/opt/", "wheels")];

/// Files that may name the home folder of the user `root`, each with the reason.
const ABOUT_ROOT: [(&str, &str); 2] = [
    ("bins/server/src/settings/sources.rs", "chooses the data folder of the user root"),
    ("crates/embedded/src/account.rs", "a test parses a password file"),
];

const REGISTRIES: [&str; 6] = [
    concat!("crates", ".io"),
    concat!("npm", "js.org"),
    concat!("npm", "js.com"),
    concat!("py", "pi.org"),
    concat!("python", "hosted.org"),
    concat!("proxy.", "golang.org"),
];

/// Name of Cargo's lock file, which contains the source of each package.
const LOCK: &str = "Cargo.lock";

const INCOMPLETE: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.texts().flat_map(|(path, text)| check_file(path, text)).collect()
}

fn check_file(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let root_is_meant = ABOUT_ROOT.iter().any(|(file, _)| *file == path);
    for (index, line) in text.lines().enumerate() {
        if let Some(folder) = MACHINE.into_iter().find(|folder| names_folder(line, folder))
            && !(root_is_meant && folder == MACHINE[1])
        {
            let advice = format!("replace `{folder}` by a path from the repository or from a setting");
            findings.push(Finding::new(path, index + 1, "machine-path", advice));
        }
        if let Some(host) = REGISTRIES.into_iter().find(|host| line.contains(host) && !path.ends_with(LOCK)) {
            let advice = format!("remove {host}: the configuration of the package client names the registry");
            findings.push(Finding::new(path, index + 1, "registry-host", advice));
        }
    }
    let marked = if path.ends_with(".rs") { RustText::of(text).comments } else { text.to_owned() };
    for (index, line) in marked.lines().enumerate() {
        if INCOMPLETE.iter().any(|mark| holds_mark(line, mark)) {
            let advice = "finish it, or add an owner, as in `(name)`, or a kind, as in `-coverage`";
            findings.push(Finding::new(path, index + 1, "unfinished", advice));
        }
    }
    findings
}

/// Returns true if a line contains an absolute path that starts with the folder. A longer name, a relative path or a
/// URL that contains the folder does not count.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + folder.len()..].chars().next();
        !before.is_some_and(|c| is_word(c) || ".-}/~".contains(c))
            && !after.is_some_and(|c| is_word(c) || ".-".contains(c))
    })
}

/// Returns true if a line contains the mark as a word that is not followed by an owner and a kind. Only the first mark
/// can have them.
fn holds_mark(line: &str, mark: &str) -> bool {
    line.match_indices(mark).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = &line[at + mark.len()..];
        let kind =
            after.strip_prefix('-').is_some_and(|kind| kind.starts_with(|c: char| c.is_ascii_lowercase()));
        let owned = mark == INCOMPLETE[0] && (kind || after.starts_with('('));
        !before.is_some_and(|c| is_word(c) || c == '-') && !after.starts_with(is_word) && !owned
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use super::*;

    #[test]
    fn machine_paths_are_found() {
        let [work, root, ..] = MACHINE;
        assert_eq!(check_file("a.md", &format!("see a{work}/b, {work}ing, https://a.example{work}/b")), []);
        assert_eq!(
            lines(&check_file("a.md", &format!("\ncd {work}/main\n"))),
            [format!(
                "a.md:2: machine-path: replace `{work}` by a path from the repository or from a setting"
            )]
        );
        assert_eq!(check_file("a.rs", &format!("//! A.\nlet home = \"{root}\";\n")).len(), 1);
        assert_eq!(check_file("crates/embedded/src/account.rs", &format!("let home = \"{root}\";\n")), []);
    }

    #[test]
    fn registry_hosts_are_found() {
        let host = REGISTRIES[0];
        let line = format!("source = \"https://{host}/a\"\n");
        assert_eq!(
            lines(&check_file("a.toml", &line)),
            [format!(
                "a.toml:1: registry-host: remove {host}: the configuration of the package client names the registry"
            )]
        );
        assert_eq!(check_file(LOCK, &line), []);
    }

    #[test]
    fn incomplete_marks_are_found_in_prose_and_comments() {
        let [todo, fix, _] = INCOMPLETE;
        let advice = "unfinished: finish it, or add an owner, as in `(name)`, or a kind, as in `-coverage`";
        assert_eq!(lines(&check_file("a.md", &format!("{todo}: all\n"))), [format!("a.md:1: {advice}")]);
        assert_eq!(lines(&check_file("a.rs", &format!("//! A.\n// {fix}\n"))), [format!("a.rs:2: {advice}")]);
        assert_eq!(
            check_file("a.rs", &format!("//! A.\nlet a = \"{todo}\"; // {todo}(ada) {todo}-coverage\n")),
            []
        );
        assert_eq!(check_file("a.md", &format!("METHOD{todo} sha512-{todo}x\n")), []);
    }
}
