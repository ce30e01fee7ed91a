//! The faults of a client's values that can be found without the database.

use passbook_domain::scope::{Scope, Surface};
use passbook_input::Fault;

use super::values::{CLIENT_ID_CHARACTERS_MAX, ClientKind, NewClient};
use crate::redirect_uri::{self, is_redirect_uri};
use crate::tokens::name_faults;

/// Returns the faults of a new client.
pub(super) fn faults(new: &NewClient<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    let length = new.client_id.chars().count();
    let plain = !new.client_id.chars().any(|character| character.is_whitespace() || character.is_control());
    if !(1..=CLIENT_ID_CHARACTERS_MAX).contains(&length) || !plain {
        let rule = format!("must have 1 to {CLIENT_ID_CHARACTERS_MAX} characters, without spaces");
        faults.push(Fault::new("id", rule).received(format!("{:?}", new.client_id)));
    }
    if passbook_input::contains_token(new.client_id) {
        faults.push(Fault::new("id", "must not be a token, because identifiers are displayed"));
    }
    if ClientKind::parse(new.kind).is_none() {
        faults.push(not_one_of("kind", new.kind, &ClientKind::ALL.map(ClientKind::as_str)));
    }
    faults.extend(name_faults(new.name));
    faults.extend(scope_faults(new.scopes));
    faults.extend(surface_faults(new.surfaces));
    faults.extend(redirect_uri_faults(new.redirect_uris));
    faults
}

/// Returns the faults of a client's scopes.
pub(super) fn scope_faults(scopes: &[String]) -> Vec<Fault> {
    if scopes.is_empty() {
        return vec![Fault::new("scopes", "must name at least one scope")];
    }
    let allowed: Vec<&str> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
    unknown("scopes", scopes, &allowed)
}

/// Returns the faults of a client's surfaces.
pub(super) fn surface_faults(surfaces: &[String]) -> Vec<Fault> {
    if surfaces.is_empty() {
        return vec![Fault::new("surfaces", "must name rest, mcp or both")];
    }
    let allowed: Vec<&str> = Surface::ALL.iter().map(|surface| surface.as_str()).collect();
    unknown("surfaces", surfaces, &allowed)
}

/// Returns the faults of a client's redirect URIs.
pub(super) fn redirect_uri_faults(uris: &[String]) -> Vec<Fault> {
    let mut faults = Vec::new();
    if uris.iter().any(|uri| passbook_input::contains_token(uri)) {
        let rule = "must not contain a token, because redirect URIs are displayed";
        faults.push(Fault::new("redirect uri", rule));
    }
    let wrong = uris.iter().filter(|uri| !is_redirect_uri(uri));
    faults.extend(wrong.map(|uri| Fault::new("redirect uri", redirect_uri::RULE).received(uri)));
    faults
}

fn unknown(place: &str, received: &[String], allowed: &[&str]) -> Vec<Fault> {
    let unknown = received.iter().filter(|word| !allowed.contains(&word.as_str()));
    unknown.map(|word| not_one_of(place, word, allowed)).collect()
}

fn not_one_of(place: &str, received: &str, allowed: &[&str]) -> Fault {
    Fault::new(place, format!("must be one of the allowed values: {}", allowed.join(", "))).received(received)
}
