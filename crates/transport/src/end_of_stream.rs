//! The end of what a client sends, while its request is handled.
//!
//! A client that has sent a complete request may close its direction of the connection, and wait for the response. A client
//! that has gone sends the same packet. So the end is withheld from the HTTP library, which would drop the request, until the
//! response has left or [`Limits::half_closed`](crate::Limits::half_closed) has passed.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::clock::Clock;

/// A stream whose end is withheld while a request is handled.
#[derive(Debug)]
pub(crate) struct WithheldEnd<S> {
    stream: S,
    clock: Clock,
}

impl<S> WithheldEnd<S> {
    pub(crate) fn new(stream: S, clock: Clock) -> WithheldEnd<S> {
        WithheldEnd { stream, clock }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WithheldEnd<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.remaining();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        self.clock.frames_read(before - buffer.remaining());
        let is_end = before > 0 && buffer.remaining() == before;
        // The clock wakes the connection when the response has left. The stream then reports its end again.
        if is_end && self.clock.withholds_end() { Poll::Pending } else { Poll::Ready(Ok(())) }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WithheldEnd<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
