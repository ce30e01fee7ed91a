//! Rules of the revisions that start with `initialize`.

use super::{Rule, check, legacy, rule};

#[tokio::test]
async fn legacy_revisions_follow_their_rules() {
    let mut rules = vec![
        rule("ping", &legacy("ping", "{}"), 200, 0, "7"),
        rule("initialize", &legacy("initialize", r#"{"protocolVersion":"2025-11-25"}"#), 200, 0, "7"),
        rule("initialize without a revision", &legacy("initialize", "{}"), 200, -32_602, "7"),
        rule("tools/list", &legacy("tools/list", "{}"), 200, 0, "7"),
        rule("a null cursor", &legacy("tools/list", r#"{"cursor":null}"#), 200, 0, "7"),
        rule("a cursor", &legacy("tools/list", r#"{"cursor":"x"}"#), 200, -32_602, "7"),
        rule("an unknown method", &legacy("prompts/list", "{}"), 200, -32_601, "7"),
        rule("a notification with an id", &legacy("notifications/initialized", "{}"), 200, -32_601, "7"),
        rule("a modern method", &legacy("server/discover", "{}"), 200, -32_601, "7"),
        rule("no tool", &legacy("tools/call", "{}"), 200, -32_602, "7"),
        rule("a tool that is no text", &legacy("tools/call", r#"{"name":7}"#), 200, -32_602, "7"),
        rule("an unknown tool", &legacy("tools/call", r#"{"name":"get_money"}"#), 200, -32_602, "7"),
        rule(
            "a list of arguments",
            &legacy("tools/call", r#"{"name":"get_preferences","arguments":[]}"#),
            200,
            -32_602,
            "7",
        ),
        rule("no arguments", &legacy("tools/call", r#"{"name":"get_preferences"}"#), 200, 0, "7"),
        rule(
            "null arguments",
            &legacy("tools/call", r#"{"name":"get_preferences","arguments":null}"#),
            200,
            0,
            "7",
        ),
        rule(
            "a repeated parameter",
            &legacy("tools/call", r#"{"name":"get_preferences","name":"x"}"#),
            400,
            -32_602,
            "7",
        ),
        rule("metadata of others", &legacy("ping", r#"{"_meta":{"progressToken":1}}"#), 200, 0, "7"),
        rule("a notification", r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, 202, 0, ""),
        rule("any notification", r#"{"jsonrpc":"2.0","method":"tools/call","params":[1]}"#, 202, 0, ""),
        rule("a response", r#"{"jsonrpc":"2.0","id":7,"result":{}}"#, 202, 0, ""),
        rule("an error", r#"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":""}}"#, 202, 0, ""),
    ];
    for (name, headers, body, status, code) in [
        ("an older revision", &[("mcp-protocol-version", "2024-11-05")][..], legacy("ping", "{}"), 200, 0),
        (
            "a header that mirrors nothing",
            &[("mcp-method", "tools/call"), ("mcp-name", "x")],
            legacy("ping", "{}"),
            200,
            0,
        ),
        ("a session", &[("mcp-session-id", "x"), ("last-event-id", "1")], legacy("ping", "{}"), 200, 0),
        (
            "an unknown revision",
            &[("mcp-protocol-version", "2025-01-01")],
            legacy("ping", "{}"),
            400,
            -32_022,
        ),
        ("no revision at all", &[("mcp-protocol-version", "latest")], legacy("ping", "{}"), 400, -32_022),
        (
            "a stale revision",
            &[("mcp-protocol-version", "2025-03-26")],
            legacy("initialize", r#"{"protocolVersion":"2025-11-25"}"#),
            200,
            0,
        ),
        (
            "a modern revision",
            &[("mcp-protocol-version", "2026-07-28")],
            legacy("initialize", r#"{"protocolVersion":"2025-11-25"}"#),
            400,
            -32_020,
        ),
    ] {
        rules.push(Rule { headers, ..rule(name, &body, status, code, "7") });
    }
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let unknown = &[("mcp-protocol-version", "1999-01-01")];
    rules.push(Rule {
        headers: unknown,
        ..rule("a notification of an unknown revision", notification, 400, -32_022, "null")
    });
    check(rules).await;
}
