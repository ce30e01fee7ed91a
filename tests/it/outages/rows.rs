//! Rows that violate the contract: the response contains no detail, the log names query and column.

use std::error::Error as StdError;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use domain::access::{Credential, GrantReference};
use domain::person::UserId;
use operations::catalogue::{Visitor, visit};
use operations::form::Form;
use operations::{Error, Operation, Service};
use store::{Config, Store};
use tests::app::{App, TODAY};
use tests::catalogue::tools;
use tests::database::Database;
use tests::household::Household;
use tests::mcp::{Era, failure};
use uuid::Uuid;

type Failing<'a> = Pin<Box<dyn Future<Output = (&'static str, Option<Error>)> + 'a>>;

/// Calls every operation without parameters.
struct CallAll<'a> {
    service: &'a Service,
    credential: &'a Credential,
    calls: Vec<Failing<'a>>,
}

impl Visitor for CallAll<'_> {
    fn visit<O: Operation>(&mut self) {
        let (service, credential) = (self.service, self.credential);
        self.calls.push(Box::pin(async move {
            let params = O::read(&mut Form::new(&[]));
            (O::SPEC.path, service.call::<O>(credential, params).await.err())
        }));
    }
}

/// The error chains, as logged, of the operations that fail.
async fn failures(database: &Database, credential: &Credential) -> Vec<(&'static str, String)> {
    let connection = database.configuration("passbook_reader");
    let store = Store::new(Config { connection, connections_max: 1, today: Some(TODAY) })
        .expect("the configuration is valid");
    let service = Service::new(Arc::new(store));
    let mut all = CallAll { service: &service, credential, calls: Vec::new() };
    visit(&mut all);
    let mut failures = Vec::new();
    for call in all.calls {
        if let (path, Some(error)) = call.await {
            let first: &(dyn StdError + 'static) = &error;
            let chain =
                std::iter::successors(Some(first), |error: &&'_ (dyn StdError + 'static)| (*error).source());
            failures.push((path, chain.map(ToString::to_string).collect::<Vec<String>>().join(": ")));
        }
    }
    failures
}

#[expect(clippy::disallowed_methods, reason = "the test acts as its own person")]
fn credential(user: Uuid, token: Uuid) -> Credential {
    Credential::new(UserId::from_authenticated(user), GrantReference::PersonalAccessToken(token))
}

/// Damage to the database, and the operations that then fail with the text that their error chain must contain.
type Case = (&'static str, &'static [(&'static str, &'static str)]);

const CASES: &[Case] = &[
    (
        "alter table passbook.transactions drop constraint transactions_category_fkey, \
         drop constraint transactions_category_side_fkey; update passbook.transactions set category = 'NO_SUCH_WORD'",
        &[
            ("/v1/transactions", "transactions_date_desc.category"),
            ("/v1/spending/categories", "spending_categories.category"),
            ("/v1/recurring-payments", "recurring_payments.category"),
            ("/v1/budgets/summary", "spending_categories.category"),
        ],
    ),
    (
        "alter table passbook.transactions drop constraint transactions_currency_check; \
         update passbook.transactions set currency = 'no such word'",
        &[
            ("/v1/transactions", "transactions_date_desc.currency"),
            ("/v1/cashflow/summary", "cashflow.currency"),
            ("/v1/spending/summary", "spending_periods.currency"),
            ("/v1/spending/categories", "spending_categories.currency"),
            ("/v1/spending/merchants/top", "top_merchants.currency"),
            ("/v1/recurring-payments", "recurring_payments.currency"),
            ("/v1/budgets/summary", "spending_categories.currency"),
        ],
    ),
    (
        "alter table passbook.excluded_categories drop constraint excluded_categories_category_side_fkey; \
         insert into passbook.excluded_categories (user_id, category) select user_id, 'NO_SUCH_WORD' from passbook.users",
        &[
            ("/v1/me", "open_session.excluded_categories"),
            ("/v1/transactions", "open_session.excluded_categories"),
            ("/v1/cashflow/summary", "open_session.excluded_categories"),
            ("/v1/spending/summary", "open_session.excluded_categories"),
            ("/v1/spending/categories", "open_session.excluded_categories"),
            ("/v1/spending/merchants/top", "open_session.excluded_categories"),
            ("/v1/recurring-payments", "open_session.excluded_categories"),
            ("/v1/budgets/summary", "open_session.excluded_categories"),
            ("/v1/budgets/categories", "open_session.excluded_categories"),
            ("/v1/banks/status", "open_session.excluded_categories"),
            ("/v1/portfolio", "open_session.excluded_categories"),
            ("/v1/portfolio/history", "open_session.excluded_categories"),
            ("/v1/preferences", "open_session.excluded_categories"),
        ],
    ),
    (
        "drop view passbook_read.budgets",
        &[
            ("/v1/budgets/summary", "the query budget_targets failed"),
            ("/v1/budgets/categories", "the query budget_categories failed"),
        ],
    ),
    (
        "alter table passbook.banks drop constraint banks_status_check; update passbook.banks set status = 'LOST'",
        &[("/v1/banks/status", "banks.status"), ("/v1/portfolio", "banks.status")],
    ),
    (
        "alter table passbook.accounts drop constraint accounts_type_check; update passbook.accounts set type = 'x'",
        &[("/v1/portfolio", "open_accounts.type")],
    ),
];

#[tokio::test]
async fn row_violating_the_contract_gives_500_and_a_log_entry_with_the_column() {
    for (damage, expected) in CASES {
        let app = App::start().await;
        let mut household = Household::new();
        household.expense("2026-11-01", domain::category::ExpenseCategory::Rent, 120_000, "EUR");
        app.load(household.records()).await;
        let user = household.user.user_id;
        let (token, token_id) = app.token_with(user, domain::scope::Scope::ALL, true, true).await;
        let credential = credential(user, token_id);
        assert_eq!(failures(&app.database, &credential).await, []);

        let superuser = app.database.connect("postgres").await;
        superuser.batch_execute(damage).await.expect("a superuser can damage the data");
        let failures = failures(&app.database, &credential).await;
        let failing: Vec<&str> = failures.iter().map(|(path, _)| *path).collect();
        assert_eq!(failing, expected.iter().map(|(path, _)| *path).collect::<Vec<&str>>(), "{damage}");
        for ((path, chain), (_, named)) in failures.iter().zip(*expected) {
            assert!(chain.contains(named), "{path}: {chain}");
            let reply = app.get(path, &token).await;
            assert_eq!((reply.status.as_u16(), reply.code().as_str()), (500, "INTERNAL"), "{path}");
            let error = &reply.json()["error"];
            let public = "Something went wrong here; the request id identifies it in our log.";
            assert_eq!(error["message"], public, "{path}");
            assert!(error["details"].is_null(), "{path}");
            assert_eq!(error["requestId"], reply.header("x-request-id"), "{path}");
            for (tool, _) in tools().iter().filter(|(_, tool)| tool.spec.path == *path) {
                let call = app.call(Era::Legacy, &token, tool, serde_json::json!({})).await;
                let expected_text = format!("{public} Request id: {}.", call.header("x-request-id"));
                assert_eq!((call.status.as_u16(), failure(&call)), (200, expected_text), "{tool}");
            }
        }
    }
}
