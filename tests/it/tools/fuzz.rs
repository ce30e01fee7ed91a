//! Fuzz test: valid messages with random damage. Every response must be well formed, and nothing may panic.
//!
//! Each test run sends a few thousand messages. `cargo lab fuzz mcp --seconds 60` sets `PASSBOOK_TEST_FUZZ_SECONDS`,
//! and the test then sends messages for that time. A failure prints the number of its case; a case is the same in every
//! run.

use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::Full;
use hyper::Request;
use passbook_ledger_kit::Random;
use serde_json::{Value, json};
use tests::app::{App, checked_store};
use tests::http::Reply;
use tests::mcp::Era;

/// Minimum number of cases.
const CASES_MIN: u64 = 3_000;
/// The environment variable with the duration of the test, set by `cargo lab fuzz`.
const SECONDS: &str = "PASSBOOK_TEST_FUZZ_SECONDS";

/// Texts that are inserted at random positions.
const FRAGMENTS: &[&str] = &[
    "null",
    "true",
    "{}",
    "[]",
    "\"\"",
    "0",
    "-1",
    "1e999",
    "-0.0",
    "9007199254740993",
    "\"\\ud800\"",
    "\"\\u0000\"",
    "\"é\"",
    "\u{feff}",
    "\\",
    "\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\n",
    "\u{0}",
    "[[[[[[[[[[[[[[[[",
    "{\"jsonrpc\":\"2.0\"",
    "\"id\":",
    "\"method\":\"tools/call\"",
    "\"params\":",
    "\"_meta\":",
    "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"",
    "\"search_transactions\"",
    "\"2026-02-30\"",
    "\"notifications/initialized\"",
    "\"result\":{}",
];

const HEADERS: &[(&str, &[&str])] = &[
    ("mcp-protocol-version", &["2026-07-28", "2025-11-25", "2024-11-05", "2031-01-01", "", "latest", "é"]),
    ("mcp-method", &["tools/call", "tools/list", "", "=?base64??=", "é"]),
    ("mcp-name", &["search_transactions", "=?base64?Z2V0X3ByZWZlcmVuY2Vz?=", "=?base64?%%?=", ""]),
    ("accept", &["application/json", "*/*", "text/html", ";;,,=", "application/json;q=0"]),
    ("content-type", &["application/json", "application/json;charset=latin1", "text/plain", ""]),
    (
        "origin",
        &["https://claude.ai", "null", "http://[::1", "https://evil.example", "http://localhost:99999"],
    ),
    ("x-request-id", &["abc", "é", "a b"]),
];

fn templates() -> Vec<(Era, String, Value)> {
    let call = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments });
    let cursor = json!({ "date": "2026-01-31", "id": "8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d" });
    let all = [
        ("initialize", json!({ "protocolVersion": "2025-11-25", "capabilities": {} })),
        ("ping", json!({})),
        ("server/discover", json!({})),
        ("tools/list", json!({ "cursor": null })),
        ("tools/call", call("get_preferences", json!({}))),
        (
            "tools/call",
            call("get_top_merchants", json!({ "limit": 5, "timeRange": "3m", "includePending": true })),
        ),
        (
            "tools/call",
            call(
                "search_transactions",
                json!({
            "cursor": cursor, "types": ["INCOME"], "categories": ["RENT"], "merchantQuery": "é", "pageSize": 10 }),
            ),
        ),
        ("tools/call", call("get_budget_summary", json!({ "month": 2, "year": 2026 }))),
    ];
    let eras = Era::ALL.into_iter();
    eras.flat_map(|era| all.clone().map(|(method, params)| (era, method.to_owned(), params))).collect()
}

/// Replaces, removes or adds a part of a JSON value.
fn damage(value: &mut Value, random: &mut Random) {
    let fragment =
        || FRAGMENTS.iter().filter_map(|text| serde_json::from_str(text).ok()).collect::<Vec<Value>>();
    match value {
        Value::Object(members) if !members.is_empty() && !random.one_in(5) => {
            let name = random.pick(&members.keys().cloned().collect::<Vec<_>>()).clone();
            match random.below(4) {
                0 => drop(members.remove(&name)),
                1 => drop(members.insert(format!("{name}x"), random.pick(&fragment()).clone())),
                _ => damage(&mut members[&name], random),
            }
        }
        Value::Array(items) if !items.is_empty() && !random.one_in(5) => {
            let at = random.below(items.len());
            damage(&mut items[at], random);
        }
        other => *other = random.pick(&fragment()).clone(),
    }
}

/// Removes, repeats, changes or inserts bytes of the text.
fn scramble(text: &mut Vec<u8>, random: &mut Random) {
    let (from, to) = (random.below(text.len() + 1), random.below(text.len() + 1));
    let range = from.min(to)..from.max(to);
    match random.below(5) {
        0 => drop(text.drain(range)),
        1 => {
            let copy = text[range].to_vec();
            text.splice(from..from, copy);
        }
        2 if from < text.len() => text[from] = u8::try_from(random.below(256)).expect("a byte"),
        _ => drop(text.splice(from..from, random.pick(FRAGMENTS).bytes())),
    }
}

fn case(number: u64, templates: &[(Era, String, Value)], bearer: &str) -> Request<Full<Bytes>> {
    let mut random = Random::new(number);
    let random = &mut random;
    let (era, method, params) = random.pick(templates);
    let mut message = era.message(&json!(number), method, params.clone());
    for _ in 0..random.below(3) {
        damage(&mut message, random);
    }
    let mut body = message.to_string().into_bytes();
    for _ in 0..random.below(3) {
        scramble(&mut body, random);
    }
    let mut request = Request::post("/api/mcp").header("authorization", bearer);
    let mut headers = era.headers(method, params);
    if random.one_in(3) {
        let (name, values) = random.pick(HEADERS);
        headers.retain(|(known, _)| known != name || random.one_in(2));
        headers.push((name, *random.pick::<&str>(values)));
    }
    for (name, value) in headers {
        request = request.header(name, value.as_bytes());
    }
    request.body(Full::new(body.into())).expect("the headers are well formed")
}

/// Describes the defect of a response. None if the response is well formed.
fn defect(status: u16, body: &[u8]) -> Option<&'static str> {
    if status == 202 {
        return (!body.is_empty()).then_some("a 202 response with a body");
    }
    let Ok(answer) = serde_json::from_slice::<Value>(body) else { return Some("the body is not JSON") };
    if answer["error"]["requestId"].is_string() {
        return (!matches!(status, 400 | 403 | 406 | 415))
            .then_some("an unexpected status for an HTTP error");
    }
    let id = &answer["id"];
    if answer["jsonrpc"] != "2.0" || !(id.is_null() || id.is_string() || id.is_number()) {
        return Some("not a JSON-RPC response");
    }
    let code = answer["error"]["code"].as_i64();
    if answer.get("result").is_some() == code.is_some() {
        return Some("not exactly one of result and error");
    }
    let expected = match code {
        Some(-32_603) => return Some("an internal error"),
        Some(-32_700 | -32_600 | -32_020 | -32_022) => status == 400,
        Some(-32_601) => matches!(status, 200 | 404),
        Some(-32_602) => matches!(status, 200 | 400),
        Some(_) => false,
        None => status == 200,
    };
    (!expected).then_some("the status does not match the error code")
}

/// Duration for which cases are sent after the minimum number.
fn time() -> Duration {
    let seconds = std::env::var_os(SECONDS);
    let seconds = seconds.map(|seconds| seconds.to_string_lossy().parse().expect("whole seconds"));
    Duration::from_secs(seconds.unwrap_or_default())
}

#[tokio::test]
#[expect(clippy::print_stderr, reason = "a longer run reports its counts")]
async fn damaged_messages_get_well_formed_responses() {
    let (app, _household, token) = App::with_household().await;
    let settings = tests::app::settings(&[]);
    let store = checked_store(&settings, app.database.configuration(passbook_schema::READER)).await;
    let mount = passbook_server::wiring::mount(&settings, store, None, app.base_url.clone());
    let (templates, bearer) = (templates(), format!("Bearer {token}"));
    let mut statuses = std::collections::BTreeMap::new();
    let (started, time) = (Instant::now(), time());
    let mut number = 0;
    while number < CASES_MIN || started.elapsed() < time {
        let reply = Reply::read(mount.router.handle(case(number, &templates, &bearer)).await).await;
        let status = reply.status.as_u16();
        if let Some(defect) = defect(status, &reply.body) {
            panic!("case {number}: {defect}: {status} {:?}", reply.body);
        }
        *statuses.entry(status).or_insert(0_u64) += 1;
        number += 1;
    }
    eprintln!("{number} damaged messages; responses by status: {statuses:?}");
    for status in [200, 202, 400, 403, 404, 406, 415] {
        assert!(statuses.contains_key(&status), "no case returned {status}: {statuses:?}");
    }
}
