//! Each tool returns the payload of its REST route, over random parameters. Arrays are wrapped in an object, transaction
//! identifiers of recurring payments are left out, and sizes have other limits; errors are the same. Every payload is validated against the schema of the tool.

use std::collections::BTreeMap;

use jsonschema::Validator;
use passbook_ledger_kit::Random;
use passbook_operations::form::Declaration;
use serde_json::{Map, Value, json};
use tests::app::App;
use tests::catalogue::{Listed, text, tools, words};
use tests::http::{Reply, query};
use tests::mcp::{Era, failure, payload, result};

use super::demo;

/// Random requests per tool, in an ordinary and in a thorough test run.
const ROUNDS: (u64, u64) = (30, 60);

/// The parameters of one request, for REST and for the tool.
#[derive(Default)]
struct Parameters {
    query: Vec<(&'static str, String)>,
    arguments: Map<String, Value>,
}

impl Parameters {
    fn add(&mut self, parameter: &Declaration, value: Value) {
        let query = match &value {
            Value::Array(items) => items.iter().map(text).collect::<Vec<String>>().join(","),
            value => text(value),
        };
        self.query.push((parameter.name, query));
        self.arguments.insert(parameter.name.to_owned(), value);
    }
}

/// A random value of a parameter. It has the right JSON type and mostly satisfies the rules.
fn value(parameter: &Declaration, cursor: &Value, random: &mut Random) -> Value {
    let one = |random: &mut Random| {
        let schema = &parameter.schema;
        if let Some(words) = words(parameter) {
            return if random.one_in(12) { json!("NONSENSE") } else { json!(random.pick(&words)) };
        }
        match (schema["type"].as_str(), schema["format"].as_str()) {
            (Some("boolean"), _) => json!(random.one_in(2)),
            (Some("integer"), _) => {
                let bound = |name: &str| schema[name].as_i64().expect("a bound");
                let (low, high) = (bound("minimum"), bound("maximum"));
                let usual = low
                    + i64::try_from(random.any() % 200_000).expect("small") % (high - low + 1).min(200_000);
                json!(*random.pick(&[usual, usual, usual, low, high, low - 1, high + 1]))
            }
            (Some("number"), _) => json!(*random.pick(&[0.0, 0.25, 0.6, 1.0, 1.5])),
            (_, Some("date")) => {
                let days = [
                    "2024-12-01",
                    "2025-02-28",
                    "2025-09-30",
                    "2026-03-31",
                    "2026-11-21",
                    "2026-02-30",
                    "1800-01-01",
                ];
                json!(random.pick(&days))
            }
            (_, Some("uuid")) => json!(random.pick(&["8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d", "not-a-uuid"])),
            (Some("object"), _) => {
                let broken = json!({ "date": "2026-13-01", "id": cursor["id"] });
                random.pick(&[cursor.clone(), parameter.example.clone(), broken]).clone()
            }
            // In a query string a comma separates the items of a list.
            _ if parameter.list && random.one_in(12) => json!("é'\"\\"),
            _ if parameter.name == "banks" => json!(random.pick(&["HANSE", "platypus"])),
            _ if parameter.list => {
                json!(random.pick(&["girokonto", "visa", "8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d"]))
            }
            _ => json!(random.pick(&["cafe", "ü", "%", "_", "a, b", "é'\"\\", ""])),
        }
    };
    if parameter.list {
        let items = 1 + random.below(3);
        let items: Vec<Value> = (0..items).map(|_| one(random)).collect();
        return Value::Array(items);
    }
    one(random)
}

/// Returns true if REST and the tool have different limits for a parameter, such as the page size.
fn has_other_limits(listed: &Listed, parameter: &Declaration) -> bool {
    let over_rest = listed
        .parameters
        .iter()
        .find(|other| other.name == parameter.name)
        .expect("REST has every parameter of the tool");
    over_rest.schema != parameter.schema || over_rest.default != parameter.default
}

fn random_request(listed: &Listed, cursor: &Value, random: &mut Random) -> Parameters {
    let mut parameters = Parameters::default();
    for parameter in &listed.tool_parameters {
        if has_other_limits(listed, parameter) {
            // Always set and valid on both surfaces. Other tests cover the limits.
            let most =
                usize::try_from(parameter.schema["maximum"].as_u64().expect("a bound")).expect("small");
            parameters.add(parameter, json!(1 + random.below(most)));
        } else if random.one_in(5) {
            parameters.add(parameter, value(parameter, cursor, random));
        }
    }
    parameters
}

/// The fault lines of a tool, made from the `details` of a REST error.
fn fault_lines(details: &Value) -> Vec<String> {
    let lines = details.as_array().expect("faults").iter().map(|fault| {
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        let mut line = format!("{} {}", text(&fault["parameter"]), text(&fault["message"]));
        if let Some(allowed) = fault["allowed"].as_array() {
            let allowed: Vec<String> = allowed.iter().map(text).collect();
            line.push_str(&format!("; allowed: {}", allowed.join(", ")));
        }
        line
    });
    lines.collect()
}

/// The payload that a tool returns for the payload of its route. The month of the budget summary is taken from the tool's
/// own payload, because the route does not return it.
fn as_tool(name: &str, mut expected: Value, payload: &Value) -> Value {
    match name {
        "list_budget_categories" => json!({ "categories": expected }),
        "get_budget_summary" => {
            let (month, year) = (&payload["month"], &payload["year"]);
            assert!(month.is_i64() && year.is_i64(), "{payload}");
            let excluded = json!(["VACATION"]);
            json!({ "budgets": expected, "month": month, "year": year, "excludedCategories": excluded })
        }
        "detect_recurring_payments" => {
            for listed in expected["recurringPayments"].as_array_mut().expect("a list") {
                listed
                    .as_object_mut()
                    .expect("an object")
                    .remove("transaction_ids")
                    .expect("the route has it");
            }
            if let Some(occurrences) = expected.get_mut("occurrences").and_then(Value::as_array_mut) {
                occurrences.truncate(60);
            }
            expected
        }
        _ => expected,
    }
}

/// Number of points of a portfolio history, those of the series included.
fn points(history: &Value) -> usize {
    let length = |list: &Value| list.as_array().map_or(0, Vec::len);
    length(&history["points"]) * (length(&history["series"]) + 1)
}

/// Returns true if a tool does not return the payload of a route because it has too many values.
fn is_too_large(name: &str, payload: &Value) -> bool {
    let periods = |entry: &Value| entry["periods"].as_array().map_or(0, Vec::len);
    match name {
        "get_portfolio_history" => points(payload) > 200,
        "get_cashflow_summary" | "get_spending_summary" => periods(payload) > 120,
        "get_spending_by_category" => {
            payload["categories"].as_array().expect("a list").iter().map(periods).sum::<usize>() > 500
        }
        _ => false,
    }
}

/// Checks the result of a tool where the payload of the route is too large: fewer points, or an error that names the
/// parameter.
fn check_reduced(call: &Reply, place: &str) {
    if call.json()["result"]["isError"] == true {
        let message = failure(call);
        let fault = message.lines().nth(1).unwrap_or_default();
        assert!(
            fault.starts_with("interval must") || fault.starts_with("groupBy would"),
            "{place}: {message}"
        );
    } else {
        let points = points(&payload(call));
        assert!((1..=200).contains(&points), "{place}: {points} points");
    }
}

async fn validators(app: &App, token: &str) -> BTreeMap<String, [Validator; 2]> {
    let list = result(&app.rpc(Era::Legacy, token, "tools/list", json!({})).await);
    let compile = |schema: &Value| {
        let options = jsonschema::draft202012::options().should_validate_formats(true);
        options.build(schema).expect("a schema")
    };
    let tools = list["tools"].as_array().expect("a list").iter().map(|tool| {
        let name = tool["name"].as_str().expect("a name").to_owned();
        (name, [compile(&tool["inputSchema"]), compile(&tool["outputSchema"])])
    });
    tools.collect()
}

#[tokio::test]
async fn tools_and_routes_return_equal_payloads_and_errors() {
    let (app, token) = demo().await;
    let validators = validators(&app, &token).await;
    let page = app.get("/v1/transactions?pageSize=20", &token).await.ok();
    let cursor = &page["pagination"]["nextCursor"];
    for (name, listed) in tools() {
        let [input, output] = &validators[name];
        let (mut answered, mut refused) = (0, 0);
        let rounds = tests::cases(ROUNDS.0, ROUNDS.1);
        for round in 0..rounds {
            let parameters = random_request(&listed, cursor, &mut Random::new(round));
            let pairs: Vec<(&str, &str)> =
                parameters.query.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let route = app.get(&format!("{}?{}", listed.spec.path, query(&pairs)), &token).await;
            let era = Era::ALL[usize::from(round % 2 == 1)];
            let arguments = Value::Object(parameters.arguments);
            let call = app.call(era, &token, name, arguments.clone()).await;
            let place = format!("{name}, round {round}: {arguments}");
            if route.status == 200 {
                let expected = route.json();
                if is_too_large(name, &expected) {
                    check_reduced(&call, &place);
                    refused += 1;
                    continue;
                }
                let payload = payload(&call);
                assert_eq!(payload, as_tool(name, expected, &payload), "{place}");
                assert!(input.is_valid(&arguments), "{place}: accepted although the input schema rejects it");
                if let Err(error) = output.validate(&payload) {
                    panic!("{place}: {error} at {}", error.instance_path());
                }
                answered += 1;
            } else {
                assert_eq!(route.status, 400, "{place}");
                let lines: Vec<String> = failure(&call).lines().skip(1).map(str::to_owned).collect();
                assert_eq!(lines, fault_lines(&route.json()["error"]["details"]), "{place}");
                refused += 1;
            }
        }
        assert!(answered >= 5, "{name}: only {answered} of {rounds} calls succeeded");
        let strict = listed.tool_parameters.iter().any(|parameter| parameter.schema["type"] != "boolean");
        assert_eq!(refused > 0, strict, "{name}: {refused} of {rounds} calls were rejected");
    }
}

#[tokio::test]
async fn tool_without_arguments_returns_the_payload_of_the_route() {
    let (app, token) = demo().await;
    let validators = validators(&app, &token).await;
    for (name, listed) in tools() {
        let sizes: Vec<(&str, String)> = listed
            .tool_parameters
            .iter()
            .filter(|parameter| has_other_limits(&listed, parameter))
            .map(|parameter| {
                (parameter.name, parameter.default.clone().expect("a size has a default").to_string())
            })
            .collect();
        let sizes: Vec<(&str, &str)> = sizes.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let expected = app.get(&format!("{}?{}", listed.spec.path, query(&sizes)), &token).await.ok();
        let payload = payload(&app.call(Era::Modern, &token, name, json!({})).await);
        assert_eq!(payload, as_tool(name, expected, &payload), "{name}");
        assert!(validators[name][1].is_valid(&payload), "{name}");
    }
}
