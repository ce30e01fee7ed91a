//! A guard that cancels the running statements of a pooled connection if the request ends early.

use std::sync::Arc;

use deadpool_postgres::Object;
use tokio::sync::Notify;

use crate::tls::Connector;

/// A pooled connection on which statements are running.
///
/// If the guard is dropped before [`CancelOnDrop::finish`], because the caller went away or the request timed out,
/// the statements are cancelled and the connection is closed. Returned to the pool, the connection would make the
/// next request wait for these statements.
pub(crate) struct CancelOnDrop {
    connection: Option<Object>,
    connector: Connector,
    /// Wakes a request that waits for a connection.
    returned: Arc<Notify>,
}

impl CancelOnDrop {
    /// `connector` opens the connection on which a cancellation is sent; `returned` is notified when the connection is free.
    pub(crate) fn new(connection: Object, connector: Connector, returned: Arc<Notify>) -> CancelOnDrop {
        CancelOnDrop { connection: Some(connection), connector, returned }
    }

    pub(crate) fn connection(&self) -> &Object {
        self.connection.as_ref().expect("the connection is taken only when the guard ends")
    }

    pub(crate) fn connection_mut(&mut self) -> &mut Object {
        self.connection.as_mut().expect("the connection is taken only when the guard ends")
    }

    /// Returns the connection to the pool if all statements have succeeded. All statements must have ended. After a failure
    /// the connection is closed: PostgreSQL may have ended it, which its client notices only later, so that the next
    /// request would fail too.
    pub(crate) fn finish(mut self, succeeded: bool) {
        let connection = self.connection.take();
        if succeeded {
            drop(connection);
        } else {
            drop(connection.map(Object::take));
        }
        self.returned.notify_one();
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        let cancel = connection.cancel_token();
        drop(Object::take(connection));
        self.returned.notify_one();
        let connector = self.connector.clone();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            // If the cancellation fails, the statements end at the statement timeout of the role.
            runtime.spawn(async move { cancel.cancel_query(connector).await });
        }
    }
}
