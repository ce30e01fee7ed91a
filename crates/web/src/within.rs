//! The time that a request may take, and the wall around a defect.

use std::future::Future;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
use tokio::time::Instant;

use crate::refusal::Refusal;

/// What the work comes to, if it ends before the deadline and does not panic. Nothing is changed by a request, so a
/// panic leaves no half-changed state behind.
///
/// # Errors
/// `TIMEOUT` or `INTERNAL`.
pub async fn within<T>(deadline: Instant, work: impl Future<Output = T>) -> Result<T, Refusal> {
    match tokio::time::timeout_at(deadline, walled(work)).await {
        Ok(result) => result,
        Err(_elapsed) => Err(Refusal::timeout()),
    }
}

/// What the work comes to, if it does not panic.
///
/// # Errors
/// `INTERNAL`.
pub async fn walled<T>(work: impl Future<Output = T>) -> Result<T, Refusal> {
    let done = AssertUnwindSafe(work).catch_unwind().await;
    done.map_err(|_panic| Refusal::defect("a request panicked"))
}
