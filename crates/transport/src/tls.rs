//! TLS for the connections of a server, with a certificate that can be replaced while the server runs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use rustls::ServerConfig;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio_rustls::TlsAcceptor;

/// The protocols that the server offers in the TLS handshake (ALPN, RFC 7301), the preferred one first.
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// A certificate chain and its private key, read from files. Clones share them.
#[derive(Clone, Debug)]
pub struct Certificate {
    chain_file: PathBuf,
    key_file: PathBuf,
    provider: Arc<CryptoProvider>,
    current: Arc<Current>,
}

/// The certificate that new connections get.
#[derive(Debug)]
struct Current(RwLock<Arc<CertifiedKey>>);

/// The reason why a certificate cannot be used.
#[derive(Debug)]
pub enum CertificateError {
    /// A file cannot be read, or is not PEM (RFC 7468).
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: pem::Error,
    },
    /// The file contains no certificate.
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The key does not belong to the certificate, or has an unsupported type.
    Key {
        /// The file of the key.
        path: PathBuf,
        /// The cause.
        source: rustls::Error,
    },
}

impl std::fmt::Display for CertificateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CertificateError::File { path, source } => write!(f, "{}: {source}", path.display()),
            CertificateError::Empty { path } => write!(f, "{} contains no certificate", path.display()),
            CertificateError::Key { path, source } => {
                write!(f, "{} is not the key of the certificate: {source}", path.display())
            }
        }
    }
}

impl std::error::Error for CertificateError {}

impl Certificate {
    /// Reads a certificate chain, the server's own certificate first, and its private key, both in PEM.
    ///
    /// # Errors
    /// A file cannot be read, or the key does not belong to the certificate.
    pub fn read(chain_file: &Path, key_file: &Path) -> Result<Certificate, CertificateError> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let certified = certified_key(chain_file, key_file, &provider)?;
        Ok(Certificate {
            chain_file: chain_file.to_owned(),
            key_file: key_file.to_owned(),
            provider,
            current: Arc::new(Current(RwLock::new(Arc::new(certified)))),
        })
    }

    /// Returns the server's own certificate in DER (RFC 5280).
    #[must_use]
    pub fn own(&self) -> CertificateDer<'static> {
        let current = self.current.0.read().unwrap_or_else(PoisonError::into_inner);
        // The chain is not empty: reading rejects that.
        current.cert[0].clone()
    }

    /// Reads the files again. New connections get the new certificate. Returns true if it has changed.
    ///
    /// # Errors
    /// Those of [`Certificate::read`]; the certificate then stays as it was.
    pub fn reload(&self) -> Result<bool, CertificateError> {
        let certified = certified_key(&self.chain_file, &self.key_file, &self.provider)?;
        let mut current = self.current.0.write().unwrap_or_else(PoisonError::into_inner);
        let changed = current.cert != certified.cert;
        *current = Arc::new(certified);
        Ok(changed)
    }

    /// Returns the acceptor of TLS connections: TLS 1.2 and 1.3, HTTP/2 and HTTP/1.1.
    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        let config = ServerConfig::builder_with_provider(self.provider.clone());
        let config = config.with_safe_default_protocol_versions();
        let config = config.expect("the provider supports the default versions of TLS").with_no_client_auth();
        let mut config = config.with_cert_resolver(self.current.clone());
        config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).to_vec();
        TlsAcceptor::from(Arc::new(config))
    }
}

impl ResolvesServerCert for Current {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.read().unwrap_or_else(PoisonError::into_inner).clone())
    }
}

fn certified_key(
    chain_file: &Path,
    key_file: &Path,
    provider: &CryptoProvider,
) -> Result<CertifiedKey, CertificateError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        |source| CertificateError::File { path, source }
    };
    let certificates = CertificateDer::pem_file_iter(chain_file).map_err(unreadable(chain_file))?;
    let certificates: Vec<_> = certificates.collect::<Result<_, _>>().map_err(unreadable(chain_file))?;
    if certificates.is_empty() {
        return Err(CertificateError::Empty { path: chain_file.to_owned() });
    }
    let key = PrivateKeyDer::from_pem_file(key_file).map_err(unreadable(key_file))?;
    let mismatch = |source| CertificateError::Key { path: key_file.to_owned(), source };
    CertifiedKey::from_der(certificates, key, provider).map_err(mismatch)
}
