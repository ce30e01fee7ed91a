//! Concurrent requests of many people on few connections return the same responses as sequential requests.

use std::sync::Arc;

use tests::app::App;
use tests::catalogue::listed;
use tests::http::Reply;
use tests::tenant_pair::Tenant;
use tokio::task::JoinSet;

use super::leaks::response_text;
use super::requests::Request;

const PEOPLE: usize = 20;
const REQUESTS: usize = 200;
/// Maximum number of attempts of one request. A response of 503 means that all connections are in use.
const ATTEMPTS_MAX: usize = 50;

/// A request without parameters for every operation.
fn requests() -> Vec<Request> {
    let plain = |spec: passbook_operations::Spec| Request {
        operation: spec.id,
        path: spec.path,
        parameters: Vec::new(),
        nonexistent: None,
    };
    listed().into_iter().map(|listed| plain(listed.spec)).collect()
}

async fn send_until_available(app: &App, tenant: &Tenant, request: &Request) -> Reply {
    for _ in 0..ATTEMPTS_MAX {
        let reply = app.get(&request.target(), &tenant.token).await;
        // A request waits for a permit of its user (429) and for a database connection (503) for a limited time.
        if ![429, 503].contains(&reply.status.as_u16()) {
            return reply;
        }
    }
    panic!("{} still returns 429 or 503 after {ATTEMPTS_MAX} attempts", request.target())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_requests_of_twenty_people_return_own_rows_only() {
    use passbook_domain::category::{ExpenseCategory, IncomeCategory};
    let app = Arc::new(App::start().await);
    app.load(Tenant::rates()).await;
    let mut tenants = Vec::new();
    for (number, factor) in (0..PEOPLE).zip(1..) {
        let tenant = Tenant::new(
            &format!("person{number:02}"),
            factor,
            ExpenseCategory::Tobacco,
            IncomeCategory::Pension,
        );
        app.load(tenant.records()).await;
        tenants.push(Arc::new(tenant));
    }
    let requests = Arc::new(requests());
    let mut alone = Vec::new();
    for tenant in &tenants {
        let mut answers = Vec::new();
        for request in requests.iter() {
            let answer = response_text(request, &send_until_available(&app, tenant, request).await);
            assert!(answer.starts_with("200"), "{answer}");
            for other in tenants.iter().filter(|other| other.word != tenant.word) {
                let leaks = answer.contains(&other.word) || answer.contains(&other.id_mark());
                assert!(!leaks, "the response to {} has a mark of {}: {answer}", tenant.word, other.word);
            }
            answers.push(answer);
        }
        alone.push(answers);
    }
    let distinct: std::collections::BTreeSet<&String> = alone.iter().map(|answers| &answers[1]).collect();
    assert_eq!(distinct.len(), PEOPLE, "every person has a different list");
    let mut crowd = JoinSet::new();
    for number in 0..REQUESTS {
        let (app, requests) = (app.clone(), requests.clone());
        let (person, index) = (number % PEOPLE, (number / PEOPLE + number) % requests.len());
        let tenant = tenants[person].clone();
        crowd.spawn(async move {
            let request = &requests[index];
            (person, index, response_text(request, &send_until_available(&app, &tenant, request).await))
        });
    }
    let mut count = 0;
    while let Some(answer) = crowd.join_next().await {
        let (person, index, answer) = answer.expect("the request ends without a panic");
        assert_eq!(answer, alone[person][index], "{} of person {person}", requests[index].target());
        count += 1;
    }
    assert_eq!(count, REQUESTS);
}
