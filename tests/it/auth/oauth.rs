//! Access tokens of an identity provider: acceptance and rejection, provider documents, keys, and outages of the
//! provider.

mod attacks;
mod hammering;
mod keys;
mod outages;
mod sequences;
mod serving;

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use hyper::Method;
use passbook_domain::scope::Scope;
use serde_json::Value;
use tests::app::{App, configured_with};
use tests::database::Database;
use tests::http::Reply;
use tests::provider::{CLIENT, Checker, IdentityProvider, TestClock};
use tests::signer::Signer;
use uuid::Uuid;

/// The user of the tokens.
const USER: Uuid = Uuid::from_u128(0x8c1e_5d0e_1b57_4b9b_9f4e_2f6f_3a50_0b4d);

/// Starts a provider with one key. Returns the key, the provider and a checker of its tokens.
async fn one_key(algorithm: &'static str) -> (Signer, IdentityProvider, Checker) {
    let signer = Signer::new("k1", algorithm);
    let provider = IdentityProvider::start(&[&signer]).await;
    let checker = Checker::new(&provider.issuer);
    (signer, provider, checker)
}

/// Creates a checker with the time limit of a test that has an outage. Its clock is that of the provider's documents too.
fn checker_with_short_timeout(provider: &IdentityProvider) -> Checker {
    let clock = Arc::new(TestClock::default());
    let settings = passbook_auth::provider::Settings::new(&provider.issuer)
        .with_timeout(Duration::from_secs(1))
        .with_clock(clock.clone());
    Checker::with(settings, clock)
}

/// Returns an object with changed members. A member that is null in `changes` is removed.
fn changed(mut object: Value, changes: &Value) -> Value {
    let members = object.as_object_mut().expect("an object");
    for (name, value) in changes.as_object().expect("an object") {
        match value {
            Value::Null => drop(members.remove(name)),
            value => drop(members.insert(name.clone(), value.clone())),
        }
    }
    object
}

/// The address of the next request's client, from 10.0.0.1 on.
static CLIENTS: AtomicU32 = AtomicU32::new(0x0a00_0001);

/// A running server, its identity provider, and a person who has consented to a client.
pub(super) struct SignedIn {
    pub(super) app: App,
    pub(super) provider: IdentityProvider,
    pub(super) signer: Signer,
    pub(super) clock: Arc<TestClock>,
    pub(super) user: Uuid,
}

impl SignedIn {
    /// Starts a server without further settings.
    pub(super) async fn new() -> SignedIn {
        SignedIn::configured(&[]).await
    }

    /// Starts a server on which clients can request some data scopes.
    pub(super) async fn with_requestable_scopes(scopes: &[Scope]) -> SignedIn {
        let names: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
        SignedIn::configured(&[("PASSBOOK_OAUTH_REQUESTABLE_SCOPES", &names.join(","))]).await
    }

    async fn configured(environment: &[(&str, &str)]) -> SignedIn {
        let signer = Signer::new("k1", "ES256");
        let provider = IdentityProvider::start(&[&signer]).await;
        let clock = Arc::new(TestClock::default());
        // The limit of unseen tokens counts by the forwarded address, which differs from request to request.
        let environment = [&[("PASSBOOK_TRUSTED_PROXIES", "127.0.0.1")], environment].concat();
        let settings = configured_with(&provider, &clock, &environment);
        let app = App::start_with(Database::fresh().await, settings).await;
        let (household, _) = app.add_person().await;
        let fixture = SignedIn { app, provider, signer, clock, user: household.user.user_id };
        fixture.app.add_client(CLIENT, None, Scope::ALL, true).await;
        fixture
    }

    /// A token with changed claims.
    pub(super) fn token(&self, changes: &[(&str, Value)]) -> String {
        self.signer.sign(&self.provider.changed_claims(self.user, self.clock.now(), changes))
    }

    /// Sends a GET request with a fixed request identifier, so that responses can be compared.
    pub(super) async fn get(&self, path: &str, token: &str) -> Reply {
        let authorization = format!("Bearer {token}");
        let client = Ipv4Addr::from_bits(CLIENTS.fetch_add(1, Ordering::Relaxed)).to_string();
        let authorization = ("authorization", authorization.as_str());
        let headers = [authorization, ("x-request-id", "same"), ("x-forwarded-for", client.as_str())];
        self.app.send(Method::GET, path, &headers).await
    }
}
