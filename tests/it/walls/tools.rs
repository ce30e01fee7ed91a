//! The twins ask through tools: with either wall missing, no answer tells one of the other, and without both, every
//! tool would. The rest of the suite asks over REST, of the same questions.

use std::collections::{BTreeMap, BTreeSet};

use hyper::{HeaderMap, StatusCode};
use operations::form::Declaration;
use serde_json::{Map, Value};
use tests::app::App;
use tests::catalogue::{Listed, tools};
use tests::http::Reply;
use tests::mcp::{Era, failure, payload};
use tests::tenant_pair::Tenant;

use super::asks::{Ask, asks};
use super::findings::marks;
use super::worlds::{Predicates, World, serve};

/// Every request of one twin that a tool answers, with the name of the tool and its parameters.
fn calls(own: &Tenant, other: &Tenant) -> Vec<(&'static str, Vec<Declaration>, Ask)> {
    let tools: BTreeMap<&str, (&'static str, Listed)> =
        tools().into_iter().map(|(name, listed)| (listed.spec.id, (name, listed))).collect();
    let asks = asks(own, other, &[], 0).into_iter();
    let calls = asks.filter_map(|ask| {
        let (name, listed) = tools.get(ask.operation)?;
        Some((*name, listed.tool_parameters.clone(), ask))
    });
    calls.collect()
}

/// Parameters in plain text as the JSON that a tool takes.
fn arguments(declared: &[Declaration], parameters: &[(&'static str, String)]) -> Value {
    let one = |declaration: &Declaration, text: &str| match declaration.schema["type"].as_str() {
        Some("integer" | "number" | "boolean" | "object") => serde_json::from_str(text).expect("JSON"),
        _ => Value::from(text),
    };
    let arguments: Map<String, Value> = parameters
        .iter()
        .map(|(name, text)| {
            let declaration = declared.iter().find(|declared| declared.name == *name).expect("both have it");
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

/// What a call is told, but for the values that a refusal repeats.
async fn told(app: &App, era: Era, token: &str, tool: &str, arguments: Value) -> String {
    let reply = app.call(era, token, tool, arguments).await;
    if reply.ok()["result"]["isError"] == true {
        let rules = failure(&reply);
        return rules.lines().map(|line| line.split("; received").next().unwrap_or_default()).collect();
    }
    payload(&reply).to_string()
}

/// The tools by which one of the twins betrays the other.
async fn betraying(world: World) -> BTreeSet<String> {
    let served = serve(world).await;
    let (app, tenants) = (&served.app, Tenant::pair());
    app.load(Tenant::rates()).await;
    for tenant in &tenants {
        app.load(tenant.records()).await;
    }
    let mut found = BTreeSet::new();
    for (me, other) in [(&tenants[0], &tenants[1]), (&tenants[1], &tenants[0])] {
        for (number, (tool, declared, ask)) in calls(me, other).into_iter().enumerate() {
            let era = Era::ALL[number % 2];
            let answer = told(app, era, &me.token, tool, arguments(&declared, &ask.parameters)).await;
            let as_reply = Reply {
                status: StatusCode::OK,
                headers: HeaderMap::new(),
                body: if answer.starts_with('{') { answer.clone().into() } else { "{}".into() },
            };
            let mut betrayed = !marks(other, &ask, &as_reply).is_empty();
            if let Some(nonexistent_neighbor) = ask.for_nobodys() {
                let arguments = arguments(&declared, &nonexistent_neighbor.parameters);
                betrayed |= told(app, era, &me.token, tool, arguments).await != answer;
            }
            if betrayed {
                found.insert(tool.to_owned());
            }
        }
    }
    found
}

#[tokio::test]
async fn either_wall_alone_keeps_tools_from_telling_one_of_the_other() {
    for (predicates, row_security) in [(Predicates::None, true), (Predicates::All, false)] {
        let found = betraying(World { predicates, row_security }).await;
        assert_eq!(found, BTreeSet::new(), "{predicates:?}, row security {row_security}");
    }
}

#[tokio::test]
async fn without_both_walls_every_tool_tells() {
    let found = betraying(World { predicates: Predicates::None, row_security: false }).await;
    let every: BTreeSet<String> = tools().into_iter().map(|(name, _)| name.to_owned()).collect();
    assert_eq!(found, every);
}
