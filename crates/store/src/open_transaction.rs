//! The open transaction of a snapshot.

use futures_util::lock::Mutex;
use passbook_domain::access::Credential;

use crate::cancel_on_drop::CancelOnDrop;
use crate::transaction::COMMIT;

/// A read-only transaction that stays open until it is dropped. Every read in it sees the same rows and the same grant.
pub(crate) struct OpenTransaction {
    /// The caller whose data the reads return.
    pub(crate) credential: Credential,
    /// The connection; `None` after a read has failed or its future was dropped. The session settings of a read, such as
    /// its days, hold for the transaction, so two reads never run at the same time.
    pub(crate) connection: Mutex<Option<CancelOnDrop>>,
}

impl OpenTransaction {
    /// Takes a connection on which a transaction has begun.
    pub(crate) fn new(credential: Credential, connection: CancelOnDrop) -> OpenTransaction {
        OpenTransaction { credential, connection: Mutex::new(Some(connection)) }
    }
}

impl std::fmt::Debug for OpenTransaction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenTransaction").field("credential", &self.credential).finish_non_exhaustive()
    }
}

impl Drop for OpenTransaction {
    /// Ends the transaction and returns the connection to the pool, without waiting.
    fn drop(&mut self) {
        let Some(guard) = self.connection.get_mut().take() else { return };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let ended = guard.connection().batch_execute(COMMIT).await;
                guard.finish(ended.is_ok());
            });
        }
    }
}
