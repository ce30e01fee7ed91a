//! The store passes the conformance kit `ledger-check`.

mod assets;

use std::collections::BTreeMap;
use std::sync::Arc;

use passbook_domain::access::{Credential, GrantReference};
use passbook_domain::category::Category;
use passbook_domain::person::UserId;
use passbook_domain::scope::Scope;
use passbook_ledger_check::{Grant, OpenLedger, Sample, SamplePerson, Subject, check, sample};
use passbook_records::record::{ExchangeRate, Record};
use passbook_store::{Config, Store};
use tests::app::App;
use tests::household::{Household, decimal};
use uuid::Uuid;

/// A store with the sample, and the tokens of its people.
struct Stored {
    store: Arc<Store>,
    grants: BTreeMap<(&'static str, &'static str), Credential>,
}

impl Subject for Stored {
    fn open(&self, person: &str, grant: Grant) -> Option<OpenLedger> {
        let kind = match grant {
            Grant::Full => "full",
            Grant::Spending => "spending",
            Grant::Revoked => "revoked",
            Grant::Expired => "expired",
            Grant::RestOnly => "rest only",
            Grant::OfAnotherPerson => "of another person",
        };
        let (_, credential) =
            self.grants.iter().find(|((name, known), _)| *name == person && *known == kind)?;
        Some(OpenLedger { ledger: self.store.clone(), credential: credential.clone() })
    }
}

/// Returns the records of a person of the sample: the person, the assets, and then what refers to accounts.
fn records(person: &SamplePerson) -> (Uuid, Vec<Record>) {
    let Household { user, transactions, budgets, .. } = household(person);
    let user_id = user.user_id;
    let mut records = vec![Record::User(user)];
    records.extend(assets::records(user_id, &person.assets));
    records.extend(transactions.into_iter().map(Record::Transaction));
    records.extend(budgets.into_iter().map(Record::Budget));
    (user_id, records)
}

/// Returns the household of a person of the sample, without assets.
fn household(person: &SamplePerson) -> Household {
    let mut household = Household::new();
    household.user.preferred_currency = person.preferred_currency;
    household.user.time_zone = person.time_zone.to_owned();
    household.user.excluded_categories = person.excluded_categories.clone();
    for row in &person.transactions {
        let (date, currency) = (row.date.to_string(), row.currency.to_string());
        let stored = household.row(&date, row.r#type, row.category, row.amount_cents, &currency);
        stored.transaction_id = row.id;
        stored.account_id = row.account_id.expect("every row of the sample has an account");
        stored.title = row.title.clone();
        stored.pending = row.pending;
        stored.merchant_name = row.merchant_name.clone();
        stored.linked_transaction_id = row.linked_transaction_id;
    }
    for (category, target) in &person.targets {
        let currency = target.currency.to_string();
        household.budget(Category::Expense(*category), target.amount_cents, &currency);
    }
    household
}

#[expect(clippy::disallowed_methods, reason = "the test is the caller of the ledger")]
fn credential(user: Uuid, token: Uuid) -> Credential {
    Credential::new(UserId::from_authenticated(user), GrantReference::PersonalAccessToken(token))
}

async fn stored(app: &App, sample: Sample) -> Stored {
    let rates = sample.rates.iter().map(|rate| {
        let units_per_base = decimal(rate.units_per_base);
        Record::ExchangeRate(ExchangeRate { currency: rate.currency, as_of: rate.day, units_per_base })
    });
    app.load(rates).await;
    let mut grants = BTreeMap::new();
    let spending = [Scope::SpendingRead, Scope::CashflowRead];
    let mut last_token = None;
    for person in sample.people.iter().rev() {
        let (user, records) = records(person);
        app.load(records).await;
        for (kind, scopes, mcp) in [
            ("full", Scope::ALL, true),
            ("spending", &spending[..], true),
            ("revoked", Scope::ALL, true),
            ("expired", Scope::ALL, true),
            ("rest only", Scope::ALL, false),
        ] {
            let (_, token) = app.token_with(user, scopes, true, mcp).await;
            let change = match kind {
                "revoked" => "revoked_at = now()",
                "expired" => {
                    "created_at = now() - interval '2 days', expires_at = now() - interval '1 second'"
                }
                _ => "created_at = created_at",
            };
            app.write(&format!(
                "update passbook.personal_access_tokens set {change} where token_id = '{token}'"
            ))
            .await;
            grants.insert((person.name, kind), credential(user, token));
            if kind == "full"
                && let Some(other) = last_token.replace(token)
            {
                grants.insert((person.name, "of another person"), credential(user, other));
            }
        }
    }
    let connection = app.database.configuration(passbook_schema::READER).into();
    let config = Config::new(connection).with_today(sample.today);
    let store = Store::connect(config).await.expect("role and schema pass the check");
    Stored { store: Arc::new(store), grants }
}

#[tokio::test]
async fn store_passes_the_conformance_kit() {
    let app = App::start().await;
    let subject = stored(&app, sample()).await;
    let report = check(&subject).await;
    assert!(report.is_conforming(), "{report}");
    assert_eq!(report.skipped, [""; 0]);
}
