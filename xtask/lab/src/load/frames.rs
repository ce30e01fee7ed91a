//! HTTP/2 frames written by hand (RFC 9113 sections 4 and 6), for attacks that no library sends.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const HEADERS: u8 = 0x1;
const RST_STREAM: u8 = 0x3;
const SETTINGS: u8 = 0x4;
const GOAWAY: u8 = 0x7;
const WINDOW_UPDATE: u8 = 0x8;
const CONTINUATION: u8 = 0x9;
const END_STREAM: u8 = 0x1;
const END_HEADERS: u8 = 0x4;
const CANCEL: u32 = 0x8;
/// The error code for a client that causes excessive load.
pub(super) const ENHANCE_YOUR_CALM: u32 = 0xb;
/// The setting `SETTINGS_INITIAL_WINDOW_SIZE` (RFC 9113 section 6.5.2).
const INITIAL_WINDOW_SIZE: u16 = 0x4;
/// The default window of RFC 9113, in bytes.
const WINDOW: u32 = 65_535;
/// Requests, or frames of a header block, on one connection.
const FRAMES: u32 = 2000;
/// Requests of a client with a closed window: as many as a connection may have at the same time.
const STREAMS: u32 = 100;
/// Fields of 200 bytes in a CONTINUATION frame.
const FIELDS: usize = 40;

/// An attack by frames.
#[derive(Clone, Copy, Debug)]
pub(super) enum Flood {
    RapidReset,
    Continuation,
    ErrorReset,
    ZeroWindow,
}

impl Flood {
    /// The floods with the names that start them in a process.
    pub(super) const ALL: [(&'static str, Flood); 4] = [
        ("rapid-reset", Flood::RapidReset),
        ("continuation", Flood::Continuation),
        ("error-reset", Flood::ErrorReset),
        ("zero-window", Flood::ZeroWindow),
    ];

    /// Sends the flood over a connection, and waits for its end. Returns the error code of the GOAWAY frame, if there was
    /// one.
    pub(super) async fn send(self, stream: &mut TcpStream) -> Option<u32> {
        let (mut reader, mut writer) = stream.split();
        let bytes = self.bytes();
        // The server may close before it has read everything, and answers while it reads.
        let writing = async {
            let _ = writer.write_all(&bytes).await;
            std::future::pending::<()>().await;
        };
        let reading = async {
            let mut code = None;
            while let Some((kind, payload)) = next(&mut reader).await {
                if kind == GOAWAY {
                    code = payload
                        .get(4..8)
                        .map(|code| u32::from_be_bytes([code[0], code[1], code[2], code[3]]));
                }
            }
            code
        };
        tokio::select! {
            code = reading => code,
            () = writing => None,
        }
    }

    fn bytes(self) -> Vec<u8> {
        let window = if matches!(self, Flood::ZeroWindow) { 0 } else { WINDOW };
        let settings = [&INITIAL_WINDOW_SIZE.to_be_bytes()[..], &window.to_be_bytes()].concat();
        let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
        bytes.extend(frame(SETTINGS, 0, 0, &settings));
        let requests = (0..FRAMES).map(|number| 2 * number + 1);
        match self {
            Flood::RapidReset => bytes.extend(
                requests.flat_map(|id| [get(id), frame(RST_STREAM, 0, id, &CANCEL.to_be_bytes())].concat()),
            ),
            // A window beyond its maximum is an error of the stream (RFC 9113 section 6.9.1), which the server resets.
            Flood::ErrorReset => bytes.extend(requests.flat_map(|id| {
                [get(id), frame(WINDOW_UPDATE, 0, id, &0x7fff_ffff_u32.to_be_bytes())].concat()
            })),
            Flood::ZeroWindow => bytes.extend((0..STREAMS).flat_map(|number| get(2 * number + 1))),
            Flood::Continuation => {
                let field = [&[0, 100][..], &[b'n'; 100], &[100], &[b'v'; 100]].concat();
                let fields = field.repeat(FIELDS);
                bytes.extend(frame(HEADERS, END_STREAM, 1, &get_block()));
                bytes.extend((0..FRAMES).flat_map(|_| frame(CONTINUATION, 0, 1, &fields)));
            }
        }
        bytes
    }
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap_or_default().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// Returns the header block of `GET /api/openapi.json`: indexed fields of the static table, and literals (RFC 7541).
fn get_block() -> Vec<u8> {
    let path = b"/api/openapi.json";
    let length = u8::try_from(path.len()).unwrap_or_default();
    [&[0x82, 0x86, 0x04, length][..], path, &[0x41, 4], b"test"].concat()
}

fn get(stream: u32) -> Vec<u8> {
    frame(HEADERS, END_STREAM | END_HEADERS, stream, &get_block())
}

/// Reads the kind and the payload of the next frame; `None` at the end of the connection.
async fn next(reader: &mut (impl tokio::io::AsyncRead + Unpin)) -> Option<(u8, Vec<u8>)> {
    let mut head = [0; 9];
    reader.read_exact(&mut head).await.ok()?;
    let mut payload = vec![0; u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize];
    reader.read_exact(&mut payload).await.ok()?;
    Some((head[3], payload))
}
