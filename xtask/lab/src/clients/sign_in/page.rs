//! Writes the tables of clients in `docs/oauth.md` from the matrix of expected outcomes.

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

use super::journeys::Outcome;
use super::matrix::{CLIENTS, Client, End, Kind, SETTINGS, Setting, Shape};
use crate::command::{read, write};

const PAGE: &str = "docs/oauth.md";
/// Environment variable that makes the comparison rewrite the page.
const BLESS: &str = "PASSBOOK_TEST_BLESS";

/// The marks around the written section of the page.
const BEGIN: &str = "<!-- written by cargo xtask bless -->\n";
const END: &str = "\n<!-- end of the written section -->";

const SUPABASE: &str = "\
This provider sends no `iss` with the code, rejects unknown scopes, and always issues a refresh token.
";

const STRICT: &str = "\
This provider sends its issuer as `iss` with the code (RFC 9207). It issues a refresh token only for the scope
`offline_access`. In the column *nothing stripped*, `PASSBOOK_OAUTH_STRIP_SCOPES` is `none`, and dashboards request that
scope.
";

/// Returns the page with the section generated from the matrix.
fn page(root: &Path) -> Result<String, String> {
    let committed = read(&root.join(PAGE))?;
    let parts =
        committed.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = parts.ok_or_else(|| format!("{PAGE} has no marks of the written section"))?;
    let version = |client: &Client| pinned(root, client);
    let cell = |client: &Client, setting: &Setting| {
        let column = SETTINGS.iter().position(|other| other.name == setting.name);
        column.and_then(|column| client.expected.get(column)).copied()
    };
    Ok(format!("{before}{BEGIN}{}{END}{after}", render(&version, &cell)?))
}

/// Returns the measured outcomes as Markdown tables.
pub(super) fn tables(outcomes: &[Outcome]) -> String {
    let of = |client: &Client| outcomes.iter().find(|outcome| outcome.client == client.name);
    let version = |client: &Client| of(client).map(|outcome| outcome.version.clone()).ok_or_else(String::new);
    let cell = |client: &Client, setting: &Setting| {
        outcomes.iter().find(|outcome| outcome.is_of(client, setting)).and_then(|outcome| outcome.end)
    };
    render(&version, &cell).unwrap_or_default()
}

fn render(
    version: &dyn Fn(&Client) -> Result<String, String>,
    cell: &dyn Fn(&Client, &Setting) -> Option<End>,
) -> Result<String, String> {
    let mut text = String::new();
    for (shape, heading, provider) in [
        (Shape::Supabase, "A provider like Supabase Auth", SUPABASE),
        (Shape::Strict, "A strict provider that sends its issuer in callbacks", STRICT),
    ] {
        let settings: Vec<&Setting> = SETTINGS.iter().filter(|setting| setting.shape == shape).collect();
        let titles: Vec<String> = settings.iter().map(|setting| title(setting)).collect();
        let rule = vec!["---"; settings.len() + 2].join("|");
        let _ = write!(
            text,
            "\n### {heading}\n\n{provider}\n| client | version | {} |\n|{rule}|\n",
            titles.join(" | ")
        );
        for client in &CLIENTS {
            let cells: Vec<&str> = settings.iter().map(|setting| outcome(cell(client, setting))).collect();
            let kind = if client.kind == Kind::Dashboard { "dashboard" } else { "assistant" };
            let version = version(client)?;
            let _ = writeln!(text, "| {} ({kind}) | {version} | {} |", client.title, cells.join(" | "));
        }
    }
    Ok(text)
}

fn title(setting: &Setting) -> String {
    let unstripped = if setting.strip == "none" { ", nothing stripped" } else { "" };
    format!("`{}`{unstripped}", setting.mode)
}

fn outcome(end: Option<End>) -> &'static str {
    match end {
        Some(End::SignedIn) => "signs in",
        Some(End::Refreshed) => "signs in, refreshes",
        Some(End::AtMetadata) => "stops at the metadata",
        Some(End::AtRegistration) => "stops at the registration",
        Some(End::AtCallback) => "stops at the callback",
        Some(End::AtIdToken) => "stops at the ID token",
        None => "?",
    }
}

/// Returns the version of the client's package in the committed lists.
fn pinned(root: &Path, client: &Client) -> Result<String, String> {
    let lists = root.join("xtask/lab/clients/sign-in");
    let (list, package) = client.package();
    let text = read(&lists.join(list))?;
    let version = if list == "package.json" {
        let list: Value = serde_json::from_str(&text).map_err(|error| format!("{list}: {error}"))?;
        list["dependencies"][package].as_str().map(str::to_owned)
    } else {
        let pin = format!("{package}==");
        text.lines().find_map(|line| line.strip_prefix(&pin)).map(str::to_owned)
    };
    version.ok_or(format!("{list} pins no version of {package}"))
}

/// Returns a line if the committed page differs from the generated text. With [`BLESS`] set, writes the page first.
pub(super) fn differences(root: &Path) -> Result<Vec<String>, String> {
    let (file, wanted) = (root.join(PAGE), page(root)?);
    if std::env::var_os(BLESS).is_some() {
        write(&file, &wanted)?;
    }
    let same = read(&file).is_ok_and(|committed| committed == wanted);
    Ok(if same { Vec::new() } else { vec![format!("{PAGE} is out of date: run `cargo xtask bless`")] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_shows_the_expected_outcomes() {
        assert_eq!(differences(&crate::repository::root()), Ok(Vec::new()));
    }
}
