//! Access to tools by scope and surface, and their arguments: all faults are reported at once, each with its name, rule,
//! received value and allowed values.

use passbook_domain::scope::Scope;
use serde_json::{Value, json};
use tests::app::App;
use tests::catalogue::tools;
use tests::http::Reply;
use tests::mcp::{Era, failure, payload};

use super::protocol::{legacy, send};

#[tokio::test]
async fn every_tool_accepts_no_arguments_its_examples_and_null() {
    let (app, _, token) = App::with_household().await;
    for (name, tool) in tools() {
        payload(&app.call(Era::Legacy, &token, name, json!({})).await);
        for parameter in &tool.tool_parameters {
            let example = parameter.example.clone();
            let example = if parameter.list { json!([example]) } else { example };
            payload(&app.call(Era::Legacy, &token, name, json!({ parameter.name: example })).await);
            payload(&app.call(Era::Legacy, &token, name, json!({ parameter.name: null })).await);
        }
    }
}

/// The lines of a failed call that describe faults.
fn faults(reply: &Reply) -> Vec<String> {
    assert_eq!(reply.status, 200);
    failure(reply).lines().skip(1).map(str::to_owned).collect()
}

#[tokio::test]
async fn argument_of_wrong_type_is_rejected_with_name_and_rule() {
    let (app, _, token) = App::with_household().await;
    let values = [
        json!("25"),
        json!(25),
        json!(1.5),
        json!(true),
        json!("true"),
        json!([]),
        json!([{}]),
        json!({}),
        json!(""),
    ];
    for (name, tool) in tools() {
        for parameter in &tool.tool_parameters {
            let schema = &parameter.schema;
            for value in &values {
                let fits = match schema["type"].as_str() {
                    _ if parameter.list => false,
                    Some("string") if schema.get("maxLength").is_some() => {
                        value.as_str().is_some_and(|text| !text.is_empty())
                    }
                    Some("boolean") => value.is_boolean(),
                    Some("integer") => value.is_i64(),
                    Some("number") => value.is_number(),
                    _ => false,
                };
                if fits {
                    continue;
                }
                let place = format!("{name} {}: {value}", parameter.name);
                let faults =
                    faults(&app.call(Era::Legacy, &token, name, json!({ parameter.name: value })).await);
                assert_eq!(faults.len(), 1, "{place}: {faults:?}");
                assert!(faults[0].starts_with(&format!("{} ", parameter.name)), "{place}: {faults:?}");
                assert!(faults[0].contains("must"), "{place}: {faults:?}");
                let received = value.as_array().is_some_and(Vec::is_empty)
                    || value == ""
                    || faults[0].contains("received");
                assert!(received, "{place}: {faults:?}");
                if !parameter.list
                    && let Some(words) = schema["enum"].as_array()
                {
                    for word in words {
                        assert!(faults[0].contains(word.as_str().expect("a word")), "{place}: {faults:?}");
                    }
                }
            }
        }
        let unknown = faults(&app.call(Era::Legacy, &token, name, json!({ "noSuchParameter": null })).await);
        assert!(unknown[0].starts_with("noSuchParameter is not known"), "{name}: {unknown:?}");
        assert!(tool.tool_parameters.iter().all(|parameter| unknown[0].contains(parameter.name)), "{name}");
    }
}

#[tokio::test]
async fn repeated_argument_is_rejected_and_whole_number_may_have_any_notation() {
    let (app, _, token) = App::with_household().await;
    let call = async |arguments: &str| {
        let params = format!(r#"{{"name":"get_top_merchants","arguments":{arguments}}}"#);
        send(&app, &token, &[], &legacy("tools/call", &params)).await
    };
    let lines = faults(&call(r#"{"limit":5,"limit":5}"#).await);
    assert_eq!(lines, ["limit must be given once; it is repeated"]);
    payload(&call(r#"{"limit":0.5e1}"#).await);
    for arguments in [r#"{"limit":5.5}"#, r#"{"limit":0}"#] {
        let lines = faults(&call(arguments).await);
        assert!(lines[0].starts_with("limit must be a whole number from 1 to 100"), "{lines:?}");
    }
}

#[tokio::test]
async fn tool_page_is_smaller_than_rest_page_and_its_cursor_is_an_object() {
    let (app, token) = super::demo().await;
    let first = payload(&app.call(Era::Legacy, &token, "search_transactions", json!({})).await);
    assert_eq!(first["transactions"].as_array().map(Vec::len), Some(25));
    let over_rest = app.get("/v1/transactions", &token).await.ok();
    assert_eq!(over_rest["transactions"].as_array().map(Vec::len), Some(50));
    let next = json!({ "cursor": first["pagination"]["nextCursor"] });
    let second = payload(&app.call(Era::Modern, &token, "search_transactions", next).await);
    let both: Vec<&Value> = [&first, &second]
        .into_iter()
        .flat_map(|page| page["transactions"].as_array().expect("rows"))
        .collect();
    assert_eq!(both, over_rest["transactions"].as_array().expect("rows").iter().collect::<Vec<_>>());
}

#[tokio::test]
async fn token_in_an_argument_is_not_repeated_in_the_response() {
    let (app, _, token) = App::with_household().await;
    for arguments in [
        json!({ "timeRange": token }),
        json!({ "cursor": token }),
        json!({ "pending": token }),
        json!({ "types": token }),
        json!({ token.as_str(): 1 }),
    ] {
        let reply = app.call(Era::Legacy, &token, "search_transactions", arguments).await;
        failure(&reply);
        assert!(!String::from_utf8_lossy(&reply.body).contains(&token));
    }
    for (method, params) in [("tools/call", json!({ "name": token })), (token.as_str(), json!({}))] {
        let reply = app.rpc(Era::Legacy, &token, method, params).await;
        assert!(reply.json()["error"]["code"].is_i64());
        assert!(!String::from_utf8_lossy(&reply.body).contains(&token));
    }
}

/// Messages that need a valid token but no scope.
const WITHOUT_SCOPE: [(Era, &str); 11] = [
    (Era::Legacy, "initialize"),
    (Era::Legacy, "ping"),
    (Era::Legacy, "tools/list"),
    (Era::Modern, "server/discover"),
    (Era::Modern, "tools/list"),
    (Era::Legacy, "resources/list"),
    (Era::Modern, "resources/list"),
    (Era::Legacy, "resources/templates/list"),
    (Era::Modern, "resources/templates/list"),
    (Era::Legacy, "resources/read"),
    (Era::Modern, "resources/read"),
];

fn parameters(method: &str) -> Value {
    match method {
        "initialize" => json!({ "protocolVersion": "2025-11-25" }),
        "resources/read" => json!({ "uri": "ui://passbook/net-worth-0123456789abcdef.html" }),
        _ => json!({}),
    }
}

#[tokio::test]
async fn tool_requires_its_own_scope_and_names_the_missing_one() {
    let (app, household, _) = App::with_household().await;
    let user = household.user.user_id;
    for (name, tool) in tools() {
        let scope = tool.spec.scope.expect("a tool reads data");
        let (only, _) = app.token_with(user, &[scope], false, true).await;
        let others: Vec<Scope> = Scope::ALL.iter().copied().filter(|other| *other != scope).collect();
        let (without, _) = app.token_with(user, &others, true, true).await;
        for era in Era::ALL {
            payload(&app.call(era, &only, name, json!({})).await);
            let reply = app.call(era, &without, name, json!({})).await;
            assert_eq!(reply.status, 200, "{name}");
            assert_eq!(reply.header("www-authenticate"), "", "{name}");
            let sentence = failure(&reply);
            assert!(sentence.contains(&format!("the scope {scope}: enable it")), "{name}: {sentence}");
            let challenges = &reply.json()["result"]["_meta"]["mcp/www_authenticate"];
            let challenge = challenges[0].as_str().expect("a challenge");
            assert!(challenge.starts_with("Bearer error=\"insufficient_scope\""), "{name}: {challenge}");
            assert!(!challenge.contains("scope="), "{name}: {challenge}");
            assert!(challenge.contains("error_description="), "{name}: {challenge}");
            let metadata = format!("{}/.well-known/oauth-protected-resource/mcp\"", app.base_url);
            assert!(challenge.ends_with(&metadata), "{name}: {challenge}");
        }
        for (era, method) in WITHOUT_SCOPE {
            app.rpc(era, &only, method, parameters(method)).await.ok();
        }
    }
}

#[tokio::test]
async fn revoked_expired_or_rest_only_token_is_rejected_for_every_message() {
    let (app, household, _) = App::with_household().await;
    for (state, change, status, code) in [
        ("revoked", "set revoked_at = now()", 401, "UNAUTHORIZED"),
        (
            "expired",
            "set created_at = now() - interval '2 days', expires_at = now() - interval '1 second'",
            401,
            "UNAUTHORIZED",
        ),
        ("for REST alone", "set mcp = false", 403, "FORBIDDEN"),
    ] {
        let (token, id) = app.token_with(household.user.user_id, Scope::ALL, true, true).await;
        // The server caches the owner of the token from here on. It must not cache the token's rights.
        app.rpc(Era::Legacy, &token, "ping", json!({})).await.ok();
        app.write(&format!("update passbook.personal_access_tokens {change} where token_id = '{id}'")).await;
        let mut replies = Vec::new();
        for (era, method) in WITHOUT_SCOPE {
            replies.push((method, app.rpc(era, &token, method, parameters(method)).await));
        }
        for (name, _) in tools() {
            for era in Era::ALL {
                replies.push((name, app.call(era, &token, name, json!({})).await));
            }
        }
        let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        replies.push(("notification", send(&app, &token, &[], notification).await));
        for (place, reply) in replies {
            assert_eq!((reply.status.as_u16(), reply.code().as_str()), (status, code), "{place}, {state}");
            let challenge = reply.header("www-authenticate");
            let metadata = format!("{}/.well-known/oauth-protected-resource/mcp\"", app.base_url);
            assert_eq!(challenge.ends_with(&metadata), status == 401, "{place}, {state}: {challenge}");
        }
    }
}
