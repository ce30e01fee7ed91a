//! Creates the store, the identity provider and the adapters from the settings, and checks at start that clients can sign
//! in with the identity provider.

use std::net::SocketAddr;
use std::sync::Arc;

use passbook_auth::access_token::Rules;
use passbook_auth::authorization_proxy::{AUTHORIZE_PATH, IssuerMode};
use passbook_auth::compatibility::{Finding, check};
use passbook_auth::provider::DiscoveryDocument;
use passbook_auth::{Authenticator, Provider, error_chain};
use passbook_input::Fault;
use passbook_mcp::Mcp;
use passbook_oauth::{Oauth, ProviderConfig};
use passbook_operations::Service;
use passbook_rest::{BaseUrl, Pipeline, PipelineConfig, RateLimiter, RequestObserver, Rest, Router};
use passbook_settings::remedies;
use passbook_store::{ConnectError, ConnectionFailure, ConnectionSettings, Store};

#[cfg(feature = "dashboard")]
use crate::announce::Page;
use crate::database::Database;
use crate::error::ServerError;
use crate::mount::{Mount, PREFIX};
use crate::readiness::ReadinessChecks;
use crate::settings::Settings;

/// The name by which PostgreSQL lists the server's connections.
const APPLICATION_NAME: &str = "passbook-server";

/// Connects the store and checks role and schema.
///
/// # Errors
/// The role or the schema has problems, or the database cannot be reached.
pub async fn store(settings: &Settings, reader: ConnectionSettings) -> Result<Store, ServerError> {
    let store = Store::connect(store_config(settings, reader)).await;
    let store = store.map(|store| match settings.prepared_statements {
        true => store,
        false => store.without_prepared_statements(),
    });
    store.map_err(|error| match error {
        ConnectError::Unfit(problems) => {
            ServerError::Configuration(problems.iter().map(remedies::start_up_finding).collect())
        }
        ConnectError::Refused(failure) | ConnectError::Unreachable(failure) => {
            connection_error(settings, failure)
        }
        ConnectError::Broken(source) => ServerError::Internal(Box::new(source)),
        // A kind of a later version of `store`.
        error => ServerError::Internal(Box::new(error)),
    })
}

/// Returns the settings of the store.
#[must_use]
pub fn store_config(settings: &Settings, reader: ConnectionSettings) -> passbook_store::StoreConfig {
    let mut config = passbook_store::StoreConfig::new(reader.with_application_name(APPLICATION_NAME))
        .with_connections_max(settings.database_connections)
        .with_connection_age(settings.database_connection_age);
    config.today = settings.today;
    config
}

/// A failure to connect is a problem of the setting that names the database, or of the embedded database.
fn connection_error(settings: &Settings, failure: ConnectionFailure) -> ServerError {
    if settings.database.is_none() {
        return ServerError::database(failure);
    }
    let fault = Fault::verbatim("PASSBOOK_DATABASE_URL", failure.to_string());
    if failure.is_rejection() {
        ServerError::Configuration(vec![fault])
    } else {
        ServerError::Unreachable(fault)
    }
}

/// Creates the identity provider, if the settings name one. It fetches nothing yet.
pub fn provider(settings: &Settings) -> Result<Option<Provider>, ServerError> {
    let provider = settings.provider.clone().map(Provider::new).transpose();
    provider.map_err(|error| ServerError::configuration("PASSBOOK_OIDC_ISSUER", error_chain(&error)))
}

/// Mounts all adapters over a store.
pub fn mount(settings: &Settings, store: Store, provider: Option<Provider>, base_url: String) -> Mount {
    let pipeline = pipeline(settings, &store, provider.as_ref(), &base_url, rate_limiter(settings), None);
    adapters(settings, settings.listen, &pipeline, store, provider, None)
}

/// Creates the rate limiter. Needs a Tokio runtime if the settings name a store.
pub(crate) fn rate_limiter(settings: &Settings) -> RateLimiter {
    let limiter = RateLimiter::new(settings.rate_limit_user, settings.rate_limit_client)
        .with_database_connections(settings.database_connections);
    #[cfg(feature = "shared-rate-limit")]
    if let Some(store) = &settings.rate_limit_store {
        return limiter.with_shared(crate::shared_rate_limit::shared(store));
    }
    limiter
}

/// Creates the pipeline of all adapters over a store.
pub fn pipeline(
    settings: &Settings,
    store: &Store,
    provider: Option<&Provider>,
    base_url: &str,
    rate_limiter: RateLimiter,
    observer: Option<Arc<dyn RequestObserver>>,
) -> Pipeline {
    let store = Arc::new(store.clone());
    let base_url = BaseUrl::parse(base_url).expect("the settings have only a valid origin");
    let tokens = passbook_auth::AuthenticatorConfig::new(settings.token_prefix.clone());
    let mut authenticator = Authenticator::new(tokens, store.clone());
    if let Some(provider) = provider.cloned() {
        let mut rules = Rules::new(audiences(settings, &base_url));
        rules.scopes_required = !settings.requestable_scopes.is_empty();
        authenticator = authenticator.with_provider(provider, rules);
    }
    let mut config = PipelineConfig::new(base_url);
    config.request_seconds_max = settings.request_seconds;
    config.requestable_scopes.clone_from(&settings.requestable_scopes);
    config.rate_limiter = Some(rate_limiter);
    config.observer = observer;
    Pipeline::new(Service::new(store), authenticator, config)
}

/// Creates all adapters and the route table with their endpoints, for a server that listens on `address`. The dashboard signs
/// people in by the codes in the folder of an embedded `database`.
pub(crate) fn adapters(
    settings: &Settings,
    address: SocketAddr,
    pipeline: &Pipeline,
    store: Store,
    provider: Option<Provider>,
    database: Option<&Database>,
) -> Mount {
    let mut tools = Mcp::new(pipeline).with_origins(settings.tool_origins.clone());
    if address.ip().is_loopback() {
        tools = tools.with_loopback_origins();
    }
    let oauth = oauth(settings, pipeline, provider.clone());
    let rest = Rest::new(pipeline, Arc::new(ReadinessChecks::new(store, provider.clone())))
        .with_openapi_paths(oauth.openapi_paths())
        .with_openapi_paths(passbook_mcp::openapi_paths())
        .with_documentation(crate::mount::PAGES);
    // The first of several endpoints with one path counts: at the root of the origin, browsers get the dashboard.
    let mut endpoints = Vec::new();
    #[cfg(feature = "dashboard")]
    let page = dashboard(settings, pipeline, &rest, provider, database).map(|(dashboard, page)| {
        endpoints.extend(dashboard.endpoints());
        page
    });
    #[cfg(not(feature = "dashboard"))]
    let (page, _) = (None, database);
    endpoints.extend(tools.endpoints());
    endpoints.extend(oauth.endpoints());
    endpoints.extend(rest.endpoints());
    Mount { router: Router::new(pipeline, endpoints), rest, page }
}

/// Creates the dashboard at the root of the origin; `None` if it is not served. It signs people in through the
/// authorization proxy, as every client does.
#[cfg(feature = "dashboard")]
fn dashboard(
    settings: &Settings,
    pipeline: &Pipeline,
    rest: &Rest,
    provider: Option<Provider>,
    database: Option<&Database>,
) -> Option<(passbook_dashboard::Dashboard, Page)> {
    let own = settings.dashboard.as_ref()?;
    let base_url = pipeline.base_url();
    let page_url = BaseUrl::parse(base_url.origin()).expect("an origin is a base address");
    let mut dashboard = passbook_dashboard::Dashboard::new(pipeline, rest, page_url)
        .with_session_key(own.session_key.clone());
    if let Some((provider, client_id)) = provider.zip(own.client_id.clone()) {
        let authorization_endpoint =
            format!("{base_url}{}", passbook_auth::authorization_proxy::AUTHORIZE_PATH);
        let sign_in = passbook_dashboard::SignInConfig::new(provider, client_id, authorization_endpoint);
        dashboard = dashboard.with_sign_in(sign_in);
    }
    let mut page = Page::default();
    if let Some((database, folder)) =
        database.and_then(|own| own.data_dir.as_ref().map(|folder| (own, folder)))
    {
        let file = passbook_dashboard::SignInFile::in_folder(folder);
        let now = passbook_auth::Clock::unix_seconds(&passbook_auth::SystemClock::new());
        file.remove_expired(now);
        page.code = database.demo_token.as_ref().and_then(|token| {
            let failed = |error: &std::io::Error| tracing::warn!(%error, "the sign-in code of the demo cannot be stored");
            file.store(token, now).inspect_err(failed).ok()
        });
        dashboard = dashboard.with_sign_in_file(file);
    }
    Some((dashboard, page))
}

fn oauth(settings: &Settings, pipeline: &Pipeline, provider: Option<Provider>) -> Oauth {
    let mut oauth = Oauth::new(pipeline).with_resource(passbook_mcp::RESOURCE);
    if let Some(provider) = provider {
        let mut provider = ProviderConfig::new(provider);
        provider.mode = settings.oauth_mode;
        provider.stripped_scopes.clone_from(&settings.stripped_scopes);
        oauth = oauth.with_provider(provider);
    }
    if let Some(challenge) = settings.apps_challenge.clone() {
        oauth = oauth.with_apps_challenge(challenge);
    }
    oauth
}

/// The accepted audiences of access tokens: those of the settings, and the addresses of this service (RFC 8707
/// section 2).
fn audiences(settings: &Settings, base_url: &BaseUrl) -> Vec<String> {
    let own =
        [base_url.origin().to_owned(), base_url.to_string(), format!("{base_url}{}", passbook_mcp::PATH)];
    settings.audiences.iter().cloned().chain(own).collect()
}

/// The findings about the identity provider's discovery document. The origin is a parameter of each check, because the
/// port may be unknown until the server listens.
pub(crate) struct ProviderCheck {
    mode: IssuerMode,
    document: Option<Arc<DiscoveryDocument>>,
}

impl ProviderCheck {
    /// Fetches the discovery document. A provider that does not answer is only a warning, because personal access tokens
    /// work without it.
    pub(crate) async fn fetch(settings: &Settings, provider: Option<&Provider>) -> ProviderCheck {
        let mode = settings.oauth_mode;
        let Some(provider) = provider else { return ProviderCheck { mode, document: None } };
        let document = provider.discovery_document().await.ok();
        if document.is_none() {
            tracing::warn!(
                "the identity provider does not answer, so it is unknown whether clients can sign in: run \
                 `passbook-admin doctor` once it answers"
            );
        }
        ProviderCheck { mode, document }
    }

    /// Checks that signing in is possible at `origin`.
    ///
    /// # Errors
    /// A property of the provider makes signing in impossible.
    pub(crate) fn require_sign_in(&self, origin: &str) -> Result<(), ServerError> {
        let problem =
            |finding: Finding| Fault::verbatim("PASSBOOK_OIDC_ISSUER", remedies::sign_in_finding(&finding));
        let refused = self.findings(origin).into_iter().filter(|finding| finding.refused);
        let problems: Vec<Fault> = refused.map(problem).collect();
        if problems.is_empty() { Ok(()) } else { Err(ServerError::Configuration(problems)) }
    }

    /// Warns about each property of the provider that breaks some clients at `origin`.
    pub(crate) fn warn(&self, origin: &str) {
        for finding in self.findings(origin).iter().filter(|finding| !finding.refused) {
            tracing::warn!("signing in: {}", remedies::sign_in_finding(finding));
        }
    }

    fn findings(&self, origin: &str) -> Vec<Finding> {
        let proxy = format!("{origin}{PREFIX}{AUTHORIZE_PATH}");
        let document = self.document.as_deref();
        document.map(|document| check(document, self.mode, origin, &proxy)).unwrap_or_default()
    }
}
