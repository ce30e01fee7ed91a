//! Checks the authorization requests that reached the identity providers: exactly one per sign-in, with exactly the
//! scopes that the setting passes on, and never a data scope.

use serde_json::Value;

use super::household;
use super::journeys::{OFFLINE, Outcome, SCOPE};
use super::matrix::{CLIENTS, Client, Kind, SCOPED, SETTINGS, Setting, Shape};

/// Checks the requests in `log`, which has one JSON object per line. Returns one line per unexpected request.
pub(super) fn faults(log: &str, outcomes: &[Outcome]) -> Vec<String> {
    let requests = requests(log);
    let mut found = Vec::new();
    for client in &CLIENTS {
        for setting in &SETTINGS {
            let redirect_uri = household::redirect_uri(client.name, setting.name);
            let scopes = requested_scopes(&requests, &redirect_uri);
            let outcome = outcomes.iter().find(|outcome| outcome.is_of(client, setting));
            let reached = outcome.and_then(|outcome| outcome.end).is_none_or(|end| end.reached_provider());
            let expected = if reached { vec![expected(client, setting)] } else { Vec::new() };
            if scopes != expected {
                let place = format!("{} at {}", client.name, setting.name);
                found.push(format!("{place}: the provider received {scopes:?}, expected {expected:?}"));
            }
        }
    }
    let has_data_scope = |request: &&Value| {
        let of_scoped = request["redirect_uri"].as_str().is_some_and(|uri| uri.contains(SCOPED.name));
        !of_scoped && request["scope"].as_str().is_some_and(|scope| scope.contains(":read"))
    };
    found.extend(
        requests
            .iter()
            .filter(has_data_scope)
            .map(|request| format!("a data scope reached the provider: {request}")),
    );
    found
}

/// Returns the requests in `log`, which has one JSON object per line.
pub(super) fn requests(log: &str) -> Vec<Value> {
    log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Returns the scopes of each authorization request of one sign-in, which its redirect URI identifies.
pub(super) fn requested_scopes<'a>(requests: &'a [Value], redirect_uri: &str) -> Vec<&'a str> {
    let of_sign_in = requests.iter().filter(|request| request["redirect_uri"] == *redirect_uri);
    of_sign_in.map(|request| request["scope"].as_str().unwrap_or("nothing")).collect()
}

/// Returns the scopes that the provider should receive. `offline_access` is among them if the client requests it and no
/// proxy removes it. An assistant requests it because a document lists it; a dashboard requests it to get a refresh
/// token.
fn expected(client: &Client, setting: &Setting) -> String {
    let unstripped = setting.strip == "none";
    let direct = setting.mode == "direct" && setting.shape == Shape::Strict;
    let with_offline = match client.kind {
        Kind::Assistant { requests_offline } => requests_offline && (unstripped || direct),
        Kind::Dashboard => unstripped,
    };
    if with_offline { format!("{SCOPE} {OFFLINE}") } else { SCOPE.to_owned() }
}
