//! Checks the certificate of a PostgreSQL server as far as `sslmode` demands it.

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature,
};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

/// The checks of the server's certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verification {
    /// No check: protects against readers of the network, not against a false server.
    None,
    /// The certificate was issued by one of these authorities.
    Authority(Vec<CertificateDer<'static>>),
    /// The certificate was issued by one of these authorities, and for the name of the host.
    AuthorityAndHost(Vec<CertificateDer<'static>>),
}

/// The checks of the server's certificate, prepared for many handshakes.
#[derive(Debug)]
pub(super) struct Verifier {
    algorithms: WebPkiSupportedAlgorithms,
    verification: Verification,
    authorities: RootCertStore,
}

impl Verifier {
    pub(super) fn new(verification: Verification, provider: &CryptoProvider) -> Result<Verifier, Error> {
        let mut authorities = RootCertStore::empty();
        let certificates = verification.certificates();
        // A certificate that cannot be used is left out: systems have a few old ones.
        let (added, _) = authorities.add_parsable_certificates(certificates.iter().cloned());
        if added == 0 && !certificates.is_empty() {
            return Err(Error::InvalidCertificate(CertificateError::BadEncoding));
        }
        let algorithms = provider.signature_verification_algorithms;
        Ok(Verifier { algorithms, verification, authorities })
    }
}

impl Verification {
    fn certificates(&self) -> &[CertificateDer<'static>] {
        match self {
            Verification::None => &[],
            Verification::Authority(certificates) | Verification::AuthorityAndHost(certificates) => {
                certificates
            }
        }
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        host: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.verification == Verification::None {
            return Ok(ServerCertVerified::assertion());
        }
        let parsed = ParsedCertificate::try_from(certificate)?;
        // A self-signed certificate that is its own authority is common with PostgreSQL. A chain of certificates, which
        // the function below demands, does not exist for it.
        if !self.verification.certificates().contains(certificate) {
            let (authorities, algorithms) = (&self.authorities, self.algorithms.all);
            verify_server_cert_signed_by_trust_anchor(&parsed, authorities, intermediates, now, algorithms)?;
        }
        if matches!(self.verification, Verification::AuthorityAndHost(_)) {
            verify_server_name(&parsed, host)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
