//! The typed settings of the server. All are read before anything is bound.

mod command_line;
mod values;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use jiff::civil::Date;
use passbook_auth::authorization_proxy::{IssuerMode, stripped_scopes};
use passbook_domain::scope::Scope;
use passbook_input::Fault;
use passbook_oauth::AppsChallenge;
use passbook_settings::{Deployment, EmbeddedDatabase, Reader, keys};
use passbook_transport::{Certificate, Limits, TrustedProxies};

#[cfg(feature = "shared-rate-limit")]
use crate::shared_rate_limit::RateLimitStore;
#[cfg(feature = "dashboard")]
pub use values::DashboardSettings;
pub use values::LogFormat;
use values::{
    apps_challenge, certificate, limits, log_filter, log_format, metrics_listen, processors, rule, scopes,
    token_prefix, trusted_proxies, worker_threads,
};

pub use command_line::{CommandLine, HelpText};
pub use passbook_settings::{SETTINGS, Setting, Sources, example_file};

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
        let deployment = Deployment::read(&mut reader);
        let uses_embedded = cfg!(feature = "embedded") && !reader.is_given(keys::DATABASE_URL);
        let embedded = EmbeddedDatabase::read(&mut reader, uses_embedded);
        #[cfg(feature = "dashboard")]
        let dashboard = DashboardSettings::read(&mut reader);
        let provider = deployment.issuer.map(|issuer| {
            passbook_auth::provider::Settings::new(issuer).with_allowed_hosts(deployment.hosts)
        });
        let standby_lag_max = Duration::from_secs(reader.value(keys::DATABASE_STANDBY_LAG_SECONDS));
        let settings = Settings {
            listen: deployment.listen,
            origin: deployment.origin,
            database: deployment.database.map(|database| database.with_standby_lag_max(standby_lag_max)),
            database_connections: reader.value(keys::DATABASE_CONNECTIONS),
            database_connection_age: Duration::from_secs(reader.value(keys::DATABASE_CONNECTION_AGE_SECONDS)),
            prepared_statements: reader.value(keys::DATABASE_PREPARED_STATEMENTS),
            data_dir: embedded.data_dir.unwrap_or_default(),
            postgres_bin: embedded.postgres_bin,
            search_path: embedded.search_path,
            download: embedded.download,
            demo,
            #[cfg(feature = "dashboard")]
            dashboard,
            tool_origins: reader.value(keys::MCP_ORIGINS),
            oauth_mode: deployment.mode,
            stripped_scopes: reader
                .checked(keys::OAUTH_STRIP_SCOPES, |text| stripped_scopes(text).map_err(rule))
                .unwrap_or_default(),
            apps_challenge: apps_challenge(&mut reader),
            requestable_scopes: reader.checked(keys::OAUTH_REQUESTABLE_SCOPES, scopes).unwrap_or_default(),
            token_prefix: reader.checked(keys::TOKEN_PREFIX, token_prefix).unwrap_or_default(),
            provider,
            audiences: deployment.audiences,
            log: reader.checked(keys::LOG, log_filter).unwrap_or_default(),
            log_format: reader.checked(keys::LOG_FORMAT, log_format).unwrap_or(LogFormat::Text),
            limits: limits(&mut reader),
            metrics_listen: metrics_listen(&mut reader),
            trusted_proxies: reader.checked(keys::TRUSTED_PROXIES, trusted_proxies).unwrap_or_default(),
            certificate: certificate(&mut reader),
            worker_threads: worker_threads(reader.value(keys::WORKER_THREADS), processors()),
            request_seconds: reader.value(keys::REQUEST_SECONDS),
            rate_limit_user: reader.value(keys::RATE_LIMIT_USER),
            rate_limit_client: reader.value(keys::RATE_LIMIT_CLIENT),
            #[cfg(feature = "shared-rate-limit")]
            rate_limit_store: reader.checked(keys::RATE_LIMIT_STORE, RateLimitStore::parse),
            today: None,
        };
        #[cfg(not(feature = "shared-rate-limit"))]
        reader.checked(keys::RATE_LIMIT_STORE, |_| -> Result<(), String> {
            Err("needs a build with the cargo feature shared-rate-limit: remove the setting, or use such a build"
                .to_owned())
        });
        if demo && reader.is_given(keys::DATABASE_URL) {
            reader.problem("--demo", "uses the embedded database: remove PASSBOOK_DATABASE_URL or --demo");
        }
        reader.finish(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(environment: &[(&'static str, &'static str)], demo: bool) -> Result<Settings, Vec<Fault>> {
        let folder = ("PASSBOOK_DATA_DIR", "/data");
        let environment = std::iter::once(&folder).chain(environment).copied();
        Settings::resolve(&Sources::from_environment(environment), demo)
    }

    #[test]
    fn server_needs_no_settings_but_a_data_folder() {
        let settings = resolve(&[], false).expect("the defaults are valid");
        assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
        assert_eq!((settings.origin, settings.database.is_none()), (None, true));
        assert_eq!(settings.stripped_scopes, ["offline_access"]);
        assert_eq!((settings.rate_limit_user, settings.rate_limit_client), (300, 120));
    }

    #[test]
    fn faulty_settings_are_problems() {
        let url = ("PASSBOOK_DATABASE_URL", "postgresql://passbook_reader@localhost/money");
        let vendor = ("PASSBOOK_APPS_CHALLENGE_VENDOR", "openai");
        for (environment, demo, expected) in [
            (&[("PASSBOOK_DATA_DIR", "data")][..], false, "PASSBOOK_DATA_DIR"),
            (&[("PASSBOOK_METRICS_LISTEN", "0.0.0.0:9464")], false, "PASSBOOK_METRICS_LISTEN"),
            (&[("PASSBOOK_METRICS_LISTEN", "[::]:9464")], false, "PASSBOOK_METRICS_LISTEN"),
            (&[("PASSBOOK_METRICS_LISTEN", "192.0.2.1:9464")], false, "PASSBOOK_METRICS_LISTEN"),
            (&[url], true, "--demo"),
            (&[vendor], false, "PASSBOOK_APPS_CHALLENGE_VENDOR"),
            (&[("PASSBOOK_APPS_CHALLENGE_TOKEN", "tok-1")], false, "PASSBOOK_APPS_CHALLENGE_TOKEN"),
            // The invalid half is the only problem.
            (&[vendor, ("PASSBOOK_APPS_CHALLENGE_TOKEN", "a b")], false, "PASSBOOK_APPS_CHALLENGE_TOKEN"),
            (&[("PASSBOOK_WORKER_THREADS", "257")], false, "PASSBOOK_WORKER_THREADS"),
            #[cfg(feature = "dashboard")]
            (&[("PASSBOOK_DASHBOARD_CLIENT_ID", "client-1")], false, "PASSBOOK_DASHBOARD_CLIENT_ID"),
        ] {
            let problems = resolve(environment, demo).expect_err("a problem");
            let names: Vec<&str> = problems.iter().map(|problem| problem.place.as_str()).collect();
            assert_eq!(names, [expected], "{environment:?}");
        }
    }

    #[test]
    fn settings_are_read() {
        let resolve = |environment: &[_]| resolve(environment, false).expect("the settings are valid");
        for (value, expected) in [("true", false), ("1", false), ("false", true), ("0", true), ("", true)] {
            assert_eq!(resolve(&[("PASSBOOK_NO_DOWNLOAD", value)]).download, expected, "{value:?}");
        }
        for address in ["127.0.0.1:9464", "[::1]:9464", "10.0.0.7:9464", "[fd00::1]:9464"] {
            let listen = resolve(&[("PASSBOOK_METRICS_LISTEN", address)]).metrics_listen;
            assert_eq!(listen.map(|address| address.to_string()).as_deref(), Some(address));
        }
        let url = ("PASSBOOK_DATABASE_URL", "postgresql://passbook_reader@localhost/money");
        assert!(resolve(&[url]).database.is_some());
        let vendor = ("PASSBOOK_APPS_CHALLENGE_VENDOR", "openai");
        assert!(resolve(&[vendor, ("PASSBOOK_APPS_CHALLENGE_TOKEN", "tok-1")]).apps_challenge.is_some());
        assert_eq!(resolve(&[("PASSBOOK_WORKER_THREADS", "3")]).worker_threads.get(), 3);
    }

    #[cfg(feature = "dashboard")]
    #[test]
    fn dashboard_is_served_unless_a_setting_forbids_it() {
        let dashboard = |environment: &[_]| resolve(environment, false).map(|settings| settings.dashboard);
        let served = |environment: &[_]| dashboard(environment).expect("the settings are valid");
        assert!(served(&[]).expect("the dashboard is served").client_id.is_none());
        assert!(served(&[("PASSBOOK_DASHBOARD", "false")]).is_none());
        let client = ("PASSBOOK_DASHBOARD_CLIENT_ID", "client-1");
        let issuer = ("PASSBOOK_OIDC_ISSUER", "https://id.example");
        let client_id = served(&[client, issuer]).expect("the dashboard is served").client_id;
        assert_eq!(client_id.as_deref(), Some("client-1"));
        let problems = dashboard(&[("PASSBOOK_SESSION_KEY", "short-secret")]).expect_err("a problem");
        assert!(!problems[0].to_string().contains("short-secret"), "{}", problems[0]);
    }

    #[test]
    fn message_about_an_unknown_scope_lists_the_scopes() {
        let problems = resolve(&[("PASSBOOK_OAUTH_REQUESTABLE_SCOPES", "budgets:write")], false);
        let message = problems.expect_err("the scope is unknown")[0].to_string();
        assert!(
            message.contains("budgets:read") && message.ends_with("received \"budgets:write\""),
            "{message}"
        );
    }
}
