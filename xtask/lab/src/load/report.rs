//! Stores the results of scenarios, and writes the tables of `xtask/lab/load/results.md` from them.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::setting::Setting;
use crate::bench::figures::{Outcome, display};
use crate::command::{read, write};

/// Path of the page, from the root of the repository.
const PAGE: &str = "xtask/lab/load/results.md";
/// The marks around the written section.
const BEGIN: &str = "<!-- written by cargo lab load --write -->\n";
const END: &str = "<!-- end of the written section -->";

/// Stores the result of a scenario in `target/load/results`, with its commit and day.
pub(super) fn store(setting: &Setting, name: &str, outcome: &Outcome) -> Result<(), String> {
    let mut result = outcome.to_json();
    let commit = setting.output("git", &["describe", "--always", "--dirty"])?;
    result["commit"] = json!(commit.trim());
    result["day"] = json!(setting.output("date", &["-u", "+%Y-%m-%d"])?.trim());
    write(&setting.work.join(format!("results/{name}.json")), &result.to_string())
}

/// Replaces the section of the page by tables of all stored results. `scenarios` has names and titles.
pub(super) fn write_section(
    setting: &Setting,
    scenarios: impl Iterator<Item = (&'static str, &'static str)>,
) -> Result<(), String> {
    let path = setting.root.join(PAGE);
    let page = read(&path)?;
    let parts = page.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = parts.ok_or_else(|| format!("{PAGE} has no marks of the written section"))?;
    let mut section = format!("\nMachine: {}.\n", machine(setting)?);
    for (name, title) in scenarios {
        let file = setting.work.join(format!("results/{name}.json"));
        if file.is_file() {
            let result: Value = serde_json::from_str(&read(&file)?).map_err(|error| error.to_string())?;
            table(&mut section, title, name, &result);
        }
    }
    write(&path, &format!("{before}{BEGIN}{section}\n{END}{after}"))
}

fn table(section: &mut String, title: &str, name: &str, result: &Value) {
    let text = |field: &str| result[field].as_str().unwrap_or_default().to_owned();
    writeln!(
        section,
        "\n## {title}\n\n`cargo lab load {name}`, commit {}, {}.\n\n| figure | value | bound |\n|---|---|---|",
        text("commit"),
        text("day")
    )
    .expect("text grows");
    for figure in ["figures", "verdicts"].iter().flat_map(|kind| result[*kind].as_array()).flatten() {
        let value = figure["value"].as_f64().unwrap_or(f64::NAN);
        let unit = figure["unit"].as_str().unwrap_or_default();
        let name = figure["name"].as_str().unwrap_or_default();
        let bound = figure["bound"].as_str().unwrap_or_default();
        let mark = if figure["met"].as_bool() == Some(false) { "; **not met**" } else { "" };
        writeln!(section, "| {name} | {} | {bound}{mark} |", display(value, unit)).expect("text grows");
    }
}

/// Describes processor, memory and system of this machine.
fn machine(setting: &Setting) -> Result<String, String> {
    let cpu = read(Path::new("/proc/cpuinfo"))?;
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or("unknown processor", |(_, name)| name.trim());
    let cores = cpu.lines().filter(|line| line.starts_with("processor")).count();
    let postgres = setting.postgres.query("postgres", "show server_version")?;
    let kernel = setting.output("uname", &["-r"])?;
    Ok(format!(
        "{model}, {cores} cores; Linux {}; PostgreSQL {postgres}; server, database and attackers on this machine",
        kernel.trim()
    ))
}
