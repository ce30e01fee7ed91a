//! The reference page: every route of the OpenAPI document with a request and its response.

use hyper::Method;
use passbook_operations::catalogue::{Visitor, visit};
use passbook_operations::{Operation, Spec};
use serde_json::Value;
use tests::app::App;
use tests::http::Reply;

use super::json::Json;
use super::text::{anchor, cell, wrapped};
use super::{ORIGIN, schemas, with_default_origin};

/// Queries of the examples, where defaults alone would not show enough. Other operations have no query.
const QUERIES: [(&str, &str); 5] = [
    ("transactions", "categories=GROCERIES,RESTAURANT&minAmountCents=5000&pageSize=2"),
    ("cashflow_summary", "timeRange=1m"),
    ("spending_summary", "dateFrom=2026-09-01&dateTo=2026-11-21&groupBy=month"),
    ("spending_categories", "timeRange=1m"),
    ("top_merchants", "timeRange=3m&limit=3"),
];

/// A request with two faults.
const FAULTY_REQUEST: &str = "/v1/spending/merchants/top?timeRange=2w&limit=0";
/// The identifier of the faulty request.
const REQUEST_ID: &str = "reference-1";

/// The text of the whole page.
pub(super) async fn page(app: &App, document: &Value) -> String {
    let specs = specs();
    for (id, _) in QUERIES {
        assert!(specs.iter().any(|spec| spec.id == id), "{id} is not an operation");
    }
    let token = app.token(passbook_demo::USER_ID).await;
    let mut page = introduction(document, &specs);
    for spec in &specs {
        let query = QUERIES.iter().find(|(id, _)| *id == spec.id).map_or("", |(_, query)| query);
        let target = if query.is_empty() { spec.path.to_owned() } else { format!("{}?{query}", spec.path) };
        let reply = app.get(&target, &token).await;
        reply.ok();
        page.push_str(&operation(document, spec.path, "get", &document["paths"][spec.path]["get"]));
        page.push_str(&example(app, &target, true, &reply));
    }
    page.push_str("\n## Other routes\n");
    for (path, item) in members(&document["paths"]) {
        for (method, described) in members(item) {
            if specs.iter().any(|spec| spec.path == path) || !described["responses"].is_object() {
                continue;
            }
            page.push_str(&operation(document, path, method, described));
            // The OpenAPI document and the documentation are too long to show, and a route that is switched off has no
            // response to show.
            let is_long = path == "/openapi.json" || path.starts_with("/docs/");
            if method == "get" && described["security"] == serde_json::json!([]) && !is_long {
                let reply = app.send(Method::GET, path, &[]).await;
                if reply.status.is_success() {
                    page.push_str(&example(app, path, false, &reply));
                }
            }
        }
    }
    let authorization = format!("Bearer {token}");
    let headers = [("authorization", authorization.as_str()), ("x-request-id", REQUEST_ID)];
    let faulty = app.send(Method::GET, FAULTY_REQUEST, &headers).await;
    assert_eq!(faulty.status, 400);
    let unknown = app.get("/v1/nothing", &token).await;
    assert_eq!((unknown.status.as_u16(), unknown.code().as_str()), (404, "NOT_FOUND"));
    page.push_str(&errors(document));
    page.push_str(&example(app, FAULTY_REQUEST, true, &faulty));
    page.push_str(&format!("\n{}", schemas::sections(document)));
    page
}

fn specs() -> Vec<Spec> {
    struct Specs(Vec<Spec>);
    impl Visitor for Specs {
        fn visit<O: Operation>(&mut self) {
            self.0.push(O::SPEC);
        }
    }
    let mut specs = Specs(Vec::new());
    visit(&mut specs);
    specs.0
}

fn introduction(document: &Value, specs: &[Spec]) -> String {
    let mut page = format!(
        "# The REST interface

This page describes every route with an example. `cargo xtask bless` generates it from the OpenAPI document, which every
server returns at `/openapi.json` and which is committed as [openapi.json](openapi.json). The responses are those of the
demo household on {}. The [client guide](clients.md) has programs that read all pages of a list, explains list
parameters, and states what may change and how a client stays compatible.

{}

In the examples `$BASE` is the base address, such as `{ORIGIN}/api`, and `$TOKEN` a personal access token;
`passbook-server --demo` prints both. Responses are JSON on one line; here they are formatted, and long lists are
shortened as stated below them.

## Operations

| route | scope | description |
|---|---|---|
",
        tests::app::TODAY,
        wrapped(document["info"]["description"].as_str().expect("a description"))
    );
    for spec in specs {
        let scope = spec.scope.map_or("any valid token".to_owned(), |scope| format!("`{scope}`"));
        let route = format!("GET {}", spec.path);
        page.push_str(&format!("| [{route}](#{}) | {scope} | {} |\n", anchor(&route), spec.summary));
    }
    page
}

/// The section of a route: description, parameters, result and errors.
fn operation(document: &Value, path: &str, method: &str, described: &Value) -> String {
    let text = |member: &str| described[member].as_str().unwrap_or_default();
    let mut section = format!(
        "\n### {} {path}\n\n{}\n",
        method.to_uppercase(),
        wrapped(&format!("{}. {}", text("summary").trim_end_matches('.'), text("description")))
    );
    let parameters = described["parameters"].as_array().cloned().unwrap_or_default();
    if !parameters.is_empty() {
        section.push_str("\n| parameter | values | default | meaning |\n|---|---|---|---|\n");
    }
    for parameter in &parameters {
        section.push_str(&parameter_row(document, parameter));
    }
    let body = &described["requestBody"]["content"]["application/json"]["schema"];
    if !body.is_null() {
        section.push_str(&format!("\nBody: {}.\n", schemas::words(document, body)));
    }
    let responses: Vec<&String> = members(&described["responses"]).map(|(status, _)| status).collect();
    let failures: Vec<&str> =
        responses.iter().map(|status| status.as_str()).filter(|status| *status >= "400").collect();
    let result = &described["responses"]["200"]["content"]["application/json"]["schema"];
    if !result.is_null() {
        section.push_str(&format!("\nResponse: {}.", schemas::words(document, result)));
    }
    section.push_str(&format!(" [Errors](#errors): {}.\n", failures.join(", ")));
    section
}

fn parameter_row(document: &Value, parameter: &Value) -> String {
    let schema = &parameter["schema"];
    let values = match schema["type"].as_str() {
        Some("array") => format!(
            "list, {} to {} of {}",
            schema["minItems"],
            schema["maxItems"],
            schemas::words(document, &schema["items"])
        ),
        _ => schemas::words(document, schema),
    };
    let default = match &schema["default"] {
        Value::Null => String::new(),
        Value::String(word) => format!("`{word}`"),
        other => format!("`{other}`"),
    };
    let name = parameter["name"].as_str().expect("a name");
    format!("| `{name}` | {values} | {default} | {} |\n", cell(&parameter["description"]))
}

/// A request and its response.
fn example(app: &App, target: &str, with_token: bool, reply: &Reply) -> String {
    let mut header =
        if with_token { "-H \"Authorization: Bearer $TOKEN\" ".to_owned() } else { String::new() };
    if !reply.status.is_success() {
        header.push_str(&format!("-H 'x-request-id: {REQUEST_ID}' "));
    }
    let text = with_default_origin(app, std::str::from_utf8(&reply.body).expect("the body is UTF-8"));
    let mut answer: Json = serde_json::from_str(&text).expect("the body is JSON");
    let mut shortened = Vec::new();
    answer.shorten("", &mut shortened);
    let mut section =
        format!("\n```sh\ncurl {header}\"$BASE{target}\"\n```\n\n```json\n{}\n```\n", answer.pretty());
    for list in shortened {
        let place = if list.place.is_empty() { "The list".to_owned() } else { format!("`{}`", list.place) };
        section.push_str(&format!("\n{place} has {} items; the first two are shown.\n", list.total));
    }
    section
}

fn errors(document: &Value) -> String {
    let mut section = "\n## Errors

Every error has the body [ErrorResponse](#errorresponse). An invalid request lists all its faults at once. A path that is not on this
page returns 404, `NOT_FOUND`.

| status | code | when |
|---|---|---|
"
    .to_owned();
    let mut listed: Vec<(String, String)> = Vec::new();
    for (_, item) in members(&document["paths"]) {
        for (status, response) in members(item).flat_map(|(_, described)| members(&described["responses"])) {
            let name = response["$ref"].as_str().and_then(|pointer| pointer.rsplit('/').next());
            let Some(name) = name.filter(|_| status.as_str() >= "400") else { continue };
            let shared = &document["components"]["responses"][name];
            let code = &shared["content"]["application/json"]["example"]["error"]["code"];
            let code = code.as_str().map_or(String::new(), |code| format!("`{code}`"));
            let row = (status.clone(), format!("| {status} | {code} | {} |\n", cell(&shared["description"])));
            if !listed.contains(&row) {
                listed.push(row);
            }
        }
    }
    listed.sort();
    section.extend(listed.into_iter().map(|(_, row)| row));
    section
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}
