//! A grant serves its own person only: nobody else's token can be attached to a person, moved unnoticed, or named
//! beside another's user id.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use domain::access::{Credential, GrantReference};
use domain::person::UserId;
use operations::catalogue::{Visitor, visit};
use operations::form::Form;
use operations::{Operation, Service};
use tests::app::{App, TODAY};
use tests::tenant_pair::Tenant;
use tokio_postgres::error::SqlState;
use uuid::Uuid;

use super::worlds::{Predicates, World, serve};

#[expect(clippy::disallowed_methods, reason = "the test plays an authentication that has gone wrong")]
fn credential(user: Uuid, grant: GrantReference) -> Credential {
    Credential::new(UserId::from_authenticated(user), grant)
}

/// How each operation without parameters is refused; none where it answers.
type Refusal<'a> = Pin<Box<dyn Future<Output = Option<String>> + 'a>>;

struct Refusals<'a> {
    service: &'a Service,
    credential: &'a Credential,
    found: Vec<(&'static str, Refusal<'a>)>,
}

impl Visitor for Refusals<'_> {
    fn visit<O: Operation>(&mut self) {
        let (service, credential) = (self.service, self.credential);
        let refusal = async move {
            let params = O::read(&mut Form::new(&[]));
            service.call::<O>(credential, params).await.err().map(|error| error.code().as_str().to_owned())
        };
        self.found.push((O::SPEC.id, Box::pin(refusal)));
    }
}

/// A service whose store asks in the given world.
fn service(configuration: tokio_postgres::Config) -> Service {
    let config = store::Config { connection: configuration, connections_max: 2, today: Some(TODAY) };
    Service::new(Arc::new(store::Store::new(config).expect("the address is one")))
}

async fn refusals(service: &Service, credential: &Credential) -> Vec<(&'static str, Option<String>)> {
    let mut visitor = Refusals { service, credential, found: Vec::new() };
    visit(&mut visitor);
    let mut refusals = Vec::new();
    for (id, refusal) in visitor.found {
        refusals.push((id, refusal.await));
    }
    refusals
}

#[tokio::test]
async fn a_grant_of_another_person_gives_nothing_in_any_world_with_a_wall() {
    for (predicates, row_security) in
        [(Predicates::All, true), (Predicates::None, true), (Predicates::All, false)]
    {
        let world = World { predicates, row_security };
        let served = serve(world).await;
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
                ("nobody's token", Uuid::nil().to_string(), Some("UNAUTHORIZED")),
            ];
            for (name, token, expected) in cases {
                let token = GrantReference::PersonalAccessToken(token.parse().expect("an identifier"));
                for (id, refusal) in refusals(&service, &credential(user, token)).await {
                    assert_eq!(refusal.as_deref(), expected, "{world:?}: {id} with {name}");
                }
            }
            for (name, client, expected) in [
                ("own client", me.client_id(), None),
                ("another's client", other.client_id(), Some("FORBIDDEN")),
                ("nobody's client", "dashboard-nobody".to_owned(), Some("UNAUTHORIZED")),
            ] {
                let client = GrantReference::OauthClient { client_id: client, session_id: None };
                for (id, refusal) in refusals(&service, &credential(user, client)).await {
                    assert_eq!(refusal.as_deref(), expected, "{world:?}: {id} with {name}");
                }
            }
        }
    }
}

#[tokio::test]
async fn one_hash_cannot_be_two_peoples_token() {
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
    let writer = app.database.connect(schema::WRITER).await;
    let refused = writer.batch_execute(&steal).await.expect_err("a hash is one person's");
    assert_eq!(refused.code(), Some(&SqlState::UNIQUE_VIOLATION));
}

#[tokio::test]
async fn a_token_moved_to_another_person_never_shows_the_first_ones_rows_again() {
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
    // This server remembers whose the hash was: that person no longer has such a token.
    let reply = app.get(list, &one.token).await;
    assert_eq!((reply.status.as_u16(), reply.code().as_str()), (401, "UNAUTHORIZED"));
    // One that does not remember takes it for what it is now.
    let unknowing = App::start_on_day(app.database.clone(), TODAY).await;
    let moved = unknowing.get(list, &one.token).await.ok();
    assert_eq!(moved, unknowing.get(list, &other.token).await.ok());
    assert!(!moved.to_string().contains(&one.id_mark()));
}
