//! The responses of REST from one copy of the database.

use hyper::Method;
use passbook_server::settings::Settings;
use tests::app::{TODAY, settings};
use tests::catalogue::listed;
use tests::http::{Http, query};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::cluster::{Cluster, DATABASE};

/// Requests besides those with the examples of each parameter: other ranges, orders, pages and filters.
const TARGETS: [&str; 16] = [
    "/v1/transactions?pageSize=100",
    "/v1/transactions?pageSize=100&timeRange=1y&sort=amount_desc",
    "/v1/transactions?dateFrom=2026-01-01&dateTo=2026-06-30&pageSize=100",
    "/v1/cashflow/summary?timeRange=1y",
    "/v1/cashflow/summary?timeRange=6m&includePending=true&includeExcluded=true",
    "/v1/cashflow/summary?dateFrom=2025-01-01",
    "/v1/spending/summary?timeRange=1y",
    "/v1/spending/categories?timeRange=1y",
    "/v1/spending/categories?timeRange=3m&includeExcluded=true",
    "/v1/spending/merchants/top?timeRange=1y&limit=100",
    "/v1/budgets/summary?year=2026&month=9",
    "/v1/budgets/categories?year=2026&month=10",
    "/v1/portfolio/history?timeRange=1m",
    "/v1/portfolio/history?timeRange=1y",
    "/v1/portfolio/history",
    "/v1/recurring-payments?pageSize=200",
];
/// Serves the database on [`TODAY`], after the start-up check, and returns each target with status and body of its
/// response.
pub(super) async fn responses(cluster: &Cluster, token: &str) -> Vec<(String, String)> {
    let settings = Settings { today: Some(TODAY), ..settings(&[]) };
    let reader = cluster.server.address().connect(passbook_schema::READER, DATABASE);
    let store = passbook_server::wiring::store(&settings, reader.into())
        .await
        .expect("role and schema pass the check");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let base = format!("http://{}/api", listener.local_addr().expect("an address"));
    let mount = passbook_server::wiring::mount(&settings, store, None, base.clone());
    let (stop, stopped) = oneshot::channel::<()>();
    let shutdown = async move {
        let _ = stopped.await;
    };
    let signals = passbook_transport::Stop { drain: shutdown, abort: std::future::pending() };
    let served = tokio::spawn(passbook_transport::serve(
        listener,
        mount,
        passbook_server::options(&settings),
        signals,
    ));
    let http = Http::default();
    let authorization = format!("Bearer {token}");
    let mut responses = Vec::new();
    for target in targets() {
        let headers = [("authorization", authorization.as_str())];
        let reply = http.send(Method::GET, &format!("{base}{target}"), &headers).await;
        let body = String::from_utf8(reply.body.to_vec()).expect("UTF-8");
        responses.push((target, format!("{} {body}", reply.status.as_u16())));
    }
    drop(stop);
    served.await.expect("the server ends without a panic");
    responses
}

/// Returns every operation without parameters and with the example of each of its parameters, and [`TARGETS`].
fn targets() -> Vec<String> {
    let mut targets: Vec<String> = TARGETS.map(str::to_owned).into();
    for operation in listed() {
        let path = operation.spec.path;
        targets.push(path.to_owned());
        for parameter in operation.parameters {
            let example = &parameter.example;
            let text = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
            targets.push(format!("{path}?{}", query(&[(parameter.name, &text)])));
        }
    }
    targets
}
