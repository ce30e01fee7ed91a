//! A stream that tells the connection's clock about the bytes that pass, and finds the protocol by the first of them.
//!
//! A client that has sent a complete request may close its direction of the connection, and wait for the response. A client
//! that has gone sends the same packet. So the end is withheld from the HTTP library, which would drop the request, until the
//! response has left or [`Limits::half_closed`](crate::Limits::half_closed) has passed.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::clock::Clock;

/// The first bytes of a client that speaks HTTP/2 (RFC 9113 section 3.4).
const PREFACE: [u8; 24] = *b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The protocol of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    Http1,
    Http2,
}

/// A stream with the clock of its connection, whose end is withheld while a request is handled.
#[derive(Debug)]
pub(crate) struct TimedStream<S> {
    stream: S,
    clock: Clock,
    /// The bytes that [`TimedStream::poll_protocol`] has read.
    first: [u8; PREFACE.len()],
    /// Number of bytes in `first`, and the number of those that were handed on.
    first_read: usize,
    first_taken: usize,
}

impl<S> TimedStream<S> {
    pub(crate) fn new(stream: S, clock: Clock) -> TimedStream<S> {
        TimedStream { stream, clock, first: [0; PREFACE.len()], first_read: 0, first_taken: 0 }
    }
}

impl<S: AsyncRead + Unpin> TimedStream<S> {
    /// Reads until the first bytes differ from those of HTTP/2, or are all of them. They are read again later. A connection
    /// that ends before is one of HTTP/1.
    pub(crate) fn poll_protocol(&mut self, context: &mut Context<'_>) -> Poll<io::Result<Protocol>> {
        while self.first_read < PREFACE.len() {
            let mut first = self.first;
            let mut buffer = ReadBuf::new(&mut first[self.first_read..]);
            ready!(self.poll_bytes(context, &mut buffer))?;
            let bytes = buffer.filled().len();
            self.clock.bytes_read();
            self.first = first;
            self.first_read += bytes;
            if bytes == 0 || !PREFACE.starts_with(&self.first[..self.first_read]) {
                return Poll::Ready(Ok(Protocol::Http1));
            }
        }
        Poll::Ready(Ok(Protocol::Http2))
    }

    /// Reads further bytes. Withholds the end of the stream while a request is handled.
    fn poll_bytes(&mut self, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.remaining();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        self.clock.frames_read(before - buffer.remaining());
        let is_end = before > 0 && buffer.remaining() == before;
        // The clock wakes the connection when the response has left. The stream then reports its end again.
        if is_end && self.clock.withholds_end() { Poll::Pending } else { Poll::Ready(Ok(())) }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.first_taken < self.first_read {
            let bytes = (self.first_read - self.first_taken).min(buffer.remaining());
            buffer.put_slice(&self.first[self.first_taken..][..bytes]);
            self.first_taken += bytes;
            // The bytes after the first ones in the same call: the HTTP library doubles the buffer of a connection whose first
            // read is short. An error or the end of the stream is reported again by the next call.
            if buffer.remaining() > 0 {
                let _ = self.poll_bytes(context, buffer);
            }
            return Poll::Ready(Ok(()));
        }
        // The end of the stream counts as bytes too: the connection ends then.
        let read = self.poll_bytes(context, buffer);
        if matches!(read, Poll::Ready(Ok(()))) {
            self.clock.bytes_read();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.record(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, buffers);
        self.record(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        if matches!(flushed, Poll::Ready(Ok(()))) {
            self.clock.flushed();
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl<S> TimedStream<S> {
    fn record(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(bytes)) = &written
            && *bytes > 0
        {
            self.clock.bytes_written();
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::io::AsyncWriteExt as _;

    use super::*;
    use crate::limits::Limits;

    /// Writes `chunks`, finds the protocol, and reads once. Returns the protocol and the bytes of the read.
    async fn read(chunks: &[&[u8]]) -> (Protocol, Vec<u8>) {
        let (mut client, server) = tokio::io::duplex(64);
        let mut stream = TimedStream::new(server, Clock::start(Limits::default()));
        let (protocol, ()) = tokio::join!(poll_fn(|context| stream.poll_protocol(context)), async {
            for chunk in chunks {
                client.write_all(chunk).await.expect("the stream takes the bytes");
            }
            drop(client);
        });
        let mut bytes = [0; 64];
        let mut buffer = ReadBuf::new(&mut bytes);
        let read = poll_fn(|context| Pin::new(&mut stream).poll_read(context, &mut buffer)).await;
        read.expect("bytes can be read");
        (protocol.expect("bytes can be read"), buffer.filled().to_vec())
    }

    #[tokio::test]
    async fn first_bytes_are_read_again_together_with_those_after_them() {
        let request = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
        assert_eq!(read(&[request]).await, (Protocol::Http1, request.to_vec()));
        let post = b"POST / HTTP/1.1\r\n";
        assert_eq!(read(&[post]).await, (Protocol::Http1, post.to_vec()));
        let preface = [&PREFACE[..], b"settings"].concat();
        assert_eq!(read(&[&preface]).await, (Protocol::Http2, preface));
    }

    #[tokio::test]
    async fn preface_of_http2_is_found_in_pieces() {
        let pieces: Vec<&[u8]> = PREFACE.chunks(5).collect();
        assert_eq!(read(&pieces).await, (Protocol::Http2, PREFACE.to_vec()));
        assert_eq!(read(&[b"PRI", b" * HTTP/3"]).await, (Protocol::Http1, b"PRI * HTTP/3".to_vec()));
        assert_eq!(read(&[b"PR"]).await, (Protocol::Http1, b"PR".to_vec()));
    }
}
