//! A hyper service that returns the bytes of a file for every request: the least that a server of the same library can
//! cost. `cargo lab bench` compares the server with it.
//!
//! Arguments: the port on loopback, and the file.

use std::convert::Infallible;
use std::error::Error;

use bytes::Bytes;
use http_body_util::Full;
use hyper::Response;
use hyper::header::CONTENT_TYPE;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let [port, file] =
        std::env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "expected PORT FILE")?;
    let body = Bytes::from(std::fs::read(file)?);
    let listener = TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let body = body.clone();
        let service = service_fn(move |_request| {
            let body = body.clone();
            async move {
                let response = Response::builder().header(CONTENT_TYPE, "application/json");
                Ok::<_, Infallible>(response.body(Full::new(body)).expect("the header is valid"))
            }
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}
