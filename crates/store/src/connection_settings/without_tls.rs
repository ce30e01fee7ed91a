//! The check of `sslmode` and `sslrootcert` in a build without the feature `tls`.

use super::error::ConnectionSettingsError;
use super::parameters::{Mode, Tls};
use crate::tls::Connector;

impl Tls {
    /// Creates the connector for these parameters.
    ///
    /// # Errors
    /// The mode demands TLS.
    pub(super) fn connector(&self) -> Result<Connector, ConnectionSettingsError> {
        match self.mode {
            Mode::Disable | Mode::Prefer if self.root_certificate.is_none() => {
                Ok(Connector::without_checks())
            }
            Mode::Disable | Mode::Prefer => Err(ConnectionSettingsError::UnusedRootCertificate),
            Mode::Require | Mode::VerifyCa | Mode::VerifyFull => Err(ConnectionSettingsError::NoTls),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ConnectionSettings;

    #[test]
    fn mode_that_demands_tls_is_refused_by_a_build_without_it() {
        let parsed = |parameters: &str| {
            let url = format!("postgresql://ada:hunter2@db.example/money{parameters}");
            url.parse::<ConnectionSettings>().map(|settings| settings.ssl_mode())
        };
        assert_eq!(parsed("").expect("no TLS is demanded"), "prefer");
        assert_eq!(parsed("?sslmode=disable").expect("no TLS is demanded"), "disable");
        for mode in ["require", "verify-ca", "verify-full"] {
            let error = parsed(&format!("?sslmode={mode}")).expect_err("TLS is demanded").to_string();
            assert!(error.contains("with its feature tls") && !error.contains("hunter2"), "{error}");
        }
    }
}
