//! The service, which runs the operations of the catalogue for authenticated callers.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use domain::access::Credential;
use domain::ports::Ledger;
use domain::scope::Surface;
use tracing::Instrument as _;

use crate::context::Context;
use crate::error::Error;
use crate::form::Form;
use crate::operation::Operation;
use crate::parameter_value::ParameterValue;

/// Runs every operation with one ledger. Cheap to clone.
#[derive(Clone)]
pub struct Service {
    ledger: Arc<dyn Ledger>,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Service")
    }
}

impl Service {
    /// Creates a service that reads from a ledger.
    pub fn new(ledger: Arc<dyn Ledger>) -> Service {
        Service { ledger }
    }

    /// Checks that the caller's grant is neither revoked nor expired and allows the surface. Adapters use it for
    /// responses that contain no personal data and therefore need no scope.
    ///
    /// # Errors
    /// Those of [`Service::call`].
    pub async fn check_grant(&self, credential: &Credential) -> Result<(), Error> {
        let context = Context::new(self.ledger.as_ref(), credential, None);
        context.ledger().person(context.access()).await?;
        Ok(())
    }

    /// Runs one operation for a caller. The ledger checks the grant and the operation's scope in the transaction
    /// that reads the data.
    ///
    /// # Errors
    /// An [`Error`]. Its [`Error::public`] text may be shown to the caller.
    pub async fn call<O: Operation>(
        &self,
        credential: &Credential,
        params: O::Params,
    ) -> Result<O::Output, Error> {
        let context = Context::new(self.ledger.as_ref(), credential, O::SPEC.scope);
        O::run(&context, params).instrument(tracing::debug_span!("operation", id = O::SPEC.id)).await
    }

    /// Reads the received request parameters with the limits of the credential's surface, and runs the operation. The
    /// ledger is queried only if every parameter is valid.
    ///
    /// # Errors
    /// [`Error::Invalid`] or [`Error::InvalidCursor`] with every fault, and the errors of [`Service::call`].
    pub async fn execute<O: Operation>(
        &self,
        credential: &Credential,
        received: &[(String, ParameterValue)],
    ) -> Result<O::Output, Error> {
        let params = {
            let surface = credential.surface().unwrap_or(Surface::Rest);
            let mut form = Form::new(received).with_surface(surface);
            let params = O::read(&mut form);
            form.finish()?;
            params
        };
        self.call::<O>(credential, params).await
    }
}
