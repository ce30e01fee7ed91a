//! Settings: read from flags, environment and a file, all of them, before anything is bound.

mod sources;
mod table;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

use auth::sign_in::{Mode, stripped_scopes};
use domain::Invalid;
use domain::scope::Scope;
use jiff::civil::Date;
use oauth::AppsChallenge;
use tokio_postgres::config::SslMode;

pub use sources::{Help, Invocation, Sources};
pub use table::{SETTINGS, Setting, document};

use crate::listen::ConnectionLimits;
use crate::outcome::Problem;
use sources::Reader;

/// Requests a minute that a rate limit may allow.
const RATE_LIMIT_MAX: u32 = 100_000;

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For machines.
    Json,
}

/// Everything the server is told.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where to listen.
    pub listen: SocketAddr,
    /// The public origin; the listening address when none is given.
    pub origin: Option<String>,
    /// The operator's database; the embedded one when none is given.
    pub database: Option<tokio_postgres::Config>,
    /// Connections to the database at most.
    pub database_connections: usize,
    /// Whether questions are prepared once per connection to the database.
    pub prepared_statements: bool,
    /// The embedded database's folder.
    pub data_dir: PathBuf,
    /// Where `postgres` and `initdb` are.
    pub postgres_bin: Option<PathBuf>,
    /// The value of `PATH`.
    pub search_path: Option<OsString>,
    /// Whether PostgreSQL may be fetched.
    pub download: bool,
    /// Whether to serve the demo household.
    pub demo: bool,
    /// Origins of web pages that may call the tool server, besides our own.
    pub tool_origins: Vec<String>,
    /// Which issuer the discovery documents name.
    pub oauth_mode: Mode,
    /// Scopes that are taken out of what clients ask the provider for.
    pub stripped_scopes: Vec<String>,
    /// What proves to a vendor of assistants whose the domain is.
    pub apps_challenge: Option<AppsChallenge>,
    /// Scopes that a client can ask for when it signs in.
    pub requestable_scopes: Vec<Scope>,
    /// What personal access tokens start with.
    pub token_prefix: String,
    /// The identity provider; personal access tokens only when there is none.
    pub provider: Option<auth::provider::Settings>,
    /// Audiences of access tokens that are accepted besides the service's own addresses.
    pub audiences: Vec<String>,
    /// The log's filter.
    pub log: String,
    /// The log's format.
    pub log_format: LogFormat,
    /// Limits of connections and requests.
    pub limits: ConnectionLimits,
    /// Requests a minute of a user; 0 is no limit.
    pub rate_limit_user: u32,
    /// Requests a minute of a client of a user; 0 is no limit.
    pub rate_limit_client: u32,
    /// A day to take for today. No setting sets it: it is for tests.
    pub today: Option<Date>,
}

impl Settings {
    /// Reads every setting; on any fault, every fault.
    pub fn resolve(sources: Sources) -> Result<Settings, Vec<Problem>> {
        let mut reader = Reader::new(&sources);
        let listen = reader.read("PASSBOOK_LISTEN", listen_address);
        let origin = reader.optional("PASSBOOK_ORIGIN", origin);
        let database = reader.optional("PASSBOOK_DATABASE_URL", database);
        let issuer = reader.optional("PASSBOOK_OIDC_ISSUER", issuer);
        let audiences = reader.optional("PASSBOOK_OIDC_AUDIENCE", list);
        let hosts = reader.optional("PASSBOOK_OIDC_HOSTS", list);
        for (name, given) in [("PASSBOOK_OIDC_AUDIENCE", &audiences), ("PASSBOOK_OIDC_HOSTS", &hosts)] {
            if given.is_some() && !reader.is_given("PASSBOOK_OIDC_ISSUER") {
                reader.problem(name, "means nothing without PASSBOOK_OIDC_ISSUER");
            }
        }
        let settings = Settings {
            provider: issuer.map(|issuer| auth::provider::Settings {
                allowed_hosts: hosts.unwrap_or_default(),
                ..auth::provider::Settings::new(issuer)
            }),
            audiences: audiences.unwrap_or_default(),
            listen: listen.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 0))),
            database_connections: reader.number("PASSBOOK_DATABASE_CONNECTIONS", 1..=1_000),
            prepared_statements: reader
                .read("PASSBOOK_DATABASE_PREPARED_STATEMENTS", boolean)
                .unwrap_or(true),
            data_dir: reader
                .optional("PASSBOOK_DATA_DIR", path)
                .or_else(|| sources.usual_data_dir())
                .unwrap_or_default(),
            postgres_bin: reader.optional("PASSBOOK_POSTGRES_BIN", path),
            search_path: sources.search_path().map(OsString::from),
            download: !reader.read("PASSBOOK_NO_DOWNLOAD", boolean).unwrap_or_default(),
            demo: sources.demo(),
            tool_origins: reader.read("PASSBOOK_MCP_ORIGINS", origins).unwrap_or_default(),
            oauth_mode: reader.read("PASSBOOK_OAUTH_MODE", mode).unwrap_or_default(),
            stripped_scopes: reader.read("PASSBOOK_OAUTH_STRIP_SCOPES", strip_scopes).unwrap_or_default(),
            apps_challenge: apps_challenge(&mut reader),
            requestable_scopes: reader
                .optional("PASSBOOK_OAUTH_REQUESTABLE_SCOPES", scopes)
                .unwrap_or_default(),
            token_prefix: reader.read("PASSBOOK_TOKEN_PREFIX", token_prefix).unwrap_or_default(),
            log: reader.read("PASSBOOK_LOG", log_filter).unwrap_or_default(),
            log_format: reader.read("PASSBOOK_LOG_FORMAT", log_format).unwrap_or(LogFormat::Text),
            limits: ConnectionLimits {
                connections: reader.number("PASSBOOK_CONNECTIONS", 1..=100_000),
                head_seconds: reader.number("PASSBOOK_HEAD_SECONDS", 1..=3_600),
                request_seconds: reader.number("PASSBOOK_REQUEST_SECONDS", 1..=600),
                drain_seconds: reader.number("PASSBOOK_DRAIN_SECONDS", 0..=600),
            },
            rate_limit_user: reader.number("PASSBOOK_RATE_LIMIT_USER", 0..=RATE_LIMIT_MAX),
            rate_limit_client: reader.number("PASSBOOK_RATE_LIMIT_CLIENT", 0..=RATE_LIMIT_MAX),
            today: None,
            origin,
            database,
        };
        if settings.listen.ip().is_unspecified() && settings.origin.is_none() {
            reader.problem(
                "PASSBOOK_ORIGIN",
                "must be set when PASSBOOK_LISTEN names all addresses, such as https://money.example",
            );
        }
        if settings.database.is_none()
            && cfg!(feature = "embedded")
            && settings.data_dir.as_os_str().is_empty()
        {
            reader.problem("PASSBOOK_DATA_DIR", "must name a folder, as there is no home folder");
        }
        if settings.demo && settings.database.is_some() {
            reader.problem("--demo", "uses the embedded database: leave PASSBOOK_DATABASE_URL out");
        }
        reader.finish(settings)
    }
}

fn listen_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "must be an address and a port, such as 127.0.0.1:8080".to_owned())
}

/// `scheme://host[:port]`, nothing behind it.
fn origin(text: &str) -> Result<String, String> {
    let rule = "must be an origin without a path, such as https://money.example";
    let uri: hyper::Uri = text.trim_end_matches('/').parse().map_err(|_| rule.to_owned())?;
    let good = matches!(uri.scheme_str(), Some("http" | "https"))
        && uri.authority().is_some_and(|authority| !authority.as_str().contains('@'))
        && uri.path_and_query().is_none_or(|target| target.as_str() == "/");
    if good { Ok(text.trim_end_matches('/').to_owned()) } else { Err(rule.to_owned()) }
}

/// A comma list of origins, or `none`.
fn origins(text: &str) -> Result<Vec<String>, String> {
    if text == "none" {
        return Ok(Vec::new());
    }
    text.split(',').map(|item| origin(item.trim())).collect::<Result<_, _>>().map_err(|_| {
        "must be origins without a path, such as https://claude.ai, with commas between them, or none"
            .to_owned()
    })
}

fn mode(text: &str) -> Result<Mode, String> {
    Mode::parse(text).map_err(|invalid| invalid.to_string())
}

fn strip_scopes(text: &str) -> Result<Vec<String>, String> {
    stripped_scopes(text).map_err(|invalid| invalid.to_string())
}

/// Vendor and token, which mean nothing without each other.
fn apps_challenge(reader: &mut Reader<'_>) -> Option<AppsChallenge> {
    let [vendor, token] = ["PASSBOOK_APPS_CHALLENGE_VENDOR", "PASSBOOK_APPS_CHALLENGE_TOKEN"];
    let checked = |check: fn(&str) -> Result<(), Invalid>| {
        move |text: &str| check(text).map(|()| text.to_owned()).map_err(|invalid| invalid.to_string())
    };
    let given = (
        reader.optional(vendor, checked(AppsChallenge::check_vendor)),
        reader.optional(token, checked(AppsChallenge::check_token)),
    );
    let alone = match given {
        (Some(vendor), Some(token)) => return AppsChallenge::new(&vendor, &token).ok(),
        (None, None) => return None,
        (Some(_), None) => vendor,
        (None, Some(_)) => token,
    };
    reader
        .problem(alone, "must be given together with its other half: vendor and token of the apps challenge");
    None
}

/// A comma list of data scopes.
fn scopes(text: &str) -> Result<Vec<Scope>, String> {
    let rule = || {
        let words: Vec<&str> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
        format!("must be scopes with commas between them, out of {}", words.join(", "))
    };
    text.split(',').map(|item| Scope::parse(item.trim()).map_err(|_| rule())).collect()
}

fn database(text: &str) -> Result<tokio_postgres::Config, String> {
    let config: tokio_postgres::Config = text
        .parse()
        .map_err(|_| "must be a URL such as postgresql://passbook_reader:…@localhost/passbook".to_owned())?;
    if config.get_ssl_mode() == SslMode::Require {
        return Err("asks for TLS (sslmode=require), which connections to the database do not have: use a unix socket, a loopback address or a private network, and sslmode=prefer".to_owned());
    }
    Ok(config)
}

fn path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.is_absolute() { Ok(path) } else { Err("must be an absolute path".to_owned()) }
}

fn boolean(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "must be true or false".to_owned())
}

fn token_prefix(text: &str) -> Result<String, String> {
    let checked = auth::personal_access_token::check_prefix(text);
    checked.map(|()| text.to_owned()).map_err(|invalid| invalid.to_string())
}

fn issuer(text: &str) -> Result<String, String> {
    let checked = auth::provider::check_issuer(text);
    checked.map(|()| text.to_owned()).map_err(|invalid| invalid.to_string())
}

/// Items between commas, each of them something.
fn list(text: &str) -> Result<Vec<String>, String> {
    let items: Vec<String> = text.split(',').map(|item| item.trim().to_owned()).collect();
    if items.iter().all(|item| !item.is_empty()) {
        Ok(items)
    } else {
        Err("must be a list whose items are separated by single commas".to_owned())
    }
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
