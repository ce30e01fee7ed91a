//! The typed settings of the server. All are read before anything is bound.

mod command_line;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

use auth::authorization_proxy::stripped_scopes;
use auth::issuer_mode::IssuerMode;
use domain::Invalid;
use domain::scope::Scope;
use fault::Fault;
use jiff::civil::Date;
use oauth::AppsChallenge;
use settings::{Deployment, DeploymentRules, EmbeddedDatabase, Reader};

pub use command_line::{CommandLine, HelpText};
pub use settings::{SETTINGS, Setting, Sources, document, example_file};

use crate::listen::ConnectionLimits;

/// The format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Text for people, colored on a terminal.
    Text,
    /// One JSON object per line.
    Json,
}

/// The settings of a server. `docs/configuration.md` describes each.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The public origin; the listening address if there is none.
    pub origin: Option<String>,
    /// The operator's database; the embedded database if there is none.
    pub database: Option<tokio_postgres::Config>,
    /// Maximum number of database connections.
    pub database_connections: usize,
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
    pub provider: Option<auth::provider::Settings>,
    /// Accepted audiences of access tokens besides the server's own addresses.
    pub audiences: Vec<String>,
    /// The log filter.
    pub log: String,
    /// The format of the log.
    pub log_format: LogFormat,
    /// Limits of connections and requests.
    pub limits: ConnectionLimits,
    /// Requests per minute of a user; 0 disables the limit.
    pub rate_limit_user: u32,
    /// Requests per minute of each client of a user; 0 disables the limit.
    pub rate_limit_client: u32,
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
        let provider = deployment.issuer.map(|issuer| auth::provider::Settings {
            allowed_hosts: deployment.hosts,
            ..auth::provider::Settings::new(issuer)
        });
        let settings = Settings {
            listen: deployment.listen,
            origin: deployment.origin,
            database: deployment.database,
            database_connections: reader.number("PASSBOOK_DATABASE_CONNECTIONS"),
            prepared_statements: reader.boolean("PASSBOOK_DATABASE_PREPARED_STATEMENTS"),
            data_dir: embedded.data_dir.unwrap_or_default(),
            postgres_bin: embedded.postgres_bin,
            search_path: embedded.search_path,
            download: embedded.download,
            demo,
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
            limits: ConnectionLimits {
                connections: reader.number("PASSBOOK_CONNECTIONS"),
                head_seconds: reader.number("PASSBOOK_HEAD_SECONDS"),
                request_seconds: reader.number("PASSBOOK_REQUEST_SECONDS"),
                drain_seconds: reader.number("PASSBOOK_DRAIN_SECONDS"),
            },
            rate_limit_user: reader.number("PASSBOOK_RATE_LIMIT_USER"),
            rate_limit_client: reader.number("PASSBOOK_RATE_LIMIT_CLIENT"),
            today: None,
        };
        if demo && reader.is_given("PASSBOOK_DATABASE_URL") {
            reader.problem("--demo", "uses the embedded database: remove PASSBOOK_DATABASE_URL or --demo");
        }
        reader.finish(settings)
    }
}

/// The rules that need the types of `auth`.
const DEPLOYMENT_RULES: DeploymentRules<IssuerMode> = DeploymentRules {
    issuer: |text| auth::provider::check_issuer(text).map(|()| text.to_owned()).map_err(rule),
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
    if !reader.is_given(missing) {
        reader
            .problem(alone, format!("has no effect without {missing}: set that too, or remove this setting"));
    }
    None
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
    auth::personal_access_token::check_prefix(text).map(|()| text.to_owned()).map_err(rule)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(environment: &[(&'static str, &'static str)], demo: bool) -> Result<Settings, Vec<Fault>> {
        let folder = ("PASSBOOK_DATA_DIR", "/data");
        let environment = std::iter::once(&folder).chain(environment).copied();
        Settings::resolve(&Sources::from_environment(environment), demo)
    }

    fn names(result: Result<Settings, Vec<Fault>>) -> Vec<String> {
        result.expect_err("a problem").into_iter().map(|problem| problem.place).collect()
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
    fn download_is_allowed_unless_a_setting_forbids_it() {
        for (value, expected) in [("true", false), ("1", false), ("false", true), ("0", true), ("", true)] {
            let settings = resolve(&[("PASSBOOK_NO_DOWNLOAD", value)], false);
            assert_eq!(settings.expect("the settings are valid").download, expected, "{value:?}");
        }
    }

    #[test]
    fn relative_data_folder_is_refused() {
        assert_eq!(names(resolve(&[("PASSBOOK_DATA_DIR", "data")], false)), ["PASSBOOK_DATA_DIR"]);
    }

    #[test]
    fn demo_does_not_use_the_operators_database() {
        let url = ("PASSBOOK_DATABASE_URL", "postgresql://passbook_reader@localhost/money");
        assert!(resolve(&[url], false).is_ok());
        assert_eq!(names(resolve(&[url], true)), ["--demo"]);
    }

    #[test]
    fn apps_challenge_needs_vendor_and_token() {
        let vendor = ("PASSBOOK_APPS_CHALLENGE_VENDOR", "openai");
        let token = ("PASSBOOK_APPS_CHALLENGE_TOKEN", "tok-1");
        assert!(resolve(&[vendor, token], false).expect("both are given").apps_challenge.is_some());
        assert_eq!(names(resolve(&[vendor], false)), [vendor.0]);
        assert_eq!(names(resolve(&[token], false)), [token.0]);
        // The invalid half is the only problem.
        assert_eq!(names(resolve(&[vendor, (token.0, "a b")], false)), [token.0]);
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
