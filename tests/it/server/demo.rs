//! `--demo`: prints six lines, returns correct totals, shuts down cleanly, and starts again on the same folder. Its
//! sign-in, and the first example of `docs/connecting-assistants.md`.

use hyper::Method;
use serde_json::{Value, json};
use tests::database::{Database, execute};
use tests::demo_totals::{assert_try_line_totals, run_in_shell};
use tests::http::{Http, assert_signs_in_once};
use tests::provider::{IdentityProvider, ResponseMode, suitable_provider};
use tests::server_process::{
    Running, assert_startup_lines, postgres_pid, run, signal, value, wait_until_ended,
};
use tests::temporary::Folder;

use super::Served;
use super::lifecycle::connect;

#[tokio::test]
async fn demo_prints_six_lines_with_correct_totals_and_restarts() {
    let folder = Folder::create();
    let mut tokens = Vec::new();
    for (signal, round) in [("TERM", 1), ("INT", 2)] {
        let mut demo = Running::start(folder.server(&["--demo"]));
        let lines = demo.lines(6);
        assert_startup_lines(&lines);
        assert_try_line_totals(&lines).await;
        assert_mcp_example_works(&lines).await;
        assert_signs_in_once(value(&lines[3], "page"), passbook_demo::EMAIL).await;
        tokens.push((lines[3].clone(), lines[4].clone()));
        let postgres = postgres_pid(&folder.data_dir().join("demo"));
        let ended = demo.stop(signal);
        assert_eq!((ended.code, ended.stdout), (Some(0), vec![]), "round {round}: {}", ended.stderr);
        assert!(!ended.stderr.contains("pbk_"), "the log contains a token: {}", ended.stderr);
        let (_, code) = lines[3].split_once("#code=").expect("a code");
        assert!(!ended.stderr.contains(code), "the log contains the code: {}", ended.stderr);
        wait_until_ended(postgres);
    }
    assert_ne!(tokens[0].0, tokens[1].0, "each start must create a new code");
    assert_ne!(tokens[0].1, tokens[1].1, "each start must create a new token");
    assert!(
        !folder.data_dir().join("postgres/cluster").exists(),
        "the demo must not use the folder of real data"
    );
}

/// PostgreSQL is killed under a running server, which starts it again and goes on.
#[tokio::test]
async fn killed_embedded_database_is_restarted() {
    let folder = Folder::create();
    let mut demo = Running::start(folder.server(&["--demo"]));
    let lines = demo.lines(6);
    let url = format!("{}/v1/me", value(&lines[1], "base"));
    let bearer = format!("Bearer {}", value(&lines[4], "token"));
    let (http, headers) = (Http::default(), [("authorization", bearer.as_str())]);
    let send = || http.send(Method::GET, &url, &headers);
    send().await.ok();
    let killed = postgres_pid(&folder.data_dir().join("demo"));
    signal("KILL", killed);
    wait_until_ended(killed);
    // A process of a connection outlives the killed one for a moment, and may answer.
    let pid = folder.data_dir().join("demo/postgres/cluster/postmaster.pid");
    let is_restarted = || {
        let text = std::fs::read_to_string(&pid).unwrap_or_default();
        text.lines().next().is_some_and(|first| first != killed.to_string())
    };
    let served = async { while !(send().await.status == 200 && is_restarted()) {} };
    tokio::time::timeout(std::time::Duration::from_secs(60), served).await.expect("PostgreSQL runs again");
    let ended = demo.stop("TERM");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("PostgreSQL has ended by itself"), "{}", ended.stderr);
}

/// Before the first release, a newer program may find the demo of another development version.
#[tokio::test]
async fn demo_of_another_development_version_is_created_anew() {
    let folder = Folder::create();
    let mut demo = Running::start(folder.server(&["--demo"]));
    demo.lines(6);
    let superuser = connect(&folder.data_dir().join("demo"), passbook_embedded::SUPERUSER).await;
    execute(&superuser, "update passbook.migrations set sha256 = repeat('0', 64)").await;
    drop(superuser);
    assert_eq!(demo.stop("TERM").code, Some(0));
    let mut demo = Running::start(folder.server(&["--demo"]));
    assert_try_line_totals(&demo.lines(6)).await;
    assert_eq!(demo.stop("TERM").code, Some(0));
}

/// Address and token on the page, which a reader replaces by their own.
const ADDRESS: &str = "http://127.0.0.1:8080/api";
const TOKEN: &str = "pbk_…";

/// The first block of the page in a language that contains a text.
fn block(language: &str, contained: &str) -> &'static str {
    let mut blocks = tests::documents::blocks_of("docs/connecting-assistants.md").into_iter();
    let block = blocks.find(|block| block.language == language && block.text.contains(contained));
    block.unwrap_or_else(|| panic!("no block of {language} with {contained}")).text
}

/// Runs the example. Its result must equal the payload of REST and have the shape of the response on the page. Values
/// are not compared with the page, because the demo household depends on the current date.
async fn assert_mcp_example_works(lines: &[String]) {
    let (base, token) = (value(&lines[1], "base"), value(&lines[4], "token"));
    let example = block("sh", "tools/call");
    let command = example.replace(ADDRESS, base).replace(TOKEN, token);
    assert_ne!(command, example, "the example must contain the address and the token");
    let route = format!("{base}/v1/spending/merchants/top?timeRange=3m&limit=2");
    let bearer = format!("Bearer {token}");
    // The day may change between the two requests, but not in both attempts.
    for last in [false, true] {
        let answer = run_in_shell(&command);
        let headers = [("authorization", bearer.as_str())];
        let expected = Http::default().send(Method::GET, &route, &headers).await.ok();
        let payload = &answer["result"]["structuredContent"];
        if *payload == expected {
            let documented: Value =
                serde_json::from_str(block("json", "merchants")).expect("the block is JSON");
            return assert_eq!(shape(&documented), shape(payload));
        }
        assert!(!last, "{answer} differs from the REST response {expected}");
    }
}

/// A value with every scalar replaced by its type, and a list by its first item.
fn shape(value: &Value) -> Value {
    match value {
        Value::Null => json!("null"),
        Value::Bool(_) => json!("boolean"),
        Value::Number(_) => json!("number"),
        Value::String(_) => json!("text"),
        Value::Array(items) => json!([items.first().map(shape)]),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), shape(value))).collect())
        }
    }
}

/// Values of a sign-in request that must not be in the log.
const CANARIES: [&str; 3] = ["canary-state", "canary-challenge", "canary-hint"];

/// Starts a server with a provider.
async fn serve(provider: &IdentityProvider, flags: &[&str]) -> Served {
    let flags = [&["--oidc-issuer", &provider.issuer], flags].concat();
    Served::start(&Database::fresh().await, &flags)
}

/// Stops a server. Returns its warnings.
fn warnings(server: Served) -> Vec<String> {
    let ended = server.stop();
    ended.stderr.lines().filter(|line| line.contains("WARN")).map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn suitable_provider_causes_no_warning_and_sign_in_requests_are_not_logged() {
    let server = serve(&suitable_provider().await, &["--log", "trace"]).await;
    let [state, challenge, hint] = CANARIES;
    let query = format!("state={state}&code_challenge={challenge}&login_hint={hint}&x=1");
    for query in [format!("{query}&x=2"), query] {
        server.get(&format!("/oauth/authorize?{query}"), &[]).await;
    }
    let log = server.stop().stderr;
    assert!(!log.lines().any(|line| line.contains("WARN") && line.contains("signing in")), "{log}");
    assert!(log.contains("/oauth/authorize"), "the log must name the route");
    for canary in CANARIES {
        assert!(!log.contains(canary), "{canary} is in the log: {log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_provider_problem_is_warned_about_once_with_its_remedy() {
    let iss = ("authorization_response_iss_parameter_supported", json!(true));
    let methods = ("token_endpoint_auth_methods_supported", json!(["client_secret_post"]));
    for (change, flags, expected) in [
        // The port is the one that the system has chosen.
        (Some(iss), &[][..], &["PASSBOOK_OAUTH_MODE=direct", "where assistants expect ADDRESS and"][..]),
        (None, &["--oauth-mode", "origin"], &["PASSBOOK_OAUTH_MODE=split"]),
        (None, &["--origin", "http://money.example"], &["PASSBOOK_ORIGIN"]),
        (Some(methods), &[], &["public clients"]),
    ] {
        let provider = suitable_provider().await;
        if let Some((member, value)) = change {
            provider.set_metadata(member, value);
        }
        let server = serve(&provider, flags).await;
        let origin = server.base().trim_end_matches("/api").to_owned();
        let warned = warnings(server);
        let found: Vec<_> = warned.iter().filter(|line| line.contains("signing in")).collect();
        assert_eq!(found.len(), 1, "{expected:?}: {warned:?}");
        for text in expected {
            assert!(found[0].contains(&text.replace("ADDRESS", &origin)), "{text}: {found:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn provider_that_redirects_back_is_refused_and_unreachable_one_is_not() {
    let provider = suitable_provider().await;
    // A loopback address, which the discovery document may name here.
    provider.set_metadata("authorization_endpoint", json!("http://127.0.0.1:9/api/oauth/authorize"));
    let (folder, database) = (Folder::create(), Database::fresh().await);
    let flags = ["--oidc-issuer", &provider.issuer, "--origin", "http://127.0.0.1:9"];
    let ended = run(folder.server_of(&database, &flags));
    assert_eq!((ended.code, ended.stdout.len()), (Some(64), 0), "{}", ended.stderr);
    assert!(ended.stderr.contains("go round in circles"), "{}", ended.stderr);

    let provider = suitable_provider().await;
    provider.set_response(ResponseMode::ConnectionClosed);
    let warned = warnings(serve(&provider, &[]).await);
    assert!(warned.iter().any(|line| line.contains("passbook-admin doctor")), "{warned:?}");
}
