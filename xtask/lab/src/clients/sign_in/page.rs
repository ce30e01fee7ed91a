//! Writes `docs/oauth-clients.md`: the matrix of expected outcomes as tables.

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

use super::journeys::Outcome;
use super::matrix::{CLIENTS, Client, End, Kind, SETTINGS, Setting, Shape};
use crate::command::{read, write};

const PAGE: &str = "docs/oauth-clients.md";
/// The options of Auth.js that the suite uses and the page shows.
const AUTH_JS_OPTIONS: &str = "xtask/lab/clients/sign-in/auth_js_options.mjs";
/// Environment variable that makes the comparison rewrite the page.
const BLESS: &str = "PASSBOOK_TEST_BLESS";

const OPENING: &str = "\
# OAuth clients

This page shows which OAuth clients can sign in to Passbook, for each [issuer mode](oauth.md#which-issuer)
(`PASSBOOK_OAUTH_MODE`).

`cargo lab clients sign-in` measures the results and fails if one differs from this page. Each client performs a whole
sign-in: it reads the protected-resource metadata, sends the user through `/oauth/authorize` and the consent page, gets
a token and reads data. The identity provider is the program `oidc-provider` in two configurations, one for each of the
next two sections. `cargo xtask bless` writes this page from the results that the suite expects.

An assistant calls REST and the tool server, a dashboard calls REST. A dashboard finds the provider in one of three ways:

| way | the library is given |
|---|---|
| by document | the address `{authorization_servers[0]}/.well-known/openid-configuration` |
| by provider | the issuer of the provider, and the address of the authorization proxy ([Auth.js](#authjs)) |
| by issuer | the issuer `authorization_servers[0]` only |

*By URL* means that an assistant is not registered at the provider: its identifier is the URL of its
[client metadata document](#client-metadata-documents).
";

const SUPABASE: &str = "\
This provider sends no `iss` with the code, rejects unknown scopes, and always issues a refresh token.
";

const STRICT: &str = "\
This provider sends its issuer as `iss` with the code (RFC 9207). It issues a refresh token only for the scope
`offline_access`. In the column *nothing stripped*, `PASSBOOK_OAUTH_STRIP_SCOPES` is `none`, and dashboards request that
scope.
";

/// The section before the options of Auth.js, which [`page`] inserts.
const AUTH_JS: &str = "
## Auth.js

Auth.js takes an issuer, and derives the address of the OpenID configuration from it. So give it the issuer of the
*provider*, and the address of the authorization proxy as `authorization.url`. This works in each mode. The sign-in suite
runs Auth.js with these options:

";

const CLOSING: &str = "
The redirect URI to register is `{dashboard}/auth/callback/passbook`, where `/auth` is the `basePath` of Auth.js
(`/api/auth` in Next.js). On the server of the dashboard, `getToken` of `@auth/core/jwt` returns the `access_token` for
the requests to Passbook. Keep the access token out of the `session` callback: the browser can read what that returns.

## Client metadata documents

A [client metadata document](https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/) lets an
assistant sign in without being registered at the provider: its identifier is an `https` URL, and the provider reads the
name and the redirect URIs of the client there. Assistants use this if Passbook's documents have
`client_id_metadata_document_supported`, which Passbook passes on from the provider.

The identifier alone gives a client no data. Register the client in Passbook as any other, with the URL as its identifier
([clients](grants.md#clients)). Passbook never requests the URL.

## Results

Each cell of the tables has one of these results:

| result | meaning | remedy |
|---|---|---|
| signs in | The client got data. The provider issued no refresh token. | |
| signs in, refreshes | The client got data. It got data again with an access token from the refresh token. | |
| stops at the metadata | The document names an issuer that differs from the address of the document (RFC 8414 section 3.3, OpenID Connect Discovery 1.0 section 4.3). | In mode `split`, give a dashboard the address of the document. |
| stops at the registration | The client has only the URL of its metadata document, and the provider does not read such documents. | Register the client at the provider, and give the assistant that identifier. |
| stops at the callback | The provider sends its own issuer as `iss`, but the document names the origin. | Switch `iss` off at the provider, or use mode `direct`. |
| stops at the ID token | The `iss` of the ID token is the provider, but the document names the origin. | Use mode `split` or `direct`. |

## Scopes at the provider

All clients request `openid email profile`. A client requests a data scope only if `PASSBOOK_OAUTH_REQUESTABLE_SCOPES`
lists it ([assistants](oauth.md#assistants)).

Version 2 of the MCP SDKs also requests `offline_access` with `prompt=consent` if a document lists that scope. The
authorization proxy `/oauth/authorize` removes the scope by default:

| setting | result |
|---|---|
| default | The authorization proxy removes `offline_access`. The provider like Supabase Auth would reject the scope. |
| `PASSBOOK_OAUTH_STRIP_SCOPES=none` | The authorization proxy passes `offline_access` to the provider. |
| mode `direct` | The scope reaches the provider, because clients do not use the authorization proxy. |

To get a refresh token from a strict provider, a dashboard must send `offline_access` and `prompt=consent` itself.

The suite also checks that each user is asked for consent once: a tool call without the needed scope returns a message
for the user and starts no second sign-in, unless the scope is requestable.

## Consent to data scopes

A provider can know the data scopes, such as `spending:read`. List those scopes in `PASSBOOK_OAUTH_REQUESTABLE_SCOPES`.
List every scope that a client can hold: a challenge names the held scopes and the missing one, and a new token has only
the scopes that the challenge names.

A token with data scopes reads what both the token and the grant of the client include. In the suite the grant has
`transactions:read` and `spending:read`, and the client requests these two scopes and `portfolio:read`. The refreshed
token reads the same as the first one:

| the user consents to | transactions | spending | portfolio |
|---|---|---|---|
| `transactions:read`, `spending:read` | yes | yes | no |
| `transactions:read` | yes | no | no |
| `spending:read`, `portfolio:read` | no | yes | no |
| no data scope: a token without data scopes is not limited | yes | yes | no |

An assistant with the token `transactions:read` calls a tool that needs `spending:read`. The response is HTTP 403 with a
challenge for both scopes:

| client | refresh token | result |
|---|---|---|
| MCP TypeScript SDK 1 | no | one redirect to the provider, then the call succeeds |
| MCP TypeScript SDK 2 | yes | one redirect to the provider, then the call succeeds |
| MCP TypeScript SDK 1 | yes | The call fails without a redirect. The SDK refreshes the token, which adds no scope. Delete the stored tokens and sign in again. |

## A new signing key

The suite replaces the key of the provider by another one with the same key identifier. The server fetches the keys once
and accepts the next token of the new key, without a restart. It rejects the tokens of the replaced key. Such a token
causes a fetch at most once in 30 seconds.
";

/// Returns the text of the page, generated from the matrix.
fn page(root: &Path) -> Result<String, String> {
    let version = |client: &Client| pinned(root, client);
    let cell = |client: &Client, setting: &Setting| {
        let column = SETTINGS.iter().position(|other| other.name == setting.name);
        column.and_then(|column| client.expected.get(column)).copied()
    };
    let options = read(&root.join(AUTH_JS_OPTIONS))?;
    Ok(format!("{OPENING}{}{AUTH_JS}```js\n{options}```\n{CLOSING}", render(&version, &cell)?))
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
            "\n## {heading}\n\n{provider}\n| client | version | {} |\n|{rule}|\n",
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
