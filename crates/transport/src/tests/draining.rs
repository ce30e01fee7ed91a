//! The end of a server.

use super::*;

#[tokio::test]
async fn running_request_is_finished() {
    let mut server = Server::start(generous()).await;
    let mut stream = server.connect().await;
    send(&mut stream, "GET /held HTTP/1.1\r\nhost: test\r\n\r\n").await;
    server.held_request_arrived().await;
    server.drain();
    server.release();
    assert!(response(&mut stream).await.ends_with("released"));
    assert_eq!(server.served.await.expect("no panic"), Drained { requests_cut: 0 });
}

#[tokio::test]
async fn idle_and_half_sent_connections_do_not_hold_up_the_end() {
    let mut server = Server::start(Limits { drain_stalled: SHORT, ..generous() }).await;
    let (mut idle, mut half_sent, mut silent) =
        (server.connect().await, server.connect().await, server.connect().await);
    get(&mut idle, "/").await;
    send(&mut half_sent, "GET / HTTP/1.1\r\n").await;
    // The response to a later connection proves that the server has accepted the earlier ones.
    get(&mut server.connect().await, "/").await;
    server.drain();
    assert_eq!((&mut server.served).await.expect("no panic"), Drained { requests_cut: 0 });
    for stream in [&mut idle, &mut half_sent, &mut silent] {
        assert!(end(stream).await.is_empty());
    }
}

/// Tells the server to stop, and waits until it has closed an idle connection because of that.
async fn stop(server: &mut Server) {
    let mut idle = server.connect().await;
    // The response also proves that the server has accepted the earlier connections.
    get(&mut idle, "/").await;
    server.drain();
    assert!(end(&mut idle).await.is_empty());
}

#[tokio::test]
async fn first_request_of_an_accepted_connection_is_answered_after_the_signal() {
    let mut server = Server::start(generous()).await;
    let (mut silent, mut half_sent) = (server.connect().await, server.connect().await);
    send(&mut half_sent, "GET / HTTP/1.1\r\n").await;
    stop(&mut server).await;
    send(&mut half_sent, "host: test\r\n\r\n").await;
    send(&mut silent, "GET / HTTP/1.1\r\nhost: test\r\n\r\n").await;
    for stream in [&mut silent, &mut half_sent] {
        assert!(response(stream).await.ends_with("hello 127.0.0.1"));
        assert!(end(stream).await.is_empty(), "the connection ends after the response");
    }
    assert_eq!(server.served.await.expect("no panic"), Drained { requests_cut: 0 });
}

#[tokio::test]
async fn client_that_never_reads_does_not_hold_up_the_end() {
    let mut server = Server::start(Limits { drain_stalled: SHORT, ..generous() }).await;
    let mut hostile = server.connect().await;
    send(&mut hostile, "GET /large HTTP/1.1\r\nhost: test\r\n\r\n").await;
    let mut first = [0];
    hostile.read_exact(&mut first).await.expect("the response begins");
    server.drain();
    assert_eq!((&mut server.served).await.expect("no panic"), Drained { requests_cut: 0 });
}

#[tokio::test]
async fn requests_that_outlast_the_drain_period_are_counted() {
    let mut server = Server::start(Limits { drain: SHORT, ..generous() }).await;
    let mut stream = server.connect().await;
    send(&mut stream, "GET /held HTTP/1.1\r\nhost: test\r\n\r\n").await;
    server.held_request_arrived().await;
    server.drain();
    assert_eq!(server.served.await.expect("no panic"), Drained { requests_cut: 1 });
}

#[tokio::test]
async fn second_signal_ends_at_once() {
    let mut server = Server::start(generous()).await;
    let mut stream = server.connect().await;
    send(&mut stream, "GET /held HTTP/1.1\r\nhost: test\r\n\r\n").await;
    server.held_request_arrived().await;
    server.drain();
    server.abort();
    assert_eq!(server.served.await.expect("no panic"), Drained { requests_cut: 1 });
}

#[tokio::test]
async fn stopping_server_accepts_connections_during_the_notice_for_one_request_each() {
    let mut server = Server::start(Limits { notice: SHORT, ..generous() }).await;
    let mut early = server.connect().await;
    assert!(!get(&mut early, "/ready").await.contains("connection: close"));
    server.drain();
    server.stopping_announced().await;
    for mut stream in [early, server.connect().await] {
        let response = get(&mut stream, "/ready").await;
        assert!(response.ends_with("stopping") && response.contains("connection: close"), "{response}");
        assert!(end(&mut stream).await.is_empty());
    }
    assert_eq!((&mut server.served).await.expect("no panic"), Drained { requests_cut: 0 });
}

#[tokio::test]
async fn second_signal_ends_the_notice() {
    let long = Duration::from_secs(3600);
    let mut server = Server::start(Limits { notice: long, ..generous() }).await;
    server.drain();
    server.stopping_announced().await;
    server.abort();
    assert_eq!((&mut server.served).await.expect("no panic"), Drained { requests_cut: 0 });
}

#[tokio::test]
async fn statistics_count_accepted_refused_and_shed() {
    let statistics = Statistics::default();
    let limits = Limits { connections_per_address: 2, requests: 1, ..generous() };
    let options = Options { limits, statistics: statistics.clone(), ..Options::default() };
    let server = Server::start_with(options).await;
    let mut held = server.connect().await;
    send(&mut held, "GET /held HTTP/1.1\r\nhost: test\r\n\r\n").await;
    server.held_request_arrived().await;
    let mut shed = server.connect().await;
    assert!(get(&mut shed, "/").await.ends_with("Requests"));
    assert!(end(&mut server.connect().await).await.is_empty());
    let snapshot = statistics.snapshot();
    assert_eq!((snapshot.accepted, snapshot.open, snapshot.requests_in_progress), (2, 2, 1));
    assert_eq!((snapshot.refused, snapshot.requests_shed, snapshot.evicted), (1, 1, 0));
    server.release();
    assert!(response(&mut held).await.ends_with("released"));
}
