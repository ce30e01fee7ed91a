//! The bodies of requests and responses: the rest of a request body is read when its handler has finished, and a response
//! body records when it has been written.
//!
//! A handler may answer without reading the body, such as with 401. HTTP/1.1 can use the connection again only after the
//! whole body was read (RFC 9112 section 9.3). Otherwise the connection ends, and a client that has already begun its next
//! request on it fails.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::header::EXPECT;
use hyper::{Request, Version};

use crate::clock::{Clock, WritingResponse};

/// Maximum number of bytes that are read after the handler has finished.
const REST_BYTES_MAX: usize = 256 * 1024;
/// Maximum time for reading these bytes.
const REST_TIME_MAX: Duration = Duration::from_secs(1);
/// Size of the head of a frame of HTTP/2, in bytes (RFC 9113 section 4.1).
const FRAME_HEAD_BYTES: usize = 9;
/// Size of the parts of a body on a connection that several requests share, in bytes. The HTTP library buffers a whole
/// part as soon as the client accepts one byte of it, so parts bound the memory that a client can hold by not reading.
const PART_BYTES: usize = 16 * 1024;

/// The body of a request.
#[derive(Clone, Debug)]
pub struct RequestBody(Option<(Arc<Mutex<Incoming>>, Clock)>);

impl RequestBody {
    fn incoming(&self) -> Option<MutexGuard<'_, Incoming>> {
        self.0.as_ref().map(|(body, _)| body.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let polled = match self.incoming() {
            Some(mut incoming) => Pin::new(&mut *incoming).poll_frame(context),
            None => return Poll::Ready(None),
        };
        if let (Poll::Ready(Some(Ok(frame))), Some((_, clock))) = (&polled, &self.0) {
            clock.body_read(frame.data_ref().map_or(0, |data| data.len() + FRAME_HEAD_BYTES));
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.incoming().is_none_or(|incoming| incoming.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming().map_or_else(|| SizeHint::with_exact(0), |incoming| incoming.size_hint())
    }
}

/// The rest of a request's body.
#[derive(Debug)]
pub(crate) struct Rest {
    body: RequestBody,
    /// True if the client sends the body only after the handler has begun to read it (RFC 9110 section 10.1.1).
    awaits_continue: bool,
}

/// Returns the request for its handler, and the rest of its body; `None` if the connection can be used again whatever
/// the handler reads.
pub(crate) fn split(request: Request<Incoming>, clock: &Clock) -> (Request<RequestBody>, Option<Rest>) {
    if request.body().is_end_stream() {
        return (request.map(|_| RequestBody(None)), None);
    }
    let is_multiplexed = request.version() == Version::HTTP_2;
    let awaits_continue = request.headers().contains_key(EXPECT);
    let request = request.map(|incoming| RequestBody(Some((Arc::new(Mutex::new(incoming)), clock.clone()))));
    let rest = (!is_multiplexed).then(|| Rest { body: request.body().clone(), awaits_continue });
    (request, rest)
}

impl Rest {
    /// Reads the rest. Returns false if it is too long, too slow or broken, so that the connection must end.
    pub(crate) async fn read(mut self) -> bool {
        if self.body.is_end_stream() {
            return true;
        }
        if self.awaits_continue {
            return false;
        }
        let read = async {
            let mut bytes = 0;
            while let Some(frame) = self.body.frame().await {
                bytes += frame.ok()?.data_ref().map_or(0, Bytes::len);
                if bytes > REST_BYTES_MAX {
                    return None;
                }
            }
            Some(())
        };
        matches!(tokio::time::timeout(REST_TIME_MAX, read).await, Ok(Some(())))
    }
}

/// The body of a response. The HTTP library drops the body when it has written the last byte.
#[derive(Debug)]
pub(crate) struct ResponseBody {
    body: Full<Bytes>,
    /// The bytes after the parts that were written. Empty unless the body is written in parts.
    rest: Bytes,
    in_parts: bool,
    _writing: WritingResponse,
}

impl ResponseBody {
    pub(crate) fn new(body: Full<Bytes>, in_parts: bool, writing: WritingResponse) -> ResponseBody {
        ResponseBody { body, rest: Bytes::new(), in_parts, _writing: writing }
    }

    fn next_part(&mut self) -> Bytes {
        self.rest.split_to(PART_BYTES.min(self.rest.len()))
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if !self.rest.is_empty() {
            return Poll::Ready(Some(Ok(Frame::data(self.next_part()))));
        }
        let frame = Pin::new(&mut self.body).poll_frame(context);
        match frame {
            Poll::Ready(Some(Ok(frame))) if self.in_parts => {
                self.rest = frame.into_data().expect("a body of one piece has no trailers");
                Poll::Ready(Some(Ok(Frame::data(self.next_part()))))
            }
            frame => frame,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        if self.rest.is_empty() {
            self.body.size_hint()
        } else {
            SizeHint::with_exact(self.rest.len() as u64)
        }
    }
}
