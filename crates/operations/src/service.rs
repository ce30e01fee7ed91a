//! The service, which runs the operations of the catalogue for authenticated callers.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use passbook_domain::access::Credential;
use passbook_domain::person::ReportSettings;
use passbook_domain::ports::{Ledger, ReadError};
use passbook_domain::scope::Surface;

use crate::context::Context;
use crate::error::Error;
use crate::form::Form;
use crate::operation::Operation;
use crate::outage_log::OutageLog;
use crate::parameter_value::ParameterValue;
use crate::run::run;
use crate::snapshot::Snapshot;
use crate::user_locks::UserLocks;

/// Runs every operation with one ledger. Cheap to clone.
#[derive(Clone)]
pub struct Service {
    ledger: Arc<dyn Ledger>,
    outages: OutageLog,
    user_locks: Arc<UserLocks>,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Service")
    }
}

impl Service {
    /// Creates a service that reads from a ledger.
    pub fn new(ledger: Arc<dyn Ledger>) -> Service {
        Service { ledger, outages: OutageLog::new(), user_locks: Arc::default() }
    }

    /// Checks that the caller's grant is neither revoked nor expired and allows the surface. Adapters use it for
    /// responses that contain no personal data and therefore need no scope.
    ///
    /// # Errors
    /// Those of [`Service::call`].
    pub async fn check_grant(&self, credential: &Credential) -> Result<(), Error> {
        let context = Context::new(self.ledger.as_ref(), credential, None, &self.user_locks);
        let checked = context.ledger().person(context.access()).await.map(drop).map_err(Error::from);
        self.outages.record(&checked);
        checked
    }

    /// Reads the settings of the caller that a report needs: the current day, the time zone and the preferred currency.
    /// A live grant is enough; no scope is required.
    ///
    /// # Errors
    /// Those of [`Service::call`].
    pub async fn report_settings(&self, credential: &Credential) -> Result<ReportSettings, Error> {
        let context = Context::new(self.ledger.as_ref(), credential, None, &self.user_locks);
        let reading = context.ledger().person(context.access()).await.map_err(Error::from);
        self.outages.record(&reading);
        Ok(reading?.person.into())
    }

    /// Opens a snapshot, in which several operations read the same state of the data, so that their figures agree. The
    /// grant is read once, in that state: if it is revoked meanwhile, the snapshot can still be used.
    ///
    /// With `store` a snapshot is one read-only transaction, which occupies one database connection. Drop the snapshot
    /// when the report is computed. PostgreSQL ends it if it is idle for longer than the role allows.
    ///
    /// # Errors
    /// [`Error::NotOffered`] if the ledger has no snapshots, and the errors of [`Service::call`].
    pub async fn snapshot<'a>(&'a self, credential: &'a Credential) -> Result<Snapshot<'a>, Error> {
        let opened = Snapshot::open(self.ledger.as_ref(), &self.outages, &self.user_locks, credential).await;
        self.outages.record(&opened);
        opened
    }

    /// Counts a failure of the ledger that another port of it has reported, such as its token directory. All failures of
    /// one outage are logged together: one line at its start, one in ten minutes, and one at its end.
    pub fn record_outage(&self, failure: &ReadError) {
        self.outages.record_failure(failure);
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
        let result = run::<O>(self.ledger.as_ref(), credential, params, &self.user_locks).await;
        self.outages.record(&result);
        result
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
