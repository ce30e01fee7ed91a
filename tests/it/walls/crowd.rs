//! Many people at once on few connections: each is told what they were told when they were alone.

use std::sync::Arc;

use tests::app::App;
use tests::catalogue::listed;
use tests::http::Reply;
use tests::tenant_pair::Tenant;
use tokio::task::JoinSet;

use super::asks::Ask;
use super::findings::told;

const PEOPLE: usize = 20;
const REQUESTS: usize = 200;
/// Askings of one request that may be answered with "try again shortly", because all connections are taken.
const TRIES_MAX: usize = 50;

/// Every operation without parameters.
fn asks() -> Vec<Ask> {
    let plain = |spec: operations::Spec| Ask {
        operation: spec.id,
        path: spec.path,
        parameters: Vec::new(),
        nonexistent_neighbor: None,
    };
    listed().into_iter().map(|listed| plain(listed.spec)).collect()
}

async fn answered(app: &App, tenant: &Tenant, ask: &Ask) -> Reply {
    for _ in 0..TRIES_MAX {
        let reply = app.get(&ask.target(), &tenant.token).await;
        if reply.status != 503 {
            return reply;
        }
    }
    panic!("{} is not answered", ask.target())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_requests_of_twenty_people_at_once_are_each_answered_for_their_own() {
    use domain::category::{ExpenseCategory, IncomeCategory};
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
    let asks = Arc::new(asks());
    let mut alone = Vec::new();
    for tenant in &tenants {
        let mut answers = Vec::new();
        for ask in asks.iter() {
            let answer = told(ask, &answered(&app, tenant, ask).await);
            assert!(answer.starts_with("200"), "{answer}");
            for other in tenants.iter().filter(|other| other.word != tenant.word) {
                let betrays = answer.contains(&other.word) || answer.contains(&other.id_mark());
                assert!(!betrays, "{} is told of {}: {answer}", tenant.word, other.word);
            }
            answers.push(answer);
        }
        alone.push(answers);
    }
    let distinct: std::collections::BTreeSet<&String> = alone.iter().map(|answers| &answers[1]).collect();
    assert_eq!(distinct.len(), PEOPLE, "everybody's list is another");
    let mut crowd = JoinSet::new();
    for number in 0..REQUESTS {
        let (app, asks) = (app.clone(), asks.clone());
        let (person, question) = (number % PEOPLE, (number / PEOPLE + number) % asks.len());
        let tenant = tenants[person].clone();
        crowd.spawn(async move {
            let ask = &asks[question];
            (person, question, told(ask, &answered(&app, &tenant, ask).await))
        });
    }
    let mut count = 0;
    while let Some(answer) = crowd.join_next().await {
        let (person, question, answer) = answer.expect("the request ends");
        assert_eq!(answer, alone[person][question], "{} of person {person}", asks[question].target());
        count += 1;
    }
    assert_eq!(count, REQUESTS);
}
