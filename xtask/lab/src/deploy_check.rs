//! `cargo lab deploy-check`: checks the files for deployment with the programs that read them: systemd, nginx, Caddy,
//! hadolint and Prometheus. `deploy-check package` also builds the Debian package, and installs, starts and purges it.

mod package;
mod proxies;
pub(crate) mod units;

use std::path::Path;

use crate::command::{print_line, run_quietly};
use crate::debian;
use crate::python::Python;

/// Checks units, proxies, image, alert rules and scrape configuration.
///
/// # Errors
/// The first finding, or a program that is missing and cannot be installed.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    print_line(&units::check(root)?);
    proxies::check(root)?;
    check_image(root)?;
    check_alerts(root)
}

/// Builds the Debian package and tries it in a new Debian system. Needs root.
///
/// # Errors
/// The step that failed, with its output.
pub(crate) fn run_package(root: &Path) -> Result<(), String> {
    package::check(root)
}

fn check_image(root: &Path) -> Result<(), String> {
    let python = Python::in_folder(root.join("target/tools/hadolint"));
    python.install(&root.join("xtask/lab/deploy/requirements.txt"))?;
    let hadolint = python.program("hadolint").display().to_string();
    run_quietly(&hadolint, &[&path(root, "docs/deploy/Containerfile")], &[])?;
    print_line("docs/deploy/Containerfile: hadolint finds nothing");
    Ok(())
}

fn check_alerts(root: &Path) -> Result<(), String> {
    let promtool = debian::find("promtool", "prometheus")?;
    run_quietly(&promtool, &["check", "rules", &path(root, "docs/monitoring/alerts.yml")], &[])?;
    run_quietly(&promtool, &["check", "config", &path(root, "docs/monitoring/prometheus.yml")], &[])?;
    print_line("docs/monitoring: promtool accepts the rules and the configuration");
    Ok(())
}

fn path(root: &Path, file: &str) -> String {
    root.join(file).display().to_string()
}
