//! The end of an HTTP/2 connection that has missed a deadline: its client receives the reason.
//!
//! The HTTP library sends GOAWAY only for its own reasons. So the server shares the stream with the library, and writes the
//! frame itself after the library's last frame.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use hyper::rt::{Read, ReadBufCursor, Write};

use crate::deadlines::Expired;

/// The error codes of RFC 9113 section 7.
const NO_ERROR: u8 = 0x0;
const ENHANCE_YOUR_CALM: u8 = 0xb;

/// Returns a GOAWAY frame (RFC 9113 section 6.8). Its last stream is the highest number: any request of the client may have
/// been handled.
const fn goaway(code: u8) -> [u8; 17] {
    [0, 0, 8, 0x7, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, code]
}

/// Returns the code for a missed deadline. A client that requests responses and takes none of them makes the server hold
/// them, as an attack does (RFC 9113 section 10.5). So does a client that sends frames in masses. The other deadlines end connections without requests, or of clients that
/// have closed their direction.
fn code(reason: Expired) -> u8 {
    match reason {
        Expired::Write | Expired::Flood => ENHANCE_YOUR_CALM,
        Expired::FirstByte | Expired::Head | Expired::Idle | Expired::HalfClosed | Expired::Evicted => {
            NO_ERROR
        }
    }
}

/// The stream of an HTTP/2 connection. Clones share it.
#[derive(Debug)]
pub(crate) struct SharedStream<S>(Arc<Mutex<Shared<S>>>);

#[derive(Debug)]
struct Shared<S> {
    stream: S,
    /// True if the last byte that was written ends a frame: the library flushes only whole frames.
    ends_with_frame: bool,
}

impl<S> SharedStream<S> {
    pub(crate) fn new(stream: S) -> SharedStream<S> {
        SharedStream(Arc::new(Mutex::new(Shared { stream, ends_with_frame: false })))
    }

    fn lock(&self) -> MutexGuard<'_, Shared<S>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Write + Unpin> SharedStream<S> {
    /// Sends GOAWAY and closes the stream, unless a part of a frame was sent or the client takes no bytes. Does not wait.
    pub(crate) async fn end(&self, reason: Expired) {
        let frame = goaway(code(reason));
        poll_fn(|context| {
            let _ = self.lock().poll_end(context, &frame);
            Poll::Ready(())
        })
        .await;
    }
}

impl<S: Write + Unpin> Shared<S> {
    fn poll_end(&mut self, context: &mut Context<'_>, frame: &[u8]) -> Poll<io::Result<()>> {
        if self.ends_with_frame
            && ready!(Pin::new(&mut self.stream).poll_write(context, frame))? == frame.len()
        {
            ready!(Pin::new(&mut self.stream).poll_flush(context))?;
            ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
        }
        Poll::Ready(Ok(()))
    }
}

impl<S> Clone for SharedStream<S> {
    fn clone(&self) -> SharedStream<S> {
        SharedStream(self.0.clone())
    }
}

impl<S: Read + Unpin> Read for SharedStream<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.lock().stream).poll_read(context, buffer)
    }
}

impl<S: Write + Unpin> Write for SharedStream<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let mut shared = self.lock();
        shared.ends_with_frame = false;
        Pin::new(&mut shared.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut shared = self.lock();
        shared.ends_with_frame = false;
        Pin::new(&mut shared.stream).poll_write_vectored(context, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        self.lock().stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut shared = self.lock();
        let flushed = Pin::new(&mut shared.stream).poll_flush(context);
        shared.ends_with_frame = matches!(flushed, Poll::Ready(Ok(())));
        flushed
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.lock().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use hyper_util::rt::TokioIo;
    use tokio::io::AsyncReadExt as _;

    use super::*;

    /// Bytes that the library writes before the end.
    const WRITTEN: &[u8] = b"frames";

    /// Ends a stream for a reason after the library has written `WRITTEN`, and has flushed it or not. Returns the bytes
    /// that the client receives.
    async fn received(reason: Expired, is_flushed: bool) -> Vec<u8> {
        let (mut client, server) = tokio::io::duplex(64);
        let mut stream = SharedStream::new(TokioIo::new(server));
        let written = poll_fn(|context| Pin::new(&mut stream).poll_write(context, WRITTEN)).await;
        assert_eq!(written.expect("the stream takes the bytes"), WRITTEN.len());
        if is_flushed {
            poll_fn(|context| Pin::new(&mut stream).poll_flush(context)).await.expect("the bytes leave");
        }
        stream.end(reason).await;
        drop(stream);
        let mut received = Vec::new();
        client.read_to_end(&mut received).await.expect("the stream ends");
        received
    }

    #[tokio::test]
    async fn goaway_has_the_code_of_the_missed_deadline() {
        for (reason, code) in [
            (Expired::Write, ENHANCE_YOUR_CALM),
            (Expired::Flood, ENHANCE_YOUR_CALM),
            (Expired::Idle, NO_ERROR),
            (Expired::Evicted, NO_ERROR),
        ] {
            let expected =
                [WRITTEN, &[0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7f, 255, 255, 255, 0, 0, 0, code]].concat();
            assert_eq!(received(reason, true).await, expected, "{reason:?}");
        }
    }

    #[tokio::test]
    async fn nothing_is_sent_within_a_frame_of_the_library() {
        assert_eq!(received(Expired::Write, false).await, WRITTEN);
    }
}
