//! Rows that violate the contract: the response contains no detail, the log names query and column.

use std::error::Error as StdError;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use passbook_domain::access::{Credential, GrantReference};
use passbook_domain::person::UserId;
use passbook_operations::catalogue::{Visitor, visit};
use passbook_operations::form::Form;
use passbook_operations::{Error, Operation, Service};
use passbook_store::{Config, Store};
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
    let connection = database.configuration("passbook_reader").into();
    let store = Store::new(Config::new(connection).with_connections_max(1).with_today(TODAY))
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

/// Damage to the database, the text that the error chain of every operation that then fails must contain, and operations
/// that must fail. Other operations may fail too, so a new operation needs no entry.
type Case = (&'static str, &'static str, MustFail);

/// The operations that must fail because of damage.
enum MustFail {
    Every,
    /// The operations with these paths.
    Paths(&'static [&'static str]),
}

const CASES: &[Case] = &[
    (
        "alter table passbook.transactions drop constraint transactions_category_category_kind_fkey, disable trigger user; \
         update passbook.transactions set category = 'NO_SUCH_WORD'",
        ".category",
        // Totals are read by the categories of the reference table.
        MustFail::Paths(&["/v1/transactions", "/v1/recurring-payments"]),
    ),
    (
        "alter domain passbook.currency_code drop constraint currency_code_check; \
         update passbook.transactions set currency = 'no such word'",
        ".currency",
        MustFail::Paths(&["/v1/transactions", "/v1/cashflow/summary", "/v1/budgets/summary"]),
    ),
    (
        "alter table passbook.excluded_categories drop constraint excluded_categories_category_category_kind_fkey; \
         insert into passbook.excluded_categories (user_id, category) select user_id, 'NO_SUCH_WORD' from passbook.users",
        "open_session.excluded_categories",
        MustFail::Every,
    ),
    (
        "drop view passbook_read.budgets",
        "the query budget_",
        MustFail::Paths(&["/v1/budgets/summary", "/v1/budgets/categories"]),
    ),
    (
        "alter table passbook.bank_connections drop constraint bank_connections_status_check; update passbook.bank_connections set status = 'LOST'",
        "banks.status",
        MustFail::Paths(&["/v1/banks/status", "/v1/portfolio"]),
    ),
    (
        "alter table passbook.accounts drop constraint accounts_type_check; update passbook.accounts set type = 'x'",
        "open_accounts.type",
        MustFail::Paths(&["/v1/portfolio"]),
    ),
];

#[tokio::test]
async fn row_violating_the_contract_gives_500_and_a_log_entry_with_the_column() {
    for (damage, named, must_fail) in CASES {
        let app = App::start().await;
        let mut household = Household::new();
        household.expense("2026-11-01", passbook_domain::category::ExpenseCategory::Rent, 120_000, "EUR");
        app.load(household.records()).await;
        let user = household.user.user_id;
        let (token, token_id) = app.token_with(user, passbook_domain::scope::Scope::ALL, true, true).await;
        let credential = credential(user, token_id);
        assert_eq!(failures(&app.database, &credential).await, []);

        let superuser = app.database.connect("postgres").await;
        superuser.batch_execute(damage).await.expect("a superuser can damage the data");
        let failures = failures(&app.database, &credential).await;
        let failing: Vec<&str> = failures.iter().map(|(path, _)| *path).collect();
        let every = super::paths();
        let expected = match must_fail {
            MustFail::Every => every.as_slice(),
            MustFail::Paths(paths) => *paths,
        };
        for path in expected {
            assert!(failing.contains(path), "{path} must fail: {damage}");
        }
        for (path, chain) in &failures {
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
