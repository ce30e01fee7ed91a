//! Clients that send nothing, send slowly, read nothing, or open too many connections.

use super::*;
use crate::TrustedProxies;

#[tokio::test]
async fn connection_without_a_byte_is_closed() {
    let server = Server::start(Limits { head: SHORT, ..generous() }).await;
    assert!(end(&mut server.connect().await).await.is_empty());
}

#[tokio::test]
async fn connection_with_an_incomplete_head_is_closed() {
    let server = Server::start(Limits { head: SHORT, ..generous() }).await;
    let mut stream = server.connect().await;
    send(&mut stream, "GET / HTTP/1.1\r\nhost: te").await;
    assert!(end(&mut stream).await.is_empty());
}

#[tokio::test]
async fn idle_connection_is_closed_after_its_response() {
    let server = Server::start(Limits { idle: SHORT, ..generous() }).await;
    let mut stream = server.connect().await;
    assert!(get(&mut stream, "/").await.ends_with("hello 127.0.0.1"));
    assert!(end(&mut stream).await.is_empty());
}

#[tokio::test]
async fn second_request_on_a_connection_has_its_own_head_limit() {
    let server = Server::start(Limits { head: SHORT, ..generous() }).await;
    let mut stream = server.connect().await;
    get(&mut stream, "/").await;
    get(&mut stream, "/").await;
    send(&mut stream, "GET ").await;
    assert!(end(&mut stream).await.is_empty());
}

/// Starts a server whose responses must leave in a short time, however large they are.
async fn with_write_deadline() -> (Server, Statistics) {
    let statistics = Statistics::default();
    let limits = Limits { write: SHORT, write_bytes_per_second: u64::MAX, ..generous() };
    let options = Options { limits, statistics: statistics.clone(), ..Options::default() };
    (Server::start_with(options).await, statistics)
}

/// Waits until a connection was closed. It must have missed a deadline: no other connection needed its permit.
async fn until_late(statistics: &Statistics) {
    while statistics.snapshot().accepted == 0 || statistics.snapshot().open > 0 {
        tokio::task::yield_now().await;
    }
    let counts = statistics.snapshot();
    assert_eq!((counts.accepted, counts.late, counts.evicted), (1, 1, 0));
}

#[tokio::test]
async fn client_that_never_reads_loses_its_connection() {
    let (server, statistics) = with_write_deadline().await;
    let mut hostile = server.connect().await;
    send(&mut hostile, &"GET /large HTTP/1.1\r\nhost: test\r\n\r\n".repeat(60)).await;
    until_late(&statistics).await;
    // The client has held its connection open until here.
    drop(hostile);
}

#[tokio::test]
async fn client_that_pipelines_and_never_reads_loses_its_connection() {
    let (server, statistics) = with_write_deadline().await;
    let mut hostile = server.connect().await;
    let requests = "GET / HTTP/1.1\r\nhost: test\r\n\r\n".repeat(100);
    // Each response fits into the buffers. Together they fill them, and then the server reads no further request.
    let sending = async {
        while hostile.write_all(requests.as_bytes()).await.is_ok() {}
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = sending => {}
        () = until_late(&statistics) => {}
    }
    drop(hostile);
}

#[tokio::test]
async fn connections_of_one_address_are_limited() {
    let server = Server::start(Limits { connections_per_address: 2, ..generous() }).await;
    let mut held = [server.connect().await, server.connect().await];
    for stream in &mut held {
        get(stream, "/").await;
    }
    assert!(end(&mut server.connect().await).await.is_empty());
    let mut other = server.connect_from("127.0.0.2").await;
    assert!(get(&mut other, "/").await.ends_with("hello 127.0.0.2"));
}

#[tokio::test]
async fn closed_connection_frees_the_place_of_its_address() {
    let server = Server::start(Limits { connections_per_address: 1, idle: SHORT, ..generous() }).await;
    for _ in 0..3 {
        let mut stream = server.connect().await;
        assert!(get(&mut stream, "/").await.ends_with("hello 127.0.0.1"));
        end(&mut stream).await;
    }
}

#[tokio::test]
async fn silent_connections_give_way_when_all_places_are_taken() {
    let server = Server::start(Limits { connections: 3, ..generous() }).await;
    let mut honest = server.connect().await;
    get(&mut honest, "/").await;
    let mut silent = [server.connect().await, server.connect().await];
    assert!(get(&mut server.connect().await, "/").await.ends_with("hello 127.0.0.1"));
    assert!(end(&mut silent[0]).await.is_empty());
    // The honest client's idle connection was not touched.
    assert!(get(&mut honest, "/").await.ends_with("hello 127.0.0.1"));
}

#[tokio::test]
async fn clients_that_never_read_give_way_when_all_places_are_taken() {
    let server = Server::start(Limits { connections: 2, ..generous() }).await;
    let mut hostile = [server.connect().await, server.connect().await];
    for stream in &mut hostile {
        send(stream, "GET /large HTTP/1.1\r\nhost: test\r\n\r\n").await;
        stream.read_exact(&mut [0]).await.expect("the response begins");
    }
    assert!(get(&mut server.connect().await, "/").await.ends_with("hello 127.0.0.1"));
}

#[tokio::test]
async fn client_with_many_connections_is_refused_when_none_gives_way() {
    let connections = 17;
    let server = Server::start(Limits { connections, ..generous() }).await;
    let mut streams = Vec::new();
    for _ in 0..connections {
        let mut stream = server.connect().await;
        send(&mut stream, "GET /held HTTP/1.1\r\nhost: test\r\n\r\n").await;
        server.held_request_arrived().await;
        streams.push(stream);
    }
    assert!(end(&mut server.connect().await).await.is_empty());
    let mut other = server.connect_from("127.0.0.2").await;
    server.release();
    response(&mut streams[0]).await;
    assert!(get(&mut other, "/").await.ends_with("hello 127.0.0.2"));
}

#[tokio::test]
async fn requests_beyond_the_limit_are_shed() {
    let server = Server::start(Limits { requests: 1, ..generous() }).await;
    let mut first = server.connect().await;
    send(&mut first, "GET /held HTTP/1.1\r\nhost: test\r\n\r\n").await;
    server.held_request_arrived().await;
    let mut second = server.connect().await;
    let shed = get(&mut second, "/").await;
    assert!(shed.starts_with("HTTP/1.1 503") && shed.ends_with("Requests"), "{shed}");
    server.release();
    assert!(response(&mut first).await.ends_with("released"));
    assert!(get(&mut second, "/").await.ends_with("hello 127.0.0.1"));
}

#[tokio::test]
async fn clients_behind_a_trusted_proxy_count_by_their_forwarded_address() {
    let proxies = TrustedProxies::parse("127.0.0.1").expect("an address");
    let server = Server::start_with(Options {
        limits: Limits { connections_per_address: 1, ..generous() },
        proxies,
        ..Options::default()
    })
    .await;
    let request = |path: &str, client: &str| {
        format!("GET {path} HTTP/1.1\r\nhost: test\r\nx-forwarded-for: {client}\r\n\r\n")
    };
    // The proxy itself has more connections than an address may have.
    let (mut first, mut second) = (server.connect().await, server.connect().await);
    send(&mut first, &request("/held", "192.0.2.1")).await;
    server.held_request_arrived().await;
    send(&mut second, &request("/", "192.0.2.1")).await;
    assert!(response(&mut second).await.ends_with("RequestsOfClient"));
    send(&mut second, &request("/", "192.0.2.2")).await;
    assert!(response(&mut second).await.ends_with("hello 192.0.2.2"));
    server.release();
    assert!(response(&mut first).await.ends_with("released"));
}

#[tokio::test]
async fn forwarded_address_of_an_untrusted_client_is_ignored() {
    let server = Server::start(generous()).await;
    let mut stream = server.connect().await;
    send(&mut stream, "GET / HTTP/1.1\r\nhost: test\r\nx-forwarded-for: 192.0.2.1\r\n\r\n").await;
    assert!(response(&mut stream).await.ends_with("hello 127.0.0.1"));
}

#[tokio::test]
async fn old_connection_ends_between_two_requests() {
    let server = Server::start(Limits { age: SHORT, ..generous() }).await;
    let mut stream = server.connect().await;
    // Without a limit of the age this loop would not end.
    while stream.write_all(b"GET / HTTP/1.1\r\nhost: test\r\n\r\n").await.is_ok() {
        let mut received = [0; 1024];
        if matches!(stream.read(&mut received).await, Ok(0) | Err(_)) {
            break;
        }
    }
}
