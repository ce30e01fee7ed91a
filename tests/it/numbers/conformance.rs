//! The store passes the conformance kit of `ledger-kit`, gives the answers of the ledger in memory for random
//! households, and these answers agree with each other.

use std::sync::Arc;

use passbook_domain::access::Credential;
use passbook_domain::scope::Scope;
use passbook_ledger_kit::{
    Grant, LedgerData, OpenLedger, Random, Report, Subject, check, check_agreement, household, sample,
};
use passbook_store::Store;
use tests::app::{App, token_credential};
use tests::compared::compare;
use tests::stored_data::{derive_tag_ids, rates, records, store};

/// A store with the sample, and the tokens of its people.
struct Stored {
    store: Arc<Store>,
    grants: Vec<(String, Grant, Credential)>,
}

impl Subject for Stored {
    fn open(&self, person: &str, grant: Grant) -> Option<OpenLedger> {
        let mut grants = self.grants.iter();
        let (.., credential) = grants.find(|(name, kind, _)| name == person && *kind == grant)?;
        Some(OpenLedger { ledger: self.store.clone(), credential: credential.clone() })
    }
}

async fn stored(app: &App, sample: LedgerData) -> Stored {
    app.load(rates(&sample)).await;
    let mut grants = Vec::new();
    let spending = [Scope::SpendingRead, Scope::CashflowRead];
    let mut last_token = None;
    // The first person comes last, so that the token of another person exists.
    for person in sample.people.iter().rev() {
        app.load(records(person)).await;
        for (kind, scopes, mcp, change) in [
            (Grant::Full, Scope::ALL, true, "created_at = created_at"),
            (Grant::Spending, &spending[..], true, "created_at = created_at"),
            (Grant::Revoked, Scope::ALL, true, "revoked_at = now()"),
            (
                Grant::Expired,
                Scope::ALL,
                true,
                "created_at = now() - interval '2 days', expires_at = now() - interval '1 second'",
            ),
            (Grant::RestOnly, Scope::ALL, false, "created_at = created_at"),
        ] {
            // The kit calls the other people under their full grants only.
            if kind != Grant::Full && person.name != "ada" {
                continue;
            }
            let (_, token) = app.token_with(person.id, scopes, true, mcp).await;
            app.write(&format!(
                "update passbook.personal_access_tokens set {change} where token_id = '{token}'"
            ))
            .await;
            grants.push((person.name.clone(), kind, token_credential(person.id, token)));
            if kind == Grant::Full
                && let Some(other) = last_token.replace(token)
            {
                grants.push((
                    person.name.clone(),
                    Grant::OfAnotherPerson,
                    token_credential(person.id, other),
                ));
            }
        }
    }
    Stored { store: store(&app.database, &sample), grants }
}

#[tokio::test]
async fn store_passes_the_conformance_kit() {
    let app = App::start().await;
    let subject = stored(&app, sample()).await;
    let report = check(&subject).await;
    assert!(report.is_conforming(), "{report}");
    assert_eq!(report.skipped, [""; 0]);
}

/// Number of random households, in an ordinary and in a thorough test run.
const CASES: (u32, u32) = (4, 60);
/// Number of households whose answers are compared with each other.
const AGREEING: u64 = 1;

#[tokio::test]
async fn answers_of_random_households_are_those_of_the_ledger_in_memory() {
    let app = App::start().await;
    for seed in 0..u64::from(tests::cases(CASES.0, CASES.1)) {
        let mut data = household(seed);
        derive_tag_ids(&mut data.people[0]);
        // Rates are shared by all users, so the rates of the previous case are deleted.
        app.write("delete from passbook.exchange_rates").await;
        app.load(rates(&data).into_iter().chain(records(&data.people[0]))).await;
        let (user, start) = (data.people[0].id, data.people[0].month_start.number());
        app.write(&format!("update passbook.users set month_start = {start} where user_id = '{user}'")).await;
        compare(&[], &app.database, &data, &mut Random::new(seed), &format!("household({seed})")).await;
        if seed < AGREEING {
            let user = data.people[0].id;
            let (_, token) = app.token_with(user, passbook_domain::scope::Scope::ALL, true, true).await;
            let ledger = store(&app.database, &data);
            let open = OpenLedger { ledger, credential: token_credential(user, token) };
            let mut report = Report::default();
            check_agreement(&open, &format!("household({seed})"), &mut report).await;
            assert!(report.is_conforming(), "{report}");
        }
    }
}
