//! Requests in shapes that HTTP libraries do not send. A malformed request gets status 400 or the end of its connection, and
//! the bytes after it are never read as a request. Every other request gets exactly one response.

use tests::app::App;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// A good request, which ends its connection. The server answers it only if the shape before it was no error.
const LAST: &str = "GET /api/health HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n";
/// A request for a path that does not exist. It is hidden in bodies, so a response with status 404 proves that the server has
/// read a body as a request.
const HIDDEN: &str = "GET /api/hidden HTTP/1.1\r\nHost: test\r\n\r\n";
/// The statuses of a malformed request and of the last request, which is not read.
const MALFORMED: &[u16] = &[400];

/// Heads in which `|` stands for a line break, and the statuses of all responses.
const HEADS: &[(&str, &str, &[u16])] = &[
    ("a good request", "GET /api/health HTTP/1.1|Host: test", &[200, 200]),
    ("no Host", "GET /api/health HTTP/1.1", &[400, 200]),
    ("two equal Hosts", "GET /api/health HTTP/1.1|Host: a|Host: a", &[400, 200]),
    ("two Hosts", "GET /api/health HTTP/1.1|Host: a|Host: b", &[400, 200]),
    ("Host with user", "GET /api/health HTTP/1.1|Host: ada@test", &[400, 200]),
    ("Host with path", "GET /api/health HTTP/1.1|Host: test/api", &[400, 200]),
    ("Host with space", "GET /api/health HTTP/1.1|Host: te st", &[400, 200]),
    ("empty Host", "GET /api/health HTTP/1.1|Host:", &[200, 200]),
    ("Host of IPv6", "GET /api/health HTTP/1.1|Host: [::1]:8080", &[200, 200]),
    ("folded value", "GET /api/health HTTP/1.1|Host: test|X-Folded: a| b", MALFORMED),
    ("folded first field", "GET /api/health HTTP/1.1| X: a|Host: test", MALFORMED),
    ("CR in a value", "GET /api/health HTTP/1.1|Host: test|X: a\rb", MALFORMED),
    ("NUL in a value", "GET /api/health HTTP/1.1|Host: test|X: a\0b", MALFORMED),
    ("NUL in a name", "GET /api/health HTTP/1.1|Host: test|X\0: a", MALFORMED),
    ("NUL in the target", "GET /api/\0health HTTP/1.1|Host: test", MALFORMED),
    ("space before the colon", "GET /api/health HTTP/1.1|Host : test", MALFORMED),
    ("space in a name", "GET /api/health HTTP/1.1|Host: test|X Y: a", MALFORMED),
    ("no colon", "GET /api/health HTTP/1.1|Host: test|X", MALFORMED),
    ("empty name", "GET /api/health HTTP/1.1|Host: test|: a", MALFORMED),
    ("bytes above ASCII in a value", "GET /api/health HTTP/1.1|Host: test|X: é", &[200, 200]),
    ("bytes above ASCII in a name", "GET /api/health HTTP/1.1|Host: test|é: a", MALFORMED),
    ("absolute target", "GET http://test/api/health HTTP/1.1|Host: test", &[200, 200]),
    ("absolute target without Host", "GET http://test/api/health HTTP/1.1", &[400, 200]),
    ("asterisk", "OPTIONS * HTTP/1.1|Host: test", &[404, 200]),
    ("relative target", "GET api/health HTTP/1.1|Host: test", MALFORMED),
    ("empty target", "GET  HTTP/1.1|Host: test", MALFORMED),
    ("space in the target", "GET /api/ health HTTP/1.1|Host: test", MALFORMED),
    ("fragment", "GET /api/health#x HTTP/1.1|Host: test", &[200, 200]),
    ("dots", "GET /api/v1/../health HTTP/1.1|Host: test", &[404, 200]),
    ("encoded slash", "GET /api%2Fhealth HTTP/1.1|Host: test", &[404, 200]),
    ("CONNECT", "CONNECT test:443 HTTP/1.1|Host: test", &[404, 200]),
    ("HTTP/1.0", "GET /api/health HTTP/1.0", &[200]),
    ("HTTP/1.0, kept alive", "GET /api/health HTTP/1.0|Connection: keep-alive", &[200, 200]),
    ("HTTP/0.9", "GET /api/health", MALFORMED),
    ("HTTP/1.2", "GET /api/health HTTP/1.2|Host: test", MALFORMED),
    ("HTTP/2.0", "GET /api/health HTTP/2.0|Host: test", MALFORMED),
    ("version in lower case", "GET /api/health http/1.1|Host: test", MALFORMED),
    ("method in lower case", "get /api/health HTTP/1.1|Host: test", &[405, 200]),
    ("unknown method", "BREW /api/health HTTP/1.1|Host: test", &[405, 200]),
    ("no method", " /api/health HTTP/1.1|Host: test", MALFORMED),
    ("bytes of TLS", "\x16\x03\x01\x02", MALFORMED),
    ("negative length", "POST /api/health HTTP/1.1|Host: test|Content-Length: -1", MALFORMED),
    ("length with a sign", "POST /api/health HTTP/1.1|Host: test|Content-Length: +0", MALFORMED),
    ("length in base 16", "POST /api/health HTTP/1.1|Host: test|Content-Length: 0x0", MALFORMED),
    ("list of lengths", "POST /api/health HTTP/1.1|Host: test|Content-Length: 0, 0", MALFORMED),
    ("empty length", "POST /api/health HTTP/1.1|Host: test|Content-Length:", MALFORMED),
    (
        "too large length",
        "POST /api/health HTTP/1.1|Host: test|Content-Length: 99999999999999999999999",
        MALFORMED,
    ),
    ("two lengths", "POST /api/health HTTP/1.1|Host: test|Content-Length: 0|Content-Length: 5", MALFORMED),
    (
        "two equal lengths",
        "POST /api/health HTTP/1.1|Host: test|Content-Length: 0|Content-Length: 0",
        &[405, 200],
    ),
    ("chunked in HTTP/1.0", "POST /api/health HTTP/1.0|Transfer-Encoding: chunked", MALFORMED),
    (
        "chunked is not last",
        "POST /api/health HTTP/1.1|Host: test|Transfer-Encoding: chunked, gzip",
        MALFORMED,
    ),
    ("unknown coding", "POST /api/health HTTP/1.1|Host: test|Transfer-Encoding: gzip", MALFORMED),
    (
        "upgrade to HTTP/2",
        "GET /api/health HTTP/1.1|Host: test|Connection: Upgrade, HTTP2-Settings|Upgrade: h2c|HTTP2-Settings: AAMAAABkAAQAAP__",
        &[200, 200],
    ),
    (
        "upgrade to WebSocket",
        "GET /api/health HTTP/1.1|Host: test|Connection: Upgrade|Upgrade: websocket|Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        &[200, 200],
    ),
];

/// The heads of requests with a body, the body, and the statuses of all responses. No handler reads these bodies.
const BODIES: &[(&str, &str, &str, &[u16])] = &[
    ("a body with a length", "Content-Length: 5", "01234", &[405, 200]),
    ("a hidden request", "Content-Length: 40", "HIDDEN", &[405, 200]),
    ("chunks", "Transfer-Encoding: chunked", "5|01234|0||", &[405, 200]),
    ("chunks with trailers", "Transfer-Encoding: chunked", "5|01234|0|X: a||", &[405, 200]),
    ("chunks with extensions", "Transfer-Encoding: chunked", "5;a=b;c|01234|0||", &[405, 200]),
    ("chunked twice", "Transfer-Encoding: chunked, chunked", "0||HIDDEN", MALFORMED),
    ("two codings", "Transfer-Encoding: gzip, chunked", "0||HIDDEN", MALFORMED),
    (
        "two Transfer-Encodings",
        "Transfer-Encoding: chunked|Transfer-Encoding: chunked",
        "0||HIDDEN",
        MALFORMED,
    ),
    ("chunks and a length", "Transfer-Encoding: chunked|Content-Length: 45", "0||HIDDEN", &[405]),
    ("a length and chunks", "Content-Length: 45|Transfer-Encoding: chunked", "0||HIDDEN", &[405]),
    ("no size of a chunk", "Transfer-Encoding: chunked", "|0||", &[405]),
    ("wrong size of a chunk", "Transfer-Encoding: chunked", "x|0||", &[405]),
    ("negative size of a chunk", "Transfer-Encoding: chunked", "-1|0||", &[405]),
    ("too large size of a chunk", "Transfer-Encoding: chunked", "FFFFFFFFFFFFFFFFF|0||", &[405]),
    ("too small size of a chunk", "Transfer-Encoding: chunked", "3|01234|0||", &[405]),
    ("LF after the size of a chunk", "Transfer-Encoding: chunked", "5\n01234|0||", &[405]),
    ("permission to send", "Expect: 100-continue|Content-Length: 5", "01234", &[405]),
];

/// Returns the raw request with line breaks, and the hidden request in its place.
fn raw(text: &str) -> String {
    text.replace('|', "\r\n").replace("HIDDEN", HIDDEN)
}

/// All shapes: name, bytes, and the statuses of all responses.
fn shapes() -> Vec<(String, String, Vec<u16>)> {
    let heads = HEADS.iter().map(|(name, head, statuses)| (*name, raw(head) + "\r\n\r\n", *statuses));
    let bodies = BODIES.iter().map(|(name, fields, body, statuses)| {
        (*name, raw(&format!("POST /api/health HTTP/1.1|Host: test|{fields}||{body}")), *statuses)
    });
    let good = "GET /api/health HTTP/1.1|Host: test";
    let long = |length: usize| "a".repeat(length);
    let others = [
        ("LF instead of CR LF", raw(&format!("{good}||")).replace('\r', ""), &[200, 200][..]),
        ("empty lines before", raw(&format!("||{good}||")), &[200, 200]),
        ("three requests at once", raw(&format!("{good}||{good}||{good}||")), &[200, 200, 200, 200]),
        ("long method", raw(&format!("{}{good}||", long(1000))), &[405, 200]),
        ("too long method", raw(&format!("{}{good}||", long(200_000))), &[431]),
        ("long target", raw(&format!("GET /api/health?{} HTTP/1.1|Host: test||", long(9000))), &[414, 200]),
        ("too long target", raw(&format!("GET /{} HTTP/1.1|Host: test||", long(200_000))), &[431]),
        ("long value", raw(&format!("{good}|X: {}||", long(33_000))), &[431, 200]),
        ("too long value", raw(&format!("{good}|X: {}||", long(200_000))), &[431]),
        ("many fields", raw(&format!("{good}{}||", "|X: a".repeat(70))), &[431, 200]),
        ("too many fields", raw(&format!("{good}{}||", "|X: a".repeat(200))), &[431]),
        (
            "long extension of a chunk",
            raw(&format!(
                "POST /api/health HTTP/1.1|Host: test|Transfer-Encoding: chunked||1;{}|a|0||",
                long(20_000)
            )),
            &[405],
        ),
    ];
    let all = heads.chain(bodies).chain(others);
    all.map(|(name, bytes, statuses)| (name.to_owned(), bytes, statuses.to_vec())).collect()
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
