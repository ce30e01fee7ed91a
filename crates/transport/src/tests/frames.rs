//! HTTP/2 frames written by hand (RFC 9113 sections 4 and 6), for clients that no library imitates.

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

pub(super) const DATA: u8 = 0x0;
pub(super) const HEADERS: u8 = 0x1;
pub(super) const PRIORITY: u8 = 0x2;
pub(super) const RST_STREAM: u8 = 0x3;
pub(super) const SETTINGS: u8 = 0x4;
pub(super) const PING: u8 = 0x6;
pub(super) const GOAWAY: u8 = 0x7;
pub(super) const WINDOW_UPDATE: u8 = 0x8;
pub(super) const CONTINUATION: u8 = 0x9;

pub(super) const END_STREAM: u8 = 0x1;
/// The flag of a response to PING or SETTINGS. It has the number of `END_STREAM`.
pub(super) const ACK: u8 = 0x1;
pub(super) const END_HEADERS: u8 = 0x4;

/// The error codes of RFC 9113 section 7.
pub(super) const CANCEL: u32 = 0x8;
pub(super) const ENHANCE_YOUR_CALM: u32 = 0xb;

/// The setting `SETTINGS_INITIAL_WINDOW_SIZE` (RFC 9113 section 6.5.2).
pub(super) const INITIAL_WINDOW_SIZE: u16 = 0x4;

/// A frame that the server has sent.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) kind: u8,
    pub(super) flags: u8,
    pub(super) stream: u32,
    pub(super) payload: Vec<u8>,
}

/// The error code of a GOAWAY frame.
impl Frame {
    pub(super) fn goaway_code(&self) -> u32 {
        u32::from_be_bytes(self.payload[4..8].try_into().expect("four bytes"))
    }
}

/// Returns a frame.
pub(super) fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("a short payload").to_be_bytes();
    let mut bytes = length[1..].to_vec();
    bytes.extend([kind, flags]);
    bytes.extend(stream.to_be_bytes());
    bytes.extend(payload);
    bytes
}

/// Returns the header block of `GET path`: indexed fields of the static table, and a literal path (RFC 7541).
pub(super) fn get_block(path: &str) -> Vec<u8> {
    let mut block = vec![0x82, 0x86, 0x04, u8::try_from(path.len()).expect("a short path")];
    block.extend(path.as_bytes());
    block.extend([0x41, 4]);
    block.extend(b"test");
    block
}

/// Returns the HEADERS frame of a whole `GET` request.
pub(super) fn get(stream: u32, path: &str) -> Vec<u8> {
    frame(HEADERS, END_STREAM | END_HEADERS, stream, &get_block(path))
}

/// Sends the connection preface with one setting.
pub(super) async fn begin(stream: &mut TcpStream, setting: u16, value: u32) {
    let mut settings = setting.to_be_bytes().to_vec();
    settings.extend(value.to_be_bytes());
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    bytes.extend(frame(SETTINGS, 0, 0, &settings));
    stream.write_all(&bytes).await.expect("the server reads");
}

/// Reads the next frame; `None` at the end of the connection.
pub(super) async fn next(stream: &mut (impl AsyncRead + Unpin)) -> Option<Frame> {
    let mut head = [0; 9];
    stream.read_exact(&mut head).await.ok()?;
    let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
    let mut payload = vec![0; length as usize];
    stream.read_exact(&mut payload).await.ok()?;
    let id = u32::from_be_bytes(head[5..9].try_into().expect("four bytes")) & 0x7fff_ffff;
    Some(Frame { kind: head[3], flags: head[4], stream: id, payload })
}

/// Reads until a frame of this kind, or the end of the connection.
pub(super) async fn next_of_kind(stream: &mut TcpStream, kind: u8) -> Option<Frame> {
    loop {
        let frame = next(stream).await?;
        if frame.kind == kind {
            return Some(frame);
        }
    }
}
