//! The provider of a build without the feature `provider`: there is none.

use bytes::Bytes;
use http_body_util::Full;
use hyper::Response;
use passbook_web::{BaseUrl, HttpError};

use crate::documents::ProviderDocument;

/// An identity provider. The type has no value, so the adapter answers as without a provider.
#[derive(Clone, Debug)]
pub(crate) enum ProviderConfig {}

impl ProviderConfig {
    pub(crate) fn authorization_server<'a>(&'a self, _: &'a BaseUrl) -> &'a str {
        match *self {}
    }
}

pub(crate) async fn document(
    config: &ProviderConfig,
    _: ProviderDocument,
    _: &BaseUrl,
) -> Result<Response<Full<Bytes>>, HttpError> {
    match *config {}
}

pub(crate) async fn redirect(
    config: &ProviderConfig,
    _: &str,
    _: &BaseUrl,
) -> Result<Response<Full<Bytes>>, HttpError> {
    match *config {}
}
