//! `docs/oauth-clients.md`: the expected outcomes as tables, which the suite holds to what was measured.

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

use super::journeys::Outcome;
use super::matrix::{CLIENTS, Client, End, Kind, SETTINGS, Setting, Shape};
use crate::command::{read, write};

const PAGE: &str = "docs/oauth-clients.md";
/// Set, the page is written.
const BLESS: &str = "PASSBOOK_BLESS";

const OPENING: &str = "\
# OAuth clients

Which programs of others can sign in here, at which setting. `cargo xtask clients sign-in` measures it: each client goes
the whole way with the identity provider `oidc-provider` in two shapes, from the metadata of the resource through
`/oauth/authorize`, consent and token to data, and the suite fails when an outcome is not the one on this page. The page
is generated from the suite's expectations; `cargo xtask bless` writes it.

The columns are the issuer modes of `PASSBOOK_OAUTH_MODE`. An assistant asks REST and the tool server, a dashboard REST.
A dashboard starts *by document*, at `{authorization_servers[0]}/.well-known/openid-configuration`, or *by issuer*,
which is to give its library `authorization_servers[0]` alone.
";

const CLOSING: &str = "
## What the cells mean

- **signs in**: data came, and the provider gave no refresh token.
- **signs in, refreshes**: data came, also with the token that came for the refresh token.
- **stops at the metadata**: the document names another issuer than the address that it was asked for at (RFC 8414
  section 3.3, OpenID Connect Discovery 1.0 section 4.3). In mode `split` that is what dashboards by issuer find: give
  them the address of the document.
- **stops at the callback**: the provider names itself in `iss` (RFC 9207), and the document named the origin. Switch
  the parameter off at the provider, or use mode `direct`.
- **stops at the ID token**: its `iss` is the provider, and the document named the origin.

## What reaches the provider

Everybody asks for `openid email profile`. A data scope never reaches the provider, unless
`PASSBOOK_OAUTH_REQUESTABLE_SCOPES` names it. The second SDKs of both languages add `offline_access` with
`prompt=consent` where a document lists it. The proxy takes it out, as the shape of Supabase refuses scopes that it does
not know, and gives a refresh token anyway. With `PASSBOOK_OAUTH_STRIP_SCOPES=none` it passes, and so it does in mode
`direct`, which has no proxy. A dashboard that wants a refresh token of a strict provider asks for both itself; so it is
measured in the column *nothing stripped*.

Each person who gets as far as consent is asked once: a tool whose scope the client was not given ends in a sentence for
its user, never in another sign-in.
";

/// The page as it should be.
fn page(root: &Path) -> Result<String, String> {
    let version = |client: &Client| pinned(root, client);
    let cell = |client: &Client, setting: &Setting| {
        let place = SETTINGS.iter().position(|other| other.name == setting.name);
        place.and_then(|place| client.expected.get(place)).copied()
    };
    Ok(format!("{OPENING}{}{CLOSING}", render(&version, &cell)?))
}

/// What was measured, for whoever watches.
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
        (Shape::Supabase, "A provider as Supabase Auth"),
        (Shape::Strict, "A strict provider, which names itself in callbacks"),
    ] {
        let settings: Vec<&Setting> = SETTINGS.iter().filter(|setting| setting.shape == shape).collect();
        let titles: Vec<String> = settings.iter().map(|setting| title(setting)).collect();
        let rule = vec!["---"; settings.len() + 2].join("|");
        let _ = write!(text, "\n## {heading}\n\n| client | version | {} |\n|{rule}|\n", titles.join(" | "));
        for client in &CLIENTS {
            let cells: Vec<&str> = settings.iter().map(|setting| told(cell(client, setting))).collect();
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

fn told(end: Option<End>) -> &'static str {
    match end {
        Some(End::SignedIn) => "signs in",
        Some(End::Refreshed) => "signs in, refreshes",
        Some(End::AtMetadata) => "stops at the metadata",
        Some(End::AtCallback) => "stops at the callback",
        Some(End::AtIdToken) => "stops at the ID token",
        None => "?",
    }
}

/// The version that the committed lists pin.
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
    version.ok_or(format!("{list} must pin {package}"))
}

/// Where the committed page is not what it should be. With leave to, it is written instead.
pub(super) fn differences(root: &Path) -> Result<Vec<String>, String> {
    let (file, wanted) = (root.join(PAGE), page(root)?);
    if std::env::var_os(BLESS).is_some() {
        write(&file, &wanted)?;
    }
    let same = read(&file).is_ok_and(|committed| committed == wanted);
    Ok(if same { Vec::new() } else { vec![format!("{PAGE} is out of date: `cargo xtask bless` writes it")] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_shows_what_the_suite_expects() {
        assert_eq!(differences(&crate::root()), Ok(Vec::new()));
    }
}
