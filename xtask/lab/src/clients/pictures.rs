//! Checks the pictures: types and style of the browser modules, the vendored libraries, and in Chromium the figures, the
//! dashboard of a demo server, and the pictures in a host for MCP Apps.
//!
//! The programs are in `xtask/lab/clients/pictures`. The browser is Debian's package `chromium`; `CHROMIUM` names another
//! one.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::node;
use super::suite::{self, SuiteContext};
use crate::command::create_folder;
use crate::server::Server;

/// Folder of the browser modules.
const VIEWS: &str = "crates/views";
/// Folder of the screenshots in the documents.
const IMAGES: &str = "docs/images";
/// The screenshots of the dashboard that the documents show: the name in a run, and the name in [`IMAGES`].
const OF_DASHBOARD: [(&str, &str); 2] =
    [("home-light.png", "dashboard-home.png"), ("category-dark.png", "dashboard-category.png")];
/// The screenshot of a picture in a host that the documents show.
const OF_APP: [(&str, &str); 1] = [("app-get_spending_by_category-first.png", "app-spending.png")];
/// Maximum size of a screenshot in the documents, in bytes.
const SCREENSHOT_BYTES_MAX: usize = 200_000;
/// The environment variable that makes a run write the screenshots of the documents.
const BLESS: &str = "PASSBOOK_TEST_BLESS";

/// Type-checks and lints the modules, and compares the vendored libraries with their npm packages.
pub(super) fn modules(context: &SuiteContext<'_>) -> Result<(), String> {
    let packages = install(context)?;
    let views = context.root.join(VIEWS);
    let lists = committed(context);
    suite::run(node_program(context, &packages, &lists.join("vendor.mjs"))?.arg("check"))?;
    let configuration = lists.join("tsconfig.json");
    let compiler = node::find(&packages, "typescript/bin/tsc")?;
    let mut compiler = node_program(context, &packages, &compiler)?;
    suite::run(compiler.arg("--project").arg(configuration))?;
    let linter = node::find(&packages, "@biomejs/biome/bin/biome")?;
    let mut linter = node_program(context, &packages, &linter)?;
    suite::run(
        linter
            .args(["ci", "--error-on-warnings", "--config-path"])
            .arg(lists.join("biome.json"))
            .arg(views.join("modules"))
            .arg(views.join("styles")),
    )
}

/// Draws random households and compares every figure of the pictures and tables with the payloads.
pub(super) fn figures(context: &SuiteContext<'_>) -> Result<(), String> {
    suite::run(&mut program(context, "figures.mjs")?)
}

/// Draws the views without data and with incomplete data.
pub(super) fn states(context: &SuiteContext<'_>) -> Result<(), String> {
    suite::run(&mut program(context, "states.mjs")?)
}

/// Follows the page line of a fresh demo server through the dashboard, and compares the views of six kinds of people with
/// REST.
pub(super) fn journey(context: &SuiteContext<'_>) -> Result<(), String> {
    walk(context, &["journey.mjs", "people.mjs"], "20000")?;
    documented(context, &OF_DASHBOARD)
}

/// Compares the views of the people with REST, where one person has 200,000 rows. To store them takes half a minute.
pub(super) fn wide(context: &SuiteContext<'_>) -> Result<(), String> {
    walk(context, &["people.mjs"], "200000")
}

/// Runs browser programs with the page line of a fresh demo server. The code of the line is single-use and expires after ten
/// minutes, so the suite starts a server of its own. `rows` is the number of transactions of the wide person.
fn walk(context: &SuiteContext<'_>, programs: &[&str], rows: &str) -> Result<(), String> {
    let data = context.work.join("pictures-data");
    if data.exists() {
        std::fs::remove_dir_all(&data).map_err(|error| format!("{}: {error}", data.display()))?;
    }
    let settings = context.work.join("settings");
    let server = Server::start(
        &context.root.join("target/debug/passbook-server"),
        &["--demo"],
        &[
            ("PASSBOOK_DATA_DIR", data.clone()),
            ("XDG_CONFIG_HOME", settings.clone()),
            // A person has half of the connections, and a debug server keeps them long.
            ("PASSBOOK_DATABASE_CONNECTIONS", PathBuf::from("32")),
        ],
    )?;
    let page = server.page().ok_or("the demo server printed no page line")?;
    let token = server.token().ok_or("the demo server printed no token")?;
    let walked = programs.iter().try_for_each(|name| {
        let mut command = program(context, name)?;
        command.env("PAGE", page).env("API", server.base()).env("TOKEN", token).env("ROWS", rows);
        command.env("PASSBOOK_DATA_DIR", data.join("demo")).env("XDG_CONFIG_HOME", &settings);
        command.env("ADMIN", context.root.join("target/debug/passbook-admin"));
        // The programs start `passbook-admin`, which refuses unknown settings.
        for variable in ["PASSBOOK_ADMIN_DATABASE_URL", "PASSBOOK_MCP", "PASSBOOK_TOKEN"] {
            command.env_remove(variable);
        }
        suite::run(&mut command)
    });
    walked.and(server.stop())
}

/// Shows every picture in a host for MCP Apps, in both protocol eras.
pub(super) fn apps(context: &SuiteContext<'_>) -> Result<(), String> {
    suite::run(&mut program(context, "apps.mjs")?)?;
    documented(context, &OF_APP)
}

/// Checks the size of the screenshots that the documents show. With [`BLESS`], writes them into the documents.
fn documented(context: &SuiteContext<'_>, screenshots: &[(&str, &str)]) -> Result<(), String> {
    for (made, shown) in screenshots {
        let picture =
            std::fs::read(folder(context).join(made)).map_err(|error| format!("{made}: {error}"))?;
        if picture.len() > SCREENSHOT_BYTES_MAX {
            return Err(format!("{made} has {} bytes; the maximum is {SCREENSHOT_BYTES_MAX}", picture.len()));
        }
        if std::env::var_os(BLESS).is_some() {
            let path = context.root.join(IMAGES).join(shown);
            std::fs::write(&path, picture).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}

/// Returns the folder of the screenshots of a run.
fn folder(context: &SuiteContext<'_>) -> PathBuf {
    context.work.join("screenshots")
}

/// Creates a command that runs a browser program against the demo server. Screenshots go to `target/clients`.
pub(super) fn program(context: &SuiteContext<'_>, name: &str) -> Result<Command, String> {
    let packages = install(context)?;
    let screenshots = folder(context);
    create_folder(&screenshots)?;
    let mut command = node_program(context, &packages, &committed(context).join(name))?;
    command.env("API", context.base).env("TOKEN", context.token).env("SCREENSHOTS", screenshots);
    Ok(command)
}

/// Installs the packages of the programs and of the vendored libraries. Returns the folder from which Node
/// finds them.
fn install(context: &SuiteContext<'_>) -> Result<PathBuf, String> {
    node::install_member(context.root, "clients/pictures", &context.work.join("pictures"))
}

fn committed(context: &SuiteContext<'_>) -> PathBuf {
    context.committed("pictures")
}

/// Creates a command that runs a program with Node.
fn node_program(context: &SuiteContext<'_>, packages: &Path, program: &Path) -> Result<Command, String> {
    let mut command = context.client(&node::node(&context.work)?);
    command.arg(program).env("PACKAGES", packages).env("VIEWS", context.root.join(VIEWS));
    Ok(command)
}
