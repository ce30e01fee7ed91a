//! An HTTP client for the identity provider's documents and token endpoint, with bounds on time and size.

use std::time::Duration;

use crate::error_chain;
use reqwest::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, DATE};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};

use super::settings::SettingsError;
use super::url_policy::UrlPolicy;

/// Maximum size of a response body, in bytes.
const BODY_BYTES_MAX: usize = 256 * 1024;

/// An HTTP client that fetches the provider's documents. It follows no redirects, stores no cookies, and ignores proxy
/// settings of the environment.
#[derive(Clone, Debug)]
pub(super) struct Fetcher {
    client: Client,
    timeout: Duration,
}

/// A fetched document.
pub(super) struct Fetched {
    pub(super) body: Vec<u8>,
    /// Value of `max-age` in the response's `Cache-Control` header; `None` if there is none.
    pub(super) max_age: Option<Duration>,
    /// Time in the response's `Date` header, in seconds since 1970 (RFC 9110 section 6.6.1); `None` if there is none.
    pub(super) date: Option<i64>,
}

/// The reason for a failed fetch.
pub(super) enum FetchError {
    /// The provider answered 404.
    NotFound,
    /// The fetch failed for another reason. Contains the reason, for the log and the operator.
    Failed(String),
}

impl Fetcher {
    pub(super) fn new(policy: &UrlPolicy, timeout: Duration) -> Result<Fetcher, SettingsError> {
        let mut builder = Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .referer(false)
            .timeout(timeout)
            .connect_timeout(timeout)
            .user_agent(concat!("passbook/", env!("CARGO_PKG_VERSION")));
        builder = if policy.issuer().scheme() == "https" {
            builder.https_only(true)
        } else {
            // A provider on a loopback address needs no TLS, so the system may lack root certificates.
            builder.tls_certs_only([])
        };
        Ok(Fetcher { client: builder.build().map_err(SettingsError::Client)?, timeout })
    }

    /// Returns the time limit of one request.
    pub(super) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Fetches the document at an address.
    pub(super) async fn get(&self, url: Url) -> Result<Fetched, FetchError> {
        let request = self.client.get(url).header(ACCEPT, "application/json");
        let response = request.send().await.map_err(failed)?;
        match response.status() {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND => return Err(FetchError::NotFound),
            status => return Err(FetchError::Failed(format!("the provider answers {}", status.as_u16()))),
        }
        let max_age = max_age(response.headers());
        let date = response.headers().get(DATE).and_then(|value| value.to_str().ok());
        let date = date.and_then(|date| jiff::fmt::rfc2822::parse(date).ok());
        let date = date.map(|date| date.timestamp().as_second());
        let body = body(response).await?;
        Ok(Fetched { body, max_age, date })
    }

    /// Sends a form (`application/x-www-form-urlencoded`). Returns the status and the body of the response.
    pub(super) async fn post_form(
        &self,
        url: Url,
        pairs: &[(&str, &str)],
    ) -> Result<(StatusCode, Vec<u8>), FetchError> {
        // A form and the query of a URL have the same encoding (WHATWG URL section 5.2).
        let mut form = url.clone();
        form.query_pairs_mut().clear().extend_pairs(pairs);
        let request = self
            .client
            .post(url)
            .header(ACCEPT, "application/json")
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(form.query().unwrap_or_default().to_owned());
        let response = request.send().await.map_err(failed)?;
        Ok((response.status(), body(response).await?))
    }
}

/// Returns the reason for a failure, without the address, whose query may contain secrets.
fn failed(error: reqwest::Error) -> FetchError {
    FetchError::Failed(error_chain(&error.without_url()))
}

/// Reads the body of a response.
///
/// # Errors
/// The body does not arrive, or has more than [`BODY_BYTES_MAX`] bytes.
async fn body(mut response: Response) -> Result<Vec<u8>, FetchError> {
    let too_large = || FetchError::Failed(format!("the document has more than {BODY_BYTES_MAX} bytes"));
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
    Ok(body)
}

/// Returns the value of `max-age` in the `Cache-Control` header (RFC 9111 section 5.2.2.1).
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn max_age_is_found_after_another_directive() {
        let value = "public, MAX-AGE=\"60\"".parse().expect("a header");
        let headers = [(CACHE_CONTROL, value)].into_iter().collect();
        assert_eq!(max_age(&headers), Some(Duration::from_secs(60)));
    }
}
