//! The responses that need the identity provider.

use bytes::Bytes;
use http_body_util::Full;
use hyper::Response;
use passbook_web::{BaseUrl, HttpError};

use crate::documents::{ProviderDocument, json, provider};
use crate::provider_config::ProviderConfig;
use crate::proxy;

/// Returns a document that describes the provider.
///
/// # Errors
/// `UNAVAILABLE` if the provider's own document cannot be used now.
pub(crate) async fn document(
    config: &ProviderConfig,
    kind: ProviderDocument,
    base_url: &BaseUrl,
) -> Result<Response<Full<Bytes>>, HttpError> {
    let discovery = config.discovery_document(base_url).await?;
    Ok(json(&provider::metadata(kind, &discovery, config, base_url)))
}

/// Redirects an authorization request with this query to the provider.
///
/// # Errors
/// `INVALID_REQUEST` with every fault of the query, or `UNAVAILABLE`.
pub(crate) async fn redirect(
    config: &ProviderConfig,
    query: &str,
    base_url: &BaseUrl,
) -> Result<Response<Full<Bytes>>, HttpError> {
    let discovery = config.discovery_document(base_url).await?;
    proxy::redirect(&discovery.authorization_endpoint, query, &config.stripped_scopes)
}
