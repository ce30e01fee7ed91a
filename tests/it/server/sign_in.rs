//! Warnings at start about an identity provider with which clients cannot sign in. Sign-in requests are never logged.

use hyper::Method;
use serde_json::json;
use tests::database::Database;
use tests::http::Http;
use tests::provider::{IdentityProvider, ResponseMode};
use tests::signer::Signer;

use tests::server_process::{Ended, Running, TestFolder, run, value};

/// Values of a sign-in request that must not be in the log.
const CANARIES: [&str; 3] = ["canary-state", "canary-challenge", "canary-hint"];

async fn good() -> IdentityProvider {
    let provider = IdentityProvider::start(&[&Signer::new("k1", "ES256")]).await;
    provider.set_metadata("token_endpoint_auth_methods_supported", json!(["none"]));
    provider
}

/// Starts a server with a provider, sends sign-in requests, and stops the server.
async fn start_and_stop(provider: &IdentityProvider, flags: &[&str]) -> Ended {
    let database = Database::fresh().await;
    let folder = TestFolder::create();
    let mut command = folder.server(&["--oidc-issuer", &provider.issuer]);
    command.args(flags).env("PASSBOOK_DATABASE_URL", database.url("passbook_reader"));
    let mut running = Running::start(command);
    let lines = running.lines(4);
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
async fn suitable_provider_causes_no_warning_and_sign_in_requests_are_not_logged() {
    let ended = start_and_stop(&good().await, &["--log", "trace"]).await;
    let warned = warnings(&ended);
    assert!(!warned.iter().any(|line| line.contains("signing in")), "{warned:?}");
    assert!(ended.stderr.contains("/oauth/authorize"), "the log must name the route");
    for canary in CANARIES {
        assert!(!ended.stderr.contains(canary), "{canary} is in the log: {}", ended.stderr);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_provider_problem_is_warned_about_once_with_its_remedy() {
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
        let folder = TestFolder::create();
        let mut command = folder.server(&["--oidc-issuer", &provider.issuer]);
        command.args(flags).env("PASSBOOK_DATABASE_URL", database.url("passbook_reader"));
        let mut running = Running::start(command);
        running.lines(4);
        let ended = running.stop("TERM");
        let warned = warnings(&ended);
        let found: Vec<_> = warned.iter().filter(|line| line.contains("signing in")).collect();
        assert!(found.len() == 1 && found[0].contains(expected), "{expected}: {warned:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn provider_that_redirects_back_is_refused_and_unreachable_one_is_not() {
    let provider = good().await;
    // A loopback address, which the discovery document may name here.
    provider.set_metadata("authorization_endpoint", json!("http://127.0.0.1:9/api/oauth/authorize"));
    let database = Database::fresh().await;
    let folder = TestFolder::create();
    let mut command = folder.server(&["--oidc-issuer", &provider.issuer, "--origin", "http://127.0.0.1:9"]);
    command.env("PASSBOOK_DATABASE_URL", database.url("passbook_reader"));
    let ended = run(command);
    assert_eq!((ended.code, ended.stdout.len()), (Some(64), 0), "{}", ended.stderr);
    assert!(ended.stderr.contains("go round in circles"), "{}", ended.stderr);

    let provider = good().await;
    provider.set_response(ResponseMode::ConnectionClosed);
    let ended = start_and_stop(&provider, &[]).await;
    assert!(warnings(&ended).iter().any(|line| line.contains("passbook-admin doctor")), "{}", ended.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn warning_names_the_port_that_the_system_has_chosen() {
    let provider = good().await;
    provider.set_metadata("authorization_response_iss_parameter_supported", json!(true));
    let (database, folder) = (Database::fresh().await, TestFolder::create());
    let mut command = folder.server(&["--oidc-issuer", &provider.issuer]);
    command.env("PASSBOOK_DATABASE_URL", database.url("passbook_reader"));
    let mut running = Running::start(command);
    let base = value(&running.lines(4)[1], "base").to_owned();
    let ended = running.stop("TERM");
    let warned = warnings(&ended);
    let expected = format!("where assistants expect {} and", base.trim_end_matches("/api"));
    assert!(warned.iter().any(|line| line.contains(&expected)), "{expected}: {warned:?}");
}
