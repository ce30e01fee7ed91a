//! The time limit of a request, and the guard that limits a panic to its request.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::task::Poll;

use futures_util::FutureExt as _;
use tokio::time::Instant;

use crate::http_error::HttpError;

/// The reason why a future ended without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aborted {
    /// The request's deadline has passed.
    Timeout,
    /// The future has panicked. Contains the panic's message.
    Panic(String),
}

impl From<Aborted> for HttpError {
    fn from(aborted: Aborted) -> HttpError {
        match aborted {
            Aborted::Timeout => HttpError::timeout(),
            Aborted::Panic(message) => HttpError::internal(format!("the request panicked: {message}")),
        }
    }
}

/// Runs a whole request until the deadline.
///
/// Not an `async` function, which would contain `request` twice: as its argument, and while it awaits it. The future of each
/// request is copied into a box.
pub(crate) fn with_timeout<T>(
    deadline: Instant,
    request: impl Future<Output = T>,
) -> impl Future<Output = Result<T, Aborted>> {
    tokio::time::timeout_at(deadline, request).map(|result| result.map_err(|_elapsed| Aborted::Timeout))
}

/// Runs a part of a request until the deadline. The whole request must run in [`with_timeout`] with the same deadline.
///
/// The part has no timer. The timer of the whole request wakes both, and the part is polled first: so the part always
/// reports the timeout, and the adapter can write it in its own format.
pub(crate) async fn part_with_timeout<T>(
    deadline: Instant,
    part: impl Future<Output = T>,
) -> Result<T, Aborted> {
    let mut part = pin!(part);
    let poll_part = poll_fn(|context| match part.as_mut().poll(context) {
        Poll::Ready(result) => Poll::Ready(Ok(result)),
        Poll::Pending if Instant::now() >= deadline => Poll::Ready(Err(Aborted::Timeout)),
        Poll::Pending => Poll::Pending,
    });
    poll_part.await
}

/// Runs a future and turns a panic into an error with the panic's message. Requests only read, so a panic leaves no
/// half-changed state behind.
pub(crate) fn catch_panic<T>(work: impl Future<Output = T>) -> impl Future<Output = Result<T, Aborted>> {
    let caught = AssertUnwindSafe(work).catch_unwind();
    caught.map(|result| result.map_err(|payload| Aborted::Panic(panic_message(payload.as_ref()))))
}

/// Returns the message of a panic: `panic!` makes it a `&str` or a `String`.
fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("the panic has no message").to_owned()
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn panic_becomes_an_error_with_its_message() {
        let number = 7;
        let formatted: Result<(), Aborted> = catch_panic(async { panic!("row {number} is broken") }).await;
        assert_eq!(formatted, Err(Aborted::Panic("row 7 is broken".to_owned())));
        let constant: Result<(), Aborted> = catch_panic(async { panic!("broken") }).await;
        assert_eq!(constant, Err(Aborted::Panic("broken".to_owned())));
        let other: Result<(), Aborted> = catch_panic(async { std::panic::panic_any(7) }).await;
        assert_eq!(other, Err(Aborted::Panic("the panic has no message".to_owned())));
        assert_eq!(catch_panic(async { 7 }).await, Ok(7));
    }

    #[tokio::test(start_paused = true)]
    async fn part_reports_the_timeout_before_the_whole_request() {
        let deadline = Instant::now() + Duration::from_secs(10);
        let request = with_timeout(deadline, async {
            let part = part_with_timeout(deadline, pending::<()>()).await;
            format!("{part:?}")
        });
        assert_eq!(request.await, Ok("Err(Timeout)".to_owned()));
        assert_eq!(Instant::now().duration_since(deadline).as_millis(), 0);
        assert_eq!(with_timeout(Instant::now(), pending::<()>()).await, Err(Aborted::Timeout));
    }
}
