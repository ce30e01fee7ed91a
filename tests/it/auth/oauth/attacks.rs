//! Invalid access tokens, each with the rule that rejects it: claims, headers, signatures, times, and the vectors of
//! Wycheproof. The provider's own key has signed all but a few of them, so a token breaks the named rule only.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tests::provider::{CLIENT, Checker, IdentityProvider, NOON};
use tests::signer::{ALGORITHMS, Signer, base64, sign_with_secret};

use super::{USER, changed, one_key};

/// Name of the case, token, and expected verdict.
type Row = (String, String, &'static str);

/// Returns the changes of a table: the name of a case, the verdict, and the changed members.
fn changes<'t>(table: &'t str, texts: &[(&str, String)]) -> Vec<(&'t str, &'t str, Value)> {
    let repeated = regex::Regex::new(r"\{(\w)×(\d+)\}").expect("the expression is valid");
    let rows = tests::table::rows(table).into_iter().map(|(name, values)| {
        let (verdict, changes) = values[0].split_once(' ').unwrap_or((values[0], "{}"));
        let changes = texts.iter().fold(changes.to_owned(), |all, (name, text)| all.replace(name, text));
        let changes = repeated.replace_all(&changes, |found: &regex::Captures<'_>| {
            found[1].repeat(found[2].parse().expect("a number"))
        });
        (name, verdict, serde_json::from_str(&changes).expect("JSON"))
    });
    rows.collect()
}

/// Valid claims of the provider.
fn claims(provider: &IdentityProvider) -> Value {
    provider.claims(USER, NOON)
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
        let credential = checker.check(&signer.sign(&claims(&provider))).await.expect(algorithm);
        assert_eq!(credential.user().as_uuid(), USER);
        assert!(format!("{:?}", credential.grant()).contains(CLIENT), "{:?}", credential.grant());
    }
}

#[tokio::test]
async fn invalid_claim_is_rejected_with_its_rule() {
    let (signer, provider, checker) = one_key("ES256").await;
    let issuer = &provider.issuer;
    let texts = [
        ("{issuer}", issuer.clone()),
        ("{ISSUER}", issuer.to_uppercase()),
        ("{issuer start}", issuer[..issuer.len() - 1].to_owned()),
        ("{client}", CLIENT.to_owned()),
    ];
    let rows = changes(include_str!("attacks/claims.txt"), &texts).into_iter();
    let rows = rows.map(|(name, verdict, changes)| {
        let claims = changed(claims(&provider), &changes);
        (name.to_owned(), signer.sign(&claims), verdict)
    });
    check_verdicts(&checker, rows.collect()).await;
    assert_eq!(provider.jwks_requests(), 1, "the keys must be fetched once");
}

/// Claims texts that a JSON serializer would not produce.
#[tokio::test]
async fn claims_with_repeated_member_or_other_json_are_rejected() {
    let (signer, provider, checker) = one_key("ES256").await;
    let good = claims(&provider).to_string();
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
    let good = claims(&provider);
    let texts = [
        ("{elsewhere}", format!("{}/auth/v1/keys", canary.origin())),
        ("\"{key of an attacker}\"", attacker.jwk().to_string()),
        ("\"{key}\"", signer.jwk().to_string()),
    ];
    let mut rows: Vec<Row> = Vec::new();
    for (name, verdict, changes) in changes(include_str!("attacks/headers.txt"), &texts) {
        let mut header = signer.header();
        for (name, value) in changes.as_object().expect("an object") {
            header[name] = value.clone();
        }
        rows.push((name.to_owned(), signer.sign_text(&header.to_string(), &good.to_string()), verdict));
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
        let good = claims(&provider);
        let token = signer.sign(&good);
        let [header, body, signature] = parts(&token);
        let other = IdentityProvider::start(&[]).await;
        let others =
            base64(changed(claims(&other), &json!({ "iss": provider.issuer })).to_string().as_bytes());
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
    let good = claims(&provider);
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
    let token = signer.sign(&claims(&provider));
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

/// Groups of keys and tests. A test is a number, a comment, a result and a token.
const VECTORS: &str = include_str!("../../../vectors/wycheproof.json");
/// Vectors that are accepted although Wycheproof calls them invalid: a modulus with the structure of ROCA
/// (CVE-2017-15361), which a verifier cannot detect without factoring it.
const ACCEPTED: [(&str, u64); 1] = [("key", 7)];

#[tokio::test]
async fn wycheproof_vectors_have_the_expected_verdicts() {
    let vectors: Value = serde_json::from_str(VECTORS).expect("the vectors are JSON");
    let mut counted: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    let (mut wrong, mut refused) = (Vec::new(), Vec::new());
    for group in vectors["groups"].as_array().expect("groups") {
        let provider = IdentityProvider::start(&[]).await;
        provider.publish(group["keys"].clone());
        let checker = Checker::new(&provider.issuer);
        let file = group["file"].as_str().expect("a word");
        for test in group["tests"].as_array().expect("tests") {
            let number = test[0].as_u64().expect("a number");
            let verdict = checker.verdict(test[3].as_str().expect("a token")).await;
            let accepted = ["Claims", "Issuer"].contains(&verdict.as_str());
            let valid = test[2] == "valid";
            *counted.entry((file, accepted)).or_default() += 1;
            if accepted && !valid && !ACCEPTED.contains(&(file, number)) {
                wrong.push(format!("{file} {number} {}: {verdict}", test[1]));
            }
            if valid && !accepted {
                refused.push(format!("{file} {number} {} {}: {verdict}", group["comment"], test[1]));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    insta::assert_debug_snapshot!((counted, refused));
}
