//! The `Host` header of requests over real sockets.

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
