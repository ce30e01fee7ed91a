//! The question that the README asks over MCP, asked of a running demo.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tests::http::Http;

use super::program::value;

/// The README's own address and token, for which a reader puts theirs.
const ADDRESS: &str = "http://127.0.0.1:8080/api";
const TOKEN: &str = "pbk_…";

/// The README of this working tree.
pub(super) fn readme() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    std::fs::read_to_string(path).expect("a README")
}

/// The block of a language that holds a text.
fn block<'a>(readme: &'a str, language: &str, holds: &str) -> &'a str {
    let fence = format!("```{language}\n");
    let mut blocks = readme.split(fence.as_str()).skip(1).filter_map(|rest| rest.split("```").next());
    blocks
        .find(|block| block.contains(holds))
        .unwrap_or_else(|| panic!("no block of {language} with {holds}"))
}

/// Asks as the README does, and compares: with what REST answers in full, with the README's answer in its shape,
/// because the household moves with the calendar.
pub(super) async fn assert_question_is_answered(readme: &str, lines: &[String]) {
    let (base, token) = (value(&lines[1], "base"), value(&lines[3], "token"));
    let question = block(readme, "sh", "tools/call");
    let asked = question.replace(ADDRESS, base).replace(TOKEN, token);
    assert_ne!(asked, question, "the README names an address and a token");
    let mut shell = Command::new("sh");
    shell.args(["-c", &asked]).env_clear().envs(std::env::vars_os().filter(|(name, _)| name == "PATH"));
    let route = format!("{base}/v1/spending/merchants/top?timeRange=3m&limit=2");
    let bearer = format!("Bearer {token}");
    // Midnight may fall between two questions, but not twice.
    for last in [false, true] {
        let output = shell.output().expect("a shell, and curl");
        let answer: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{asked}: {error}: {output:?}"));
        let headers = [("authorization", bearer.as_str())];
        let twin = Http::default().send(hyper::Method::GET, &route, &headers).await.ok();
        let said = &answer["result"]["structuredContent"];
        if *said == twin {
            let told: Value = serde_json::from_str(block(readme, "json", "merchants")).expect("JSON");
            return assert_eq!(shape(&told), shape(said));
        }
        assert!(!last, "{answer} is not what REST says: {twin}");
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
