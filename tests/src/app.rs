//! Starts the application for a test: a server on its own port with its own database.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use hyper::Method;
use jiff::civil::Date;
use passbook_auth::personal_access_token::PlainToken;
use passbook_domain::access::{Credential, GrantReference};
use passbook_domain::person::UserId;
use passbook_domain::scope::{Scope, Surface};
use passbook_ingest::clients::{ClientKind, NewClient};
use passbook_ingest::load::{Options, load};
use passbook_ingest::tokens::NewToken;
use passbook_records::Located;
use passbook_records::record::Record;
use passbook_server::settings::{Settings, Sources};
use passbook_store::{ConnectionSettings, Store, StoreConfig};
use passbook_transport::{Drained, Stop};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio_postgres::Client;
use uuid::Uuid;

use crate::database::{Database, one};
use crate::household::Household;
use crate::http::{Http, Reply};
use crate::provider::{AUDIENCE, IdentityProvider, TestClock};

/// Today for every test that sets no other day: 2026-11-21, a Saturday.
pub const TODAY: Date = jiff::civil::date(2026, 11, 21);

/// A running server and its database.
#[derive(Debug)]
pub struct App {
    /// The database that the server reads.
    pub database: Database,
    /// The base address of the API, without a trailing slash.
    pub base_url: String,
    /// Sessions of the writer role that are not in use. A new one would read the definitions of the schema again.
    writers: Mutex<Vec<Client>>,
    http: Http,
    stop: Option<oneshot::Sender<()>>,
    served: tokio::task::JoinHandle<Drained>,
}

impl App {
    /// Serves the demo household of [`TODAY`] on that day.
    pub async fn demo_household() -> App {
        let database = Database::fresh().await;
        let mut writer = database.connect(passbook_schema::WRITER).await;
        passbook_demo::install(&mut writer, TODAY).await.expect("the demo household is loaded");
        App::start_on_day(database, TODAY).await
    }

    /// Starts the application with an empty database on [`TODAY`].
    pub async fn start() -> App {
        App::start_on_day(Database::fresh().await, TODAY).await
    }

    /// Starts the application with an empty database on [`TODAY`] and settings read from environment variables.
    pub async fn configured(environment: &[(&str, &str)]) -> App {
        let settings = Settings { today: Some(TODAY), ..settings(environment) };
        App::start_with(Database::fresh().await, settings).await
    }

    /// Starts the application with one person. Returns the person and a token.
    pub async fn with_household() -> (App, Household, String) {
        let app = App::start().await;
        let (household, token) = app.add_person().await;
        (app, household, token)
    }

    /// Adds a person without transactions. Returns the person and a token.
    pub async fn add_person(&self) -> (Household, String) {
        let household = Household::new();
        self.load(household.records()).await;
        let token = self.token(household.user.user_id).await;
        (household, token)
    }

    /// Starts the application with an empty database on the current date, like the programs that it is compared with.
    pub async fn start_today() -> App {
        App::start_with(Database::fresh().await, settings(&[])).await
    }

    /// Starts the application with `database` on the day `today`.
    pub async fn start_on_day(database: Database, today: Date) -> App {
        let settings = Settings { today: Some(today), ..settings(&[]) };
        App::start_with(database, settings).await
    }

    /// Starts the application with the given settings. The start-up check is skipped: every database of the tests has the
    /// same schema.
    pub async fn start_with(database: Database, settings: Settings) -> App {
        let reader = database.configuration(passbook_schema::READER);
        let config = passbook_server::wiring::store_config(&settings, reader.into());
        let store = Store::new(config).expect("the settings are valid");
        let store = if settings.prepared_statements { store } else { store.without_prepared_statements() };
        App::serve(database, settings, store).await
    }

    /// Serves the database that the settings name, after the start-up check. The database of the application stays unused.
    pub async fn start_with_url(settings: Settings) -> App {
        let reader = settings.database.clone().expect("the URL is set");
        let store = checked_store(&settings, reader).await;
        App::serve(Database::fresh().await, settings, store).await
    }

    /// Serves a store that the test has made. The start-up check is skipped.
    pub async fn serve(database: Database, settings: Settings, store: Store) -> App {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        let base_url = format!("{origin}/api");
        let provider = passbook_server::wiring::provider(&settings).expect("the settings are valid");
        let mount = passbook_server::wiring::mount(&settings, store, provider, base_url.clone());
        let (stop, stopped) = oneshot::channel();
        let shutdown = async move {
            let _ = stopped.await;
        };
        let signals = Stop { drain: shutdown, abort: std::future::pending() };
        let served = tokio::spawn(passbook_transport::serve(
            listener,
            mount,
            passbook_server::options(&settings),
            signals,
        ));
        let writers = Mutex::default();
        App { database, base_url, writers, http: Http::default(), stop: Some(stop), served }
    }

    /// Runs `action` in a session of the writer role.
    async fn as_writer<T>(&self, action: impl AsyncFnOnce(&mut Client) -> T) -> T {
        let idle = self.writers.lock().expect("no test panics here").pop();
        let mut writer = match idle.filter(|client| !client.is_closed()) {
            Some(client) => client,
            None => self.database.connect(passbook_schema::WRITER).await,
        };
        let result = action(&mut writer).await;
        self.writers.lock().expect("no test panics here").push(writer);
        result
    }

    /// Loads records as the writer role.
    pub async fn load(&self, records: impl IntoIterator<Item = Record>) {
        self.as_writer(async |writer| load_records(writer, records).await).await;
    }

    /// Creates a token of `user_id` with every scope, for both surfaces.
    pub async fn token(&self, user_id: Uuid) -> String {
        self.token_with(user_id, Scope::ALL, true, true).await.0
    }

    /// Creates a token of `user_id` with the given scopes and surfaces. Returns the token and its identifier.
    pub async fn token_with(&self, user_id: Uuid, scopes: &[Scope], rest: bool, mcp: bool) -> (String, Uuid) {
        self.as_writer(async |writer| store_token(writer, user_id, scopes, rest, mcp).await).await
    }

    /// Registers an OAuth client: with `owner` a dashboard of that person, without a client that the operator offers to
    /// everyone. `rest` is true if the client may use REST besides the tools.
    pub async fn add_client(&self, client: &str, owner: Option<Uuid>, scopes: &[Scope], rest: bool) {
        let writer = self.database.connect(passbook_schema::WRITER).await;
        let (mut kind, mut email) = (ClientKind::KnownMcp, None);
        if let Some(owner) = owner {
            let query = format!("select email from passbook.users where user_id = '{owner}'");
            (kind, email) = (ClientKind::PersonalDashboard, Some(one::<String>(&writer, &query).await));
        }
        let surfaces = if rest { Surface::ALL } else { &[Surface::Mcp] };
        let new = NewClient {
            client_id: client,
            kind: kind.as_str(),
            name: "test",
            owner: email.as_deref(),
            scopes: &scopes.iter().map(|scope| scope.as_str().to_owned()).collect::<Vec<_>>(),
            surfaces: &surfaces.iter().map(|surface| surface.as_str().to_owned()).collect::<Vec<_>>(),
            redirect_uris: &[],
        };
        passbook_ingest::clients::create(&writer, &new).await.expect("the client is valid");
    }

    /// Revokes a personal access token.
    pub async fn revoke_token(&self, token_id: Uuid) {
        let revoked = "update passbook.personal_access_tokens set revoked_at = now()";
        self.write(&format!("{revoked} where token_id = '{token_id}'")).await;
    }

    /// Runs a statement as the writer role.
    pub async fn write(&self, statement: &str) {
        let run = async |writer: &mut Client| writer.batch_execute(statement).await;
        self.as_writer(run).await.expect("the test's own statement runs");
    }

    /// Sends a GET request with a bearer token. `target` is the path below the base address, with its query.
    pub async fn get(&self, target: &str, token: &str) -> Reply {
        self.send(Method::GET, target, &[("authorization", &format!("Bearer {token}"))]).await
    }

    /// Sends a request without a body. `target` is the path below the base address, with its query.
    pub async fn send(&self, method: Method, target: &str, headers: &[(&str, &str)]) -> Reply {
        self.http.send(method, &format!("{}{target}", self.base_url), headers).await
    }

    /// The origin of the server: scheme, host and port.
    pub fn origin(&self) -> &str {
        self.base_url.strip_suffix("/api").expect("the base address is below the origin")
    }

    /// Sends a request without a body. `target` is the path below the origin, with its query.
    pub async fn send_to_origin(&self, method: Method, target: &str, headers: &[(&str, &str)]) -> Reply {
        self.http.send(method, &format!("{}{target}", self.origin()), headers).await
    }

    /// Sends a POST request with a body. `target` is the path below the base address.
    pub async fn post(&self, target: &str, headers: &[(&str, &str)], body: impl Into<Bytes>) -> Reply {
        let url = format!("{}{target}", self.base_url);
        self.http.send_body(Method::POST, &url, headers, body.into()).await
    }

    /// Signals shutdown and waits until the server has drained its connections.
    pub async fn stop(mut self) {
        drop(self.stop.take());
        self.served.await.expect("the server task ends without a panic");
    }
}

/// Returns the configuration of a store with one connection, whose day is [`TODAY`].
pub fn store_config(reader: tokio_postgres::Config) -> StoreConfig {
    StoreConfig::new(reader.into()).with_connections_max(1).with_today(TODAY)
}

/// Opens a store for a server with these settings. The database must pass the start-up check.
pub async fn checked_store(settings: &Settings, reader: impl Into<ConnectionSettings>) -> Store {
    let store = passbook_server::wiring::store(settings, reader.into()).await;
    store.expect("role and schema pass the check")
}

/// Loads records through a session of the writer role.
pub async fn load_records(writer: &mut Client, records: impl IntoIterator<Item = Record>) {
    let located: Vec<_> =
        records.into_iter().map(|record| Ok(Located { place: "test".to_owned(), record })).collect();
    load(writer, located.into_iter(), Options::default()).await.expect("the records are valid");
}

/// Creates a token of `user_id` with every scope, for both surfaces, through a session of the writer role. Returns the
/// token and its identifier.
pub async fn create_token(writer: &Client, user_id: Uuid) -> (String, Uuid) {
    store_token(writer, user_id, Scope::ALL, true, true).await
}

async fn store_token(
    writer: &Client,
    user_id: Uuid,
    scopes: &[Scope],
    rest: bool,
    mcp: bool,
) -> (String, Uuid) {
    let token = PlainToken::generate("pbk_");
    let new = NewToken { user_id, name: "test", scopes, rest, mcp, expires_in_days: 90 };
    let id = passbook_ingest::tokens::create(writer, &new, &token).await.expect("the token is stored");
    (token.reveal().to_owned(), id)
}

/// Returns the credential of a person who is authenticated with the personal access token of this identifier.
pub fn token_credential(user: Uuid, token: Uuid) -> Credential {
    credential(user, GrantReference::PersonalAccessToken(token))
}

/// Returns the credential of a person who is authenticated with a grant.
#[expect(clippy::disallowed_methods, reason = "the test simulates the authentication")]
pub fn credential(user: Uuid, grant: GrantReference) -> Credential {
    Credential::new(UserId::from_authenticated(user), grant)
}

/// Settings of an application that accepts access tokens of `provider`. Today is [`TODAY`]; the test moves `clock`.
pub fn settings_with(provider: &IdentityProvider, clock: &Arc<TestClock>) -> Settings {
    configured_with(provider, clock, &[])
}

/// Settings as those of [`settings_with`], with further settings read from environment variables.
pub fn configured_with(
    provider: &IdentityProvider,
    clock: &Arc<TestClock>,
    environment: &[(&str, &str)],
) -> Settings {
    let required = [("PASSBOOK_OIDC_ISSUER", provider.issuer.as_str()), ("PASSBOOK_OIDC_AUDIENCE", AUDIENCE)];
    let settings = settings(&[&required, environment].concat());
    let provider = settings.provider.clone().map(|provider| provider.with_clock(clock.clone()));
    Settings { provider, today: Some(TODAY), ..settings }
}

/// Settings read from environment variables. Rate limits are off unless `environment` sets them, and all tests of many
/// people send from one address, so that address may have many connections.
pub fn settings(environment: &[(&str, &str)]) -> Settings {
    let usual = [
        ("HOME", "/"),
        ("PASSBOOK_RATE_LIMIT_USER", "0"),
        ("PASSBOOK_RATE_LIMIT_CLIENT", "0"),
        ("PASSBOOK_CONNECTIONS_PER_ADDRESS", "1024"),
    ];
    let sources = Sources::from_environment(usual.iter().chain(environment).copied());
    Settings::resolve(&sources, false).expect("the settings are valid")
}
