//! The parameters of a database URL that the driver does not know, or knows with other values, and the certificates of the
//! authorities that `sslmode` and `sslrootcert` select.

use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::{self, PemObject as _};
use tokio_postgres::config::SslMode;

use super::error::ConnectionSettingsError;
use crate::tls::{Connector, Verification};

/// The value of `sslrootcert` for the authorities that the system trusts.
const SYSTEM: &str = "system";

/// The parameters of a URL that the driver does not know, or knows with other values.
#[derive(Debug)]
pub(super) struct Parameters {
    pub(super) tls: Tls,
    /// True if data are read on standbys.
    pub(super) prefers_standby: bool,
}

/// The values of `sslmode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Disable,
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

impl Mode {
    const ALL: [Mode; 5] = [Mode::Disable, Mode::Prefer, Mode::Require, Mode::VerifyCa, Mode::VerifyFull];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Mode::Disable => "disable",
            Mode::Prefer => "prefer",
            Mode::Require => "require",
            Mode::VerifyCa => "verify-ca",
            Mode::VerifyFull => "verify-full",
        }
    }

    /// Returns the mode that the driver knows. It has no modes with checks, which the connector makes.
    pub(super) fn of_driver(self) -> SslMode {
        match self {
            Mode::Disable => SslMode::Disable,
            Mode::Prefer => SslMode::Prefer,
            Mode::Require | Mode::VerifyCa | Mode::VerifyFull => SslMode::Require,
        }
    }
}

/// The TLS parameters of a URL.
#[derive(Debug)]
pub(super) struct Tls {
    pub(super) mode: Mode,
    /// The value of `sslrootcert`: a file, or `system`.
    pub(super) root_certificate: Option<PathBuf>,
}

impl Parameters {
    /// Separates the parameters from the URL.
    pub(super) fn take_from(text: &str) -> Result<(String, Parameters), ConnectionSettingsError> {
        let tls = Tls { mode: Mode::Prefer, root_certificate: None };
        let mut parameters = Parameters { tls, prefers_standby: false };
        let Some((address, query)) = split_query(text) else {
            let has_tls = !is_url(text) && (text.contains("sslmode") || text.contains("sslrootcert"));
            return if has_tls {
                Err(ConnectionSettingsError::NoUrl)
            } else {
                Ok((text.to_owned(), parameters))
            };
        };
        let mut others = Vec::new();
        for parameter in query.split('&') {
            match parameter.split_once('=') {
                Some(("sslmode", value)) => {
                    let mode = Mode::ALL.into_iter().find(|mode| mode.as_str() == value);
                    parameters.tls.mode = mode.ok_or(ConnectionSettingsError::SslMode)?;
                }
                Some(("sslrootcert", value)) => {
                    let value = percent_decode_str(value).decode_utf8();
                    let value = value.map_err(|_| ConnectionSettingsError::Malformed)?;
                    parameters.tls.root_certificate = Some(PathBuf::from(value.as_ref()));
                }
                Some(("target_session_attrs", value)) => {
                    parameters.prefers_standby = match value {
                        "any" | "read-write" | "primary" => false,
                        "prefer-standby" => true,
                        _ => return Err(ConnectionSettingsError::Target),
                    };
                }
                _ => others.push(parameter),
            }
        }
        let query = others.join("&");
        let url = if query.is_empty() { address.to_owned() } else { format!("{address}?{query}") };
        Ok((url, parameters))
    }
}

fn is_url(text: &str) -> bool {
    text.starts_with("postgresql://") || text.starts_with("postgres://")
}

/// Splits a URL before its parameters. Like the driver, this takes everything before the first `@` for role and password,
/// which may contain a question mark. Returns `None` if the text is no URL, or a URL without parameters.
fn split_query(text: &str) -> Option<(&str, &str)> {
    if !is_url(text) {
        return None;
    }
    let after_credentials = text.find('@').unwrap_or_default();
    let at = after_credentials + text[after_credentials..].find('?')?;
    Some((&text[..at], &text[at + 1..]))
}

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
