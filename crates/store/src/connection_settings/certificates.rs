//! The certificates of the authorities that `sslmode` and `sslrootcert` select.

use std::path::{Path, PathBuf};

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::{self, PemObject as _};

use super::error::ConnectionSettingsError;
use super::parameters::{Mode, SYSTEM, Tls};
use crate::tls::{Connector, Verification};

impl Tls {
    /// Creates the connector for these parameters.
    ///
    /// # Errors
    /// The mode does not fit to the authorities, or they cannot be used.
    pub(super) fn connector(&self) -> Result<Connector, ConnectionSettingsError> {
        Connector::new(self.verification()?).map_err(|source| self.unusable(&source))
    }

    fn verification(&self) -> Result<Verification, ConnectionSettingsError> {
        let file = self.root_certificate.as_deref().filter(|path| *path != Path::new(SYSTEM));
        match (self.mode, file) {
            (Mode::Disable | Mode::Prefer | Mode::Require, None) if self.root_certificate.is_none() => {
                Ok(Verification::None)
            }
            (Mode::Disable | Mode::Prefer, _) => Err(ConnectionSettingsError::UnusedRootCertificate),
            (Mode::Require | Mode::VerifyCa, Some(path)) => Ok(Verification::Authority(read(path)?)),
            (Mode::Require | Mode::VerifyCa, None) => Err(ConnectionSettingsError::MissingRootCertificate),
            (Mode::VerifyFull, Some(path)) => Ok(Verification::AuthorityAndHost(read(path)?)),
            (Mode::VerifyFull, None) => {
                let authorities = rustls_native_certs::load_native_certs().certs;
                if authorities.is_empty() {
                    return Err(ConnectionSettingsError::NoSystemAuthorities);
                }
                Ok(Verification::AuthorityAndHost(authorities))
            }
        }
    }

    fn unusable(&self, source: &rustls::Error) -> ConnectionSettingsError {
        let path = self.root_certificate.clone().unwrap_or_else(|| PathBuf::from(SYSTEM));
        ConnectionSettingsError::RootCertificate { path, reason: source.to_string() }
    }
}

/// Reads the certificates of a PEM file.
fn read(path: &Path) -> Result<Vec<CertificateDer<'static>>, ConnectionSettingsError> {
    let failed = |error: pem::Error| {
        let reason = match error {
            pem::Error::Io(error) => error.to_string(),
            error => format!("{error}"),
        };
        ConnectionSettingsError::RootCertificate { path: path.to_owned(), reason }
    };
    let certificates = CertificateDer::pem_file_iter(path).map_err(failed)?;
    let certificates: Vec<_> = certificates.collect::<Result<_, _>>().map_err(failed)?;
    if certificates.is_empty() {
        let reason = "it contains no certificate".to_owned();
        return Err(ConnectionSettingsError::RootCertificate { path: path.to_owned(), reason });
    }
    Ok(certificates)
}
