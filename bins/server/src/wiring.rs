//! Creates the store, the identity provider and the adapters from the settings.

use std::sync::Arc;

use ::settings::remedies;
use auth::access_token::Rules;
use auth::error_chain;
use auth::{Authenticator, Provider};
use fault::Fault;
use mcp::Mcp;
use oauth::{Oauth, ProviderConfig};
use operations::Service;
use rest::{BaseUrl, RateLimiter, Rest};
use store::{ConnectError, ConnectionFailure, Store};

use crate::error::ServerError;
use crate::mount::Mount;
use crate::readiness::ReadinessChecks;
use crate::settings::Settings;

/// The name by which PostgreSQL lists the server's connections.
const APPLICATION_NAME: &str = "passbook-server";

/// Connects the store and checks role and schema.
///
/// # Errors
/// The role or the schema has problems, or the database cannot be reached.
pub async fn store(settings: &Settings, mut reader: tokio_postgres::Config) -> Result<Store, ServerError> {
    reader.application_name(APPLICATION_NAME);
    let config = store::Config {
        connection: reader,
        connections_max: settings.database_connections,
        today: settings.today,
    };
    let store = Store::connect(config).await;
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
    })
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
    let (rest, mcp, oauth) = adapters(settings, store, provider, base_url);
    Mount::new(rest, mcp, oauth)
}

/// Creates all adapters over a store. They share one service, one authenticator and one rate limiter.
pub fn adapters(
    settings: &Settings,
    store: Store,
    provider: Option<Provider>,
    base_url: String,
) -> (Rest, Mcp, Oauth) {
    let store = Arc::new(store);
    let token_prefix = settings.token_prefix.clone();
    let base_url = BaseUrl::parse(&base_url).expect("the settings have only a valid origin");
    let mut authenticator = Authenticator::new(auth::Config { token_prefix }, store.clone());
    if let Some(provider) = provider.clone() {
        authenticator = authenticator.with_provider(provider, Rules::new(audiences(settings, &base_url)));
    }
    let readiness = Arc::new(ReadinessChecks::new(store.as_ref().clone(), provider.clone()));
    let service = Service::new(store);
    let request_seconds_max = settings.limits.request_seconds;
    let rate_limiter = RateLimiter::new(settings.rate_limit_user, settings.rate_limit_client);
    let tools = mcp::Config {
        base_url: base_url.clone(),
        request_seconds_max,
        origins: settings.tool_origins.clone(),
        loopback_origins: settings.listen.ip().is_loopback(),
        requestable_scopes: settings.requestable_scopes.clone(),
    };
    let mcp = Mcp::new(service.clone(), authenticator.clone(), tools);
    let oauth = oauth(settings, provider, &base_url);
    let rest = Rest::new(service, authenticator, readiness, rest::Config { base_url, request_seconds_max })
        .with_openapi_paths(oauth.openapi_paths())
        .with_openapi_paths(mcp::openapi_paths())
        .with_documentation(crate::documentation::PAGES)
        .with_rate_limiter(rate_limiter.clone());
    (rest, mcp.with_rate_limiter(rate_limiter), oauth)
}

fn oauth(settings: &Settings, provider: Option<Provider>, base_url: &BaseUrl) -> Oauth {
    let mut oauth = Oauth::new(oauth::Config {
        base_url: base_url.clone(),
        request_seconds_max: settings.limits.request_seconds,
        resources: vec![mcp::RESOURCE],
    });
    if let Some(provider) = provider {
        oauth = oauth.with_provider(ProviderConfig {
            provider,
            mode: settings.oauth_mode,
            stripped_scopes: settings.stripped_scopes.clone(),
        });
    }
    if let Some(challenge) = settings.apps_challenge.clone() {
        oauth = oauth.with_apps_challenge(challenge);
    }
    oauth
}

/// The accepted audiences of access tokens: those of the settings, and the addresses of this service (RFC 8707
/// section 2).
fn audiences(settings: &Settings, base_url: &BaseUrl) -> Vec<String> {
    let own = [base_url.origin().to_owned(), base_url.to_string(), format!("{base_url}{}", mcp::PATH)];
    settings.audiences.iter().cloned().chain(own).collect()
}
