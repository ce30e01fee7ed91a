//! The service, which runs the operations of the catalogue for authenticated callers, and its snapshots.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use passbook_domain::access::Credential;
use passbook_domain::error_chain;
use passbook_domain::outage::Outage;
use passbook_domain::person::ReportSettings;
use passbook_domain::ports::{BoxFuture, Ledger, ReadError};
use passbook_domain::scope::{Scope, Surface};
use tracing::Instrument as _;

use crate::context::{Context, UserLocks};
use crate::error::Error;
use crate::form::Form;
use crate::names::{Answers, RequestNames, resolve};
use crate::operation::Operation;
use crate::parameter_value::ParameterValue;
use crate::recurring_payments::last_income;

/// Number of defects in a row after which [`Service::has_only_defects`] is true. One user with unusable data must not make
/// a server unready that serves others.
const DEFECTS_MAX: u32 = 20;
/// Time for which it stays true without further defects, in seconds: a server that gets no requests must become ready again.
const DEFECTS_SECONDS: u64 = 30;
/// Size of the buffer for a result, in bytes: a page of 50 transactions has about 20 kB. A larger result grows it.
const RESULT_BYTES_EXPECTED: usize = 32 * 1024;

/// Runs every operation with one ledger. Cheap to clone.
#[derive(Clone)]
pub struct Service {
    ledger: Arc<dyn Ledger>,
    /// The current outage of the ledger.
    outage: Arc<Mutex<Outage>>,
    /// Number of defects since the last success, and the time of the last defect.
    defects: Arc<Mutex<(u32, Option<Instant>)>>,
    created: Instant,
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
        Service {
            ledger,
            outage: Arc::default(),
            defects: Arc::default(),
            created: Instant::now(),
            user_locks: Arc::default(),
        }
    }

    /// Checks that the caller's grant is neither revoked nor expired and allows the surface. Adapters use it for
    /// responses that contain no personal data and therefore need no scope.
    ///
    /// # Errors
    /// Those of [`Service::call`].
    pub async fn check_grant(&self, credential: &Credential) -> Result<(), Error> {
        let context = Context::new(self.ledger.as_ref(), credential, None, &self.user_locks);
        let checked = context.ledger().person(context.access()).await.map(drop).map_err(Error::from);
        self.record(&checked);
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
        self.record(&reading);
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
        let opened = self.open_snapshot(credential).await;
        self.record(&opened);
        opened
    }

    async fn open_snapshot<'a>(&'a self, credential: &'a Credential) -> Result<Snapshot<'a>, Error> {
        let ledger = self.ledger.snapshot(credential).await?;
        let settings = {
            let context = Context::new(ledger.as_ref(), credential, None, &self.user_locks);
            context.ledger().person(context.access()).await?.person.into()
        };
        Ok(Snapshot { service: self, ledger, credential, settings })
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
        let context = Context::new(self.ledger.as_ref(), credential, O::SPEC.scope, &self.user_locks);
        let result = O::run(&context, params).instrument(operation_span::<O>()).await;
        self.record(&result);
        result
    }

    /// Runs one operation with received request parameters and serialises the result as JSON: for a credential of the tool
    /// server the result of the tool. What only the ledger knows of the parameters, such as names, is read from the same
    /// snapshot as the data. The entries of a catalogue have this function, so that an adapter needs no types.
    ///
    /// # Errors
    /// Every fault of the parameters, and the errors of [`Service::call`].
    pub(crate) fn execute<'a, O: Operation>(
        &'a self,
        credential: &'a Credential,
        received: &'a [(String, ParameterValue)],
    ) -> BoxFuture<'a, Result<Vec<u8>, Error>> {
        Box::pin(async move {
            let (params, names) = read::<O>(credential, received, &Answers::default())?;
            let context = Context::new(self.ledger.as_ref(), credential, O::SPEC.scope, &self.user_locks);
            let result = if names.need_ledger() {
                self.execute_named::<O>(&context, received, &names).instrument(operation_span::<O>()).await
            } else {
                O::run(&context.with_resolved(names.resolved), params).instrument(operation_span::<O>()).await
            };
            self.record(&result);
            match credential.surface() {
                Some(Surface::Mcp) => serialise(&O::ToolOutput::from(result?)),
                _ => serialise(&result?),
            }
        })
    }

    async fn execute_named<O: Operation>(
        &self,
        context: &Context<'_>,
        received: &[(String, ParameterValue)],
        names: &RequestNames,
    ) -> Result<O::Output, Error> {
        // The snapshot holds a connection, so the wait for the lock comes first, as in the operation itself.
        let lock = if names.wants_income { Some(context.lock_user().await) } else { None };
        let snapshot = context.snapshot(true).await?;
        let ledger = snapshot.as_deref().unwrap_or(context.ledger());
        let credential = context.access().credential();
        let mut answers = Answers::default();
        if !names.wanted.is_empty() {
            answers.names = resolve(ledger, context.access(), &names.wanted).await?;
        }
        let context = Context::new(ledger, credential, O::SPEC.scope, &self.user_locks);
        if names.wants_income {
            let recurring = context.with_scope(Scope::RecurringPaymentsRead);
            answers.income = Some(last_income(&recurring).await?);
        }
        drop(lock);
        let (params, names) = read::<O>(credential, received, &answers)?;
        O::run(&context.with_resolved(names.resolved), params).await
    }

    /// Counts a failure of the ledger that another port of it has reported, such as its token directory. All failures of
    /// one outage are logged together: one line at its start, one in ten minutes, and one at its end.
    pub fn record_outage(&self, failure: &ReadError) {
        if let Some(report) = self.outage().record_failure(self.created.elapsed()) {
            tracing::error!(
                cause = error_chain(failure),
                failures = report.failures,
                seconds = report.seconds,
                "the ledger is unavailable; further failures are counted"
            );
        }
    }

    /// Returns true if many operations in a row have ended with a defect, the last one a moment ago. A host then is not
    /// ready.
    pub fn has_only_defects(&self) -> bool {
        let (number, last) = *self.defects.lock().unwrap_or_else(PoisonError::into_inner);
        number >= DEFECTS_MAX
            && last.is_some_and(|last| last.elapsed() < Duration::from_secs(DEFECTS_SECONDS))
    }

    /// Counts a failure if the ledger was unavailable, or ends the outage if the ledger answered. Counts defects in a row.
    fn record<T>(&self, result: &Result<T, Error>) {
        let mut defects = self.defects.lock().unwrap_or_else(PoisonError::into_inner);
        match result {
            Ok(_) => *defects = (0, None),
            Err(Error::Internal(_)) => *defects = (defects.0.saturating_add(1), Some(Instant::now())),
            Err(_) => {}
        }
        drop(defects);
        match result {
            Err(Error::Unavailable(cause)) => self.record_outage(cause),
            // The ledger may or may not have answered.
            Err(Error::Timeout(_) | Error::Internal(_)) => {}
            _ => {
                if let Some(ended) = self.outage().record_success(self.created.elapsed()) {
                    tracing::info!(
                        failures = ended.failures,
                        seconds = ended.seconds,
                        "the ledger is available again"
                    );
                }
            }
        }
    }

    fn outage(&self) -> MutexGuard<'_, Outage> {
        self.outage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the parameters of an operation, and the names among them. `answers` are those of the ledger for these names.
fn read<O: Operation>(
    credential: &Credential,
    received: &[(String, ParameterValue)],
    answers: &Answers,
) -> Result<(O::Params, RequestNames), Error> {
    let surface = credential.surface().unwrap_or(Surface::Rest);
    let mut form = Form::new(received).with_surface(surface).with_answers(answers);
    let params = O::read(&mut form);
    let names = form.take_names();
    form.finish()?;
    Ok((params, names))
}

fn serialise(result: &impl serde::Serialize) -> Result<Vec<u8>, Error> {
    let mut json = Vec::with_capacity(RESULT_BYTES_EXPECTED);
    serde_json::to_writer(&mut json, result).map_err(|source| Error::Internal(Box::new(source)))?;
    Ok(json)
}

/// Returns the span of one run of an operation.
fn operation_span<O: Operation>() -> tracing::Span {
    tracing::debug_span!("operation", id = O::SPEC.id)
}

/// One state of a caller's data, in which several operations run, from [`Service::snapshot`]. It ends when it is dropped.
pub struct Snapshot<'a> {
    service: &'a Service,
    ledger: Box<dyn Ledger + 'a>,
    credential: &'a Credential,
    settings: ReportSettings,
}

impl std::fmt::Debug for Snapshot<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot").field("credential", self.credential).finish_non_exhaustive()
    }
}

impl Snapshot<'_> {
    /// Returns the current day, the time zone and the preferred currency of the caller.
    pub fn report_settings(&self) -> &ReportSettings {
        &self.settings
    }

    /// Runs one operation over the state of this snapshot. Calls may run at the same time; they are executed one after
    /// the other.
    ///
    /// # Errors
    /// Those of [`Service::call`]. After an outage, a timeout or a defect, every further call fails: open another
    /// snapshot for the whole report.
    pub async fn call<O: Operation>(&self, params: O::Params) -> Result<O::Output, Error> {
        let Snapshot { service, ledger, credential, .. } = self;
        let context = Context::new(ledger.as_ref(), credential, O::SPEC.scope, &service.user_locks);
        let result = O::run(&context, params).instrument(operation_span::<O>()).await;
        service.record(&result);
        result
    }
}
