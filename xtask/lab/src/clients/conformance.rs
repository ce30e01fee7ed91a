//! Runs the conformance suite of the Model Context Protocol, at every protocol revision that it and the server support.
//!
//! Every check passes or is listed in `xtask/lab/clients/conformance.toml` with the reason: a server without prompts,
//! completions and the fixtures of the suite cannot pass all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::node;
use super::suite::{self, SuiteContext};
use crate::command::{print_line, read};

/// Name of the file with the expected results. Its table `passes` has the number of passing checks by revision; every
/// other table has failing checks with reasons.
const LIST: &str = "conformance.toml";
const PASSES: &str = "passes";
const PROGRAM: &str = "@modelcontextprotocol/conformance/dist/index.js";

pub(super) fn run(context: &SuiteContext<'_>) -> Result<(), String> {
    let program = node::find(&node::install_locked(context)?, PROGRAM)?;
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
        print_line(&format!("{revision}: {} checks pass, {} fail", checks.passes, checks.failed.len()));
        found.insert(revision.clone(), checks);
    }
    let problems = list.differences(&found);
    problems.iter().for_each(|problem| print_line(problem));
    if problems.is_empty() { Ok(()) } else { Err(format!("{} checks differ from {LIST}", problems.len())) }
}

/// The expected results.
#[derive(Debug, Default)]
struct List {
    /// Number of passing checks, by revision.
    passes: BTreeMap<String, usize>,
    /// `scenario:check` of every check that is expected to fail.
    failing: BTreeSet<String>,
}

/// The results of a run at one protocol revision.
#[derive(Debug, Default)]
struct Checks {
    passes: usize,
    /// `scenario:check` of every check that failed or gave a warning at least once.
    failed: BTreeSet<String>,
    /// `scenario:check` of every check that always passed.
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
                    (false, _, Some(reason)) if !reason.is_empty() => drop(list.failing.insert(key)),
                    _ => return Err(format!("{LIST}: {name}.{key} must be a count or a reason")),
                }
            }
        }
        Ok(list)
    }

    /// Returns a line per difference between the results and the list.
    fn differences(&self, found: &BTreeMap<String, Checks>) -> Vec<String> {
        let mut problems = Vec::new();
        let mut unused = self.failing.clone();
        for (revision, checks) in found {
            let expected = self.passes.get(revision).copied().unwrap_or_default();
            if checks.passes != expected {
                problems.push(format!("{revision}: {} checks pass; expected {expected}", checks.passes));
            }
            let unexpected = checks.failed.difference(&self.failing);
            problems.extend(unexpected.map(|check| format!("{revision}: {check} fails but is not listed")));
            let unexpected = checks.passed.intersection(&self.failing);
            problems.extend(
                unexpected.map(|check| format!("{revision}: {check} is listed as failing but passes")),
            );
            unused.retain(|check| !checks.failed.contains(check));
        }
        problems.extend(
            unused.iter().map(|check| format!("{check} is listed as failing but fails at no revision")),
        );
        problems
    }
}

/// Reads the results of a run: `checks.json` in a folder per scenario.
fn checks(results: &Path) -> Result<Checks, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", results.display());
    let mut checks = Checks::default();
    for entry in results.read_dir().map_err(failed)? {
        let folder: PathBuf = entry.map_err(failed)?.path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let scenario =
            scenario(&name).ok_or_else(|| format!("{name} is not a result folder of a scenario"))?;
        let listed: Vec<Value> = serde_json::from_str(&read(&folder.join("checks.json"))?)
            .map_err(|error| format!("{name}: {error}"))?;
        for check in listed {
            let id = format!("{scenario}:{}", check["id"].as_str().ok_or("a check has no id")?);
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

/// Returns the scenario's name from the name of a result folder, which is `server-`, the name, and the time of the run.
fn scenario(folder: &str) -> Option<&str> {
    const TIME_CHARACTERS: usize = "-2026-11-21T15-41-09-364Z".len();
    let name = folder.strip_prefix("server-")?;
    name.get(..name.len().checked_sub(TIME_CHARACTERS)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn differences(passes: usize, failed: &[&str], passed: &[&str]) -> Vec<String> {
        let list = "[passes]\n\"r\" = 2\n[tools-only]\n\"s:tool\" = \"there is none\"\n";
        let checks = Checks { passes, failed: set(failed), passed: set(passed) };
        List::read(list).expect("a list").differences(&BTreeMap::from([("r".to_owned(), checks)]))
    }

    #[test]
    fn differences_from_the_list_are_found() {
        assert_eq!(differences(2, &["s:tool"], &["s:a"]), Vec::<String>::new());
        assert_eq!(differences(2, &["s:tool", "s:b"], &[]), ["r: s:b fails but is not listed"]);
        assert_eq!(differences(2, &[], &[]), ["s:tool is listed as failing but fails at no revision"]);
        assert_eq!(differences(1, &["s:tool"], &[]), ["r: 1 checks pass; expected 2"]);
        assert_eq!(differences(2, &[], &["s:tool"])[0], "r: s:tool is listed as failing but passes");
        assert!(List::read("[tools-only]\n\"s:tool\" = \"\"\n").is_err(), "an entry without a reason");
    }

    #[test]
    fn scenario_name_excludes_the_time_of_the_run() {
        assert_eq!(scenario("server-ping-2026-11-21T15-41-09-364Z"), Some("ping"));
        assert_eq!(scenario("ping-2026-11-21T15-41-09-364Z"), None);
        assert_eq!(scenario("server-ping"), None);
    }
}
