//! An identity provider under the control of a test: it publishes and rotates keys, fails, hangs, and counts requests.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use passbook_auth::Clock;
use passbook_domain::access::Credential;
use passbook_domain::ports::{BoxFuture, ReadError, TokenDirectory, TokenHash, TokenOwner};
use passbook_domain::scope::Surface;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::net::TcpListener;
use uuid::Uuid;

use crate::signer::Signer;

/// Start of a [`TestClock`]: 2026-11-21T12:00:00Z, in seconds since 1970.
pub const NOON: i64 = 1_795_262_400;
/// The audience (claim `aud`) of Supabase access tokens.
pub const AUDIENCE: &str = "authenticated";
/// The client identifier (claim `client_id`) in the tokens of this provider.
pub const CLIENT: &str = "0b6f1c9e-6a0f-4c1d-8f0a-4c7de2a90001";

/// The kind of response that the test's identity provider gives to every request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ResponseMode {
    /// The requested document, or status 404 if there is none.
    #[default]
    Normal,
    /// A response with this status and an empty body.
    Status(u16),
    /// No response: the provider closes the connection.
    ConnectionClosed,
    /// No response: the request hangs.
    Hang,
    /// A response with status 200 and this body.
    Body(Vec<u8>),
    /// A response with status 302 and this `Location` header.
    Redirect(String),
}

/// An identity provider on its own port.
#[derive(Clone, Debug)]
pub struct IdentityProvider {
    /// The issuer identifier.
    pub issuer: String,
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    response_mode: ResponseMode,
    missing: Vec<String>,
    metadata: Value,
    keys: Value,
    request_counts: BTreeMap<String, usize>,
    codes: BTreeMap<String, IssuedCode>,
}

/// An authorization code that a client can exchange once.
#[derive(Clone, Debug)]
pub struct IssuedCode {
    /// The challenge of PKCE in the authorization request.
    pub challenge: String,
    /// The redirect URI of the authorization request.
    pub redirect_uri: String,
    /// The access token that the code is exchanged for.
    pub token: String,
}

impl IdentityProvider {
    /// Starts a provider that publishes the public keys of `signers`.
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
        let state = State { metadata, keys, ..State::default() };
        let provider = IdentityProvider { issuer, address, state: Arc::new(Mutex::new(state)) };
        tokio::spawn(provider.clone().serve(listener));
        provider
    }

    /// Returns the origin of the provider: scheme, host and port.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sets the kind of response to all further requests.
    pub fn set_response(&self, response_mode: ResponseMode) {
        self.state().response_mode = response_mode;
    }

    /// Replaces the published keys by a JSON array of JWKs.
    pub fn publish(&self, keys: Value) {
        self.state().keys = json!({ "keys": keys });
    }

    /// Replaces the published keys by those of `signers`.
    pub fn rotate(&self, signers: &[&Signer]) {
        self.publish(signers.iter().map(|signer| signer.jwk()).collect());
    }

    /// Issues an authorization code for the client [`CLIENT`].
    pub fn issue(&self, code: &str, issued: IssuedCode) {
        self.state().codes.insert(code.to_owned(), issued);
    }

    /// Returns the response of the token endpoint to a form. A code is exchanged once, by its client and with the verifier
    /// of its challenge (RFC 7636 section 4.6).
    fn exchange(&self, form: &str) -> (u16, Value) {
        let field = |name: &str| {
            let value = form.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}=")));
            value.and_then(passbook_web::query_string::decode).unwrap_or_default()
        };
        let issued = self.state().codes.remove(&field("code"));
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(field("code_verifier")));
        let is_right = |issued: &IssuedCode| {
            issued.challenge == challenge
                && issued.redirect_uri == field("redirect_uri")
                && field("client_id") == CLIENT
                && field("grant_type") == "authorization_code"
        };
        match issued.filter(is_right) {
            Some(issued) => {
                (200, json!({ "access_token": issued.token, "token_type": "Bearer", "expires_in": 3_600 }))
            }
            None => (400, json!({ "error": "invalid_grant" })),
        }
    }

    /// Sets a member of the discovery document.
    pub fn set_metadata(&self, member: &str, value: Value) {
        self.state().metadata[member] = value;
    }

    /// Makes requests for a path return 404.
    pub fn remove_document(&self, path: &str) {
        self.state().missing.push(path.to_owned());
    }

    /// Returns the number of requests for a path so far.
    pub fn requests_of(&self, path: &str) -> usize {
        self.state().request_counts.get(path).copied().unwrap_or_default()
    }

    /// Returns the number of requests for the key set (JWKS) so far.
    pub fn jwks_requests(&self) -> usize {
        self.requests_of("/auth/v1/keys")
    }

    /// Returns the number of requests for all paths so far.
    pub fn total_requests(&self) -> usize {
        self.state().request_counts.values().sum()
    }

    /// Returns the claims of a valid access token of `user`, issued at `now` in seconds since 1970.
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

    /// Returns the claims of a valid access token with changed members.
    pub fn changed_claims(&self, user: Uuid, now: i64, changes: &[(&str, Value)]) -> Value {
        let mut claims = self.claims(user, now);
        changes.iter().for_each(|(name, value)| claims[*name] = value.clone());
        claims
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn serve(self, listener: TcpListener) {
        while let Ok((stream, _)) = listener.accept().await {
            let this = self.clone();
            let service = service_fn(move |request| this.clone().handle(request));
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    }

    async fn handle(self, request: Request<Incoming>) -> std::io::Result<Response<Full<Bytes>>> {
        let path = request.uri().path().to_owned();
        let is_exchange = request.method() == hyper::Method::POST && path == "/auth/v1/oauth/token";
        let form = request.into_body().collect().await.map(|body| body.to_bytes()).unwrap_or_default();
        let (response_mode, found) = {
            let mut state = self.state();
            *state.request_counts.entry(path.clone()).or_default() += 1;
            let found = match path.as_str() {
                _ if state.missing.contains(&path) => None,
                "/auth/v1/keys" => Some(state.keys.to_string()),
                path if path.contains("/.well-known/") => Some(state.metadata.to_string()),
                _ => None,
            };
            (state.response_mode.clone(), found)
        };
        let reply = |status: u16, body: Vec<u8>| {
            let builder = Response::builder().status(status).header("cache-control", "public, max-age=600");
            builder.body(Full::new(Bytes::from(body))).expect("the response is well formed")
        };
        if is_exchange && response_mode == ResponseMode::Normal {
            let (status, body) = self.exchange(&String::from_utf8_lossy(&form));
            return Ok(reply(status, body.to_string().into_bytes()));
        }
        match (response_mode, found) {
            (ResponseMode::Normal, Some(text)) => Ok(reply(200, text.into_bytes())),
            (ResponseMode::Normal, None) => Ok(reply(404, Vec::new())),
            (ResponseMode::Status(status), _) => Ok(reply(status, Vec::new())),
            (ResponseMode::Body(body), _) => Ok(reply(200, body)),
            // An error makes hyper close the connection.
            (ResponseMode::ConnectionClosed, _) => Err(std::io::ErrorKind::ConnectionAborted.into()),
            (ResponseMode::Hang, _) => std::future::pending().await,
            (ResponseMode::Redirect(to), _) => {
                let builder = Response::builder().status(302).header("location", to);
                Ok(builder.body(Full::default()).expect("the response is well formed"))
            }
        }
    }
}

/// Starts a provider with a key, at which clients without a secret can sign in.
pub async fn suitable_provider() -> IdentityProvider {
    let provider = IdentityProvider::start(&[&Signer::new("k1", "ES256")]).await;
    provider.set_metadata("token_endpoint_auth_methods_supported", json!(["none"]));
    provider
}

/// A clock that the test advances.
#[derive(Debug, Default)]
pub struct TestClock {
    elapsed: Mutex<Duration>,
}

impl TestClock {
    /// Advances the clock.
    pub fn advance(&self, seconds: u64) {
        *self.elapsed.lock().unwrap_or_else(PoisonError::into_inner) += Duration::from_secs(seconds);
    }

    /// Returns the current time of the clock in seconds since 1970.
    pub fn now(&self) -> i64 {
        self.unix_seconds()
    }
}

impl Clock for TestClock {
    fn unix_seconds(&self) -> i64 {
        NOON + i64::try_from(self.elapsed().as_secs()).expect("the elapsed time fits into 64 bits")
    }

    fn elapsed(&self) -> Duration {
        *self.elapsed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A token directory without tokens.
#[derive(Debug)]
pub struct NoTokens;

impl TokenDirectory for NoTokens {
    fn find(&self, _hash: TokenHash) -> BoxFuture<'_, Result<Option<TokenOwner>, ReadError>> {
        Box::pin(async { Ok(None) })
    }
}

/// Verifies access tokens of a provider without a server.
#[derive(Debug)]
pub struct Checker {
    /// The provider as the service sees it.
    pub provider: passbook_auth::Provider,
    /// The clock of the provider and the token checks.
    pub clock: Arc<TestClock>,
    authenticator: passbook_auth::Authenticator,
}

impl Checker {
    /// Creates a checker of tokens with the audience [`AUDIENCE`].
    pub fn new(issuer: &str) -> Checker {
        let clock = Arc::new(TestClock::default());
        let mut settings = passbook_auth::provider::Settings::new(issuer);
        settings.clock = clock.clone();
        Checker::with(settings, clock)
    }

    /// Creates a checker with these provider settings.
    pub fn with(settings: passbook_auth::provider::Settings, clock: Arc<TestClock>) -> Checker {
        let provider = passbook_auth::Provider::new(settings).expect("the settings are valid");
        let config = passbook_auth::AuthenticatorConfig::default();
        let rules = passbook_auth::access_token::Rules::new(vec![AUDIENCE.to_owned()]);
        let authenticator = passbook_auth::Authenticator::new(config, Arc::new(NoTokens))
            .with_provider(provider.clone(), rules)
            .with_clock(clock.clone());
        Checker { provider, clock, authenticator }
    }

    /// Verifies an access token and returns its credential.
    pub async fn check(&self, token: &str) -> Result<Credential, passbook_auth::Error> {
        self.authenticator.credential(token).await
    }

    /// Verifies an access token that a client with this address has sent.
    pub async fn check_from(&self, client: IpAddr, token: &str) -> Result<Credential, passbook_auth::Error> {
        let header = format!("Bearer {token}");
        let headers = std::iter::once(header.as_bytes());
        self.authenticator.authenticate(Surface::Rest, headers, Some(client)).await
    }

    /// Returns the result of verifying a token as one word: `good`, the rule that the token breaks, or `Unavailable`.
    pub async fn verdict(&self, token: &str) -> String {
        match self.check(token).await {
            Ok(_) => "good".to_owned(),
            Err(passbook_auth::Error::Invalid(rule)) => format!("{rule:?}"),
            Err(passbook_auth::Error::Provider { .. }) => "Unavailable".to_owned(),
            Err(error) => format!("{error:?}"),
        }
    }
}
