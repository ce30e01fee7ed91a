//! The typed settings of the server. All are read before anything is bound.

mod command_line;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use jiff::civil::Date;
use passbook_auth::authorization_proxy::stripped_scopes;
use passbook_auth::issuer_mode::IssuerMode;
use passbook_domain::Invalid;
use passbook_domain::scope::Scope;
use passbook_input::Fault;
use passbook_oauth::AppsChallenge;
use passbook_settings::{Deployment, DeploymentRules, EmbeddedDatabase, Reader};
use passbook_transport::{Certificate, Limits, TrustedProxies};

#[cfg(feature = "shared-rate-limit")]
use crate::shared_rate_limit::RateLimitStore;
pub use command_line::{CommandLine, HelpText};
pub use passbook_settings::{SETTINGS, Setting, Sources, example_file};

/// The format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Text for people, colored on a terminal.
    Text,
    /// One JSON object per line.
    Json,
}

/// The settings of the dashboard.
#[cfg(feature = "dashboard")]
#[derive(Clone, Debug)]
pub struct DashboardSettings {
    /// Identifier of the page at the identity provider; people enter a personal access token if there is none.
    pub client_id: Option<String>,
    /// The key that seals the session cookies.
    pub session_key: passbook_dashboard::SessionKey,
}

/// The settings of a server. `docs/config.toml` describes each.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The public origin; the listening address if there is none.
    pub origin: Option<String>,
    /// The operator's database; the embedded database if there is none.
    pub database: Option<passbook_store::ConnectionSettings>,
    /// Maximum number of database connections.
    pub database_connections: usize,
    /// Age at which a database connection is closed after its request.
    pub database_connection_age: Duration,
    /// True if each query is prepared once per database connection.
    pub prepared_statements: bool,
    /// The folder of the embedded database. Empty in a build without the embedded database.
    pub data_dir: PathBuf,
    /// The folder that contains `postgres` and `initdb`.
    pub postgres_bin: Option<PathBuf>,
    /// The variable `PATH`.
    pub search_path: Option<OsString>,
    /// True if PostgreSQL may be downloaded.
    pub download: bool,
    /// True if the demo household is served.
    pub demo: bool,
    /// Settings of the dashboard; `None` if it is not served.
    #[cfg(feature = "dashboard")]
    pub dashboard: Option<DashboardSettings>,
    /// Origins of web pages that may call the tool server, besides the server's own.
    pub tool_origins: Vec<String>,
    /// The issuer that the discovery documents name.
    pub oauth_mode: IssuerMode,
    /// Scopes that the authorization proxy removes from requests.
    pub stripped_scopes: Vec<String>,
    /// The proof for an assistant vendor that the domain is the operator's.
    pub apps_challenge: Option<AppsChallenge>,
    /// Scopes that a client can request when it signs in.
    pub requestable_scopes: Vec<Scope>,
    /// The prefix of personal access tokens.
    pub token_prefix: String,
    /// The identity provider; only personal access tokens are accepted if there is none.
    pub provider: Option<passbook_auth::provider::Settings>,
    /// Accepted audiences of access tokens besides the server's own addresses.
    pub audiences: Vec<String>,
    /// The log filter.
    pub log: String,
    /// The format of the log.
    pub log_format: LogFormat,
    /// Limits of connections and of requests in progress.
    pub limits: Limits,
    /// Address of the metrics; `None` if the server serves none.
    pub metrics_listen: Option<SocketAddr>,
    /// The proxies whose `X-Forwarded-For` header is trusted.
    pub trusted_proxies: TrustedProxies,
    /// The certificate for TLS; without it, connections are not encrypted.
    pub certificate: Option<Certificate>,
    /// Number of threads that handle requests.
    pub worker_threads: NonZeroUsize,
    /// Maximum duration of a request, in seconds.
    pub request_seconds: u64,
    /// Requests per minute of a user; 0 disables the limit.
    pub rate_limit_user: u32,
    /// Requests per minute of each client of a user; 0 disables the limit.
    pub rate_limit_client: u32,
    /// The store in which several servers count requests together; each counts alone if there is none.
    #[cfg(feature = "shared-rate-limit")]
    pub rate_limit_store: Option<RateLimitStore>,
    /// The current day, for tests. No setting sets it.
    pub today: Option<Date>,
}

impl Settings {
    /// Reads all settings. `demo` is true if the demo household is to be served.
    ///
    /// # Errors
    /// Every problem.
    pub fn resolve(sources: &Sources, demo: bool) -> Result<Settings, Vec<Fault>> {
        let mut reader = Reader::new(sources);
        let deployment = Deployment::read(&mut reader, DEPLOYMENT_RULES);
        let uses_embedded = cfg!(feature = "embedded") && !reader.is_given("PASSBOOK_DATABASE_URL");
        let embedded = EmbeddedDatabase::read(&mut reader, uses_embedded);
        #[cfg(feature = "dashboard")]
        let dashboard = dashboard(&mut reader);
        let provider = deployment.issuer.map(|issuer| {
            passbook_auth::provider::Settings::new(issuer).with_allowed_hosts(deployment.hosts)
        });
        let standby_lag_max = Duration::from_secs(reader.number("PASSBOOK_DATABASE_STANDBY_LAG_SECONDS"));
        let settings = Settings {
            listen: deployment.listen,
            origin: deployment.origin,
            database: deployment.database.map(|database| database.with_standby_lag_max(standby_lag_max)),
            database_connections: reader.number("PASSBOOK_DATABASE_CONNECTIONS"),
            database_connection_age: Duration::from_secs(
                reader.number("PASSBOOK_DATABASE_CONNECTION_AGE_SECONDS"),
            ),
            prepared_statements: reader.boolean("PASSBOOK_DATABASE_PREPARED_STATEMENTS"),
            data_dir: embedded.data_dir.unwrap_or_default(),
            postgres_bin: embedded.postgres_bin,
            search_path: embedded.search_path,
            download: embedded.download,
            demo,
            #[cfg(feature = "dashboard")]
            dashboard,
            tool_origins: reader.origins("PASSBOOK_MCP_ORIGINS"),
            oauth_mode: deployment.mode,
            stripped_scopes: reader
                .optional("PASSBOOK_OAUTH_STRIP_SCOPES", |text| stripped_scopes(text).map_err(rule))
                .unwrap_or_default(),
            apps_challenge: apps_challenge(&mut reader),
            requestable_scopes: reader
                .optional("PASSBOOK_OAUTH_REQUESTABLE_SCOPES", scopes)
                .unwrap_or_default(),
            token_prefix: reader.optional("PASSBOOK_TOKEN_PREFIX", token_prefix).unwrap_or_default(),
            provider,
            audiences: deployment.audiences,
            log: reader.optional("PASSBOOK_LOG", log_filter).unwrap_or_default(),
            log_format: reader.optional("PASSBOOK_LOG_FORMAT", log_format).unwrap_or(LogFormat::Text),
            limits: limits(&mut reader),
            metrics_listen: metrics_listen(&mut reader),
            trusted_proxies: reader.optional("PASSBOOK_TRUSTED_PROXIES", trusted_proxies).unwrap_or_default(),
            certificate: certificate(&mut reader),
            worker_threads: worker_threads(reader.number("PASSBOOK_WORKER_THREADS"), processors()),
            request_seconds: reader.number("PASSBOOK_REQUEST_SECONDS"),
            rate_limit_user: reader.number("PASSBOOK_RATE_LIMIT_USER"),
            rate_limit_client: reader.number("PASSBOOK_RATE_LIMIT_CLIENT"),
            #[cfg(feature = "shared-rate-limit")]
            rate_limit_store: reader.optional("PASSBOOK_RATE_LIMIT_STORE", RateLimitStore::parse),
            today: None,
        };
        #[cfg(not(feature = "shared-rate-limit"))]
        reader.optional("PASSBOOK_RATE_LIMIT_STORE", |_| -> Result<(), String> {
            Err("needs a build with the cargo feature shared-rate-limit: remove the setting, or use such a build"
                .to_owned())
        });
        if demo && reader.is_given("PASSBOOK_DATABASE_URL") {
            reader.problem("--demo", "uses the embedded database: remove PASSBOOK_DATABASE_URL or --demo");
        }
        reader.finish(settings)
    }
}

/// The rules that need the types of `auth`.
const DEPLOYMENT_RULES: DeploymentRules<IssuerMode> = DeploymentRules {
    issuer: |text| passbook_auth::provider::check_issuer(text).map(|()| text.to_owned()).map_err(rule),
    mode: |text| IssuerMode::parse(text).map_err(rule),
};

/// Vendor and token of the apps challenge. One without the other is a problem.
fn apps_challenge(reader: &mut Reader<'_>) -> Option<AppsChallenge> {
    let [vendor, token] = ["PASSBOOK_APPS_CHALLENGE_VENDOR", "PASSBOOK_APPS_CHALLENGE_TOKEN"];
    let checked = |check: fn(&str) -> Result<(), Invalid>| {
        move |text: &str| check(text).map(|()| text.to_owned()).map_err(rule)
    };
    let values = (
        reader.optional(vendor, checked(AppsChallenge::check_vendor)),
        reader.optional(token, checked(AppsChallenge::check_token)),
    );
    let (alone, missing) = match values {
        (Some(vendor), Some(token)) => return AppsChallenge::new(&vendor, &token).ok(),
        (None, None) => return None,
        (Some(_), None) => (vendor, token),
        (None, Some(_)) => (token, vendor),
    };
    reader.needs(alone, missing);
    None
}

fn limits(reader: &mut Reader<'_>) -> Limits {
    let mut seconds = |name| Duration::from_secs(reader.number(name));
    let (head, idle, write) = (
        seconds("PASSBOOK_HEAD_SECONDS"),
        seconds("PASSBOOK_IDLE_SECONDS"),
        seconds("PASSBOOK_WRITE_SECONDS"),
    );
    let (age, drain) = (seconds("PASSBOOK_CONNECTION_AGE_SECONDS"), seconds("PASSBOOK_DRAIN_SECONDS"));
    let notice = seconds("PASSBOOK_STOP_NOTICE_SECONDS");
    Limits {
        connections: reader.number("PASSBOOK_CONNECTIONS"),
        connections_per_address: reader.number("PASSBOOK_CONNECTIONS_PER_ADDRESS"),
        requests: reader.number("PASSBOOK_REQUESTS_IN_PROGRESS"),
        head,
        idle,
        write,
        age,
        notice,
        drain,
        ..Limits::default()
    }
}

/// The certificate for TLS. One file without the other is a problem.
fn certificate(reader: &mut Reader<'_>) -> Option<Certificate> {
    const CHAIN: &str = "PASSBOOK_TLS_CERTIFICATE";
    const KEY: &str = "PASSBOOK_TLS_KEY";
    match (reader.path(CHAIN), reader.path(KEY)) {
        (Some(chain), Some(key)) => Certificate::read(&chain, &key)
            .map_err(|error| reader.problem(CHAIN, format!("cannot be used: {error}")))
            .ok(),
        (Some(_), None) => {
            reader.needs(CHAIN, KEY);
            None
        }
        (None, Some(_)) => {
            reader.needs(KEY, CHAIN);
            None
        }
        (None, None) => None,
    }
}

/// The address of the metrics, which must not be public.
fn metrics_listen(reader: &mut Reader<'_>) -> Option<SocketAddr> {
    const NAME: &str = "PASSBOOK_METRICS_LISTEN";
    let address = reader.address(NAME)?;
    let is_private = match address.ip() {
        IpAddr::V4(ip) => ip.is_loopback() || ip.is_private(),
        IpAddr::V6(ip) => ip.is_loopback() || ip.is_unique_local(),
    };
    if !is_private {
        let rule = format!(
            "must be a loopback or private address, because metrics need no token; received {address}"
        );
        reader.problem(NAME, rule);
    }
    Some(address)
}

/// Addresses and networks separated by commas.
fn trusted_proxies(text: &str) -> Result<TrustedProxies, String> {
    TrustedProxies::parse(text).map_err(|item| {
        format!(
            "must be IP addresses or networks separated by commas, such as 10.0.0.0/8; {item:?} is neither"
        )
    })
}

/// Data scopes separated by commas.
fn scopes(text: &str) -> Result<Vec<Scope>, String> {
    let rule = || {
        let scopes: Vec<&str> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
        format!("must be scopes separated by commas, out of {}", scopes.join(", "))
    };
    text.split(',').map(|item| Scope::parse(item.trim()).map_err(|_| rule())).collect()
}

fn token_prefix(text: &str) -> Result<String, String> {
    passbook_auth::personal_access_token::check_prefix(text).map(|()| text.to_owned()).map_err(rule)
}

fn log_filter(text: &str) -> Result<String, String> {
    match tracing_subscriber::EnvFilter::try_new(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(_) => Err("must be a filter such as info or passbook_rest=debug,warn".to_owned()),
    }
}

fn log_format(text: &str) -> Result<LogFormat, String> {
    match text {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err("must be text or json".to_owned()),
    }
}

fn rule(invalid: Invalid) -> String {
    invalid.to_string()
}

/// The settings of the dashboard; `None` if it is not served.
#[cfg(feature = "dashboard")]
fn dashboard(reader: &mut Reader<'_>) -> Option<DashboardSettings> {
    const CLIENT_ID: &str = "PASSBOOK_DASHBOARD_CLIENT_ID";
    let is_served = reader.boolean("PASSBOOK_DASHBOARD");
    let client_id = reader.optional(CLIENT_ID, client_id);
    let key = reader.optional("PASSBOOK_SESSION_KEY", |text| {
        passbook_dashboard::SessionKey::parse(text).map_err(str::to_owned)
    });
    reader.needs(CLIENT_ID, "PASSBOOK_OIDC_ISSUER");
    let session_key = key.unwrap_or_else(passbook_dashboard::SessionKey::generate);
    is_served.then_some(DashboardSettings { client_id, session_key })
}

/// The identifier of a client (RFC 6749 appendix A.1).
#[cfg(feature = "dashboard")]
fn client_id(text: &str) -> Result<String, String> {
    let is_visible = |byte: u8| byte.is_ascii_graphic();
    if (1..=200).contains(&text.len()) && text.bytes().all(is_visible) {
        return Ok(text.to_owned());
    }
    Err("must have 1 to 200 visible ASCII characters".to_owned())
}

/// Returns the number of processors.
fn processors() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Returns the number of threads that handle requests: as set, or half of the processors for 0. Each result of PostgreSQL wakes a thread that sleeps. With
/// more threads than the server keeps busy, more of them sleep, and every request needs more processor time.
fn worker_threads(set: usize, processors: NonZeroUsize) -> NonZeroUsize {
    let half = NonZeroUsize::new(processors.get() / 2).unwrap_or(NonZeroUsize::MIN);
    NonZeroUsize::new(set).unwrap_or(half)
}
