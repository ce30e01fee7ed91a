//! What reached the identity providers: for each sign-in exactly one request, with exactly the scopes that the setting
//! lets through, and never one for data.

use serde_json::Value;

use super::household;
use super::journeys::{OFFLINE, Outcome, SCOPE};
use super::matrix::{CLIENTS, Client, Kind, SETTINGS, Setting, Shape};

/// What is wrong with what arrived.
pub(super) fn faults(seen: &str, outcomes: &[Outcome]) -> Vec<String> {
    let requests: Vec<Value> = seen.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let mut found = Vec::new();
    for client in &CLIENTS {
        for setting in &SETTINGS {
            let back = household::redirect_uri(client.name, setting.name);
            let scopes: Vec<&str> = requests
                .iter()
                .filter(|request| request["redirect_uri"] == back)
                .map(|request| request["scope"].as_str().unwrap_or("nothing"))
                .collect();
            let outcome = outcomes.iter().find(|outcome| outcome.is_of(client, setting));
            let came = outcome.and_then(|outcome| outcome.end).is_none_or(|end| end.came_to_consent());
            let expected = if came { vec![expected(client, setting)] } else { Vec::new() };
            if scopes != expected {
                let place = format!("{} at {}", client.name, setting.name);
                found.push(format!("{place}: {scopes:?} reached the provider, not {expected:?}"));
            }
        }
    }
    let asks_for_data =
        |request: &&Value| request["scope"].as_str().is_some_and(|scope| scope.contains(":read"));
    found.extend(requests.iter().filter(asks_for_data).map(|request| format!("the provider saw {request}")));
    found
}

/// `offline_access` passes where nothing takes it out and somebody asks for it: an assistant that finds it in a
/// document, or a dashboard that wants a refresh token.
fn expected(client: &Client, setting: &Setting) -> String {
    let unstripped = setting.strip == "none";
    let direct = setting.mode == "direct" && setting.shape == Shape::Strict;
    let asks = match client.kind {
        Kind::Assistant { asks_offline } => asks_offline && (unstripped || direct),
        Kind::Dashboard => unstripped,
    };
    if asks { format!("{SCOPE} {OFFLINE}") } else { SCOPE.to_owned() }
}
