//! Request bodies that the handler does not read.

use super::*;

#[tokio::test]
async fn connection_is_used_again_after_a_body_that_the_handler_did_not_read() {
    let server = Server::start(generous()).await;
    let mut stream = server.connect().await;
    // The head arrives alone: the handler answers before the body is there.
    send(&mut stream, "POST /held HTTP/1.1\r\nhost: test\r\ncontent-length: 5\r\n\r\n").await;
    server.held_request_arrived().await;
    server.release();
    send(&mut stream, "01234").await;
    let answered = response(&mut stream).await;
    assert!(answered.ends_with("released") && !answered.contains("connection: close"), "{answered}");
    assert!(get(&mut stream, "/").await.ends_with("hello 127.0.0.1"));
}

#[tokio::test]
async fn connection_ends_after_a_body_that_is_too_long() {
    let server = Server::start(generous()).await;
    let mut stream = server.connect().await;
    send(&mut stream, "POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 1000000\r\n\r\n").await;
    // More than the limit, less than the announced length.
    send(&mut stream, &"x".repeat(400_000)).await;
    let answered = response(&mut stream).await;
    assert!(answered.contains("connection: close"), "{answered}");
    assert!(end(&mut stream).await.is_empty());
}

#[tokio::test]
async fn body_that_waits_for_permission_is_not_awaited() {
    let server = Server::start(generous()).await;
    let mut stream = server.connect().await;
    send(&mut stream, "POST / HTTP/1.1\r\nhost: test\r\nexpect: 100-continue\r\ncontent-length: 5\r\n\r\n")
        .await;
    let answered = response(&mut stream).await;
    assert!(answered.starts_with("HTTP/1.1 200") && answered.contains("connection: close"), "{answered}");
}
