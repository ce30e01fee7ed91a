//! Writes `docs/oauth-clients.md`: the matrix of expected outcomes as tables.

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

use super::journeys::Outcome;
use super::matrix::{CLIENTS, Client, End, Kind, SETTINGS, Setting, Shape};
use crate::command::{read, write};

const PAGE: &str = "docs/oauth-clients.md";
/// The environment variable that makes the test rewrite the page.
const BLESS: &str = "PASSBOOK_BLESS";

const OPENING: &str = "\
# OAuth clients

This page lists the third-party clients that can sign in, and the settings with which they can. `cargo xtask clients
sign-in` tests each entry: every client signs in at the identity provider `oidc-provider`, in two configurations, from the
protected-resource metadata over `/oauth/authorize`, consent and token to data. The suite fails if an outcome differs from
this page. The page is generated from the suite's expectations; `cargo xtask bless` writes it.

The columns are the issuer modes of `PASSBOOK_OAUTH_MODE`. An assistant uses REST and the tool server, a dashboard uses
REST. A dashboard finds the provider *by document*, from `{authorization_servers[0]}/.well-known/openid-configuration`, or
*by issuer*: its library only gets `authorization_servers[0]`.
";

const CLOSING: &str = "
## Outcomes

- **signs in**: the client received data. The provider issued no refresh token.
- **signs in, refreshes**: the client received data, also with a refreshed token.
- **stops at the metadata**: the issuer in the discovery document is not the issuer from which the client derived the
  document's address (RFC 8414 section 3.3, OpenID Connect Discovery 1.0 section 4.3). Dashboards by issuer have this
  problem in mode `split`: configure the address of the document instead.
- **stops at the callback**: the provider sends its own issuer in `iss` (RFC 9207), but the document named the origin.
  Switch the parameter off at the provider, or use mode `direct`.
- **stops at the ID token**: `iss` of the ID token is the provider, but the document named the origin.

## Scopes that reach the provider

Every client requests `openid email profile`. A data scope reaches the provider only if
`PASSBOOK_OAUTH_REQUESTABLE_SCOPES` names it.

The newer SDKs of both languages add `offline_access` with `prompt=consent` if a document lists the scope. The proxy
removes `offline_access`, because Supabase Auth rejects unknown scopes and issues a refresh token anyway. The scope passes
with `PASSBOOK_OAUTH_STRIP_SCOPES=none` and in mode `direct`, which has no proxy. To get a refresh token from a strict
provider, a dashboard must request `offline_access` with `prompt=consent` itself; the column *nothing stripped* shows this
case.

The user consents once per sign-in. A tool call without its scope returns an error text for the user and never starts
another sign-in.
";

/// Renders the page from the matrix.
fn page(root: &Path) -> Result<String, String> {
    let version = |client: &Client| pinned(root, client);
    let cell = |client: &Client, setting: &Setting| {
        let column = SETTINGS.iter().position(|other| other.name == setting.name);
        column.and_then(|column| client.expected.get(column)).copied()
    };
    Ok(format!("{OPENING}{}{CLOSING}", render(&version, &cell)?))
}

/// Renders the measured outcomes as tables.
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
    for (shape, heading) in [
        (Shape::Supabase, "With a provider like Supabase Auth"),
        (Shape::Strict, "With a strict provider, which names itself in callbacks"),
    ] {
        let settings: Vec<&Setting> = SETTINGS.iter().filter(|setting| setting.shape == shape).collect();
        let titles: Vec<String> = settings.iter().map(|setting| title(setting)).collect();
        let rule = vec!["---"; settings.len() + 2].join("|");
        let _ = write!(text, "\n## {heading}\n\n| client | version | {} |\n|{rule}|\n", titles.join(" | "));
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
        Some(End::AtCallback) => "stops at the callback",
        Some(End::AtIdToken) => "stops at the ID token",
        None => "?",
    }
}

/// The version of the client's package in the committed lists.
fn pinned(root: &Path, client: &Client) -> Result<String, String> {
    let lists = root.join("xtask/clients/sign-in");
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

/// Returns a line if the committed page differs from the rendered one. With [`BLESS`] set, writes the page first.
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
        assert_eq!(differences(&crate::root()), Ok(Vec::new()));
    }
}
