//! The future type that the methods of the ports return.

use std::future::Future;
use std::pin::Pin;

/// A boxed future, as the methods of a port return it. Boxing makes the port traits usable as trait objects, so the
/// adapters are compiled once and not once for each ledger.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
