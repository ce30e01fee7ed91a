//! The reference page: every route of the OpenAPI document with a request and its response.

use hyper::Method;
use passbook_operations::catalogue::{Visitor, visit};
use passbook_operations::{Operation, Spec};
use serde_json::Value;
use tests::app::App;
use tests::http::Reply;

use super::{Json, ORIGIN, with_default_origin};

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
    unknown.assert_error(404, "NOT_FOUND", "");
    page.push_str(&errors(document));
    page.push_str(&example(app, FAULTY_REQUEST, true, &faulty));
    page.push_str(&format!("\n{}", sections(document)));
    page
}

/// The operations in the order of the catalogue.
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
        section.push_str(&format!("\nBody: {}.\n", words(document, body)));
    }
    let responses: Vec<&String> = members(&described["responses"]).map(|(status, _)| status).collect();
    let failures: Vec<&str> =
        responses.iter().map(|status| status.as_str()).filter(|status| *status >= "400").collect();
    let result = &described["responses"]["200"]["content"]["application/json"]["schema"];
    if !result.is_null() {
        section.push_str(&format!("\nResponse: {}.", words(document, result)));
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
            words(document, &schema["items"])
        ),
        _ => words(document, schema),
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

/// Maximum number of values of an enumeration in a table. Longer enumerations are listed at the end of the page.
const VALUES_INLINE_MAX: usize = 12;

/// The last part of the page: every object by name, then every other named type.
pub(super) fn sections(document: &Value) -> String {
    let mut objects =
        String::from("## Objects\n\nA field without \"always\" is absent when it is unknown, never null.\n");
    let mut values = String::from(
        "## Values\n\nValues of an enumeration may be added at any time: tolerate unknown ones.\n",
    );
    for (name, schema) in members(&document["components"]["schemas"]) {
        let description = wrapped(schema["description"].as_str().unwrap_or_default());
        if schema["properties"].is_object() {
            objects.push_str(&format!("\n### {name}\n\n{description}\n\n{}", fields(document, schema)));
        } else {
            let kind = match (schema["enum"].as_array(), schema["pattern"].as_str()) {
                (Some(listed), _) => listed.iter().map(code).collect::<Vec<_>>().join(", "),
                (None, Some(pattern)) => format!("{}, matching `{pattern}`", words(document, schema)),
                (None, None) => words(document, schema),
            };
            let paragraphs = [description, wrapped(&format!("{kind}."))].join("\n\n");
            values.push_str(&format!("\n### {name}\n\n{}\n", paragraphs.trim_start()));
        }
    }
    format!("{objects}\n{values}")
}

fn fields(document: &Value, schema: &Value) -> String {
    let mut table = String::from("| field | type | | meaning |\n|---|---|---|---|\n");
    for (name, field) in members(&schema["properties"]) {
        let always = schema["required"].as_array().is_some_and(|names| names.contains(&name.as_str().into()));
        let always = if always { "always" } else { "" };
        let (kind, description) = (words(document, field), cell(&field["description"]));
        table.push_str(&format!("| `{name}` | {kind} | {always} | {description} |\n"));
    }
    table
}

/// The permitted values in words, for a table cell.
pub(super) fn words(document: &Value, schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|pointer| pointer.rsplit('/').next()) {
        return link(name);
    }
    if let Some(constant) = schema.get("const") {
        return code(constant);
    }
    if let Some(values) = schema["enum"].as_array() {
        return enumeration(document, values);
    }
    if let Some(list) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        return list.iter().map(|one| words(document, one)).collect::<Vec<_>>().join(" or ");
    }
    match &schema["type"] {
        Value::String(kind) if kind == "array" => format!("list of {}", words(document, &schema["items"])),
        Value::String(kind) if kind == "object" && schema["additionalProperties"].is_object() => {
            format!("map of {}", words(document, &schema["additionalProperties"]))
        }
        Value::String(kind) if kind == "object" && schema["properties"].is_object() => {
            let named = members(&schema["properties"])
                .map(|(name, member)| format!("`{name}`: {}", words(document, member)));
            format!("object of {}", named.collect::<Vec<_>>().join(", "))
        }
        Value::String(kind) => scalar(kind, schema),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "anything".to_owned(),
    }
}

/// Returns the values in code format if there are at most `VALUES_INLINE_MAX`. Longer lists become a link to the named
/// enumeration with the same values; if there is none, the values are listed too.
fn enumeration(document: &Value, values: &[Value]) -> String {
    if values.len() <= VALUES_INLINE_MAX {
        return values.iter().map(code).collect::<Vec<_>>().join(", ");
    }
    let mut schemas = members(&document["components"]["schemas"]);
    let named = schemas.find(|(_, schema)| schema["enum"].as_array().is_some_and(|known| known == values));
    named.map_or_else(|| values.iter().map(code).collect::<Vec<_>>().join(", "), |(name, _)| link(name))
}

fn scalar(kind: &str, schema: &Value) -> String {
    let mut words = match schema["format"].as_str() {
        Some(format) if !format.starts_with("int") => format!("{kind}, {format}"),
        _ => kind.to_owned(),
    };
    match (schema.get("minimum"), schema.get("maximum")) {
        (Some(least), Some(most)) => words.push_str(&format!(", {least} to {most}")),
        (Some(least), None) => words.push_str(&format!(", {least} or more")),
        (None, Some(most)) => words.push_str(&format!(", {most} or less")),
        (None, None) => {}
    }
    if let (least, Some(most)) = (schema.get("minLength"), schema.get("maxLength")) {
        words.push_str(&format!(", {} to {most} characters", least.unwrap_or(&Value::from(0))));
    }
    words
}

fn link(name: &str) -> String {
    format!("[{name}](#{})", anchor(name))
}

fn code(value: &Value) -> String {
    format!("`{}`", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

/// Maximum length of a line, in characters.
const LINE_CHARACTERS_MAX: usize = 120;

/// Text for a table cell, on one line.
pub(super) fn cell(text: &Value) -> String {
    let words: Vec<&str> = text.as_str().unwrap_or_default().split_whitespace().collect();
    words.join(" ").replace('|', "\\|")
}

/// Paragraphs, wrapped between words.
pub(super) fn wrapped(text: &str) -> String {
    text.split("\n\n").map(paragraph).collect::<Vec<_>>().join("\n\n")
}

fn paragraph(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("at least one line exists");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= LINE_CHARACTERS_MAX {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n")
}

/// The anchor of a heading in rendered Markdown.
pub(super) fn anchor(heading: &str) -> String {
    let letters = heading.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    letters.collect::<String>().to_lowercase().replace(' ', "-")
}
