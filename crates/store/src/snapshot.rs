//! Snapshots: several reads in one transaction. With several hosts, the transaction is on the primary.

use passbook_domain::access::Credential;
use passbook_domain::ports::ReadError;

use crate::cancel_on_drop::CancelOnDrop;
use crate::cluster::check_primary;
use crate::error::Error;
use crate::open_transaction::OpenTransaction;
use crate::pool::Store;
use crate::query::HOST_POSITION;
use crate::request::{BoundQuery, Exchanged, Request};
use crate::transaction::{BEGIN, Span};

impl Store {
    /// Begins a transaction for the reads of one caller. Tries again, on a new connection, if PostgreSQL had ended the
    /// connection.
    pub(crate) async fn begin_snapshot(&self, credential: &Credential) -> Result<OpenTransaction, Error> {
        let connection = match self.begin().await {
            Err(error) if error.is_lost() => {
                self.close_idle();
                self.begin().await?
            }
            begun => begun?,
        };
        Ok(OpenTransaction::new(credential.clone(), connection))
    }

    async fn begin(&self) -> Result<CancelOnDrop, Error> {
        let guard = self.lease().await?;
        if let Err(source) = guard.connection().batch_execute(BEGIN).await {
            guard.finish(false);
            return Err(Error::query("begin")(source));
        }
        Ok(guard)
    }

    /// Reads the grant and executes the queries in an open transaction.
    ///
    /// # Errors
    /// [`ReadError::Forbidden`] for another caller, [`ReadError::Unavailable`] after a read has failed or if the host is no
    /// longer the primary, and the errors of the database.
    pub(crate) async fn exchange_in_snapshot(
        &self,
        transaction: &OpenTransaction,
        request: Request<'_>,
    ) -> Result<Exchanged, ReadError> {
        let Request { access, days, queries } = request;
        if *access.credential() != transaction.credential {
            return Err(ReadError::Forbidden);
        }
        let position: Option<BoundQuery<'_>> = self.cluster().is_some().then_some((HOST_POSITION, &[]));
        let queries: Vec<BoundQuery<'_>> = queries.iter().copied().chain(position).collect();
        let mut open = transaction.connection.lock().await;
        // If this future is dropped, the guard cancels the statements, and the snapshot is left without a connection.
        let guard = open.take().ok_or(Error::SnapshotEnded)?;
        let exchanged = self.exchange(guard.connection(), access, days, &queries, Span::InTransaction).await;
        if matches!(exchanged, Ok((_, Ok(_)))) {
            *open = Some(guard);
        } else {
            guard.finish(false);
        }
        let (session, mut results) = exchanged?;
        if let (Some(_), Ok(results)) = (position, &mut results) {
            check_primary(results.pop().as_ref())?;
        }
        Ok(Exchanged { grant: None, session, results })
    }
}
