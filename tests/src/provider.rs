//! An identity provider that does what a test wants: it publishes keys, changes them, fails, hangs, and counts who asks.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use auth::Clock;
use bytes::Bytes;
use domain::access::Credential;
use domain::ports::{BoxFuture, ReadError, TokenDirectory, TokenHash, TokenOwner};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use uuid::Uuid;

use crate::signer::Signer;

/// The moment at which a [`TestClock`] starts: 2026-11-21T12:00:00Z, in seconds since 1970.
pub const NOON: i64 = 1_795_262_400;
/// An audience, as Supabase writes it.
pub const AUDIENCE: &str = "authenticated";
/// A client.
pub const CLIENT: &str = "0b6f1c9e-6a0f-4c1d-8f0a-4c7de2a90001";

/// How a provider answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mood {
    /// As it should.
    Well,
    /// With this status and nothing else.
    Status(u16),
    /// It closes the connection.
    Stopped,
    /// Never.
    Hanging,
    /// With this body.
    Body(Vec<u8>),
    /// With a redirect.
    Redirecting(String),
}

/// A provider on a port of its own.
#[derive(Clone, Debug)]
pub struct IdentityProvider {
    /// Its identifier.
    pub issuer: String,
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    mood: Mood,
    missing: Vec<String>,
    metadata: Value,
    keys: Value,
    hits: BTreeMap<String, usize>,
}

impl IdentityProvider {
    /// A provider that publishes the keys of these signers.
    pub async fn start(signers: &[&Signer]) -> IdentityProvider {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let issuer = format!("http://{address}/auth/v1");
        let metadata = json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{issuer}/oauth/authorize"),
            "token_endpoint": format!("{issuer}/oauth/token"),
            "jwks_uri": format!("{issuer}/keys"),
            "scopes_supported": ["openid", "profile", "email"],
            "code_challenge_methods_supported": ["S256", "plain"],
        });
        let keys = json!({ "keys": signers.iter().map(|signer| signer.jwk()).collect::<Vec<Value>>() });
        let state = State { mood: Mood::Well, missing: Vec::new(), metadata, keys, hits: BTreeMap::new() };
        let provider = IdentityProvider { issuer, address, state: Arc::new(Mutex::new(state)) };
        tokio::spawn(provider.clone().serve(listener));
        provider
    }

    /// Its host and port, as an address.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Changes how it answers.
    pub fn mood(&self, mood: Mood) {
        self.state().mood = mood;
    }

    /// Publishes other keys.
    pub fn publish(&self, keys: Value) {
        self.state().keys = json!({ "keys": keys });
    }

    /// Publishes the keys of these signers only.
    pub fn rotate(&self, signers: &[&Signer]) {
        self.publish(signers.iter().map(|signer| signer.jwk()).collect());
    }

    /// Changes what it says of itself.
    pub fn say(&self, member: &str, value: Value) {
        self.state().metadata[member] = value;
    }

    /// Answers 404 at a path.
    pub fn hide(&self, path: &str) {
        self.state().missing.push(path.to_owned());
    }

    /// How often a path was asked for.
    pub fn hits(&self, path: &str) -> usize {
        self.state().hits.get(path).copied().unwrap_or_default()
    }

    /// How often the keys were.
    pub fn key_hits(&self) -> usize {
        self.hits("/auth/v1/keys")
    }

    /// How often anything was.
    pub fn all_hits(&self) -> usize {
        self.state().hits.values().sum()
    }

    /// The claims of a good token, at a moment in seconds since 1970.
    pub fn claims(&self, user: Uuid, now: i64) -> Value {
        json!({
            "iss": self.issuer,
            "aud": AUDIENCE,
            "sub": user,
            "exp": now + 3_600,
            "iat": now,
            "role": "authenticated",
            "client_id": CLIENT,
            "session_id": "5b0a5d7e-4f57-4f0e-9f53-77e1a6a70001",
            "is_anonymous": false,
        })
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn serve(self, listener: TcpListener) {
        while let Ok((stream, _)) = listener.accept().await {
            let this = self.clone();
            let service = service_fn(move |request| this.clone().answer(request));
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    }

    async fn answer(self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Stopped> {
        let path = request.uri().path().to_owned();
        let (mood, found) = {
            let mut state = self.state();
            *state.hits.entry(path.clone()).or_default() += 1;
            let found = match path.as_str() {
                _ if state.missing.contains(&path) => None,
                "/auth/v1/keys" => Some(state.keys.to_string()),
                path if path.contains("/.well-known/") => Some(state.metadata.to_string()),
                _ => None,
            };
            (state.mood.clone(), found)
        };
        let reply = |status: u16, body: Vec<u8>| {
            let builder = Response::builder().status(status).header("cache-control", "public, max-age=600");
            builder.body(Full::new(Bytes::from(body))).expect("it is a response")
        };
        match (mood, found) {
            (Mood::Well, Some(text)) => Ok(reply(200, text.into_bytes())),
            (Mood::Well, None) => Ok(reply(404, Vec::new())),
            (Mood::Status(status), _) => Ok(reply(status, Vec::new())),
            (Mood::Body(body), _) => Ok(reply(200, body)),
            (Mood::Stopped, _) => Err(Stopped),
            (Mood::Hanging, _) => std::future::pending().await,
            (Mood::Redirecting(to), _) => {
                let builder = Response::builder().status(302).header("location", to);
                Ok(builder.body(Full::default()).expect("it is a response"))
            }
        }
    }
}

/// The provider hangs up.
#[derive(Debug)]
struct Stopped;

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("stopped")
    }
}

impl std::error::Error for Stopped {}

/// A clock that moves when it is told to.
#[derive(Debug, Default)]
pub struct TestClock {
    passed: Mutex<Duration>,
}

impl TestClock {
    /// Lets seconds pass.
    pub fn pass(&self, seconds: u64) {
        *self.passed.lock().unwrap_or_else(PoisonError::into_inner) += Duration::from_secs(seconds);
    }

    /// The moment it shows.
    pub fn now(&self) -> i64 {
        self.unix_seconds()
    }
}

impl Clock for TestClock {
    fn unix_seconds(&self) -> i64 {
        NOON + i64::try_from(self.elapsed().as_secs()).expect("tests are short")
    }

    fn elapsed(&self) -> Duration {
        *self.passed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A directory without tokens.
#[derive(Debug)]
pub struct NoTokens;

impl TokenDirectory for NoTokens {
    fn find(&self, _hash: TokenHash) -> BoxFuture<'_, Result<Option<TokenOwner>, ReadError>> {
        Box::pin(async { Ok(None) })
    }
}

/// What checks the tokens of a provider, without a server around it.
#[derive(Debug)]
pub struct Checker {
    /// The provider, as it is seen from the service.
    pub provider: auth::Provider,
    /// Its clock.
    pub clock: Arc<TestClock>,
    authenticator: auth::Authenticator,
}

impl Checker {
    /// A checker for tokens with [`AUDIENCE`].
    pub fn new(issuer: &str) -> Checker {
        let clock = Arc::new(TestClock::default());
        let mut settings = auth::provider::Settings::new(issuer);
        settings.clock = clock.clone();
        Checker::with(settings, clock)
    }

    /// The same with settings.
    pub fn with(settings: auth::provider::Settings, clock: Arc<TestClock>) -> Checker {
        let provider = auth::Provider::new(settings).expect("the settings are good");
        let config = auth::Config { token_prefix: "pbk_".to_owned() };
        let rules = auth::access_token::Rules::new(vec![AUDIENCE.to_owned()]);
        let authenticator =
            auth::Authenticator::new(config, Arc::new(NoTokens)).with_provider(provider.clone(), rules);
        Checker { provider, clock, authenticator }
    }

    /// What a token is worth.
    pub async fn check(&self, token: &str) -> Result<Credential, auth::Error> {
        self.authenticator.credential(token).await
    }

    /// The same in a word: `good`, the rule that the token breaks, or why it cannot be said.
    pub async fn verdict(&self, token: &str) -> String {
        match self.check(token).await {
            Ok(_) => "good".to_owned(),
            Err(auth::Error::Invalid(rule)) => format!("{rule:?}"),
            Err(auth::Error::Provider(_)) => "Unavailable".to_owned(),
            Err(error) => format!("{error:?}"),
        }
    }
}
