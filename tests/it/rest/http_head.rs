//! Routes, methods, limits of the request head, and requests in shapes that HTTP libraries do not send. A malformed request
//! gets status 400 or the end of its connection, and the bytes after it are never read as a request. Every other request
//! gets exactly one response.

use hyper::Method;
use tests::app::App;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

#[tokio::test]
async fn unknown_path_is_404_with_and_without_a_token() {
    let (app, _, token) = App::with_household().await;
    let unknown =
        "/ /v1 /v1/ /v1/me/ /v1//me /v1/%6de /v1/ME /v2/me /v1/portfolio/nothing /mcp/ /mcp/x /v1/../health";
    for target in unknown.split(' ') {
        for reply in [app.get(target, &token).await, app.send(Method::GET, target, &[]).await] {
            reply.assert_error(404, "NOT_FOUND", target);
        }
    }
}

#[tokio::test]
async fn valid_request_id_is_reused_and_any_other_is_replaced() {
    let app = App::start().await;
    let long = "a".repeat(65);
    for (given, is_reused) in
        [("abc-1.2_Z", true), ("with space", false), (long.as_str(), false), ("é", false), ("\"", false)]
    {
        let reply = app.send(Method::GET, "/v1/me", &[("x-request-id", given)]).await;
        assert_eq!(reply.header("x-request-id") == given, is_reused, "{given}");
        assert_eq!(reply.json()["error"]["requestId"], reply.header("x-request-id"), "{given}");
    }
}

/// A good request, which ends its connection. The server answers it only if the shape before it was no error.
const LAST: &str = "GET /api/health HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n";
/// A request for a path that does not exist. It is hidden in bodies, so a response with status 404 proves that the server has
/// read a body as a request.
const HIDDEN: &str = "GET /api/hidden HTTP/1.1\r\nHost: test\r\n\r\n";
/// The table of shapes. Its first lines state the format.
const SHAPES: &str = include_str!("raw_requests/shapes.txt");

/// Returns the raw request with line breaks, and the hidden request in its place.
fn raw(text: &str) -> String {
    let line_breaks = text.replace('|', "\r\n").replace(r"\r", "\r").replace(r"\n", "\n");
    line_breaks.replace(r"\0", "\0").replace("HIDDEN", HIDDEN)
}

/// All shapes: name, bytes, and the statuses of all responses.
fn shapes() -> Vec<(&'static str, String, Vec<u16>)> {
    let rows = tests::table::rows(SHAPES).into_iter();
    let mut shapes: Vec<_> = rows
        .map(|(name, values)| {
            let statuses = values[0].split(' ').map(|status| status.parse().expect("a status"));
            (name, raw(values[1]), statuses.collect())
        })
        .collect();
    let good = "GET /api/health HTTP/1.1|Host: test";
    let long = |length: usize| "a".repeat(length);
    let chunked = "POST /api/health HTTP/1.1|Host: test|Transfer-Encoding: chunked";
    for (name, text, statuses) in [
        ("long method", format!("{}{good}||", long(1000)), &[405, 200][..]),
        ("too long method", format!("{}{good}||", long(200_000)), &[431]),
        ("long target", format!("GET /api/health?{} HTTP/1.1|Host: test||", long(9000)), &[414, 200]),
        ("too long target", format!("GET /{} HTTP/1.1|Host: test||", long(200_000)), &[431]),
        ("long value", format!("{good}|X: {}||", long(33_000)), &[431, 200]),
        ("too long value", format!("{good}|X: {}||", long(200_000)), &[431]),
        ("many fields", format!("{good}{}||", "|X: a".repeat(70)), &[431, 200]),
        ("too many fields", format!("{good}{}||", "|X: a".repeat(200)), &[431]),
        ("long extension of a chunk", format!("{chunked}||1;{}|a|0||", long(20_000)), &[405]),
    ] {
        shapes.push((name, raw(&text), statuses.to_vec()));
    }
    shapes
}

/// Sends bytes, and the end of the stream if `closes`. Returns the statuses of all responses until the server ends the
/// connection.
async fn statuses(app: &App, bytes: &str, closes: bool) -> Vec<u16> {
    let authority = app.base_url.trim_start_matches("http://").trim_end_matches("/api");
    let mut stream = TcpStream::connect(authority).await.expect("the server listens");
    // The server may have ended the connection before it has read all bytes.
    let _ = stream.write_all(bytes.as_bytes()).await;
    if closes {
        let _ = stream.shutdown().await;
    }
    let mut received = Vec::new();
    let _ = stream.read_to_end(&mut received).await;
    let text = String::from_utf8(received).expect("responses are text");
    let (mut rest, mut statuses) = (text.as_str(), Vec::new());
    while !rest.is_empty() {
        let (head, after) = rest.split_once("\r\n\r\n").expect("a whole head");
        let status = head.strip_prefix("HTTP/1.").and_then(|line| line.get(2..5)).expect("a status line");
        let length =
            head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        statuses.push(status.parse().expect("a status"));
        rest = after.get(length.unwrap_or(0)..).expect("a whole body");
    }
    statuses
}

#[tokio::test]
async fn each_shape_gets_its_responses_and_hides_no_request() {
    let app = App::start().await;
    let mut wrong = Vec::new();
    for (name, bytes, expected) in shapes() {
        let received = statuses(&app, &(bytes + LAST), false).await;
        if received != expected {
            wrong.push(format!("{name}: {received:?} instead of {expected:?}"));
        }
        assert_eq!(statuses(&app, LAST, false).await, [200], "after {name}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn client_that_closes_its_direction_gets_the_responses_to_complete_requests() {
    let app = App::start().await;
    let good = "GET /api/ready HTTP/1.1\r\nHost: test\r\n\r\n";
    let call = "POST /api/mcp HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    for (bytes, expected) in [
        (good.to_owned(), &[200][..]),
        (good.repeat(3), &[200, 200, 200]),
        (call.to_owned(), &[401]),
        (String::new(), &[]),
        ("GET /api/health HTTP/1.1\r\nHost: te".to_owned(), &[]),
        (format!("{good}GET /api"), &[200]),
        (call.replace(": 2", ": 3"), &[401]),
    ] {
        assert_eq!(statuses(&app, &bytes, true).await, expected, "{bytes:?}");
    }
}
