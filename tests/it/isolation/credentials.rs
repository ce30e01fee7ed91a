//! A grant serves its own person only: a credential that names one person and the grant of another is rejected, two
//! people cannot have the same token, and a token that moves to another person shows no row of the previous one.
//! Tenant isolation of the tools. With either isolation mechanism alone no tool leaks; without both, every tool does.
//! The rest of the suite uses REST.
//! Totals of a tenant include its own rows only: they are those of a ledger in memory that has no other rows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hyper::{HeaderMap, StatusCode};
use passbook_domain::access::GrantReference;
use passbook_operations::Service;
use passbook_operations::form::Declaration;
use serde_json::{Map, Value};
use tests::app::{App, TODAY, credential, store_config};
use tests::catalogue::{Listed, call_all, tools};
use tests::compared::compare_stored_rows;
use tests::http::Reply;
use tests::mcp::{Era, failure, payload};
use tests::tenant_pair::Tenant;
use tokio_postgres::error::SqlState;
use uuid::Uuid;

use super::protection::{Predicates, Protection, marks, serve};
use super::requests::{Request, requests};

/// A service whose store connects with `configuration`.
fn service(configuration: tokio_postgres::Config) -> Service {
    let config = store_config(configuration).with_connections_max(2);
    Service::new(Arc::new(passbook_store::Store::new(config).expect("the configuration is valid")))
}

#[tokio::test]
async fn grant_of_another_person_is_rejected_if_either_isolation_mechanism_is_on() {
    for (predicates, row_security) in
        [(Predicates::All, true), (Predicates::None, true), (Predicates::All, false)]
    {
        let protection = Protection { predicates, row_security };
        let served = serve(protection).await;
        let tenants = served.app.add_tenants().await;
        let service = service(served.proxy.configuration());
        for (me, other) in [(&tenants[0], &tenants[1]), (&tenants[1], &tenants[0])] {
            let user = me.household.user.user_id;
            let token = GrantReference::PersonalAccessToken;
            let client =
                |id: &str| GrantReference::OauthClient { client_id: id.to_owned(), session_id: None };
            for (name, grant, expected) in [
                ("own token", token(me.token_id), None),
                ("another's token", token(other.token_id), Some("UNAUTHORIZED")),
                ("unknown token", token(Uuid::nil()), Some("UNAUTHORIZED")),
                ("own client", client(&me.client_id()), None),
                ("another's client", client(&other.client_id()), Some("FORBIDDEN")),
                ("unknown client", client("dashboard-unknown"), Some("UNAUTHORIZED")),
            ] {
                for (spec, error) in call_all(&service, &credential(user, grant)).await {
                    let code = error.as_ref().map(|error| error.code().as_str());
                    assert_eq!(code, expected, "{protection:?}: {} with {name}", spec.id);
                }
            }
        }
    }
}

#[tokio::test]
async fn two_people_cannot_have_the_same_token_hash() {
    let app = App::start().await;
    let [one, other] = app.add_tenants().await;
    let steal = format!(
        "update passbook.personal_access_tokens set token_hash = \
         (select token_hash from passbook.personal_access_tokens where user_id = '{}') where user_id = '{}'",
        one.household.user.user_id, other.household.user.user_id
    );
    let writer = app.database.connect(passbook_schema::WRITER).await;
    let refused = writer.batch_execute(&steal).await.expect_err("the hash of a token is unique");
    assert_eq!(refused.code(), Some(&SqlState::UNIQUE_VIOLATION));
}

#[tokio::test]
async fn token_moved_to_another_person_shows_no_rows_of_the_previous_owner() {
    let app = App::start().await;
    let [one, other] = app.add_tenants().await;
    let list = "/v1/transactions";
    assert!(app.get(list, &one.token).await.ok().to_string().contains(&one.id_mark()));
    app.write(&format!(
        "update passbook.personal_access_tokens set user_id = '{}' where token_id = '{}'",
        other.household.user.user_id, one.token_id
    ))
    .await;
    // This server has cached the previous owner of the token, who no longer has such a token.
    let reply = app.get(list, &one.token).await;
    reply.assert_error(401, "UNAUTHORIZED", "");
    // A server without the cached owner accepts the token as a token of the new owner.
    let unknowing = App::start_on_day(app.database.clone(), TODAY).await;
    let moved = unknowing.get(list, &one.token).await.ok();
    assert_eq!(moved, unknowing.get(list, &other.token).await.ok());
    assert!(!moved.to_string().contains(&one.id_mark()));
}

/// Every request of one tenant for an operation that is a tool, with the tool's name and its parameters.
fn calls(own: &Tenant, other: &Tenant) -> Vec<(&'static str, Vec<Declaration>, Request)> {
    let tools: BTreeMap<&str, (&'static str, Listed)> =
        tools().into_iter().map(|(name, listed)| (listed.spec.id, (name, listed))).collect();
    // The suite sends the combinations of parameters to the routes, which have the same statements.
    let requests = requests(own, other, &[], 0).into_iter();
    let requests = requests.filter(|request| request.parameters.len() < 2 && request.is_in_every_test());
    let calls = requests.filter_map(|request| {
        let (name, listed) = tools.get(request.operation)?;
        // A tool also accepts the parameters of the route that it does not list.
        Some((*name, listed.parameters.clone(), request))
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
                .expect("the route has every parameter");
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
    let (app, tenants) = (&served.app, served.app.add_tenants().await);
    let mut found = BTreeSet::new();
    for (me, other) in [(&tenants[0], &tenants[1]), (&tenants[1], &tenants[0])] {
        for (number, (tool, declared, request)) in calls(me, other).into_iter().enumerate() {
            if found.contains(tool) {
                continue;
            }
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

#[tokio::test]
async fn answers_are_those_of_the_own_rows_alone() {
    let app = App::start().await;
    app.add_tenants().await;
    for seed in 0..4 {
        compare_stored_rows(&app.database, seed, "the pair of tenants").await;
    }
}
