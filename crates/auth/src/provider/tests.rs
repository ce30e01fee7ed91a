//! The limits of time and size, with a provider that is slow or sends much.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;

/// Starts a provider that sends the answer to each request after two seconds.
async fn provider(answer: &str) -> Provider {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let issuer = format!("http://{}", listener.local_addr().expect("an address"));
    let answer = answer.to_owned();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let read = stream.read(&mut [0; 4096]).await.expect("a request");
            assert!(read > 0, "a request has a first line");
            tokio::time::advance(Duration::from_secs(2)).await;
            // Ignore the error: the client may have read enough.
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    Provider::new(Settings::new(issuer)).expect("the settings are valid")
}

#[tokio::test(start_paused = true)]
async fn search_for_a_document_is_limited_in_time_and_size() {
    let endless = format!("HTTP/1.1 200 OK\r\n\r\n{}", " ".repeat(300 * 1024));
    for (answer, why) in
        [("HTTP/1.1 404 Not Found\r\n\r\n", "took too long"), (&endless, "more than 262144 bytes")]
    {
        let error = provider(answer).await.discovery_document().await.expect_err(why).to_string();
        assert!(error.contains(why), "{error}");
    }
}
