//! A snapshot: several operations over one state of the data.

use passbook_domain::access::Credential;
use passbook_domain::person::ReportSettings;
use passbook_domain::ports::Ledger;

use crate::context::Context;
use crate::error::Error;
use crate::operation::Operation;
use crate::outage_log::OutageLog;
use crate::run::run;
use crate::user_locks::UserLocks;

/// One state of a caller's data, from [`Service::snapshot`](crate::Service::snapshot). It ends when it is dropped.
pub struct Snapshot<'a> {
    ledger: Box<dyn Ledger + 'a>,
    credential: &'a Credential,
    outages: &'a OutageLog,
    user_locks: &'a UserLocks,
    settings: ReportSettings,
}

impl std::fmt::Debug for Snapshot<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot").field("credential", self.credential).finish_non_exhaustive()
    }
}

impl<'a> Snapshot<'a> {
    /// Opens a snapshot of a ledger, and checks the grant in it.
    pub(crate) async fn open(
        ledger: &'a dyn Ledger,
        outages: &'a OutageLog,
        user_locks: &'a UserLocks,
        credential: &'a Credential,
    ) -> Result<Snapshot<'a>, Error> {
        let ledger = ledger.snapshot(credential).await?;
        let settings = {
            let context = Context::new(ledger.as_ref(), credential, None, user_locks);
            context.ledger().person(context.access()).await?.person.into()
        };
        Ok(Snapshot { ledger, credential, outages, user_locks, settings })
    }

    /// Returns the current day, the time zone and the preferred currency of the caller.
    pub fn report_settings(&self) -> &ReportSettings {
        &self.settings
    }

    /// Runs one operation over the state of this snapshot. Calls may run at the same time; they are executed one after
    /// the other.
    ///
    /// # Errors
    /// Those of [`Service::call`](crate::Service::call). After an outage, a timeout or a defect, every further call
    /// fails: open another snapshot for the whole report.
    pub async fn call<O: Operation>(&self, params: O::Params) -> Result<O::Output, Error> {
        let result = run::<O>(self.ledger.as_ref(), self.credential, params, self.user_locks).await;
        self.outages.record(&result);
        result
    }
}
