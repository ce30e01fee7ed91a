//! What the server is told, as far as the doctor looks at it: from the same environment and file.

use auth::provider::check_issuer;
use auth::sign_in::Mode;

use super::{Environment, Reading};
use crate::arguments::Connection;

/// The origin when nothing names one: where the server listens when nothing is said.
const ORIGIN: &str = "http://127.0.0.1:8080";

/// What the server is told.
#[derive(Debug)]
pub(crate) struct Served {
    /// The database that requests are answered from; the private one when none is named.
    pub(crate) database: Option<Box<tokio_postgres::Config>>,
    /// The identity provider, if there is one.
    pub(crate) provider: Option<auth::provider::Settings>,
    /// Which issuer the discovery documents name.
    pub(crate) mode: Mode,
    /// The public origin.
    pub(crate) origin: String,
}

impl Served {
    /// Reads all of it; every problem. What the doctor does not look at is the server's to check at its start.
    pub(crate) fn read(flags: &Connection, environment: Environment<'_>) -> Result<Served, Vec<String>> {
        let mut reading = Reading { environment, file: toml::Table::new(), problems: Vec::new() };
        reading.read_file(flags.config.as_deref());
        let url = reading.text("PASSBOOK_DATABASE_URL", "database_url");
        let database = url.map(|url| url.parse::<tokio_postgres::Config>().map(Box::new));
        if let Some(Err(_)) = database {
            // Never with the URL itself, which may hold a password.
            reading.problem("PASSBOOK_DATABASE_URL: must be a PostgreSQL URL".to_owned());
        }
        let mode = reading.text("PASSBOOK_OAUTH_MODE", "oauth_mode").map(|text| (Mode::parse(&text), text));
        if let Some((Err(invalid), text)) = &mode {
            reading.problem(format!("PASSBOOK_OAUTH_MODE: {invalid}; received {text:?}"));
        }
        let served = Served {
            provider: provider(&mut reading),
            origin: origin(&mut reading),
            mode: mode.and_then(|(mode, _)| mode.ok()).unwrap_or_default(),
            database: database.and_then(Result::ok),
        };
        if reading.problems.is_empty() { Ok(served) } else { Err(reading.problems) }
    }
}

fn provider(reading: &mut Reading<'_>) -> Option<auth::provider::Settings> {
    let issuer = reading.text("PASSBOOK_OIDC_ISSUER", "oidc_issuer")?;
    if let Err(invalid) = check_issuer(&issuer) {
        reading.problem(format!("PASSBOOK_OIDC_ISSUER: {invalid}; received {issuer:?}"));
        return None;
    }
    let hosts = reading.text("PASSBOOK_OIDC_HOSTS", "oidc_hosts").unwrap_or_default();
    let hosts = hosts.split(',').map(|host| host.trim().to_owned()).filter(|host| !host.is_empty());
    Some(auth::provider::Settings { allowed_hosts: hosts.collect(), ..auth::provider::Settings::new(issuer) })
}

fn origin(reading: &mut Reading<'_>) -> String {
    let named = reading.text("PASSBOOK_ORIGIN", "origin");
    let listening = reading.text("PASSBOOK_LISTEN", "listen").map(|address| format!("http://{address}"));
    let origin = named.or(listening).unwrap_or_else(|| ORIGIN.to_owned());
    origin.trim_end_matches('/').to_owned()
}
