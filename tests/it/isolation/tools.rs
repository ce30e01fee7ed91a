//! Tenant isolation of the tools. With either isolation mechanism alone no tool leaks; without both, every tool does.
//! The rest of the suite uses REST.

use std::collections::{BTreeMap, BTreeSet};

use hyper::{HeaderMap, StatusCode};
use passbook_operations::form::Declaration;
use serde_json::{Map, Value};
use tests::app::App;
use tests::catalogue::{Listed, tools};
use tests::http::Reply;
use tests::mcp::{Era, failure, payload};
use tests::tenant_pair::Tenant;

use super::leaks::marks;
use super::protection::{Predicates, Protection, serve};
use super::requests::{Request, requests};

/// Every request of one tenant for an operation that is a tool, with the tool's name and its parameters.
fn calls(own: &Tenant, other: &Tenant) -> Vec<(&'static str, Vec<Declaration>, Request)> {
    let tools: BTreeMap<&str, (&'static str, Listed)> =
        tools().into_iter().map(|(name, listed)| (listed.spec.id, (name, listed))).collect();
    let requests = requests(own, other, &[], 0).into_iter();
    let calls = requests.filter_map(|request| {
        let (name, listed) = tools.get(request.operation)?;
        Some((*name, listed.tool_parameters.clone(), request))
    });
    calls.collect()
}

/// Query parameters as the JSON arguments of a tool.
fn arguments(declared: &[Declaration], parameters: &[(&'static str, String)]) -> Value {
    let one = |declaration: &Declaration, text: &str| match declaration.schema["type"].as_str() {
        Some("integer" | "number" | "boolean" | "object") => {
            serde_json::from_str(text).expect("the text is JSON")
        }
        _ => Value::from(text),
    };
    let arguments: Map<String, Value> = parameters
        .iter()
        .map(|(name, text)| {
            let declaration = declared
                .iter()
                .find(|declared| declared.name == *name)
                .expect("the tool has every parameter of the operation");
            let value = if declaration.list {
                text.split(',').map(|item| one(declaration, item)).collect()
            } else {
                one(declaration, text)
            };
            ((*name).to_owned(), value)
        })
        .collect();
    Value::Object(arguments)
}

/// The text of a tool result, without the received values that a failure repeats.
async fn response_text(app: &App, era: Era, token: &str, tool: &str, arguments: Value) -> String {
    let reply = app.call(era, token, tool, arguments).await;
    if reply.ok()["result"]["isError"] == true {
        let rules = failure(&reply);
        return rules.lines().map(|line| line.split("; received").next().unwrap_or_default()).collect();
    }
    payload(&reply).to_string()
}

/// The tools that leak data of one tenant to the other.
async fn leaking_tools(protection: Protection) -> BTreeSet<String> {
    let served = serve(protection).await;
    let (app, tenants) = (&served.app, Tenant::pair());
    app.load(Tenant::rates()).await;
    for tenant in &tenants {
        app.load(tenant.records()).await;
    }
    let mut found = BTreeSet::new();
    for (me, other) in [(&tenants[0], &tenants[1]), (&tenants[1], &tenants[0])] {
        for (number, (tool, declared, request)) in calls(me, other).into_iter().enumerate() {
            let era = Era::ALL[number % 2];
            let answer =
                response_text(app, era, &me.token, tool, arguments(&declared, &request.parameters)).await;
            let as_reply = Reply {
                status: StatusCode::OK,
                headers: HeaderMap::new(),
                body: if answer.starts_with('{') { answer.clone().into() } else { "{}".into() },
            };
            let mut leaked = !marks(other, &request, &as_reply).is_empty();
            if let Some(nonexistent) = request.with_nonexistent_values() {
                let arguments = arguments(&declared, &nonexistent.parameters);
                leaked |= response_text(app, era, &me.token, tool, arguments).await != answer;
            }
            if leaked {
                found.insert(tool.to_owned());
            }
        }
    }
    found
}

#[tokio::test]
async fn no_tool_leaks_with_either_isolation_mechanism_alone() {
    for (predicates, row_security) in [(Predicates::None, true), (Predicates::All, false)] {
        let found = leaking_tools(Protection { predicates, row_security }).await;
        assert_eq!(found, BTreeSet::new(), "{predicates:?}, row security {row_security}");
    }
}

#[tokio::test]
async fn every_tool_leaks_without_predicates_and_row_level_security() {
    let found = leaking_tools(Protection { predicates: Predicates::None, row_security: false }).await;
    let every: BTreeSet<String> = tools().into_iter().map(|(name, _)| name.to_owned()).collect();
    assert_eq!(found, every);
}
