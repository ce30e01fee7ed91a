//! Rules of revision 2026-07-28, in the order in which they are checked.

use serde_json::{Value, json};
use tests::mcp::Era;

use super::{Rule, check, legacy, rule};

/// Name, headers, body, and the expected status and error code.
type Row = (&'static str, &'static [(&'static str, &'static str)], String, u16, i64);

const VERSION: (&str, &str) = ("mcp-protocol-version", "2026-07-28");
const LIST: (&str, &str) = ("mcp-method", "tools/list");
const CALL: (&str, &str) = ("mcp-method", "tools/call");
const NAME: (&str, &str) = ("mcp-name", "get_preferences");
const MODERN: &[(&str, &str)] = &[VERSION, LIST];
const CALLING: &[(&str, &str)] = &[VERSION, CALL, NAME];

fn modern(method: &str, params: Value) -> String {
    Era::Modern.message(&json!(7), method, params).to_string()
}

/// A request with the given `_meta`.
fn with_meta(meta: &str) -> String {
    legacy("tools/list", &format!("{{\"_meta\":{meta}}}"))
}

#[tokio::test]
async fn modern_revision_follows_its_rules() {
    let list = modern("tools/list", json!({}));
    let call = modern("tools/call", json!({ "name": "get_preferences" }));
    let version = "io.modelcontextprotocol/protocolVersion";
    let capabilities = "io.modelcontextprotocol/clientCapabilities";
    let of = |name: &str| with_meta(&format!(r#"{{"{version}":"{name}","{capabilities}":{{}}}}"#));
    let rows: Vec<Row> = vec![
        ("the list", MODERN, list.clone(), 200, 0),
        ("a call", CALLING, call.clone(), 200, 0),
        (
            "space around a header",
            &[("mcp-protocol-version", " 2026-07-28 "), ("mcp-method", "\ttools/list")],
            list.clone(),
            200,
            0,
        ),
        ("no headers", &[], list.clone(), 400, -32_020),
        (
            "another revision in the header",
            &[("mcp-protocol-version", "2025-11-25"), LIST],
            list.clone(),
            400,
            -32_020,
        ),
        ("the revision twice", &[VERSION, VERSION, LIST], list.clone(), 400, -32_020),
        ("a later revision", &[("mcp-protocol-version", "2031-01-01"), LIST], of("2031-01-01"), 400, -32_022),
        (
            "a legacy revision per request",
            &[("mcp-protocol-version", "2025-11-25"), LIST],
            of("2025-11-25"),
            400,
            -32_022,
        ),
        ("no metadata", MODERN, legacy("tools/list", "{}"), 400, -32_602),
        (
            "a later revision without metadata",
            &[("mcp-protocol-version", "2031-01-01")],
            legacy("tools/list", "{}"),
            400,
            -32_602,
        ),
        ("metadata that is no object", MODERN, with_meta("[]"), 400, -32_602),
        ("a revision that is no text", MODERN, with_meta(&format!(r#"{{"{version}":7}}"#)), 400, -32_602),
        ("no capabilities", MODERN, with_meta(&format!(r#"{{"{version}":"2026-07-28"}}"#)), 400, -32_602),
        (
            "capabilities that are no object",
            MODERN,
            with_meta(&format!(r#"{{"{version}":"2026-07-28","{capabilities}":[]}}"#)),
            400,
            -32_602,
        ),
        (
            "a revision given twice",
            MODERN,
            with_meta(&format!(
                r#"{{"{version}":"2026-07-28","{version}":"2026-07-28","{capabilities}":{{}}}}"#
            )),
            400,
            -32_602,
        ),
        ("no method header", &[VERSION], list.clone(), 400, -32_020),
        ("another method", &[VERSION, CALL], list.clone(), 400, -32_020),
        ("a method in another case", &[VERSION, ("mcp-method", "Tools/List")], list.clone(), 400, -32_020),
        (
            "an encoded method",
            &[VERSION, ("mcp-method", "=?base64?dG9vbHMvbGlzdA==?=")],
            list.clone(),
            400,
            -32_020,
        ),
        (
            "a header that is not ASCII",
            &[VERSION, ("mcp-method", "tools/list\u{e9}")],
            list.clone(),
            400,
            -32_020,
        ),
        ("no name", &[VERSION, CALL], call.clone(), 400, -32_020),
        ("another name", &[VERSION, CALL, ("mcp-name", "get_top_merchants")], call.clone(), 400, -32_020),
        ("the name twice", &[VERSION, CALL, NAME, NAME], call.clone(), 400, -32_020),
        (
            "an encoded name",
            &[VERSION, CALL, ("mcp-name", "=?base64?Z2V0X3ByZWZlcmVuY2Vz?=")],
            call.clone(),
            200,
            0,
        ),
        (
            "a name encoded wrongly",
            &[VERSION, CALL, ("mcp-name", "=?base64?Z2V0X3Byb?=")],
            call,
            400,
            -32_020,
        ),
        ("a cursor", MODERN, modern("tools/list", json!({ "cursor": "x" })), 200, -32_602),
        ("no tool", &[VERSION, CALL], modern("tools/call", json!({})), 200, -32_602),
        (
            "an unknown tool",
            &[VERSION, CALL, ("mcp-name", "x")],
            modern("tools/call", json!({ "name": "x" })),
            200,
            -32_602,
        ),
        (
            "a list of arguments",
            CALLING,
            modern("tools/call", json!({ "name": "get_preferences", "arguments": [] })),
            200,
            -32_602,
        ),
        ("a response", MODERN, r#"{"jsonrpc":"2.0","id":7,"result":{}}"#.to_owned(), 400, -32_600),
    ];
    let mut rules: Vec<Rule> = rows
        .into_iter()
        .map(|(name, headers, body, status, code)| Rule { headers, ..rule(name, &body, status, code, "7") })
        .collect();
    const METHODS: &[&[(&str, &str)]] = &[
        &[("mcp-protocol-version", "2026-07-28"), ("mcp-method", "initialize")],
        &[("mcp-protocol-version", "2026-07-28"), ("mcp-method", "ping")],
        &[("mcp-protocol-version", "2026-07-28"), ("mcp-method", "logging/setLevel")],
        &[("mcp-protocol-version", "2026-07-28"), ("mcp-method", "subscriptions/listen")],
        &[("mcp-protocol-version", "2026-07-28"), ("mcp-method", "prompts/list")],
        &[("mcp-protocol-version", "2026-07-28"), ("mcp-method", "resources/subscribe")],
    ];
    for headers in METHODS {
        let body = modern(headers[1].1, json!({}));
        rules.push(Rule { headers, ..rule(headers[1].1, &body, 404, -32_601, "7") });
    }
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#;
    rules.push(Rule { headers: MODERN, ..rule("a notification", notification, 202, 0, "") });
    check(rules).await;
}
