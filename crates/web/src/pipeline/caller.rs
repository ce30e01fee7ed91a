//! The authenticated caller of a request. Adapters can read data only through it.

use passbook_domain::access::Credential;
use passbook_operations::ParameterValue;
use passbook_operations::{Entry, Error, Service};

use crate::rate_limit::Admission;

/// A caller who is authenticated and within the rate limits. Only
/// [`Pipeline::authenticate`](super::Pipeline::authenticate) creates one, so an adapter cannot read data without
/// authentication, rate limit and concurrency permit. Dropping the caller releases the permit.
#[derive(Debug)]
pub struct Caller {
    service: Service,
    credential: Credential,
    _admission: Option<Admission>,
}

impl Caller {
    pub(super) fn new(service: Service, credential: Credential, admission: Option<Admission>) -> Caller {
        Caller { service, credential, _admission: admission }
    }

    /// Runs an operation with the received request parameters and returns its result as JSON. The ledger checks the
    /// grant and the operation's scope in the transaction that reads the data.
    ///
    /// # Errors
    /// Every fault of the parameters at once, or an error of the operation.
    #[expect(clippy::disallowed_methods, reason = "the pipeline has authenticated and admitted the caller")]
    pub async fn execute(
        &self,
        entry: &Entry,
        parameters: &[(String, ParameterValue)],
    ) -> Result<Vec<u8>, Error> {
        entry.execute(&self.service, &self.credential, parameters).await
    }

    /// Checks that the caller's grant is neither revoked nor expired and allows the surface. For responses without
    /// personal data.
    ///
    /// # Errors
    /// The grant is revoked or expired or does not allow the surface, or the ledger has failed.
    #[expect(clippy::disallowed_methods, reason = "the pipeline has authenticated and admitted the caller")]
    pub async fn check_grant(&self) -> Result<(), Error> {
        self.service.check_grant(&self.credential).await
    }
}
