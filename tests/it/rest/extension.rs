//! The example adapter of `docs/embedding.md`, mounted beside REST on the same database: it serves every
//! operation under the same rules.

use std::convert::Infallible;
use std::sync::Arc;

use hyper::Method;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use passbook_auth::Authenticator;
use passbook_domain::category::ExpenseCategory;
use passbook_domain::scope::{Scope, Surface};
use passbook_operations::{Entry, Service};
use passbook_rest::{BaseUrl, Pipeline, PipelineConfig, Rest, Router};
use passbook_store::Store;
use serde_json::Value;
use tests::app::{App, TODAY};
use tests::household::Household;
use tests::http::{Http, Reply, query};
use tokio::net::TcpListener;

/// Starts a server with the example adapter and REST on the database of `app`, and returns its origin. The server stops
/// when the Tokio runtime of the test is dropped.
pub(crate) async fn start(app: &App) -> String {
    let connection = app.database.configuration(passbook_schema::READER).into();
    let config = passbook_store::Config::new(connection).with_connections_max(2).with_today(TODAY);
    let store = Arc::new(Store::connect(config).await.expect("role and schema pass the check"));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let origin = format!("http://{}", listener.local_addr().expect("an address"));
    let authenticator = Authenticator::new(passbook_auth::Config::default(), store.clone());
    let config = PipelineConfig::new(BaseUrl::parse(&format!("{origin}/api")).expect("an address"));
    let pipeline = Pipeline::new(Service::new(store.clone()), authenticator, config);
    let rest = Rest::new(&pipeline, store);
    let router = Router::new(&pipeline, [passbook_report::endpoints(&pipeline), rest.endpoints()].concat());
    tokio::spawn(async move {
        loop {
            let Ok((stream, _)) = listener.accept().await else { break };
            let router = router.clone();
            let service = service_fn(move |request| {
                let router = router.clone();
                async move { Ok::<_, Infallible>(router.handle(request).await) }
            });
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    origin
}

async fn household() -> (App, Household) {
    let app = App::start().await;
    let mut household = Household::new();
    household.expense("2026-11-03", ExpenseCategory::Books, 2_150, "EUR").merchant_name =
        Some("Line\nBreak \"&\" Söhne".to_owned());
    household.expense("2026-11-04", ExpenseCategory::Coffee, 450, "USD");
    app.load(household.records()).await;
    (app, household)
}

async fn get(target: &str, token: &str) -> Reply {
    Http::default().send(Method::GET, target, &[("authorization", &format!("Bearer {token}"))]).await
}

fn text(reply: &Reply) -> &str {
    assert_eq!(reply.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(reply.header("cache-control"), "no-store");
    std::str::from_utf8(&reply.body).expect("UTF-8")
}

/// The number of scalar values in a payload.
fn values(payload: &Value) -> usize {
    match payload {
        Value::Object(members) => members.values().map(values).sum(),
        Value::Array(items) => items.iter().map(values).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
    }
}

#[tokio::test]
async fn adapter_reports_the_values_of_rest_for_every_operation() {
    let (app, household) = household().await;
    let origin = start(&app).await;
    let token = app.token(household.user.user_id).await;
    for entry in Entry::all() {
        let (id, path) = (entry.spec.id, entry.spec.path);
        let examples = entry.declarations(Surface::Rest).into_iter().map(|parameter| {
            let example = parameter.example;
            let example = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
            format!("?{}", query(&[(parameter.name, &example)]))
        });
        for query_string in std::iter::once(String::new()).chain(examples) {
            let payload = get(&format!("{origin}/api{path}{query_string}"), &token).await.ok();
            let reply = get(&format!("{origin}/report/{id}{query_string}"), &token).await;
            assert_eq!(reply.status, 200, "{id}{query_string}");
            let lines: Vec<&str> = text(&reply).lines().collect();
            assert_eq!(lines.len(), values(&payload), "{id}{query_string}: {lines:?}");
            for line in lines {
                let (place, value) = line.split_once(": ").expect("the line has a place and a value");
                let pointer =
                    place.strip_prefix(id).expect("the place starts with the operation").replace('.', "/");
                let value: Value = serde_json::from_str(value).expect("the value is JSON");
                assert_eq!(payload.pointer(&pointer), Some(&value), "{id}{query_string} {place}");
            }
        }
    }
}

#[tokio::test]
async fn adapter_reports_all_invalid_parameters_at_once() {
    let (app, household) = household().await;
    let origin = start(&app).await;
    let token = app.token(household.user.user_id).await;
    for entry in Entry::all() {
        let names: Vec<&str> =
            entry.declarations(Surface::Rest).iter().map(|parameter| parameter.name).collect();
        let broken: Vec<(&str, &str)> =
            names.iter().map(|name| (*name, "")).chain([("colour", "red")]).collect();
        let reply = get(&format!("{origin}/report/{}?{}", entry.spec.id, query(&broken)), &token).await;
        assert_eq!(reply.status, 400, "{}", entry.spec.id);
        for (name, _) in &broken {
            assert!(
                text(&reply).contains(&format!("{name} ")),
                "{}: {name}: {}",
                entry.spec.id,
                text(&reply)
            );
        }
    }
    let reply = get(&format!("{origin}/report/transactions?cursor=%7B%7D"), &token).await;
    assert_eq!((reply.status.as_u16(), text(&reply).starts_with("cursor must be")), (400, true));
}

#[tokio::test]
async fn adapter_requires_a_valid_grant_with_scope_and_surface() {
    let (app, household) = household().await;
    let origin = start(&app).await;
    let user = household.user.user_id;
    let (revoked, revoked_id) = app.token_with(user, Scope::ALL, true, true).await;
    let (tools_only, _) = app.token_with(user, Scope::ALL, false, true).await;
    for entry in Entry::all() {
        let target = format!("{origin}/report/{}", entry.spec.id);
        let missing = Http::default().send(Method::GET, &target, &[]).await;
        assert_eq!((missing.status.as_u16(), missing.header("www-authenticate")), (401, "Bearer"));
        assert_eq!(text(&missing), "A bearer token is required: send it in the header Authorization.\n");
        assert_eq!(get(&target, "pbk_nothing").await.status, 401, "{target}");
        assert_eq!(get(&target, &revoked).await.status, 200, "{target}");
        let rejected = get(&target, &tools_only).await;
        assert_eq!(rejected.status, 403, "{target}: a token for tools only");
        if let Some(scope) = entry.spec.scope {
            let others: Vec<Scope> = Scope::ALL.iter().copied().filter(|other| *other != scope).collect();
            let (token, _) = app.token_with(user, &others, true, true).await;
            let reply = get(&target, &token).await;
            assert_eq!(reply.status, 403, "{target}");
            assert!(text(&reply).contains(scope.as_str()), "{}", text(&reply));
        }
    }
    app.write(&format!(
        "update passbook.personal_access_tokens set revoked_at = now() where token_id = '{revoked_id}'"
    ))
    .await;
    for entry in Entry::all() {
        let target = format!("{origin}/report/{}", entry.spec.id);
        assert_eq!(get(&target, &revoked).await.status, 401, "{target}");
        assert_eq!(Http::default().send(Method::POST, &target, &[]).await.status, 405, "{target}");
    }
    let token = app.token(user).await;
    for nowhere in ["", "nothing", "me/", "Me"] {
        assert_eq!(get(&format!("{origin}/report/{nowhere}"), &token).await.status, 404, "{nowhere}");
    }
}
