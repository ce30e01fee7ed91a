//! Clients that close their direction of the connection before they have the response.

use super::*;

const GET: &str = "GET / HTTP/1.1\r\nhost: test\r\n\r\n";
const HELD: &str = "GET /held HTTP/1.1\r\nhost: test\r\n\r\n";
const POST: &str = "POST /held HTTP/1.1\r\nhost: test\r\ncontent-length: 5\r\n\r\n01234";

/// Sends bytes and the end of the stream.
async fn send_all(stream: &mut TcpStream, text: &str) {
    send(stream, text).await;
    stream.shutdown().await.expect("the connection is open");
}

#[tokio::test]
async fn complete_request_gets_its_response() {
    let server = Server::start(generous()).await;
    for request in [HELD, POST] {
        let mut stream = server.connect().await;
        send_all(&mut stream, request).await;
        server.held_request_arrived().await;
        server.release();
        assert!(response(&mut stream).await.ends_with("released"), "{request}");
        assert!(end(&mut stream).await.is_empty(), "the connection ends after the response");
    }
}

#[tokio::test]
async fn all_pipelined_requests_get_their_responses() {
    let server = Server::start(generous()).await;
    let mut stream = server.connect().await;
    send_all(&mut stream, &[HELD, GET, HELD].concat()).await;
    for _ in 0..2 {
        server.release();
    }
    for expected in ["released", "hello 127.0.0.1", "released"] {
        assert!(response(&mut stream).await.ends_with(expected));
    }
    assert!(end(&mut stream).await.is_empty());
}

#[tokio::test]
async fn incomplete_request_gets_no_response() {
    let server = Server::start(generous()).await;
    for incomplete in ["", "GET", "GET / HTTP/1.1\r\nhost: test\r\n"] {
        let mut stream = server.connect().await;
        send_all(&mut stream, incomplete).await;
        assert!(end(&mut stream).await.is_empty(), "{incomplete:?}");
    }
}

#[tokio::test]
async fn rest_of_a_body_is_not_awaited() {
    let server = Server::start(generous()).await;
    let mut stream = server.connect().await;
    send_all(&mut stream, POST.trim_end_matches('4')).await;
    server.held_request_arrived().await;
    server.release();
    assert!(response(&mut stream).await.ends_with("released"));
    assert!(end(&mut stream).await.is_empty());
}

#[tokio::test]
async fn request_that_takes_too_long_is_dropped() {
    let statistics = Statistics::default();
    let limits = Limits { half_closed: SHORT, ..generous() };
    let options = Options { limits, statistics: statistics.clone(), ..Options::default() };
    let server = Server::start_with(options).await;
    let mut stream = server.connect().await;
    send_all(&mut stream, HELD).await;
    server.held_request_arrived().await;
    assert!(end(&mut stream).await.is_empty());
    assert_eq!(statistics.snapshot().requests_in_progress, 0);
}
