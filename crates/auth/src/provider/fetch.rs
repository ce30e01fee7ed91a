//! One bounded request to the identity provider.

use std::time::Duration;

use crate::error_chain;
use reqwest::header::{ACCEPT, CACHE_CONTROL, DATE};
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode, Url};

use super::address::Trust;
use super::settings::SettingsError;

/// The largest document, in bytes.
const BODY_BYTES_MAX: usize = 256 * 1024;

/// Fetches documents: no redirect, no cookie, no proxy of the environment, no more bytes and seconds than stated.
#[derive(Clone, Debug)]
pub(super) struct Fetcher {
    client: Client,
    timeout: Duration,
}

/// A document as it came.
pub(super) struct Fetched {
    pub(super) body: Vec<u8>,
    /// How long the provider says it may be kept.
    pub(super) max_age: Option<Duration>,
    /// What time it was for the provider, in seconds since 1970 (RFC 9110 section 6.6.1).
    pub(super) date: Option<i64>,
}

/// Why there is no document.
pub(super) enum Refused {
    /// There is none at this address.
    NotFound,
    /// Anything else, for the log and the operator.
    Failed(String),
}

impl Fetcher {
    pub(super) fn new(trust: &Trust, timeout: Duration) -> Result<Fetcher, SettingsError> {
        let mut builder = Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .referer(false)
            .timeout(timeout)
            .connect_timeout(timeout)
            .user_agent(concat!("passbook/", env!("CARGO_PKG_VERSION")));
        builder = if trust.issuer().scheme() == "https" {
            builder.https_only(true)
        } else {
            // A provider on this machine: no root certificates are needed, and none are looked for.
            builder.tls_certs_only([])
        };
        Ok(Fetcher { client: builder.build().map_err(SettingsError::Client)?, timeout })
    }

    /// How long one request may take.
    pub(super) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// The document at an address.
    pub(super) async fn get(&self, url: Url) -> Result<Fetched, Refused> {
        let failed = |error: reqwest::Error| Refused::Failed(error_chain(&error.without_url()));
        let request = self.client.get(url).header(ACCEPT, "application/json");
        let mut response = request.send().await.map_err(failed)?;
        match response.status() {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND => return Err(Refused::NotFound),
            status => return Err(Refused::Failed(format!("it answers {}", status.as_u16()))),
        }
        let max_age = max_age(response.headers());
        let date = response.headers().get(DATE).and_then(|value| value.to_str().ok());
        let date = date.and_then(|date| jiff::fmt::rfc2822::parse(date).ok());
        let date = date.map(|date| date.timestamp().as_second());
        let too_large = || Refused::Failed(format!("it sends more than {BODY_BYTES_MAX} bytes"));
        if response.content_length().is_some_and(|length| length > BODY_BYTES_MAX as u64) {
            return Err(too_large());
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            if body.len() + chunk.len() > BODY_BYTES_MAX {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Fetched { body, max_age, date })
    }
}

/// `max-age` of a `Cache-Control` header (RFC 9111 section 5.2.2.1).
fn max_age(headers: &reqwest::header::HeaderMap) -> Option<Duration> {
    let values = headers.get_all(CACHE_CONTROL).iter().filter_map(|value| value.to_str().ok());
    let directives = values.flat_map(|value| value.split(','));
    let mut ages = directives.filter_map(|directive| {
        let (name, seconds) = directive.trim().split_once('=')?;
        if !name.eq_ignore_ascii_case("max-age") {
            return None;
        }
        seconds.trim_matches('"').parse().ok()
    });
    ages.next().map(Duration::from_secs)
}
