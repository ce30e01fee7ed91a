//! The checks of stored rows: the redirect URIs of OAuth clients, and missing exchange rates. The identity provider enforces
//! the URIs; the stored ones show which it should know.

use passbook_ingest::clients::{self, Client};
use passbook_ingest::redirect_uri::is_redirect_uri;

use super::{Findings, State};
use crate::commands::load;

/// The subject of the findings.
const SUBJECT: &str = "clients";
const RATES: &str = "rates";

/// Examines the clients that are not revoked, and the transactions that no exchange rate converts.
pub(super) async fn examine(client: &tokio_postgres::Client, findings: &mut Findings) {
    match clients::list(client).await {
        Ok(clients) => {
            for (state, text) in verdicts(&clients) {
                findings.add(state, SUBJECT, text);
            }
        }
        Err(_) => return findings.warning(SUBJECT, "the OAuth clients cannot be read with this role"),
    }
    match load::missing_rates(client, None).await {
        Ok(missing) => missing.into_iter().for_each(|text| findings.warning(RATES, text)),
        Err(error) => findings.warning(RATES, error.lines().join("; ")),
    }
}

fn verdicts(clients: &[Client]) -> Vec<(State, String)> {
    let live: Vec<&Client> = clients.iter().filter(|client| client.revoked_at.is_none()).collect();
    let mut verdicts = Vec::new();
    for client in &live {
        let id = &client.client_id;
        let wrong: Vec<&str> =
            client.redirect_uris.iter().map(String::as_str).filter(|uri| !is_redirect_uri(uri)).collect();
        if !wrong.is_empty() {
            let text = format!(
                "{id}: no identity provider can enforce the redirect URI {}: correct it with `passbook-admin client \
                 update`",
                wrong.join(", ")
            );
            verdicts.push((State::Broken, text));
        } else if client.redirect_uris.is_empty() {
            let text = format!(
                "{id}: no redirect URI is recorded: add those of the identity provider with `passbook-admin client \
                 update`"
            );
            verdicts.push((State::Warning, text));
        }
    }
    if verdicts.is_empty() && !live.is_empty() {
        let count = live.len();
        verdicts.push((State::Ok, format!("{count} clients with redirect URIs that a provider can enforce")));
    }
    verdicts
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    fn client(id: &str, redirect_uris: &[&str]) -> Client {
        Client {
            client_id: id.to_owned(),
            kind: "known_mcp".to_owned(),
            name: "Assistant".to_owned(),
            owner: None,
            scopes: Vec::new(),
            state: "active".to_owned(),
            surfaces: Vec::new(),
            redirect_uris: redirect_uris.iter().map(|&uri| uri.to_owned()).collect(),
            created_at: Timestamp::UNIX_EPOCH,
            revoked_at: None,
        }
    }

    #[test]
    fn redirect_uris_of_live_clients_are_examined() {
        let good = client("good", &["https://a.example/callback", "http://127.0.0.1:3000/callback"]);
        let wrong = client("wrong", &["https://a.example/callback", "http://a.example/callback"]);
        let none = client("none", &[]);
        let revoked = Client { revoked_at: Some(Timestamp::UNIX_EPOCH), ..wrong.clone() };
        let found = verdicts(&[good.clone(), wrong, none, revoked.clone()]);
        let states: Vec<State> = found.iter().map(|(state, _)| *state).collect();
        assert_eq!(states, [State::Broken, State::Warning]);
        assert!(
            found[0].1.contains("wrong: ") && found[0].1.contains("http://a.example/callback"),
            "{found:?}"
        );
        assert_eq!(verdicts(&[good, revoked])[0].0, State::Ok);
        assert!(verdicts(&[]).is_empty());
    }
}
