//! Checks the systemd units.

use std::path::Path;

use crate::command::{create_folder, read, run_quietly, write};
use crate::debian;

/// The program of the service, which is not installed on the machine of the check.
const PROGRAM: &str = "/usr/bin/passbook-server";
/// The highest accepted exposure of the service by `systemd-analyze security`, in tenths. 100 is no protection.
const EXPOSURE_TENTHS_MAX: &str = "20";

/// Checks the units with `systemd-analyze verify`, and the hardening of the service. Returns the verdict on the hardening.
pub(crate) fn check(root: &Path) -> Result<String, String> {
    let analyze = debian::find("systemd-analyze", "systemd")?;
    let folder = root.join("target/tools/units");
    create_folder(&folder)?;
    let mut copies = Vec::new();
    for unit in ["passbook.service", "passbook.socket"] {
        let text = read(&root.join("docs/deploy").join(unit))?;
        if unit.ends_with(".service") && !text.contains(PROGRAM) {
            return Err(format!("docs/deploy/{unit} must run {PROGRAM}"));
        }
        let copy = folder.join(unit);
        write(&copy, &text.replace(PROGRAM, "/bin/true"))?;
        copies.push(copy.display().to_string());
    }
    let mut arguments = vec!["verify"];
    arguments.extend(copies.iter().map(String::as_str));
    run_quietly(&analyze, &arguments, &[])?;
    let threshold = format!("--threshold={EXPOSURE_TENTHS_MAX}");
    let printed = run_quietly(&analyze, &["security", "--offline=true", &threshold, &copies[0]], &[])?;
    let verdict = printed.lines().last().unwrap_or_default().trim_matches(|c: char| !c.is_ascii()).trim();
    Ok(format!("docs/deploy/passbook.service: {verdict}"))
}
