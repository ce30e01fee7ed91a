//! Random households: the store gives the answers of the ledger in memory, and they agree with each other.

use passbook_ledger_kit::{OpenLedger, Random, Report, check_agreement, household};
use tests::app::App;
use tests::compared::compare;
use tests::stored_data::{credential, rates, records, store};

/// Number of random households, in an ordinary and in a thorough test run.
const CASES: (u32, u32) = (16, 60);
/// Number of households whose answers are compared with each other.
const AGREEING: u64 = 2;

#[tokio::test]
async fn answers_of_random_households_are_those_of_the_ledger_in_memory() {
    let app = App::start().await;
    for seed in 0..u64::from(tests::cases(CASES.0, CASES.1)) {
        let data = household(seed);
        // Rates are shared by all users, so the rates of the previous case are deleted.
        app.write("delete from passbook.exchange_rates").await;
        app.load(rates(&data).into_iter().chain(records(&data.people[0]))).await;
        compare(&[], &app.database, &data, &mut Random::new(seed), &format!("household({seed})")).await;
        if seed < AGREEING {
            let user = data.people[0].id;
            let (_, token) = app.token_with(user, passbook_domain::scope::Scope::ALL, true, true).await;
            let ledger = store(&app.database, &data);
            let open = OpenLedger { ledger, credential: credential(user, token) };
            let mut report = Report::default();
            check_agreement(&open, &format!("household({seed})"), &mut report).await;
            assert!(report.is_conforming(), "{report}");
        }
    }
}
