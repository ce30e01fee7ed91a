//! A response body that records when it has been written.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::{Body, Frame, SizeHint};

use crate::clock::WritingResponse;

/// Size of the parts of a body on a connection that several requests share, in bytes. The HTTP library buffers a whole
/// part as soon as the client accepts one byte of it, so parts bound the memory that a client can hold by not reading.
const PART_BYTES: usize = 16 * 1024;

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
