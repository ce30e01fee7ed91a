//! HTTP/2 by prior knowledge, and its known attacks.

use super::frames::{
    ACK, CANCEL, CONTINUATION, DATA, END_STREAM, ENHANCE_YOUR_CALM, GOAWAY, HEADERS, INITIAL_WINDOW_SIZE,
    PING, PRIORITY, RST_STREAM, SETTINGS, WINDOW_UPDATE, begin, frame, next, next_of_kind,
};
use super::*;

/// The default window of RFC 9113, in bytes.
const WINDOW: u32 = 65_535;

async fn http2(server: &Server) -> TcpStream {
    let mut stream = server.connect().await;
    begin(&mut stream, INITIAL_WINDOW_SIZE, WINDOW).await;
    stream
}

async fn write(stream: &mut TcpStream, bytes: &[u8]) {
    stream.write_all(bytes).await.expect("the server reads");
}

#[tokio::test]
async fn several_requests_share_a_connection() {
    let server = Server::start(generous()).await;
    let mut stream = http2(&server).await;
    let settings = next_of_kind(&mut stream, SETTINGS).await.expect("the settings");
    // SETTINGS_MAX_CONCURRENT_STREAMS (RFC 9113 section 6.5.2).
    assert!(settings.payload.chunks(6).any(|setting| setting == [0, 3, 0, 0, 0, 100]), "{settings:?}");
    write(&mut stream, &frames::get(1, "/held")).await;
    server.held_request_arrived().await;
    write(&mut stream, &frames::get(3, "/")).await;
    // The second response does not wait for the first.
    let data = next_of_kind(&mut stream, DATA).await.expect("a response");
    assert_eq!((data.stream, data.payload.as_slice()), (3, b"hello 127.0.0.1".as_slice()));
    server.release();
    let data = next_of_kind(&mut stream, DATA).await.expect("a response");
    assert_eq!((data.stream, data.payload.as_slice()), (1, b"released".as_slice()));
}

#[tokio::test]
async fn large_response_arrives_whole_within_the_window() {
    let server = Server::start(generous()).await;
    let mut stream = http2(&server).await;
    write(&mut stream, &frames::get(1, "/large")).await;
    let mut received = 0;
    loop {
        let data = next_of_kind(&mut stream, DATA).await.expect("the response goes on");
        received += data.payload.len();
        if data.flags & END_STREAM != 0 {
            break;
        }
        if let Ok(more) = u32::try_from(data.payload.len())
            && more > 0
        {
            write(&mut stream, &frame(WINDOW_UPDATE, 0, 0, &more.to_be_bytes())).await;
            write(&mut stream, &frame(WINDOW_UPDATE, 0, 1, &more.to_be_bytes())).await;
        }
    }
    assert_eq!(received, LARGE_BYTES);
}

#[tokio::test]
async fn idle_connection_is_closed_although_it_sends_frames() {
    let server = Server::start(Limits { idle: SHORT, ..generous() }).await;
    let mut stream = http2(&server).await;
    write(&mut stream, &frames::get(1, "/")).await;
    next_of_kind(&mut stream, DATA).await.expect("a response");
    write(&mut stream, &frame(WINDOW_UPDATE, 0, 0, &1_u32.to_be_bytes())).await;
    let goaway = next_of_kind(&mut stream, GOAWAY).await.expect("the client is told");
    assert_eq!(goaway.goaway_code(), 0);
    assert!(next(&mut stream).await.is_none());
}

#[tokio::test]
async fn connection_without_a_request_is_closed_although_it_sends_frames() {
    let statistics = Statistics::default();
    let limits = Limits { head: SHORT, ..generous() };
    let options = Options { limits, statistics: statistics.clone(), ..Options::default() };
    let server = Server::start_with(options).await;
    let mut stream = http2(&server).await;
    write(&mut stream, &frame(PING, 0, 0, &[0; 8])).await;
    while next(&mut stream).await.is_some() {}
    assert_eq!(statistics.snapshot().late, 1);
}

#[tokio::test]
async fn old_connection_sends_goaway_and_finishes_the_request() {
    let server = Server::start(Limits { age: SHORT, ..generous() }).await;
    let mut stream = http2(&server).await;
    write(&mut stream, &frames::get(1, "/held")).await;
    server.held_request_arrived().await;
    let goaway = next_of_kind(&mut stream, GOAWAY).await.expect("the client is told");
    assert_eq!(goaway.goaway_code(), 0);
    // The response to this ping tells the server that the client has received GOAWAY.
    let ping = next_of_kind(&mut stream, PING).await.expect("a ping");
    write(&mut stream, &frame(PING, ACK, 0, &ping.payload)).await;
    server.release();
    let data = next_of_kind(&mut stream, DATA).await.expect("a response");
    assert_eq!((data.stream, data.payload.as_slice()), (1, b"released".as_slice()));
    while let Some(frame) = next(&mut stream).await {
        assert!(frame.kind != GOAWAY || frame.goaway_code() == 0, "{frame:?}");
    }
}

/// Returns the error code of GOAWAY after which a connection has ended.
async fn last_goaway(stream: &mut TcpStream) -> Option<u32> {
    let mut code = None;
    while let Some(frame) = next(stream).await {
        assert_eq!(code, None, "{frame:?} after GOAWAY");
        assert!(frame.kind != DATA || frame.payload.is_empty(), "no byte fits into the window");
        code = (frame.kind == GOAWAY).then(|| frame.goaway_code());
    }
    code
}

#[tokio::test]
async fn client_that_never_opens_its_window_loses_its_connection() {
    let statistics = Statistics::default();
    let limits = Limits { write: SHORT, write_bytes_per_second: u64::MAX, ..generous() };
    let options = Options { limits, statistics: statistics.clone(), ..Options::default() };
    let server = Server::start_with(options).await;
    // As many requests as a connection may have, and responses that fit into one frame or need many.
    for (path, requests) in [("/", 1), ("/", 100), ("/large", 100)] {
        let mut stream = server.connect().await;
        begin(&mut stream, INITIAL_WINDOW_SIZE, 0).await;
        let flood: Vec<u8> = (0..requests).flat_map(|request| frames::get(2 * request + 1, path)).collect();
        write(&mut stream, &flood).await;
        assert_eq!(last_goaway(&mut stream).await, Some(ENHANCE_YOUR_CALM), "{requests} × {path}");
    }
    assert_eq!(statistics.snapshot().late, 3);
}

#[tokio::test]
async fn rapid_reset_ends_the_connection() {
    let server = Server::start(generous()).await;
    let mut stream = http2(&server).await;
    let reset = |id| frame(RST_STREAM, 0, id, &CANCEL.to_be_bytes());
    let flood: Vec<u8> = (0..2000)
        .flat_map(|request| [frames::get(2 * request + 1, "/held"), reset(2 * request + 1)].concat())
        .collect();
    // The server may close before it has read everything.
    let _ = stream.write_all(&flood).await;
    let goaway = next_of_kind(&mut stream, GOAWAY).await.expect("the connection ends");
    assert_eq!(goaway.goaway_code(), ENHANCE_YOUR_CALM);
}

#[tokio::test]
async fn flood_of_frames_that_request_nothing_ends_the_connection() {
    let statistics = Statistics::default();
    let options = Options { limits: generous(), statistics: statistics.clone(), ..Options::default() };
    let server = Server::start_with(options).await;
    let floods = [
        frame(SETTINGS, 0, 0, &[]),
        frame(PING, 0, 0, &[0; 8]),
        frame(PRIORITY, 0, 1, &[0, 0, 0, 0, 1]),
        frame(WINDOW_UPDATE, 0, 0, &1_u32.to_be_bytes()),
    ];
    for (number, flood) in floods.iter().enumerate() {
        let (mut receiving, mut sending) = http2(&server).await.into_split();
        let repeated = flood.repeat(64 * 1024 / flood.len());
        // A client that sends a few of them, with requests, is served.
        sending.write_all(&[repeated.clone(), frames::get(3, "/")].concat()).await.expect("the server reads");
        while next(&mut receiving).await.expect("the server answers").kind != DATA {}
        // The server closes before it has read everything.
        let sending = async { while sending.write_all(&repeated).await.is_ok() {} };
        let receiving = async {
            let mut code = None;
            while let Some(frame) = next(&mut receiving).await {
                code = (frame.kind == GOAWAY).then(|| frame.goaway_code());
            }
            code
        };
        let ((), code) = tokio::join!(sending, receiving);
        assert_eq!(statistics.snapshot().late, number as u64 + 1, "{flood:?}");
        // Without GOAWAY if the responses to the frames have filled the connection.
        assert!([None, Some(ENHANCE_YOUR_CALM)].contains(&code), "{flood:?}");
    }
}

#[tokio::test]
async fn endless_header_block_ends_the_connection() {
    // A literal field with a name and a value of 100 bytes each, without indexing.
    let field = [vec![0, 100], vec![b'n'; 100], vec![100], vec![b'v'; 100]].concat();
    // Empty frames never reach a limit of bytes.
    for part in [field.repeat(10), Vec::new()] {
        let server = Server::start(generous()).await;
        let mut stream = http2(&server).await;
        let mut flood = frame(HEADERS, END_STREAM, 1, &frames::get_block("/"));
        flood.extend(frame(CONTINUATION, 0, 1, &part).repeat(2000));
        let _ = stream.write_all(&flood).await;
        let goaway = next_of_kind(&mut stream, GOAWAY).await.expect("the connection ends");
        // The code for a peer whose behaviour might cause excessive load (RFC 9113 section 7). PROTOCOL_ERROR would blame
        // the frames, which are valid.
        assert_eq!(goaway.goaway_code(), ENHANCE_YOUR_CALM, "frames of {} bytes", part.len());
    }
}

#[tokio::test]
async fn streams_reset_because_of_errors_end_the_connection() {
    let server = Server::start(generous()).await;
    let mut stream = http2(&server).await;
    // A window beyond its maximum is an error of the stream (RFC 9113 section 6.9.1), which the server resets.
    let mistake = |id| frame(WINDOW_UPDATE, 0, id, &0x7fff_ffff_u32.to_be_bytes());
    let flood: Vec<u8> = (0..2000)
        .flat_map(|request| [frames::get(2 * request + 1, "/held"), mistake(2 * request + 1)].concat())
        .collect();
    let _ = stream.write_all(&flood).await;
    let goaway = next_of_kind(&mut stream, GOAWAY).await.expect("the connection ends");
    assert_eq!(goaway.goaway_code(), ENHANCE_YOUR_CALM);
}

#[tokio::test]
async fn draining_sends_goaway_and_finishes_the_request() {
    let mut server = Server::start(generous()).await;
    let mut stream = http2(&server).await;
    write(&mut stream, &frames::get(1, "/held")).await;
    server.held_request_arrived().await;
    server.drain();
    let goaway = next_of_kind(&mut stream, GOAWAY).await.expect("the client is told");
    assert_eq!(goaway.goaway_code(), 0);
    server.release();
    let data = next_of_kind(&mut stream, DATA).await.expect("a response");
    assert_eq!(data.payload, b"released");
    drop(stream);
    assert_eq!(server.served.await.expect("no panic"), Drained { requests_cut: 0 });
}
