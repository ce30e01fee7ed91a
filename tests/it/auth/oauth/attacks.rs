//! Invalid access tokens, each with the rule that rejects it. The provider's own key has signed all but a few of them,
//! so a token breaks the named rule only.

use serde_json::{Value, json};
use tests::provider::{AUDIENCE, CLIENT, Checker, IdentityProvider, NOON};
use tests::signer::{ALGORITHMS, Signer, base64, sign_with_secret};
use uuid::Uuid;

const USER: Uuid = Uuid::from_u128(0x8c1e_5d0e_1b57_4b9b_9f4e_2f6f_3a50_0b4d);

/// Name of the case, token, and expected verdict.
type Row = (String, String, &'static str);

/// Name of the case, changed members, and expected verdict.
type Change<'a> = (&'a str, Vec<(&'a str, Value)>, &'static str);

/// Starts a provider with one key. Returns the key, the provider and a checker of its tokens.
async fn one_key(algorithm: &'static str) -> (Signer, IdentityProvider, Checker) {
    let signer = Signer::new("k1", algorithm);
    let provider = IdentityProvider::start(&[&signer]).await;
    let checker = Checker::new(&provider.issuer);
    (signer, provider, checker)
}

/// Valid claims with changes. A member that is null in `changes` is removed.
fn claims(provider: &IdentityProvider, changes: &[(&str, Value)]) -> Value {
    let mut claims = provider.claims(USER, NOON);
    let members = claims.as_object_mut().expect("an object");
    for (name, value) in changes {
        match value {
            Value::Null => drop(members.remove(*name)),
            value => drop(members.insert((*name).to_owned(), value.clone())),
        }
    }
    claims
}

async fn check_verdicts(checker: &Checker, rows: Vec<Row>) {
    let mut mismatches = Vec::new();
    for (name, token, expected) in rows {
        let verdict = checker.verdict(&token).await;
        if verdict != expected {
            mismatches.push(format!("{name}: {verdict}, not {expected}"));
        }
    }
    assert!(mismatches.is_empty(), "{mismatches:#?}");
}

#[tokio::test]
async fn valid_token_is_accepted_with_every_algorithm() {
    for algorithm in ALGORITHMS {
        let (signer, provider, checker) = one_key(algorithm).await;
        let credential = checker.check(&signer.sign(&claims(&provider, &[]))).await.expect(algorithm);
        assert_eq!(credential.user().as_uuid(), USER);
        assert!(format!("{:?}", credential.grant()).contains(CLIENT), "{:?}", credential.grant());
    }
}

#[tokio::test]
async fn invalid_claim_is_rejected_with_its_rule() {
    let (signer, provider, checker) = one_key("ES256").await;
    let issuer = provider.issuer.clone();
    let table: Vec<Change<'_>> = vec![
        ("issuer with a slash", vec![("iss", json!(format!("{issuer}/")))], "Issuer"),
        ("issuer in capitals", vec![("iss", json!(issuer.to_uppercase()))], "Issuer"),
        ("start of the issuer", vec![("iss", json!(issuer[..issuer.len() - 1]))], "Issuer"),
        ("another issuer", vec![("iss", json!("https://accounts.google.com"))], "Issuer"),
        ("list of issuers", vec![("iss", json!([issuer.clone(), "https://evil.example"]))], "Issuer"),
        ("issuer that is a number", vec![("iss", json!(7))], "Issuer"),
        ("no issuer", vec![("iss", Value::Null)], "Issuer"),
        ("no audience", vec![("aud", Value::Null)], "Audience"),
        ("audience that is a number", vec![("aud", json!(7))], "Audience"),
        ("no audiences", vec![("aud", json!([]))], "Audience"),
        ("longer audience", vec![("aud", json!("authenticated2"))], "Audience"),
        ("shorter audience", vec![("aud", json!("authenticate"))], "Audience"),
        ("audience of another interface", vec![("aud", json!(["https://other.example/api"]))], "Audience"),
        ("audience in capitals", vec![("aud", json!("AUTHENTICATED"))], "Audience"),
        ("audiences that are not all texts", vec![("aud", json!([AUDIENCE, 7]))], "Audience"),
        ("several audiences", vec![("aud", json!(["other", AUDIENCE]))], "good"),
        ("no subject", vec![("sub", Value::Null)], "Subject"),
        ("empty subject", vec![("sub", json!(""))], "Subject"),
        ("subject that is a number", vec![("sub", json!(7))], "Subject"),
        ("subject of another kind", vec![("sub", json!("auth0|5f7c8ec7c33c6c004bbafe82"))], "Subject"),
        ("nil UUID as subject", vec![("sub", json!(Uuid::nil()))], "Subject"),
        ("subject without hyphens", vec![("sub", json!(USER.simple().to_string()))], "Subject"),
        ("subject in braces", vec![("sub", json!(USER.braced().to_string()))], "Subject"),
        ("subject as a URN", vec![("sub", json!(USER.urn().to_string()))], "Subject"),
        ("very long subject", vec![("sub", json!("a".repeat(4_000)))], "Subject"),
        ("subject in capitals", vec![("sub", json!(USER.to_string().to_uppercase()))], "good"),
        ("no client, as in the provider's own sessions", vec![("client_id", Value::Null)], "Client"),
        ("empty client", vec![("client_id", json!(""))], "Client"),
        ("client that is a number", vec![("client_id", json!(7))], "Client"),
        ("client with a NUL", vec![("client_id", json!("a\0b"))], "Client"),
        ("client beyond ASCII", vec![("client_id", json!("é"))], "Client"),
        ("client that is too long", vec![("client_id", json!("a".repeat(201)))], "Client"),
        ("longest client", vec![("client_id", json!("a".repeat(200)))], "good"),
        ("two clients", vec![("azp", json!("another"))], "Client"),
        ("one client twice", vec![("azp", json!(CLIENT)), ("cid", json!(CLIENT))], "good"),
        ("client as azp", vec![("client_id", Value::Null), ("azp", json!(CLIENT))], "good"),
        ("client as cid", vec![("client_id", Value::Null), ("cid", json!(CLIENT))], "good"),
        ("session that is a number", vec![("session_id", json!(7))], "Session"),
        ("empty session", vec![("session_id", json!(""))], "Session"),
        ("session with a NUL", vec![("session_id", json!("a\0"))], "Session"),
        ("session that is too long", vec![("session_id", json!("a".repeat(201)))], "Session"),
        ("no session", vec![("session_id", Value::Null)], "good"),
        ("session as sid", vec![("session_id", Value::Null), ("sid", json!("s"))], "good"),
        ("sid that is no text", vec![("session_id", Value::Null), ("sid", json!([]))], "Session"),
        ("scope that is a number", vec![("scope", json!(7))], "Scope"),
        ("scopes as an object", vec![("scope", json!({ "spending:read": true }))], "Scope"),
        ("scopes that are not all texts", vec![("scp", json!(["openid", 7]))], "Scope"),
        (
            "scope claims that contradict each other",
            vec![("scope", json!("spending:read")), ("scp", json!(["budgets:read"]))],
            "Scope",
        ),
        (
            "scope claims with the same data scopes",
            vec![("scope", json!("openid budgets:read")), ("scp", json!(["budgets:read"]))],
            "good",
        ),
        ("anonymous", vec![("is_anonymous", json!(true))], "Anonymous"),
        ("anonymous as text", vec![("is_anonymous", json!("true"))], "Anonymous"),
        ("nothing about anonymity", vec![("is_anonymous", Value::Null)], "good"),
        (
            "bound to a key",
            vec![("cnf", json!({ "jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" }))],
            "Bound",
        ),
        ("bound by an empty confirmation", vec![("cnf", json!({}))], "Bound"),
        ("ID token by nonce", vec![("aud", json!([AUDIENCE, CLIENT])), ("nonce", json!("n"))], "IdToken"),
        ("ID token by at_hash", vec![("aud", json!([AUDIENCE, CLIENT])), ("at_hash", json!("h"))], "IdToken"),
        ("ID token by c_hash", vec![("aud", json!([AUDIENCE, CLIENT])), ("c_hash", json!("h"))], "IdToken"),
        ("ID token for the client", vec![("aud", json!(CLIENT)), ("nonce", json!("n"))], "Audience"),
        ("ID token by typ", vec![("typ", json!("ID"))], "TokenUse"),
        ("ID token by typ, for the client", vec![("aud", json!(CLIENT)), ("typ", json!("id"))], "TokenUse"),
        ("refresh token by typ", vec![("typ", json!("Refresh"))], "TokenUse"),
        ("offline token by typ", vec![("typ", json!("Offline"))], "TokenUse"),
        ("logout token by typ", vec![("typ", json!("logout"))], "TokenUse"),
        ("typ that is a number", vec![("typ", json!(7))], "TokenUse"),
        ("access token by typ", vec![("typ", json!("Bearer"))], "good"),
        ("ID token by token_use", vec![("token_use", json!("id"))], "TokenUse"),
        ("token_use that is a list", vec![("token_use", json!(["access"]))], "TokenUse"),
        ("access token by token_use", vec![("token_use", json!("access"))], "good"),
        ("nonce with our audience only", vec![("nonce", json!("n"))], "good"),
        ("no end", vec![("exp", Value::Null)], "Time"),
        ("end as text", vec![("exp", json!((NOON + 60).to_string()))], "Time"),
        ("end with a fraction", vec![("exp", json!(NOON as f64 + 60.5))], "Time"),
        ("end before 1970", vec![("exp", json!(-1))], "Time"),
        ("largest number as end", vec![("exp", json!(u64::MAX))], "Time"),
        (
            "end beyond exact numbers",
            vec![("exp", json!(1_u64 << 53)), ("iat", json!((1_u64 << 53) - 60))],
            "Time",
        ),
        ("start as text", vec![("nbf", json!("0"))], "Time"),
        ("time of issue as text", vec![("iat", json!("0"))], "Time"),
        ("no time of issue", vec![("iat", Value::Null)], "good"),
    ];
    let token = |changes: &[(&str, Value)]| signer.sign(&claims(&provider, changes));
    let rows = table.iter().map(|(name, changes, verdict)| ((*name).to_owned(), token(changes), *verdict));
    check_verdicts(&checker, rows.collect()).await;
    assert_eq!(provider.jwks_requests(), 1, "the keys must be fetched once");
}

/// Claims texts that a JSON serializer would not produce.
#[tokio::test]
async fn claims_with_repeated_member_or_other_json_are_rejected() {
    let (signer, provider, checker) = one_key("ES256").await;
    let good = claims(&provider, &[]).to_string();
    let with = |more: &str| format!("{},{more}}}", &good[..good.len() - 1]);
    let header = signer.header().to_string();
    let table = [
        ("as it is", good.clone(), "good"),
        ("unknown member twice", with("\"x\":1,\"x\":1"), "Claims"),
        ("end twice", with(&format!("\"exp\":{}", NOON + 7_200)), "Claims"),
        ("client twice", with("\"client_id\":\"another\""), "Claims"),
        ("client twice, once escaped", with("\"client\\u005fid\":\"another\""), "Claims"),
        ("anonymity twice", with("\"is_anonymous\":false"), "Claims"),
        ("a null binding", with("\"cnf\":null"), "Bound"),
        ("infinite end", good.replace(&(NOON + 3_600).to_string(), "1e999"), "Claims"),
        ("a list", format!("[{good}]"), "Claims"),
        ("two objects", format!("{good}{good}"), "Claims"),
        ("nothing", "null".to_owned(), "Claims"),
        ("no JSON", "pay to bearer".to_owned(), "Claims"),
    ];
    let rows =
        table.map(|(name, text, verdict)| (name.to_owned(), signer.sign_text(&header, &text), verdict));
    check_verdicts(&checker, rows.into()).await;
}

#[tokio::test]
async fn header_with_extension_key_type_or_algorithm_of_its_own_is_rejected() {
    let (signer, provider, checker) = one_key("ES256").await;
    let canary = IdentityProvider::start(&[&signer]).await;
    let attacker = Signer::new("k1", "ES256");
    let (good, elsewhere) = (claims(&provider, &[]), format!("{}/auth/v1/keys", canary.origin()));
    let with = |changes: &[(&str, Value)]| {
        let mut header = signer.header();
        for (name, value) in changes {
            header[*name] = value.clone();
        }
        header
    };
    let table: Vec<Change<'_>> = vec![
        ("as it is", vec![], "good"),
        ("extension that exists", vec![("crit", json!(["exp"]))], "HeaderMember"),
        ("no extension", vec![("crit", json!([]))], "HeaderMember"),
        ("null extension", vec![("crit", json!(null))], "HeaderMember"),
        ("unencoded payload", vec![("b64", json!(false))], "HeaderMember"),
        ("encoded payload, stated", vec![("b64", json!(true))], "HeaderMember"),
        ("compressed", vec![("zip", json!("DEF"))], "HeaderMember"),
        ("encrypted", vec![("enc", json!("A128GCM"))], "HeaderMember"),
        ("key in the header", vec![("jwk", attacker.jwk())], "HeaderMember"),
        ("the provider's key in the header", vec![("jwk", signer.jwk())], "HeaderMember"),
        ("address of keys", vec![("jku", json!(elsewhere))], "HeaderMember"),
        ("address of a certificate", vec![("x5u", json!(elsewhere))], "HeaderMember"),
        ("certificate", vec![("x5c", json!(["AAAA"]))], "HeaderMember"),
        ("type of access tokens", vec![("typ", json!("at+jwt"))], "good"),
        ("the same in full", vec![("typ", json!("application/at+JWT"))], "good"),
        ("proof of possession", vec![("typ", json!("dpop+jwt"))], "Type"),
        ("security event", vec![("typ", json!("secevent+jwt"))], "Type"),
        ("logout token", vec![("typ", json!("logout+jwt"))], "Type"),
        ("null type", vec![("typ", json!(null))], "Type"),
        ("types", vec![("typ", json!(["JWT"]))], "Type"),
        ("unsigned", vec![("alg", json!("none"))], "Algorithm"),
        ("unsigned, with a capital", vec![("alg", json!("None"))], "Algorithm"),
        ("unsigned, in capitals", vec![("alg", json!("NONE"))], "Algorithm"),
        ("algorithm in small letters", vec![("alg", json!("es256"))], "Algorithm"),
        ("algorithm and a space", vec![("alg", json!("ES256 "))], "Algorithm"),
        ("no algorithm's name", vec![("alg", json!(""))], "Algorithm"),
        ("null algorithm", vec![("alg", json!(null))], "Algorithm"),
        ("algorithms", vec![("alg", json!(["ES256"]))], "Algorithm"),
        ("larger curve", vec![("alg", json!("ES384"))], "Algorithm"),
        ("algorithm of another key", vec![("alg", json!("RS256"))], "Algorithm"),
        // The wrong algorithm has caused a fetch, so a new key may be unknown for 30 seconds.
        ("path", vec![("kid", json!("../../etc/passwd"))], "Unavailable"),
        ("SQL", vec![("kid", json!("' OR 1=1"))], "Unavailable"),
        ("empty name", vec![("kid", json!(""))], "Key"),
        ("long name", vec![("kid", json!("k".repeat(129)))], "Key"),
        ("name that is a number", vec![("kid", json!(1))], "Key"),
        ("null name", vec![("kid", json!(null))], "Key"),
        ("another name", vec![("kid", json!("K1"))], "Unavailable"),
    ];
    let mut rows: Vec<Row> = Vec::new();
    for (name, changes, verdict) in table {
        let token = signer.sign_text(&with(&changes).to_string(), &good.to_string());
        rows.push((name.to_owned(), token, verdict));
    }
    let no_name = json!({ "alg": "ES256" }).to_string();
    rows.push(("neither name nor type".to_owned(), signer.sign_text(&no_name, &good.to_string()), "good"));
    let twice = "{\"alg\":\"ES256\",\"kid\":\"k1\",\"alg\":\"none\"}";
    rows.push(("algorithm twice".to_owned(), signer.sign_text(twice, &good.to_string()), "Header"));
    rows.push(("list".to_owned(), signer.sign_text("[]", &good.to_string()), "Header"));
    let unknown: Vec<Row> =
        rows.iter().filter(|(_, _, verdict)| *verdict == "Unavailable").cloned().collect();
    check_verdicts(&checker, rows).await;
    assert_eq!(provider.jwks_requests(), 2, "an unknown key name must not cause a fetch right after another");
    assert_eq!(unknown.len(), 3);
    for (name, token, _) in unknown {
        checker.clock.advance(30);
        assert_eq!(checker.verdict(&token).await, "Key", "{name}: the keys are fetched again");
    }
    assert_eq!(canary.total_requests(), 0, "an address in a token must not be fetched");
}

#[tokio::test]
async fn signature_must_be_of_the_named_key_with_its_algorithm() {
    for algorithm in ALGORITHMS {
        let (signer, provider, checker) = one_key(algorithm).await;
        let good = claims(&provider, &[]);
        let token = signer.sign(&good);
        let [header, body, signature] = parts(&token);
        let other = IdentityProvider::start(&[]).await;
        let others = base64(claims(&other, &[("iss", json!(provider.issuer))]).to_string().as_bytes());
        let mut rows: Vec<Row> = vec![
            ("body of another token".into(), format!("{header}.{}x.{signature}", &others), "Malformed"),
            ("changed body".into(), format!("{header}.{}.{signature}", change(body)), "Signature"),
            ("changed signature".into(), format!("{header}.{body}.{}", change(signature)), "Signature"),
            ("short signature".into(), format!("{header}.{body}.{}", &signature[..40]), "Signature"),
            ("zero signature".into(), format!("{header}.{body}.{}", base64(&[0; 64])), "Signature"),
        ];
        for (at, secret) in signer.public_texts().iter().enumerate() {
            let hmac = json!({ "alg": "HS256", "kid": "k1" });
            rows.push((
                format!("HMAC with the public key {at}"),
                sign_with_secret(&hmac, &good, secret),
                "Algorithm",
            ));
            let named = signer.header();
            rows.push((
                format!("HMAC in disguise {at}"),
                sign_with_secret(&named, &good, secret),
                "Signature",
            ));
        }
        if algorithm != "RS256" && algorithm != "PS256" {
            let attacker = Signer::new("k1", algorithm);
            rows.push(("key of an attacker".into(), attacker.sign(&good), "Signature"));
        }
        let rows =
            rows.into_iter().map(|(name, token, verdict)| (format!("{algorithm}: {name}"), token, verdict));
        check_verdicts(&checker, rows.collect()).await;
    }
    // The same RSA key is published for one padding and used with the other.
    let (_, provider, checker) = one_key("RS256").await;
    let good = claims(&provider, &[]);
    let disguised = Signer::new("k1", "PS256");
    let header = json!({ "alg": "RS256", "kid": "k1" }).to_string();
    check_verdicts(
        &checker,
        vec![
            ("PSS with a key for PKCS 1".into(), disguised.sign(&good), "Algorithm"),
            ("PSS called PKCS 1".into(), disguised.sign_text(&header, &good.to_string()), "Signature"),
        ],
    )
    .await;
}

/// Text that cannot be a token is rejected without a request to the provider.
#[tokio::test]
async fn text_without_token_structure_is_rejected_before_keys_are_fetched() {
    let (signer, provider, checker) = one_key("ES256").await;
    let token = signer.sign(&claims(&provider, &[]));
    let [header, body, signature] = parts(&token);
    let table = [
        ("nothing", String::new()),
        ("a word", "secret".to_owned()),
        ("two segments", format!("{header}.{body}")),
        ("an empty signature", format!("{header}.{body}.")),
        ("an empty header", format!(".{body}.{signature}")),
        ("an empty body", format!("{header}..{signature}")),
        ("four segments", format!("{token}.{signature}")),
        ("five segments, encrypted", format!("{header}.{body}.{body}.{body}.{signature}")),
        ("padding", format!("{header}.{body}.{signature}==")),
        ("the other alphabet", format!("{header}.{body}.{}", "+/".repeat(43))),
        ("a space", format!("{header}. {body}.{signature}")),
        ("a new line", format!("{token}\n")),
        ("a NUL", format!("{token}\0")),
        ("too long", format!("{header}.{}.{signature}", "A".repeat(8_192))),
        ("JSON", json!({ "payload": body, "protected": header, "signature": signature }).to_string()),
    ];
    check_verdicts(&checker, table.map(|(name, text)| (name.to_owned(), text, "Malformed")).into()).await;
    let unreadable = [
        ("no JSON", "secret".to_owned()),
        ("not UTF-8", "\u{fffd}".to_owned()),
        ("unsigned", "{\"alg\":\"none\"}".to_owned()),
        ("a key of its own", "{\"alg\":\"ES256\",\"jwk\":{}}".to_owned()),
    ];
    for (name, text) in unreadable {
        let verdict = checker.verdict(&signer.sign_text(&text, body)).await;
        assert!(["Header", "Algorithm", "HeaderMember"].contains(&verdict.as_str()), "{name}: {verdict}");
    }
    assert_eq!(provider.total_requests(), 0);
    assert_eq!(checker.verdict(&token).await, "good");
}

fn parts(token: &str) -> [&str; 3] {
    let parts: Vec<&str> = token.split('.').collect();
    parts.try_into().expect("three segments")
}

/// Replaces the tenth character of a text.
fn change(text: &str) -> String {
    let other = if text.as_bytes()[9] == b'A' { "B" } else { "A" };
    format!("{}{other}{}", &text[..9], &text[10..])
}
