//! Runs the first example of `docs/connecting-assistants.md` against a running demo.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tests::http::Http;

use tests::server_process::value;

/// Address and token on the page, which a reader replaces by their own.
const ADDRESS: &str = "http://127.0.0.1:8080/api";
const TOKEN: &str = "pbk_…";

/// The text of the page in this working tree.
pub(super) fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/connecting-assistants.md");
    std::fs::read_to_string(path).expect("the page is read")
}

/// The first code block of a language that contains a text.
fn block<'a>(page: &'a str, language: &str, contained: &str) -> &'a str {
    let fence = format!("```{language}\n");
    let mut blocks = page.split(fence.as_str()).skip(1).filter_map(|rest| rest.split("```").next());
    blocks
        .find(|block| block.contains(contained))
        .unwrap_or_else(|| panic!("no block of {language} with {contained}"))
}

/// Runs the example. Its result must equal the payload of REST and have the shape of the response on the page. Values
/// are not compared with the page, because the demo household depends on the current date.
pub(super) async fn assert_mcp_example_works(page: &str, lines: &[String]) {
    let (base, token) = (value(&lines[1], "base"), value(&lines[4], "token"));
    let example = block(page, "sh", "tools/call");
    let command = example.replace(ADDRESS, base).replace(TOKEN, token);
    assert_ne!(command, example, "the example must contain the address and the token");
    let mut shell = Command::new("sh");
    shell.args(["-c", &command]).env_clear().envs(std::env::vars_os().filter(|(name, _)| name == "PATH"));
    let route = format!("{base}/v1/spending/merchants/top?timeRange=3m&limit=2");
    let bearer = format!("Bearer {token}");
    // The day may change between the two requests, but not in both attempts.
    for last in [false, true] {
        let output = shell.output().expect("the shell runs curl");
        let answer: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{command}: {error}: {output:?}"));
        let headers = [("authorization", bearer.as_str())];
        let expected = Http::default().send(hyper::Method::GET, &route, &headers).await.ok();
        let payload = &answer["result"]["structuredContent"];
        if *payload == expected {
            let documented: Value =
                serde_json::from_str(block(page, "json", "merchants")).expect("the block is JSON");
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
