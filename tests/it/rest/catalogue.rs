//! Tests of every operation in the catalogue: examples, authentication, scopes, surfaces, and invalid parameters. A new
//! operation is covered as soon as it is listed, and fails without working examples.

use std::collections::BTreeSet;

use hyper::Method;
use passbook_domain::scope::Scope;
use passbook_operations::form::{Declaration, LIST_ITEMS_MAX};
use tests::app::App;
use tests::catalogue::{listed, text};
use tests::http::{Reply, query};

#[tokio::test]
async fn every_operation_accepts_its_own_examples() {
    let (app, _, token) = App::with_household().await;
    for operation in listed() {
        let path = operation.spec.path;
        for query in operation.query_strings() {
            app.get(&format!("{path}{query}"), &token).await.ok();
        }
        let head = app.send(Method::HEAD, path, &[("authorization", &format!("Bearer {token}"))]).await;
        assert_eq!(head.status, 200, "HEAD {path}");
        assert!(head.body.is_empty(), "HEAD {path}");
    }
}

#[tokio::test]
async fn unauthenticated_request_gives_401_with_a_challenge_for_every_operation() {
    let (app, household, token) = App::with_household().await;
    let user = household.user.user_id;
    let (revoked, revoked_id) = app.token_with(user, Scope::ALL, true, true).await;
    app.revoke_token(revoked_id).await;
    let (expired, expired_id) = app.token_with(user, Scope::ALL, true, true).await;
    app.write(&format!("update passbook.personal_access_tokens set created_at = now() - interval '2 days', expires_at = now() - interval '1 day' where token_id = '{expired_id}'")).await;
    let unknown = passbook_auth::personal_access_token::PlainToken::generate("pbk_");
    let bearer = |token: &str| format!("Bearer {token}");
    let invalid = "error=\"invalid_token\", error_description=\"The access token is invalid\"";
    let cases: Vec<(&str, Vec<String>, &str)> = vec![
        ("no token", vec![], "Bearer resource_metadata="),
        ("unknown token", vec![bearer(unknown.reveal())], invalid),
        ("garbage", vec![bearer("pbk_garbage")], invalid),
        ("a JWT", vec![bearer("e30.e30.c2ln")], invalid),
        ("another scheme", vec!["Basic dTpw".to_owned()], invalid),
        ("no scheme", vec![token.clone()], invalid),
        ("two headers", vec![bearer(&token), bearer(&token)], invalid),
        ("revoked", vec![bearer(&revoked)], invalid),
        ("expired", vec![bearer(&expired)], "error_description=\"The access token expired\""),
        ("too long", vec![bearer(&"a".repeat(9_000))], invalid),
    ];
    for operation in listed() {
        for (name, headers, challenge) in &cases {
            let headers: Vec<(&str, &str)> =
                headers.iter().map(|value| ("authorization", value.as_str())).collect();
            let reply = app.send(Method::GET, operation.spec.path, &headers).await;
            let place = format!("{} with {name}", operation.spec.path);
            reply.assert_error(401, "UNAUTHORIZED", &place);
            let header = reply.header("www-authenticate");
            assert!(header.contains(challenge), "{place}: {header}");
            let metadata =
                format!("resource_metadata=\"{}/.well-known/oauth-protected-resource\"", app.base_url);
            assert!(header.ends_with(&metadata), "{place}: {header}");
            assert!(!header.contains("scope="), "{place}: {header}");
        }
    }
}

#[tokio::test]
async fn grant_without_scope_or_surface_gives_403_for_every_operation() {
    let (app, household, _) = App::with_household().await;
    let user = household.user.user_id;
    for operation in listed() {
        let path = operation.spec.path;
        if let Some(scope) = operation.spec.scope {
            let others: Vec<Scope> = Scope::ALL.iter().copied().filter(|other| *other != scope).collect();
            let (token, _) = app.token_with(user, &others, true, true).await;
            let reply = app.get(path, &token).await;
            reply.assert_error(403, "INSUFFICIENT_SCOPE", path);
            assert_eq!(reply.json()["error"]["details"]["required"][0], scope.as_str(), "{path}");
            let challenge = reply.header("www-authenticate");
            assert!(challenge.contains("error=\"insufficient_scope\""), "{path}: {challenge}");
            assert!(!challenge.contains("scope=\""), "{path}: {challenge}: no scope is requestable");
            let (token, _) = app.token_with(user, &[scope], true, false).await;
            app.get(path, &token).await.ok();
        } else {
            let (token, _) = app.token_with(user, &Scope::ALL[..1], true, false).await;
            app.get(path, &token).await.ok();
        }
        let (token, _) = app.token_with(user, Scope::ALL, false, true).await;
        let reply = app.get(path, &token).await;
        reply.assert_error(403, "FORBIDDEN", path);
    }
}

/// Values that violate a rule of the parameter, each with its kind.
fn broken(parameter: &Declaration) -> Vec<(&'static str, String)> {
    let example = text(&parameter.example);
    let schema = &parameter.schema;
    let mut broken = vec![("an empty value", String::new())];
    if schema.get("enum").is_some() {
        broken.push(("an unknown word", "NO_SUCH_WORD".to_owned()));
        let (lower, upper) = (example.to_lowercase(), example.to_uppercase());
        broken.push(("another case", if example == upper { lower } else { upper }));
    }
    match schema["type"].as_str() {
        Some("integer") => {
            let bound = |name: &str| schema[name].as_i64().expect("a bound");
            broken.push(("below the range", (bound("minimum") - 1).to_string()));
            broken.push(("above the range", (bound("maximum") + 1).to_string()));
            broken.push(("not whole", "1.5".to_owned()));
            broken.push(("not a number", "ten".to_owned()));
            broken.push(("enormous", "9".repeat(40)));
        }
        Some("number") => {
            for word in ["-0.1", "1.01", "ten", "NaN", "1e1", "0,5"] {
                broken.push(("not a number of the range", word.to_owned()));
            }
        }
        Some("boolean") => broken.push(("another word", "yes".to_owned())),
        Some("object") => {
            broken.push(("not JSON", "2026-01-31".to_owned()));
            broken.push(("a member too many", example.replace('}', ",\"x\":1}")));
            broken.push(("a member too few", "{\"date\":\"2026-01-31\"}".to_owned()));
            broken.push(("an impossible day", example.replace("01-31", "02-31")));
            let list = "[\"2026-01-31\",\"8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d\"]";
            broken.push(("a list", list.to_owned()));
            broken.push(("a broken id", example.replace("-", "")));
        }
        _ => {}
    }
    match schema["format"].as_str() {
        Some("date") => {
            for day in ["2026-02-30", "1899-12-31", "2201-01-01", "2026-1-1", "today"] {
                broken.push(("an impossible day", day.to_owned()));
            }
        }
        Some("uuid") => broken.push(("not a UUID", example.replace('-', ""))),
        _ => {}
    }
    if let Some(longest) = schema["maxLength"].as_u64() {
        broken.push(("too long", "é".repeat(usize::try_from(longest).expect("small") + 1)));
        broken.push(("NUL", "a\0b".to_owned()));
    }
    if parameter.list {
        broken.push(("an empty item", format!("{example},,{example}")));
        broken.push(("too many items", vec![example.clone(); LIST_ITEMS_MAX + 1].join(",")));
        // A name may be any text.
        if schema.get("maxLength").is_none() {
            broken.push(("one bad item", format!("{example},!")));
        }
    }
    broken
}

/// The parameters that an error response names.
fn faulty_parameters(reply: &Reply) -> Vec<String> {
    let details = reply.json()["error"]["details"].clone();
    let faults = details.as_array().expect("a list of faults").clone();
    faults.iter().map(|fault| fault["parameter"].as_str().expect("a name").to_owned()).collect()
}

#[tokio::test]
async fn every_invalid_parameter_value_is_rejected_with_the_parameter_name() {
    let (app, _, token) = App::with_household().await;
    for operation in listed() {
        let path = operation.spec.path;
        for parameter in &operation.parameters {
            let name = parameter.name;
            let code = if parameter.json_text { "INVALID_CURSOR" } else { "INVALID_REQUEST" };
            for (kind, value) in broken(parameter) {
                let reply = app.get(&format!("{path}?{}", query(&[(name, &value)])), &token).await;
                let place = format!("{path} {name}: {kind} ({value:?})");
                assert_eq!((reply.status.as_u16(), reply.code().as_str()), (400, code), "{place}");
                assert!(faulty_parameters(&reply).iter().all(|named| named == name), "{place}");
            }
            let example = text(&parameter.example);
            let pair = query(&[(name, &example)]);
            for (kind, target) in [
                ("repeated, with a broken item if it is a list", format!("{path}?{pair}&{name}=")),
                ("a broken escape", format!("{path}?{name}=%zz")),
                ("bytes that are not UTF-8", format!("{path}?{name}=%ff%fe")),
            ] {
                let reply = app.get(&target, &token).await;
                let place = format!("{path} {name}: {kind}");
                reply.assert_error(400, "INVALID_REQUEST", &place);
                assert_eq!(faulty_parameters(&reply), [name], "{place}");
            }
        }
        let reply = app.get(&format!("{path}?noSuchParameter=1"), &token).await;
        assert_eq!(
            (reply.status.as_u16(), faulty_parameters(&reply)),
            (400, vec!["noSuchParameter".to_owned()]),
            "{path}"
        );
    }
}

/// Maximum number of faults that a response lists.
const FAULTS_MAX: usize = 20;

#[tokio::test]
async fn all_invalid_parameters_are_reported_at_once() {
    let (app, _, token) = App::with_household().await;
    for operation in listed() {
        let broken: Vec<(&str, &str)> = operation
            .parameters
            .iter()
            .map(|parameter| (parameter.name, ""))
            .chain([("unknown", "")])
            .collect();
        let reply = app.get(&format!("{}?{}", operation.spec.path, query(&broken)), &token).await;
        let mut expected: Vec<&str> = broken.iter().map(|(name, _)| *name).collect();
        let mut found = faulty_parameters(&reply);
        expected.sort_unstable();
        found.sort_unstable();
        if expected.len() > FAULTS_MAX {
            // The last entry says that there are more.
            assert_eq!(found.len(), FAULTS_MAX + 1, "{}", operation.spec.path);
            found.retain(|name| *name != "and more");
            expected.retain(|name| found.iter().any(|listed| listed == name));
        }
        assert_eq!(found, expected, "{}", operation.spec.path);
    }
}

#[tokio::test]
async fn openapi_document_describes_exactly_the_catalogue() {
    let app = App::start().await;
    let document = app.send(Method::GET, "/openapi.json", &[]).await.ok();
    assert_eq!(document["openapi"], "3.1.0");
    let paths = document["paths"].as_object().expect("paths").iter();
    let found: BTreeSet<&str> = paths
        .filter(|(_, item)| item.get("get").is_some_and(|get| get["security"] != serde_json::json!([])))
        .map(|(path, _)| path.as_str())
        .collect();
    let mut expected = BTreeSet::new();
    for operation in listed() {
        let path = operation.spec.path;
        expected.insert(path);
        let get = &document["paths"][path]["get"];
        let scopes: Vec<&str> = operation.spec.scope.iter().map(|scope| scope.as_str()).collect();
        assert_eq!(get["security"], serde_json::json!([{ "bearer": scopes }]), "{path}");
        let names: Vec<&str> = get["parameters"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|found| found["name"].as_str().expect("a name"))
            .collect();
        let declared: Vec<&str> = operation.parameters.iter().map(|parameter| parameter.name).collect();
        assert_eq!(names, declared, "{path}");
    }
    assert_eq!(found, expected);
}
