//! Creates the store, the identity provider and the adapters from the settings.

use std::sync::Arc;

use passbook_auth::access_token::Rules;
use passbook_auth::error_chain;
use passbook_auth::{Authenticator, Provider};
use passbook_input::Fault;
use passbook_mcp::Mcp;
use passbook_oauth::{Oauth, ProviderConfig};
use passbook_operations::Service;
use passbook_rest::{BaseUrl, RateLimiter, RequestObserver, Rest};
use passbook_settings::remedies;
use passbook_store::{ConnectError, ConnectionFailure, ConnectionSettings, Store};

use crate::error::ServerError;
use crate::mount::Mount;
use crate::readiness::ReadinessChecks;
use crate::settings::Settings;
use crate::shared_rate_limit;

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
            ServerError::Configuration(problems.iter().map(remedies::start_up_problem).collect())
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
pub fn store_config(settings: &Settings, reader: ConnectionSettings) -> passbook_store::Config {
    let mut config = passbook_store::Config::new(reader.with_application_name(APPLICATION_NAME))
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
    observed_mount(settings, store, provider, base_url, rate_limiter(settings), None)
}

/// Creates the dashboard at the root of the origin; `None` if it is not served. It signs people in through the
/// authorization proxy, as every client does.
#[cfg(feature = "dashboard")]
fn dashboard(
    settings: &Settings,
    rest: Rest,
    provider: Option<Provider>,
    base_url: &str,
) -> Option<passbook_dashboard::Dashboard> {
    let own = settings.dashboard.as_ref()?;
    let base_url = BaseUrl::parse(base_url).expect("the settings have only a valid origin");
    let page_url = BaseUrl::parse(base_url.origin()).expect("an origin is a base address");
    let mut config = passbook_dashboard::Config::new(page_url, settings.request_seconds);
    config.session_key = own.session_key.clone();
    let sign_in = provider.zip(own.client_id.clone()).map(|(provider, client_id)| {
        config.clock = provider.clock().clone();
        let authorization_endpoint =
            format!("{base_url}{}", passbook_auth::authorization_proxy::AUTHORIZE_PATH);
        passbook_dashboard::SignInConfig::new(provider, client_id, authorization_endpoint)
    });
    Some(passbook_dashboard::Dashboard::new(rest, config, sign_in))
}

/// Mounts all adapters over a store, with an observer of their requests if there is one.
pub(crate) fn observed_mount(
    settings: &Settings,
    store: Store,
    provider: Option<Provider>,
    base_url: String,
    rate_limiter: RateLimiter,
    observer: Option<&Arc<dyn RequestObserver>>,
) -> Mount {
    #[cfg(feature = "dashboard")]
    let (dashboard_provider, dashboard_base_url) = (provider.clone(), base_url.clone());
    let (mut rest, mut mcp, mut oauth) = limited_adapters(settings, store, provider, base_url, rate_limiter);
    if let Some(observer) = observer {
        rest = rest.with_observer(observer.clone());
        mcp = mcp.with_observer(observer.clone());
        oauth = oauth.with_observer(observer.clone());
    }
    #[cfg(feature = "dashboard")]
    let dashboard = dashboard(settings, rest.clone(), dashboard_provider, &dashboard_base_url);
    let mount = Mount::new(rest, mcp, oauth);
    #[cfg(feature = "dashboard")]
    let mount = match (dashboard, observer) {
        (Some(dashboard), Some(observer)) => mount.with_dashboard(dashboard.with_observer(observer.clone())),
        (Some(dashboard), None) => mount.with_dashboard(dashboard),
        (None, _) => mount,
    };
    mount
}

/// Creates the rate limiter that all adapters share. Needs a Tokio runtime if the settings name a store.
pub(crate) fn rate_limiter(settings: &Settings) -> RateLimiter {
    let limiter = RateLimiter::new(settings.rate_limit_user, settings.rate_limit_client)
        .with_database_connections(settings.database_connections);
    match &settings.rate_limit_store {
        Some(store) => limiter.with_shared(shared_rate_limit::shared(store)),
        None => limiter,
    }
}

/// Creates all adapters over a store. They share one service, one authenticator and one rate limiter.
pub fn adapters(
    settings: &Settings,
    store: Store,
    provider: Option<Provider>,
    base_url: String,
) -> (Rest, Mcp, Oauth) {
    limited_adapters(settings, store, provider, base_url, rate_limiter(settings))
}

fn limited_adapters(
    settings: &Settings,
    store: Store,
    provider: Option<Provider>,
    base_url: String,
    rate_limiter: RateLimiter,
) -> (Rest, Mcp, Oauth) {
    let store = Arc::new(store);
    let token_prefix = settings.token_prefix.clone();
    let base_url = BaseUrl::parse(&base_url).expect("the settings have only a valid origin");
    let mut authenticator = Authenticator::new(passbook_auth::Config::new(token_prefix), store.clone());
    if let Some(provider) = provider.clone() {
        authenticator = authenticator.with_provider(provider, Rules::new(audiences(settings, &base_url)));
    }
    let readiness = Arc::new(ReadinessChecks::new(store.as_ref().clone(), provider.clone()));
    let service = Service::new(store);
    let request_seconds_max = settings.request_seconds;
    let mut tools = passbook_mcp::Config::new(base_url.clone())
        .with_request_seconds_max(request_seconds_max)
        .with_origins(settings.tool_origins.clone())
        .with_requestable_scopes(settings.requestable_scopes.clone());
    tools.loopback_origins = settings.listen.ip().is_loopback();
    let mcp = Mcp::new(service.clone(), authenticator.clone(), tools);
    let oauth = oauth(settings, provider, &base_url);
    let config = passbook_rest::Config::new(base_url)
        .with_request_seconds_max(request_seconds_max)
        .with_requestable_scopes(settings.requestable_scopes.clone());
    let rest = Rest::new(service, authenticator, readiness, config)
        .with_openapi_paths(oauth.openapi_paths())
        .with_openapi_paths(passbook_mcp::openapi_paths())
        .with_documentation(crate::documentation::PAGES)
        .with_rate_limiter(rate_limiter.clone());
    (rest, mcp.with_rate_limiter(rate_limiter), oauth)
}

fn oauth(settings: &Settings, provider: Option<Provider>, base_url: &BaseUrl) -> Oauth {
    let config = passbook_oauth::Config::new(base_url.clone())
        .with_request_seconds_max(settings.request_seconds)
        .with_resource(passbook_mcp::RESOURCE);
    let mut oauth = Oauth::new(config);
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
