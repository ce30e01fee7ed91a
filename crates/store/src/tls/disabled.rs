//! Connections without TLS, in a build without the feature `tls`.

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_postgres::NoTls;
use tokio_postgres::tls::{MakeTlsConnect, NoTlsError, NoTlsStream};

/// Opens connections without TLS. With the feature `tls` it opens TLS sessions.
#[derive(Clone, Debug)]
pub struct Connector(());

impl Connector {
    /// Creates a connector.
    pub(crate) fn without_checks() -> Connector {
        Connector(())
    }
}

impl<S> MakeTlsConnect<S> for Connector
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = NoTlsStream;
    type TlsConnect = NoTls;
    type Error = NoTlsError;

    fn make_tls_connect(&mut self, _host: &str) -> Result<NoTls, NoTlsError> {
        Ok(NoTls)
    }
}
