//! The protocol's own conformance suite, at every revision that it knows and the server speaks. Each of its checks
//! passes, or is on the list of those that a server of tools alone cannot pass, with the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::node;
use super::suite::{self, SuiteContext};
use crate::command::{print_line, read};

/// The list: at `passes` a count for each revision, in every other table checks with reasons.
const LIST: &str = "conformance.toml";
const PASSES: &str = "passes";
const PROGRAM: &str = "node_modules/@modelcontextprotocol/conformance/dist/index.js";

pub(super) fn run(context: &SuiteContext<'_>) -> Result<(), String> {
    let program = node::install_locked(context)?.join(PROGRAM);
    let node = node::node(&context.work)?;
    let list = List::read(&read(&context.committed(LIST))?)?;
    let folder = context.work.join("conformance");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let mut found = BTreeMap::new();
    for revision in list.passes.keys() {
        let results = folder.join(revision);
        let mut suite = context.client(&node);
        suite::run(
            suite
                .arg(context.committed("conformance.mjs"))
                .arg(&program)
                .args([revision.as_str()])
                .arg(&results),
        )?;
        let checks = checks(&results)?;
        print_line(&format!("{revision}: {} checks pass, {} do not", checks.passes, checks.failed.len()));
        found.insert(revision.clone(), checks);
    }
    let problems = list.judge(&found);
    problems.iter().for_each(|problem| print_line(problem));
    if problems.is_empty() { Ok(()) } else { Err(format!("{} checks are not as listed", problems.len())) }
}

/// What is expected.
#[derive(Debug, Default)]
struct List {
    /// Checks that pass, by revision.
    passes: BTreeMap<String, usize>,
    /// `scenario:check` of those that cannot.
    cannot: BTreeSet<String>,
}

/// What a run at one revision came to.
#[derive(Debug, Default)]
struct Checks {
    passes: usize,
    /// `scenario:check` of those that do not pass, warnings included.
    failed: BTreeSet<String>,
    /// `scenario:check` of those that pass every time they occur.
    passed: BTreeSet<String>,
}

impl List {
    fn read(text: &str) -> Result<List, String> {
        let tables: BTreeMap<String, toml::Table> =
            toml::from_str(text).map_err(|error| format!("{LIST}: {error}"))?;
        let mut list = List::default();
        for (name, table) in tables {
            for (key, value) in table {
                let count = value.as_integer().and_then(|count| usize::try_from(count).ok());
                match (name == PASSES, count, value.as_str()) {
                    (true, Some(count), _) => drop(list.passes.insert(key, count)),
                    (false, _, Some(reason)) if !reason.is_empty() => drop(list.cannot.insert(key)),
                    _ => return Err(format!("{LIST}: {name}.{key} must be a count or a reason")),
                }
            }
        }
        Ok(list)
    }

    fn judge(&self, found: &BTreeMap<String, Checks>) -> Vec<String> {
        let mut problems = Vec::new();
        let mut unused = self.cannot.clone();
        for (revision, checks) in found {
            let expected = self.passes.get(revision).copied().unwrap_or_default();
            if checks.passes != expected {
                problems.push(format!("{revision}: {} checks pass, not {expected}", checks.passes));
            }
            let unexpected = checks.failed.difference(&self.cannot);
            problems.extend(unexpected.map(|check| format!("{revision}: {check} fails and is not listed")));
            let unexpected = checks.passed.intersection(&self.cannot);
            problems.extend(unexpected.map(|check| format!("{revision}: {check} is listed and passes")));
            unused.retain(|check| !checks.failed.contains(check));
        }
        problems.extend(unused.iter().map(|check| format!("{check} is listed and fails nowhere")));
        problems
    }
}

/// The checks of a run: a folder for each scenario.
fn checks(results: &Path) -> Result<Checks, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", results.display());
    let mut checks = Checks::default();
    for entry in results.read_dir().map_err(failed)? {
        let folder: PathBuf = entry.map_err(failed)?.path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let scenario = scenario(&name).ok_or_else(|| format!("{name} is no result of a scenario"))?;
        let listed: Vec<Value> = serde_json::from_str(&read(&folder.join("checks.json"))?)
            .map_err(|error| format!("{name}: {error}"))?;
        for check in listed {
            let id = format!("{scenario}:{}", check["id"].as_str().ok_or("a check must have a name")?);
            match check["status"].as_str() {
                Some("SUCCESS") => {
                    checks.passes += 1;
                    checks.passed.insert(id);
                }
                Some("INFO" | "SKIPPED") => {}
                _ => drop(checks.failed.insert(id)),
            }
        }
    }
    checks.passed.retain(|check| !checks.failed.contains(check));
    Ok(checks)
}

/// The scenario of a folder: `server-`, its name, and from `-20` on the moment it ran.
fn scenario(folder: &str) -> Option<&str> {
    const MOMENT_CHARACTERS: usize = "-2026-11-21T15-41-09-364Z".len();
    let name = folder.strip_prefix("server-")?;
    name.get(..name.len().checked_sub(MOMENT_CHARACTERS)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn judge(passes: usize, failed: &[&str], passed: &[&str]) -> Vec<String> {
        let list = "[passes]\n\"r\" = 2\n[cannot]\n\"s:tool\" = \"there is none\"\n";
        let checks = Checks { passes, failed: set(failed), passed: set(passed) };
        List::read(list).expect("a list").judge(&BTreeMap::from([("r".to_owned(), checks)]))
    }

    #[test]
    fn exactly_the_listed_checks_fail() {
        assert_eq!(judge(2, &["s:tool"], &["s:a"]), Vec::<String>::new());
        assert_eq!(judge(2, &["s:tool", "s:b"], &[]), ["r: s:b fails and is not listed"]);
        assert_eq!(judge(2, &[], &[]), ["s:tool is listed and fails nowhere"]);
        assert_eq!(judge(1, &["s:tool"], &[]), ["r: 1 checks pass, not 2"]);
        assert_eq!(judge(2, &[], &["s:tool"])[0], "r: s:tool is listed and passes");
        assert!(List::read("[cannot]\n\"s:tool\" = \"\"\n").is_err(), "a reason is needed");
    }

    #[test]
    fn the_moment_is_no_part_of_a_scenario() {
        assert_eq!(scenario("server-ping-2026-11-21T15-41-09-364Z"), Some("ping"));
        assert_eq!(scenario("ping-2026-11-21T15-41-09-364Z"), None);
        assert_eq!(scenario("server-ping"), None);
    }
}
