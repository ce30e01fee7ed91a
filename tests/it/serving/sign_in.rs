//! What a start says of an identity provider with which clients could not sign in, and what it never says: the requests
//! that people sign in with.

use hyper::Method;
use serde_json::json;
use tests::database::Database;
use tests::http::Http;
use tests::provider::{IdentityProvider, ResponseMode};
use tests::signer::Signer;

use super::program::{Ended, Place, Running, run, value};

/// Values that must not be in the log.
const CANARIES: [&str; 3] = ["canary-state", "canary-challenge", "canary-hint"];

async fn good() -> IdentityProvider {
    let provider = IdentityProvider::start(&[&Signer::new("k1", "ES256")]).await;
    provider.set_metadata("token_endpoint_auth_methods_supported", json!(["none"]));
    provider
}

/// Starts a server with a provider, asks it to sign somebody in, and ends it.
async fn started(provider: &IdentityProvider, flags: &[&str]) -> Ended {
    let database = Database::fresh().await;
    let place = Place::new();
    let mut command = place.server(&["--oidc-issuer", &provider.issuer]);
    command.args(flags).env("PASSBOOK_DATABASE_URL", database.url("passbook_reader"));
    let mut running = Running::start(command);
    let lines = running.lines(3);
    let base = value(&lines[1], "base").to_owned();
    let target = format!(
        "{base}/oauth/authorize?state={}&code_challenge={}&login_hint={}&x=1&x=2",
        CANARIES[0], CANARIES[1], CANARIES[2]
    );
    for target in [target.as_str(), target.trim_end_matches("&x=2")] {
        Http::default().send(Method::GET, target, &[]).await;
    }
    running.stop("TERM")
}

fn warnings(ended: &Ended) -> Vec<&str> {
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    ended.stderr.lines().filter(|line| line.contains("WARN")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_fits_is_no_reason_to_warn_and_no_request_is_logged() {
    let ended = started(&good().await, &["--log", "trace"]).await;
    let warned = warnings(&ended);
    assert!(!warned.iter().any(|line| line.contains("signing in")), "{warned:?}");
    assert!(ended.stderr.contains("/oauth/authorize"), "the route is logged");
    for canary in CANARIES {
        assert!(!ended.stderr.contains(canary), "{canary} is in the log: {}", ended.stderr);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_thing_that_breaks_clients_is_said_once_with_what_to_change() {
    let iss = ("authorization_response_iss_parameter_supported", json!(true));
    for (change, flags, expected) in [
        (Some(iss), &[][..], "PASSBOOK_OAUTH_MODE=direct"),
        (None, &["--oauth-mode", "origin"][..], "PASSBOOK_OAUTH_MODE=split"),
        (None, &["--origin", "http://money.example"][..], "PASSBOOK_ORIGIN"),
        (
            Some(("token_endpoint_auth_methods_supported", json!(["client_secret_post"]))),
            &[][..],
            "public clients",
        ),
        (Some(("code_challenge_methods_supported", json!(["plain"]))), &[][..], "S256"),
    ] {
        let provider = good().await;
        if let Some((member, value)) = change {
            provider.set_metadata(member, value);
        }
        let database = Database::fresh().await;
        let place = Place::new();
        let mut command = place.server(&["--oidc-issuer", &provider.issuer]);
        command.args(flags).env("PASSBOOK_DATABASE_URL", database.url("passbook_reader"));
        let mut running = Running::start(command);
        running.lines(3);
        let ended = running.stop("TERM");
        let warned = warnings(&ended);
        let said: Vec<_> = warned.iter().filter(|line| line.contains("signing in")).collect();
        assert!(said.len() == 1 && said[0].contains(expected), "{expected}: {warned:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_leads_back_here_is_refused_and_one_that_is_away_is_not() {
    let provider = good().await;
    // The address is the loopback one, which the provider's documents may name.
    provider.set_metadata("authorization_endpoint", json!("http://127.0.0.1:9/api/oauth/authorize"));
    let database = Database::fresh().await;
    let place = Place::new();
    let mut command = place.server(&["--oidc-issuer", &provider.issuer, "--origin", "http://127.0.0.1:9"]);
    command.env("PASSBOOK_DATABASE_URL", database.url("passbook_reader"));
    let ended = run(command);
    assert_eq!((ended.code, ended.stdout.len()), (Some(64), 0), "{}", ended.stderr);
    assert!(ended.stderr.contains("go round in circles"), "{}", ended.stderr);

    let provider = good().await;
    provider.set_response(ResponseMode::ConnectionClosed);
    let ended = started(&provider, &[]).await;
    assert!(warnings(&ended).iter().any(|line| line.contains("passbook-admin doctor")), "{}", ended.stderr);
}
