//! A guard that cancels the running statements of a pooled connection if the request ends early.

use deadpool_postgres::Object;
use tokio_postgres::NoTls;

/// A pooled connection on which statements are running.
///
/// If the guard is dropped before [`CancelOnDrop::finish`], because the caller went away or the request timed out,
/// the statements are cancelled and the connection is closed. Returned to the pool, the connection would make the
/// next request wait for these statements.
pub(crate) struct CancelOnDrop(Option<Object>);

impl CancelOnDrop {
    pub(crate) fn new(connection: Object) -> CancelOnDrop {
        CancelOnDrop(Some(connection))
    }

    pub(crate) fn connection(&self) -> &Object {
        self.0.as_ref().expect("the connection is taken only when the guard ends")
    }

    /// Returns the connection to the pool. All statements must have ended.
    pub(crate) fn finish(mut self) {
        self.0 = None;
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        let Some(connection) = self.0.take() else { return };
        let cancel = connection.cancel_token();
        drop(Object::take(connection));
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            // If the cancellation fails, the statements end at the statement timeout of the role.
            runtime.spawn(async move { cancel.cancel_query(NoTls).await });
        }
    }
}
