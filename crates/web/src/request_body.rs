//! Reads the body of a request with a limit.

use bytes::{Buf as _, Bytes};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::StatusCode;
use hyper::body::Body;
use passbook_operations::Code;

use crate::http_error::HttpError;

/// Reads the body of a request, up to `bytes_max` bytes. A body of unknown length is read only as far.
///
/// # Errors
/// `PAYLOAD_TOO_LARGE`, or `INVALID_REQUEST` if the body did not arrive whole.
pub async fn read_body<B>(body: B, bytes_max: usize) -> Result<Bytes, HttpError>
where
    B: Body,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let too_large = || {
        let message = format!("The body is larger than {bytes_max} bytes.");
        HttpError::new(StatusCode::PAYLOAD_TOO_LARGE, "PAYLOAD_TOO_LARGE", message)
    };
    if body.size_hint().lower() > bytes_max as u64 {
        return Err(too_large());
    }
    let collected = Limited::new(body, bytes_max).collect().await;
    let collected = collected.map_err(|error| {
        if error.is::<LengthLimitError>() {
            return too_large();
        }
        let message = "The body did not arrive whole.";
        HttpError::new(StatusCode::BAD_REQUEST, Code::InvalidRequest.as_str(), message)
    })?;
    let mut collected = collected.aggregate();
    Ok(collected.copy_to_bytes(collected.remaining()))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::pin::{Pin, pin};
    use std::task::{Context, Poll, Waker};

    use http_body_util::Full;
    use hyper::body::Frame;

    use super::*;

    /// A limit in bytes.
    const BYTES_MAX: usize = 1_000;

    /// A body without a known length, as in chunked transfer coding.
    struct OfUnknownLength(Full<Bytes>);

    impl Body for OfUnknownLength {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            self: Pin<&mut Self>,
            context: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            Pin::new(&mut self.get_mut().0).poll_frame(context)
        }
    }

    #[test]
    fn body_of_unknown_length_is_limited() {
        for (bytes, fine) in [(0, true), (BYTES_MAX, true), (BYTES_MAX + 1, false)] {
            let sent = OfUnknownLength(Full::new(Bytes::from(vec![b' '; bytes])));
            let read = pin!(read_body(sent, BYTES_MAX)).poll(&mut Context::from_waker(Waker::noop()));
            let Poll::Ready(read) = read else { panic!("it is all there") };
            assert_eq!(read.is_ok_and(|read| read.len() == bytes), fine, "{bytes}");
        }
    }
}
