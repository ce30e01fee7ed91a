//! The settings that are more than one value of the table, and the rules that need types of other crates.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroUsize;
use std::time::Duration;

#[cfg(feature = "dashboard")]
use passbook_dashboard::SessionKey;
use passbook_domain::Invalid;
use passbook_domain::scope::Scope;
use passbook_oauth::AppsChallenge;
use passbook_settings::{Reader, certificate_files, keys};
use passbook_transport::{Certificate, Limits, TrustedProxies};

/// The settings of the dashboard.
#[cfg(feature = "dashboard")]
#[derive(Clone, Debug)]
pub struct DashboardSettings {
    /// Identifier of the page at the identity provider; people enter a personal access token if there is none.
    pub client_id: Option<String>,
    /// The key that seals the session cookies.
    pub session_key: SessionKey,
}

#[cfg(feature = "dashboard")]
impl DashboardSettings {
    /// Reads the settings; `None` if the dashboard is not served.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<DashboardSettings> {
        let is_served = reader.value(keys::DASHBOARD);
        let client_id = reader.checked(keys::DASHBOARD_CLIENT_ID, client_id);
        let key = |text: &str| SessionKey::parse(text).map_err(str::to_owned);
        let session_key = reader.checked(keys::SESSION_KEY, key).unwrap_or_else(SessionKey::generate);
        reader.needs(keys::DASHBOARD_CLIENT_ID, keys::OIDC_ISSUER);
        is_served.then_some(DashboardSettings { client_id, session_key })
    }
}

/// The format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Text for people, colored on a terminal.
    Text,
    /// One JSON object per line.
    Json,
}

/// Vendor and token of the apps challenge. One without the other is a problem.
pub(super) fn apps_challenge(reader: &mut Reader<'_>) -> Option<AppsChallenge> {
    let [vendor, token] = [keys::APPS_CHALLENGE_VENDOR, keys::APPS_CHALLENGE_TOKEN];
    let checked = |check: fn(&str) -> Result<(), Invalid>| {
        move |text: &str| check(text).map(|()| text.to_owned()).map_err(rule)
    };
    let values = (
        reader.checked(vendor, checked(AppsChallenge::check_vendor)),
        reader.checked(token, checked(AppsChallenge::check_token)),
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

pub(super) fn limits(reader: &mut Reader<'_>) -> Limits {
    let mut seconds = |key| Duration::from_secs(reader.value(key));
    let (head, idle, write) =
        (seconds(keys::HEAD_SECONDS), seconds(keys::IDLE_SECONDS), seconds(keys::WRITE_SECONDS));
    let (age, drain) = (seconds(keys::CONNECTION_AGE_SECONDS), seconds(keys::DRAIN_SECONDS));
    let notice = seconds(keys::STOP_NOTICE_SECONDS);
    Limits {
        connections: reader.value(keys::CONNECTIONS),
        connections_per_address: reader.value(keys::CONNECTIONS_PER_ADDRESS),
        requests: reader.value(keys::REQUESTS_IN_PROGRESS),
        head,
        idle,
        write,
        age,
        notice,
        drain,
        ..Limits::default()
    }
}

/// The certificate for TLS.
pub(super) fn certificate(reader: &mut Reader<'_>) -> Option<Certificate> {
    let (chain, key) = certificate_files(reader)?;
    let certificate = Certificate::read(&chain, &key);
    certificate
        .map_err(|error| reader.problem(keys::TLS_CERTIFICATE.name(), format!("cannot be used: {error}")))
        .ok()
}

/// The address of the metrics, which must not be public.
pub(super) fn metrics_listen(reader: &mut Reader<'_>) -> Option<SocketAddr> {
    let address = reader.optional(keys::METRICS_LISTEN)?;
    let is_private = match address.ip() {
        IpAddr::V4(ip) => ip.is_loopback() || ip.is_private(),
        IpAddr::V6(ip) => ip.is_loopback() || ip.is_unique_local(),
    };
    if !is_private {
        let rule = format!(
            "must be a loopback or private address, because metrics need no token; received {address}"
        );
        reader.problem(keys::METRICS_LISTEN.name(), rule);
    }
    Some(address)
}

pub(super) fn processors() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Returns the number of threads as set, or half of the processors for 0. Each result of PostgreSQL wakes a thread that
/// sleeps. With more threads than the server keeps busy, more of them sleep, and every request needs more processor time.
pub(super) fn worker_threads(set: usize, processors: NonZeroUsize) -> NonZeroUsize {
    let half = NonZeroUsize::new(processors.get() / 2).unwrap_or(NonZeroUsize::MIN);
    NonZeroUsize::new(set).unwrap_or(half)
}

/// Addresses and networks separated by commas.
pub(super) fn trusted_proxies(text: &str) -> Result<TrustedProxies, String> {
    TrustedProxies::parse(text).map_err(|item| {
        format!(
            "must be IP addresses or networks separated by commas, such as 10.0.0.0/8; {item:?} is neither"
        )
    })
}

/// Data scopes separated by commas.
pub(super) fn scopes(text: &str) -> Result<Vec<Scope>, String> {
    let rule = || {
        let scopes: Vec<&str> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
        format!("must be scopes separated by commas, out of {}", scopes.join(", "))
    };
    text.split(',').map(|item| Scope::parse(item.trim()).map_err(|_| rule())).collect()
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

pub(super) fn token_prefix(text: &str) -> Result<String, String> {
    passbook_auth::personal_access_token::check_prefix(text).map(|()| text.to_owned()).map_err(rule)
}

pub(super) fn log_filter(text: &str) -> Result<String, String> {
    match tracing_subscriber::EnvFilter::try_new(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(_) => Err("must be a filter such as info or passbook_rest=debug,warn".to_owned()),
    }
}

pub(super) fn log_format(text: &str) -> Result<LogFormat, String> {
    match text {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err("must be text or json".to_owned()),
    }
}

pub(super) fn rule(invalid: Invalid) -> String {
    invalid.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_processors_handle_requests_unless_a_number_is_set() {
        for (set, processors, expected) in
            [(0, 1, 1), (0, 2, 1), (0, 3, 1), (0, 16, 8), (1, 16, 1), (12, 4, 12)]
        {
            let processors = NonZeroUsize::new(processors).expect("a number above 0");
            assert_eq!(worker_threads(set, processors).get(), expected, "{set} of {processors}");
        }
    }
}
