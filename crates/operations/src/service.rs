//! The one way in.

use std::sync::Arc;

use domain::access::{Access, Credential};
use domain::ports::Ledger;
use domain::scope::Surface;
use tracing::Instrument as _;

use crate::error::Error;
use crate::form::{Form, Given};
use crate::operation::Operation;

/// Every operation, over one ledger.
#[derive(Clone)]
pub struct Service {
    ledger: Arc<dyn Ledger>,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Service")
    }
}

/// What a running operation may use. Only [`Service::call`] builds one, so nothing runs without an access that
/// names the caller and the operation's own scope.
pub struct Context<'a> {
    ledger: &'a dyn Ledger,
    access: Access<'a>,
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").field("access", &self.access).finish_non_exhaustive()
    }
}

impl<'a> Context<'a> {
    /// The ledger.
    pub fn ledger(&self) -> &'a dyn Ledger {
        self.ledger
    }

    /// Who asks, and for what.
    pub fn access(&self) -> &Access<'a> {
        &self.access
    }
}

impl Service {
    /// The operations over a ledger.
    pub fn new(ledger: Arc<dyn Ledger>) -> Service {
        Service { ledger }
    }

    /// Whether a caller's grant is live and serves the surface, for answers that hold no one's data and need no
    /// scope.
    ///
    /// # Errors
    /// As of [`Service::call`].
    #[expect(clippy::disallowed_methods, reason = "it asks for no scope, so the ledger gives out no rows")]
    pub async fn admit(&self, credential: &Credential) -> Result<(), Error> {
        let access = Access::for_operation(credential, None);
        self.ledger.person(&access).await?;
        Ok(())
    }

    /// Runs one operation for a caller. The ledger checks the grant and the operation's scope in the transaction
    /// that reads the data.
    ///
    /// # Errors
    /// [`Error`], whose [`Error::public`] text is fit for the caller.
    #[expect(clippy::disallowed_methods, reason = "this is the one place that asks the ledger")]
    pub async fn call<O: Operation>(
        &self,
        credential: &Credential,
        params: O::Params,
    ) -> Result<O::Output, Error> {
        let access = Access::for_operation(credential, O::SPEC.scope);
        let context = Context { ledger: self.ledger.as_ref(), access };
        O::run(&context, params).instrument(tracing::debug_span!("operation", id = O::SPEC.id)).await
    }

    /// Reads the parameters as an adapter received them, within the limits of the credential's surface, and runs the
    /// operation: the whole of what an adapter does with an authenticated request. Nothing is asked of the ledger before every parameter has been found right.
    ///
    /// # Errors
    /// [`Error::Invalid`] or [`Error::InvalidCursor`] with every fault at once, and those of [`Service::call`].
    pub async fn answer<O: Operation>(
        &self,
        credential: &Credential,
        given: &[(String, Given)],
    ) -> Result<O::Output, Error> {
        let params = {
            let mut form = Form::new(given).through(credential.surface().unwrap_or(Surface::Rest));
            let params = O::read(&mut form);
            form.finish()?;
            params
        };
        self.call::<O>(credential, params).await
    }
}
