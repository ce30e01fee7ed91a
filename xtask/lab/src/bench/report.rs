//! Stores the results of scenarios, and writes `docs/performance.md` from them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::figures::{Outcome, display};
use super::postgres::{SETTINGS, output};
use super::scenarios::{SCENARIOS, Scenario};
use super::setting::Setting;
use crate::command::{read, write};

/// Path of the page, from the root of the repository.
const PAGE: &str = "docs/performance.md";

/// Stores the result of a scenario in `target/bench/results`, with commit, date and the options of the run.
pub(super) fn store(setting: &Setting, scenario: &Scenario, outcome: &Outcome) -> Result<(), String> {
    let mut result = outcome.to_json();
    result["commit"] = json!(commit(&setting.root)?);
    result["day"] = json!(output(Command::new("date").args(["-u", "+%Y-%m-%d"]))?.trim());
    result["rounds"] = json!(setting.options.rounds);
    result["seconds"] = json!(setting.options.duration.as_secs());
    write(&file(setting, scenario), &result.to_string())
}

/// Writes the page from all stored results.
pub(super) fn write_page(setting: &Setting) -> Result<(), String> {
    let mut results = Vec::new();
    for scenario in SCENARIOS {
        let file = file(setting, scenario);
        let result = if file.is_file() {
            serde_json::from_str(&read(&file)?).map_err(|error| format!("{}: {error}", file.display()))?
        } else {
            Value::Null
        };
        results.push((scenario, result));
    }
    let text = |name: &str| read(&setting.committed(name));
    let page = [
        text("performance.md")?,
        bounds(&results),
        scenarios(&results),
        arithmetic(&results),
        text("method.md")?,
        machine(setting)?,
    ];
    write(
        &setting.root.join(PAGE),
        &format!("{}\n", page.map(|part| part.trim_end().to_owned()).join("\n\n")),
    )
}

fn file(setting: &Setting, scenario: &Scenario) -> PathBuf {
    setting.work.join("results").join(format!("{}.json", scenario.name))
}

/// Returns the abbreviated commit, with a mark if files differ from it.
fn commit(root: &Path) -> Result<String, String> {
    let described = output(Command::new("git").args(["describe", "--always", "--dirty"]).current_dir(root))?;
    Ok(described.trim().to_owned())
}

/// Writes the table of all measured values that have a bound.
fn bounds(results: &[(&Scenario, Value)]) -> String {
    let mut table =
        "## Bounds\n\n| scenario | what | measured | bound | met |\n|---|---|---|---|---|\n".to_owned();
    for (scenario, result) in results {
        let name = scenario.name;
        if result.is_null() {
            writeln!(table, "| {name} | not measured | | | no |").expect("text grows");
        }
        for verdict in result["verdicts"].as_array().into_iter().flatten() {
            let (what, value) = named_value(verdict);
            let bound = verdict["bound"].as_str().unwrap_or_default();
            let met = if verdict["met"].as_bool() == Some(true) { "yes" } else { "**no**" };
            writeln!(table, "| {name} | {what} | {value} | {bound} | {met} |").expect("text grows");
        }
    }
    table
}

/// Writes a section with the figures of each measured scenario.
fn scenarios(results: &[(&Scenario, Value)]) -> String {
    let mut text = "## Figures\n".to_owned();
    for (scenario, result) in results.iter().filter(|(_, result)| !result.is_null()) {
        let field = |name: &str| match &result[name] {
            Value::String(value) => value.clone(),
            value => value.to_string(),
        };
        write!(
            text,
            "\n### {}: {}\n\nCommit {}, {}; {} runs of {} s.\n\n| what | median |\n|---|---|\n",
            scenario.name,
            scenario.title,
            field("commit"),
            field("day"),
            field("rounds"),
            field("seconds")
        )
        .expect("text grows");
        for figure in ["figures", "verdicts"].iter().flat_map(|kind| result[*kind].as_array()).flatten() {
            let (what, value) = named_value(figure);
            writeln!(text, "| {what} | {value} |").expect("text grows");
        }
    }
    text
}

/// Requests of a person a day, the share of them in the busiest hour, and the highest use of the processors:
/// `docs/deployment.md` explains them.
const REQUESTS_A_DAY: f64 = 20.0;
const BUSIEST_HOUR: f64 = 0.1;
const USE_MAX: f64 = 0.5;
const SECONDS_AN_HOUR: f64 = 3600.0;

/// Writes the processors that a number of people needs, from the measured processor time of requests.
fn arithmetic(results: &[(&Scenario, Value)]) -> String {
    let mut text = format!(
        "## Arithmetic for a million people\n\n[Deployment](deployment.md#arithmetic) has the formula: {REQUESTS_A_DAY} requests a \
         day, a tenth of them in the busiest hour, and processors in use for at most half of the time.\n\n\
         | every request is | processor time, server and PostgreSQL | requests a second of one processor | \
         processors for 10,000 people | 100,000 | 1,000,000 |\n|---|---|---|---|---|---|\n"
    );
    for (scenario, result) in results {
        let cpu = |name: &str, of: &str| -> Option<f64> {
            let wanted = format!("{name}: {of}");
            let figures = result["figures"].as_array()?;
            figures.iter().find(|figure| figure["name"] == json!(wanted))?["value"].as_f64()
        };
        for name in ["page, server", "cashflow of a month, server", "tools/call of 25 rows, server"] {
            let parts = cpu(name, "CPU of the HTTP server").zip(cpu(name, "CPU of PostgreSQL"));
            let Some((server, postgres)) = parts.filter(|_| scenario.name != "graphql") else { continue };
            let microseconds = server + postgres;
            let processors = |people: f64| {
                let rate = people * REQUESTS_A_DAY * BUSIEST_HOUR / SECONDS_AN_HOUR;
                display(rate * microseconds / 1e6 / USE_MAX, "")
            };
            writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} |",
                name.trim_end_matches(", server"),
                display(microseconds, "µs"),
                display(1e6 / microseconds, ""),
                processors(1e4),
                processors(1e5),
                processors(1e6)
            )
            .expect("text grows");
        }
    }
    text
}

/// Returns the name and the displayed value of a stored figure.
fn named_value(figure: &Value) -> (&str, String) {
    let value = figure["value"].as_f64().unwrap_or(f64::NAN);
    (figure["name"].as_str().unwrap_or_default(), display(value, figure["unit"].as_str().unwrap_or_default()))
}

/// Writes the table of the machine and the versions.
fn machine(setting: &Setting) -> Result<String, String> {
    let cpu = read(Path::new("/proc/cpuinfo"))?;
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or("unknown", |(_, name)| name.trim());
    let cores = cpu.lines().filter(|line| line.starts_with("processor")).count();
    let memory = read(Path::new("/proc/meminfo"))?;
    let kibibytes = memory.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kibibytes =
        kibibytes.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0);
    let postgres = setting.postgres.query("postgres", "show server_version")?;
    let settings: Vec<&str> = SETTINGS.into_iter().filter(|setting| !setting.starts_with("log_")).collect();
    let settings = settings.join("`, `");
    Ok(format!(
        "**Machine.**\n\n| what | value |\n|---|---|\n| processor | {model}, {cores} cores |\n| memory | {} GB |\n\
         | PostgreSQL | {postgres}, default settings except `{settings}` |\n",
        kibibytes.div_ceil(1024 * 1024)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_shows_unmet_bounds_and_missing_scenarios() {
        let mut outcome = Outcome::default();
        outcome.figure("rate", 1234.0, "/s");
        outcome.at_least("ratio", 0.3, "", 0.42);
        let results = [(&SCENARIOS[0], outcome.to_json()), (&SCENARIOS[1], Value::Null)];
        let table = bounds(&results);
        assert!(table.contains("| page | ratio | 0.30 | ≥ 0.42 | **no** |"), "{table}");
        assert!(table.contains("| month | not measured | | | no |"), "{table}");
        let sections = scenarios(&results);
        assert!(sections.contains("| rate | 1,234 /s |") && !sections.contains("### month"), "{sections}");
    }
}
