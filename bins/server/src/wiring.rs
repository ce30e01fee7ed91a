//! Puts the crates together.

use std::sync::Arc;

use auth::access_token::Rules;
use auth::error_chain;
use auth::{Authenticator, Provider};
use mcp::Mcp;
use operations::Service;
use rest::{BaseUrl, Limits, Rest, SignIn};
use store::{ConnectError, Store};

use crate::mount::Mount;
use crate::outcome::{Problem, Stop};
use crate::readiness::Checks;
use crate::settings::Settings;

/// The store, once role and schema have been found right.
pub async fn store(settings: &Settings, reader: tokio_postgres::Config) -> Result<Store, Stop> {
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
        ConnectError::Unfit(problems) => Stop::Configuration(
            problems.iter().map(|problem| Problem::new(&problem.what, &problem.mend)).collect(),
        ),
        ConnectError::Refused(source) => Problem::one(
            "PASSBOOK_DATABASE_URL",
            &format!("the database refuses the connection: {}", error_chain(&source)),
        ),
        ConnectError::Unreachable(source) => Stop::Database(Box::new(source)),
        ConnectError::Broken(source) => Stop::Internal(Box::new(source)),
    })
}

/// The identity provider, if there is one. Nothing is fetched yet.
pub fn provider(settings: &Settings) -> Result<Option<Provider>, Stop> {
    let provider = settings.provider.clone().map(Provider::new).transpose();
    provider.map_err(|error| Problem::one("PASSBOOK_OIDC_ISSUER", &error_chain(&error)))
}

/// Both adapters over a store, mounted.
pub fn mount(settings: &Settings, store: Store, provider: Option<Provider>, base_url: String) -> Mount {
    let (rest, mcp) = adapters(settings, store, provider, base_url);
    Mount::new(rest, mcp)
}

/// Both adapters over a store.
pub fn adapters(
    settings: &Settings,
    store: Store,
    provider: Option<Provider>,
    base_url: String,
) -> (Rest, Mcp) {
    let store = Arc::new(store);
    let token_prefix = settings.token_prefix.clone();
    let base_url = BaseUrl::parse(&base_url).expect("the origin is one: it was read as a setting");
    let mut authenticator = Authenticator::new(auth::Config { token_prefix }, store.clone());
    if let Some(provider) = provider.clone() {
        authenticator = authenticator.with_provider(provider, Rules::new(audiences(settings, &base_url)));
    }
    let readiness = Arc::new(Checks::new(store.as_ref().clone(), provider.clone()));
    let service = Service::new(store);
    let request_seconds_max = settings.limits.request_seconds;
    let tools = mcp::Config {
        base_url: base_url.clone(),
        request_seconds_max,
        origins: settings.tool_origins.clone(),
        loopback_origins: settings.listen.ip().is_loopback(),
        requestable_scopes: settings.requestable_scopes.clone(),
    };
    let routes = rest::Config { base_url, request_seconds_max, tool_server: true };
    let limits = Limits::new(settings.rate_limit_user, settings.rate_limit_client);
    let rest = Rest::new(service.clone(), authenticator.clone(), readiness, routes);
    let mut rest = rest.with_limits(limits.clone());
    if let Some(provider) = provider {
        rest = rest.with_sign_in(SignIn {
            provider,
            mode: settings.oauth_mode,
            stripped_scopes: settings.stripped_scopes.clone(),
        });
    }
    if let Some(challenge) = settings.apps_challenge.clone() {
        rest = rest.with_apps_challenge(challenge);
    }
    (rest, Mcp::new(service, authenticator, tools).with_limits(limits))
}

/// Who a token must be meant for: what the settings say, or this service by one of its own names (RFC 8707 section 2).
fn audiences(settings: &Settings, base_url: &BaseUrl) -> Vec<String> {
    let own = [base_url.origin().to_owned(), base_url.to_string(), format!("{base_url}/mcp")];
    settings.audiences.iter().cloned().chain(own).collect()
}
