//! A grant serves its own person only: a credential that names one person and the grant of another is rejected, two
//! people cannot have the same token, and a token that moves to another person shows no row of the previous one.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use passbook_domain::access::{Credential, GrantReference};
use passbook_domain::person::UserId;
use passbook_operations::catalogue::{Visitor, visit};
use passbook_operations::form::Form;
use passbook_operations::{Operation, Service};
use tests::app::{App, TODAY};
use tests::tenant_pair::Tenant;
use tokio_postgres::error::SqlState;
use uuid::Uuid;

use super::protection::{Predicates, Protection, serve};

#[expect(clippy::disallowed_methods, reason = "the test simulates a faulty authentication")]
fn credential(user: Uuid, grant: GrantReference) -> Credential {
    Credential::new(UserId::from_authenticated(user), grant)
}

/// The error code of a call without parameters. None if the call succeeds.
type ErrorCode<'a> = Pin<Box<dyn Future<Output = Option<String>> + 'a>>;

struct ErrorCodes<'a> {
    service: &'a Service,
    credential: &'a Credential,
    found: Vec<(&'static str, ErrorCode<'a>)>,
}

impl Visitor for ErrorCodes<'_> {
    fn visit<O: Operation>(&mut self) {
        let (service, credential) = (self.service, self.credential);
        let error_code = async move {
            let params = O::read(&mut Form::new(&[]));
            service.call::<O>(credential, params).await.err().map(|error| error.code().as_str().to_owned())
        };
        self.found.push((O::SPEC.id, Box::pin(error_code)));
    }
}

/// A service whose store connects with `configuration`.
fn service(configuration: tokio_postgres::Config) -> Service {
    let config = passbook_store::Config::new(configuration.into()).with_connections_max(2).with_today(TODAY);
    Service::new(Arc::new(passbook_store::Store::new(config).expect("the configuration is valid")))
}

async fn error_codes(service: &Service, credential: &Credential) -> Vec<(&'static str, Option<String>)> {
    let mut visitor = ErrorCodes { service, credential, found: Vec::new() };
    visit(&mut visitor);
    let mut error_codes = Vec::new();
    for (id, error_code) in visitor.found {
        error_codes.push((id, error_code.await));
    }
    error_codes
}

#[tokio::test]
async fn grant_of_another_person_is_rejected_if_either_isolation_mechanism_is_on() {
    for (predicates, row_security) in
        [(Predicates::All, true), (Predicates::None, true), (Predicates::All, false)]
    {
        let protection = Protection { predicates, row_security };
        let served = serve(protection).await;
        let tenants = Tenant::pair();
        for tenant in &tenants {
            served.app.load(tenant.records()).await;
        }
        let service = service(served.proxy.configuration());
        for (me, other) in [(&tenants[0], &tenants[1]), (&tenants[1], &tenants[0])] {
            let user = me.household.user.user_id;
            let cases = [
                ("own token", me.token_id.to_string(), None),
                ("another's token", other.token_id.to_string(), Some("UNAUTHORIZED")),
                ("unknown token", Uuid::nil().to_string(), Some("UNAUTHORIZED")),
            ];
            for (name, token, expected) in cases {
                let token = GrantReference::PersonalAccessToken(token.parse().expect("an identifier"));
                for (id, error_code) in error_codes(&service, &credential(user, token)).await {
                    assert_eq!(error_code.as_deref(), expected, "{protection:?}: {id} with {name}");
                }
            }
            for (name, client, expected) in [
                ("own client", me.client_id(), None),
                ("another's client", other.client_id(), Some("FORBIDDEN")),
                ("unknown client", "dashboard-unknown".to_owned(), Some("UNAUTHORIZED")),
            ] {
                let client = GrantReference::OauthClient { client_id: client, session_id: None };
                for (id, error_code) in error_codes(&service, &credential(user, client)).await {
                    assert_eq!(error_code.as_deref(), expected, "{protection:?}: {id} with {name}");
                }
            }
        }
    }
}

#[tokio::test]
async fn two_people_cannot_have_the_same_token_hash() {
    let app = App::start().await;
    let [one, other] = Tenant::pair();
    for tenant in [&one, &other] {
        app.load(tenant.records()).await;
    }
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
    let [one, other] = Tenant::pair();
    for tenant in [&one, &other] {
        app.load(tenant.records()).await;
    }
    let list = "/v1/transactions";
    assert!(app.get(list, &one.token).await.ok().to_string().contains(&one.id_mark()));
    app.write(&format!(
        "update passbook.personal_access_tokens set user_id = '{}' where token_id = '{}'",
        other.household.user.user_id, one.token_id
    ))
    .await;
    // This server has cached the previous owner of the token, who no longer has such a token.
    let reply = app.get(list, &one.token).await;
    assert_eq!((reply.status.as_u16(), reply.code().as_str()), (401, "UNAUTHORIZED"));
    // A server without the cached owner accepts the token as a token of the new owner.
    let unknowing = App::start_on_day(app.database.clone(), TODAY).await;
    let moved = unknowing.get(list, &one.token).await.ok();
    assert_eq!(moved, unknowing.get(list, &other.token).await.ok());
    assert!(!moved.to_string().contains(&one.id_mark()));
}
