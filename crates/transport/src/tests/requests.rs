//! Requests over real sockets: the headers `Host` and `Transfer-Encoding`, and bodies that the handler does not read.

use super::*;

#[tokio::test]
async fn request_without_exactly_one_host_is_rejected_and_the_connection_goes_on() {
    let server = Server::start(generous()).await;
    let mut stream = server.connect().await;
    for (head, status) in [
        ("GET / HTTP/1.1\r\n", 400),
        ("GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n", 400),
        ("GET / HTTP/1.1\r\nhost: a\r\nHost: a\r\n", 400),
        ("GET / HTTP/1.1\r\nhost: a@b\r\n", 400),
        ("GET / HTTP/1.1\r\nhost: a\r\n", 200),
        ("GET http://a/ HTTP/1.1\r\n", 400),
        ("GET / HTTP/1.0\r\n", 200),
    ] {
        send(&mut stream, &format!("{head}\r\n")).await;
        let answered = response(&mut stream).await;
        let line = answered.lines().next().unwrap_or_default();
        assert!(line.contains(&format!(" {status} ")), "{head:?}: {line}");
        if head.contains("1.0") {
            break;
        }
    }
}

#[tokio::test]
async fn request_with_another_transfer_coding_is_rejected_and_the_connection_ends() {
    let server = Server::start(generous()).await;
    let smuggled = "0\r\n\r\nGET / HTTP/1.1\r\nhost: test\r\n\r\n";
    for codings in
        ["chunked, chunked", "gzip, chunked", "chunked\r\ntransfer-encoding: chunked", "identity, chunked"]
    {
        let mut stream = server.connect().await;
        let head = format!("POST / HTTP/1.1\r\nhost: test\r\ntransfer-encoding: {codings}\r\n\r\n");
        send(&mut stream, &[&head, smuggled].concat()).await;
        let answered = response(&mut stream).await;
        assert!(answered.starts_with("HTTP/1.1 400") && answered.contains("connection: close"), "{answered}");
        assert!(end(&mut stream).await.is_empty(), "{codings}");
    }
}

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
