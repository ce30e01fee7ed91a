//! The deadlines of one connection, shared by its stream, its requests, its responses and the connection itself.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use futures_util::task::AtomicWaker;
use tokio::time::Instant;

use crate::deadlines::{Deadlines, Expired, ResponseId};
use crate::limits::Limits;

/// The clock of one connection. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Clock(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    deadlines: Mutex<Deadlines>,
    /// Wakes the task of the connection after a change from another task.
    connection: AtomicWaker,
}

impl Clock {
    /// Starts the clock of a connection that has just been accepted.
    pub(crate) fn start(limits: Limits) -> Clock {
        let deadlines = Mutex::new(Deadlines::new(limits, Instant::now()));
        Clock(Arc::new(Shared { deadlines, connection: AtomicWaker::new() }))
    }

    pub(crate) fn bytes_read(&self) {
        self.deadlines().bytes_read(Instant::now());
    }

    /// Records that the connection speaks HTTP/2.
    pub(crate) fn http2_begun(&self) {
        self.deadlines().http2_begun();
    }

    /// Records the number of bytes that have arrived, decrypted.
    pub(crate) fn frames_read(&self, bytes: usize) {
        self.deadlines().frames_read(bytes);
    }

    /// Records that a handler has read bytes of a request's body.
    pub(crate) fn body_read(&self, bytes: usize) {
        self.deadlines().body_read(bytes);
    }

    pub(crate) fn bytes_written(&self) {
        self.deadlines().bytes_written(Instant::now());
    }

    pub(crate) fn flushed(&self) {
        if self.deadlines().flushed(Instant::now()) {
            self.0.connection.wake();
        }
    }

    /// Returns true if the connection must not see the end of the stream yet, because a request is in progress.
    pub(crate) fn withholds_end(&self) -> bool {
        self.deadlines().withholds_end(Instant::now())
    }

    /// Returns true if the client has closed its direction of the connection while a request was handled.
    pub(crate) fn is_half_closed(&self) -> bool {
        self.deadlines().is_half_closed()
    }

    /// Records that a request is handled until the returned value ends.
    pub(crate) fn request_begun(&self, multiplexed: bool) -> RunningRequest {
        self.deadlines().request_begun(multiplexed);
        RunningRequest { clock: Some(self.clone()), multiplexed }
    }

    /// Returns true if the connection has received a request.
    pub(crate) fn has_begun_request(&self) -> bool {
        self.deadlines().has_begun_request()
    }

    pub(crate) fn drain(&self) {
        self.deadlines().drain(Instant::now());
    }

    /// Closes the connection.
    pub(crate) fn evict(&self) {
        self.deadlines().evict();
        self.0.connection.wake();
    }

    pub(crate) fn dispensable_since(&self, now: Instant, is_excessive: bool) -> Option<(bool, Instant)> {
        self.deadlines().dispensable_since(now, is_excessive)
    }

    pub(crate) fn next(&self) -> Option<(Instant, Expired)> {
        self.deadlines().next()
    }

    /// Registers the task of the connection, which must look at [`Clock::next`] afterwards.
    pub(crate) fn register(&self, connection: &Waker) {
        self.0.connection.register(connection);
    }

    fn deadlines(&self) -> MutexGuard<'_, Deadlines> {
        self.0.deadlines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tasks of HTTP/2 streams are not the task of the connection, which must see the new deadline.
    fn wake_if(&self, multiplexed: bool) {
        if multiplexed {
            self.0.connection.wake();
        }
    }
}

/// A request that is being handled. Dropped without a response if its client has reset it.
#[derive(Debug)]
pub(crate) struct RunningRequest {
    clock: Option<Clock>,
    multiplexed: bool,
}

impl RunningRequest {
    /// Ends the request with a response of `bytes`, which is being written until the returned value is dropped.
    pub(crate) fn responded(mut self, bytes: u64) -> WritingResponse {
        let clock = self.clock.take().expect("a request ends once");
        let id = clock.deadlines().response_begun(bytes, Instant::now());
        clock.wake_if(self.multiplexed);
        WritingResponse { clock, id, multiplexed: self.multiplexed }
    }
}

impl Drop for RunningRequest {
    fn drop(&mut self) {
        if let Some(clock) = self.clock.take() {
            clock.deadlines().request_dropped(Instant::now());
            clock.wake_if(self.multiplexed);
        }
    }
}

/// A response whose body has not been written completely.
#[derive(Debug)]
pub(crate) struct WritingResponse {
    clock: Clock,
    id: ResponseId,
    multiplexed: bool,
}

impl Drop for WritingResponse {
    fn drop(&mut self) {
        self.clock.deadlines().response_written(self.id);
        self.clock.wake_if(self.multiplexed);
    }
}
