//! TLS for connections to PostgreSQL, for the driver's trait `MakeTlsConnect`.
//!
//! The crate `tokio-postgres-rustls` has such a connector too. This one differs where `sslmode` needs it: it checks a
//! certificate with or without the host name, accepts a self-signed certificate that is its own authority, and needs no
//! further dependency for channel binding (RFC 5929).

mod certificate_hash;
mod verifier;

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::ClientConfig;
use rustls::pki_types::{CertificateDer, ServerName};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;

use certificate_hash::certificate_hash;
pub(crate) use verifier::Verification;
use verifier::Verifier;

/// The protocol of PostgreSQL in the TLS handshake (ALPN, RFC 7301), which `sslnegotiation=direct` needs.
const PROTOCOL: &[u8] = b"postgresql";

/// Opens TLS sessions with PostgreSQL servers. Clones share the configuration.
#[derive(Clone, Debug)]
pub struct Connector(Arc<ClientConfig>);

impl Connector {
    /// Creates a connector that checks no certificate.
    pub(crate) fn without_checks() -> Connector {
        Connector::new(Verification::None).expect("a connector without authorities can be created")
    }

    /// Creates a connector.
    ///
    /// # Errors
    /// An authority's certificate cannot be used.
    pub(crate) fn new(verification: Verification) -> Result<Connector, rustls::Error> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let verifier = Verifier::new(verification, &provider)?;
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        let config = config.dangerous().with_custom_certificate_verifier(Arc::new(verifier));
        let mut config = config.with_no_client_auth();
        config.alpn_protocols = vec![PROTOCOL.to_vec()];
        Ok(Connector(Arc::new(config)))
    }
}

impl<S> MakeTlsConnect<S> for Connector
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Stream<S>;
    type TlsConnect = Handshake;
    type Error = HandshakeError;

    fn make_tls_connect(&mut self, host: &str) -> Result<Handshake, HandshakeError> {
        Ok(Handshake { config: self.0.clone(), host: host.to_owned() })
    }
}

/// A TLS handshake with one host. The driver also makes one for a Unix socket, where it is never used.
#[derive(Clone, Debug)]
pub struct Handshake {
    config: Arc<ClientConfig>,
    host: String,
}

impl<S> TlsConnect<S> for Handshake
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Stream<S>;
    type Error = HandshakeError;
    type Future = Pin<Box<dyn Future<Output = Result<Stream<S>, HandshakeError>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            let host =
                ServerName::try_from(self.host.clone()).map_err(|_| HandshakeError::Host(self.host))?;
            let connected = TlsConnector::from(self.config).connect(host, stream).await;
            connected.map(Stream).map_err(HandshakeError::of)
        })
    }
}

/// The reason why a TLS handshake failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HandshakeError {
    /// The text is neither a host name nor an IP address.
    #[error("\"{0}\" is not a host name of TLS")]
    Host(String),
    /// The server's certificate is rejected, or the handshake breaks a rule of TLS.
    #[error("the TLS handshake failed: {0}")]
    Tls(#[source] rustls::Error),
    /// The connection failed.
    #[error("the connection failed during the TLS handshake: {0}")]
    Io(#[source] io::Error),
}

impl HandshakeError {
    /// Takes the error of TLS out of the error of the stream.
    fn of(error: io::Error) -> HandshakeError {
        match error.downcast::<rustls::Error>() {
            Ok(error) => HandshakeError::Tls(error),
            Err(error) => HandshakeError::Io(error),
        }
    }
}

/// A TLS session with a server.
#[derive(Debug)]
pub struct Stream<S>(tokio_rustls::client::TlsStream<S>);

impl<S> TlsStream for Stream<S>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    /// Returns the hash of the server's certificate. With it, the sign-in with a password (SCRAM) fails if somebody
    /// between client and server ends TLS.
    fn channel_binding(&self) -> ChannelBinding {
        let certificates = self.0.get_ref().1.peer_certificates();
        match certificates.and_then(<[CertificateDer<'_>]>::first).and_then(|first| certificate_hash(first)) {
            Some(hash) => ChannelBinding::tls_server_end_point(hash),
            None => ChannelBinding::none(),
        }
    }
}

impl<S> AsyncRead for Stream<S>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S> AsyncWrite for Stream<S>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
