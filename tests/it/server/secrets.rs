//! The log contains no token and no part of one, even at level `trace` and for invalid tokens.

use hyper::Method;
use serde_json::json;
use tests::database::Database;
use tests::http::Http;
use tests::provider::{AUDIENCE, IdentityProvider};
use tests::signer::Signer;
use uuid::Uuid;

use tests::server_process::{Running, TestFolder, value};

#[tokio::test(flavor = "multi_thread")]
async fn no_part_of_a_token_is_logged_at_trace_level() {
    let signer = Signer::new("k1", "ES256");
    let provider = IdentityProvider::start(&[&signer]).await;
    let (folder, database) = (TestFolder::create(), Database::fresh().await);
    let mut server = folder.server(&[]);
    server
        .env("PASSBOOK_DATABASE_URL", database.url("passbook_reader"))
        .env("PASSBOOK_OIDC_ISSUER", &provider.issuer)
        .env("PASSBOOK_OIDC_AUDIENCE", AUDIENCE)
        .env("PASSBOOK_LOG", "trace");
    let mut server = Running::start(server);
    let base = value(&server.lines(4)[1], "base").to_owned();
    let now = jiff::Timestamp::now().as_second();
    let good = provider.claims(Uuid::from_u128(0x00ca_0a27_0000_4000_8000_0000_0000_0001), now);
    let with = |name: &str, value: serde_json::Value| {
        let mut claims = good.clone();
        claims[name] = value;
        signer.sign(&claims)
    };
    let header = json!({ "alg": "ES256", "kid": "canary-kid", "typ": "JWT" }).to_string();
    let tokens = [
        signer.sign(&good),
        with("exp", json!(now - 100)),
        with("aud", json!("canary-audience")),
        with("sub", json!("canary-subject")),
        with("client_id", json!("canary-client")),
        with("session_id", json!(["canary-session"])),
        Signer::new("k1", "ES256").sign(&good),
        signer.sign_text(&header, "{\"canary\":1}"),
        signer.sign_text("{\"alg\":\"canary-alg\"}", "{}"),
        passbook_auth::personal_access_token::PlainToken::generate("pbk_").reveal().to_owned(),
        "pbk_canarygarbage".to_owned(),
        "canary.garbage".to_owned(),
    ];
    for token in &tokens {
        let authorization = format!("Bearer {token}");
        let reply = Http::default()
            .send(Method::GET, &format!("{base}/v1/me"), &[("authorization", &authorization)])
            .await;
        assert_eq!(reply.status, 401, "{token}");
        assert!(!String::from_utf8_lossy(&reply.body).contains("canary"), "{token}");
    }
    let ended = server.stop("TERM");
    assert_eq!(ended.code, Some(0), "the server must end although keys are refreshed: {}", ended.stderr);
    assert!(ended.stderr.contains("TRACE"), "the log must contain trace lines");
    assert!(
        ended.stderr.contains("the access token is refused: its audience is not an accepted one"),
        "the log must name the rule that the token breaks"
    );
    for token in &tokens {
        for part in token.split('.').filter(|part| part.len() > 8) {
            assert!(!ended.stderr.contains(part), "{part} is in the log");
        }
    }
    for word in ["canary", "Bearer ", "00ca0a27"] {
        let line = ended.stderr.lines().find(|line| line.contains(word));
        assert_eq!(line, None, "{word}");
    }
}
