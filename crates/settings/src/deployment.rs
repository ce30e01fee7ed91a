//! The settings that both programs read: those of the deployment, which `passbook-server` serves by and
//! `passbook-admin doctor` examines, and those of the embedded database, which both start from the same folder.

use std::ffi::OsString;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use passbook_auth::authorization_proxy::IssuerMode;
use passbook_auth::provider::check_issuer;

use crate::rules::canonical_origin;
use crate::{Reader, folders, keys};

/// The settings for the addresses, the database and the identity provider of a deployment.
#[derive(Clone, Debug)]
pub struct Deployment {
    /// The address and port on which the server listens.
    pub listen: SocketAddr,
    /// True if the server has a certificate for TLS.
    pub has_certificate: bool,
    /// The public origin; `None` if the setting is absent.
    pub origin: Option<String>,
    /// Connection settings of the database that is served; `None` for the embedded database.
    pub database: Option<passbook_store::ConnectionSettings>,
    /// The issuer identifier of the identity provider; `None` if there is no provider.
    pub issuer: Option<String>,
    /// Accepted audiences of access tokens besides the service's own addresses.
    pub audiences: Vec<String>,
    /// Hosts besides the issuer's that the provider's documents may name.
    pub hosts: Vec<String>,
    /// The issuer mode: selects the issuer that the discovery documents name.
    pub mode: IssuerMode,
}

impl Deployment {
    /// Reads the settings and checks how they depend on each other.
    pub fn read(reader: &mut Reader<'_>) -> Deployment {
        let issuer =
            |text: &str| check_issuer(text).map(|()| text.to_owned()).map_err(|rule| rule.to_string());
        let mode = |text: &str| IssuerMode::parse(text).map_err(|rule| rule.to_string());
        let deployment = Deployment {
            has_certificate: reader.is_given(keys::TLS_CERTIFICATE),
            listen: reader.optional(keys::LISTEN).unwrap_or((Ipv4Addr::LOCALHOST, 0).into()),
            origin: reader.optional(keys::ORIGIN),
            database: reader.optional(keys::DATABASE_URL),
            issuer: reader.checked(keys::OIDC_ISSUER, issuer),
            audiences: reader.value(keys::OIDC_AUDIENCE),
            hosts: reader.value(keys::OIDC_HOSTS),
            mode: reader.checked(keys::OAUTH_MODE, mode).unwrap_or_default(),
        };
        for key in [keys::OIDC_AUDIENCE, keys::OIDC_HOSTS] {
            reader.needs(key, keys::OIDC_ISSUER);
        }
        if deployment.listen.ip().is_unspecified() && !reader.is_given(keys::ORIGIN) {
            reader.problem(
                keys::ORIGIN.name(),
                "must be set when PASSBOOK_LISTEN names all addresses, for example to https://money.example",
            );
        }
        deployment
    }

    /// Returns the public origin; without the setting, the listening address after `https://` if the server has a
    /// certificate, otherwise after `http://`.
    pub fn public_origin(&self) -> String {
        self.origin.clone().unwrap_or_else(|| default_origin(self.listen, self.has_certificate))
    }
}

/// Returns the public origin of a server for which none is set.
pub fn default_origin(listen: SocketAddr, has_certificate: bool) -> String {
    let scheme = if has_certificate { "https" } else { "http" };
    canonical_origin(&format!("{scheme}://{listen}"))
}

/// Reads the names of the files for TLS: the certificate chain and its key. One without the other is a problem.
pub fn certificate_files(reader: &mut Reader<'_>) -> Option<(PathBuf, PathBuf)> {
    reader.needs(keys::TLS_CERTIFICATE, keys::TLS_KEY);
    reader.needs(keys::TLS_KEY, keys::TLS_CERTIFICATE);
    reader.optional(keys::TLS_CERTIFICATE).zip(reader.optional(keys::TLS_KEY))
}

/// The settings of the embedded database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EmbeddedDatabase {
    /// The data folder: the value of the setting, otherwise the default folder. `None` if neither is known because
    /// there is no home folder.
    pub data_dir: Option<PathBuf>,
    /// The folder that contains the programs `postgres` and `initdb`; `None` to search for them.
    pub postgres_bin: Option<PathBuf>,
    /// Value of the environment variable `PATH`.
    pub search_path: Option<OsString>,
    /// True if PostgreSQL may be downloaded.
    pub download: bool,
}

impl EmbeddedDatabase {
    /// Reads the settings. If `is_used` is true, a missing data folder is a problem.
    pub fn read(reader: &mut Reader<'_>, is_used: bool) -> EmbeddedDatabase {
        let given = reader.is_given(keys::DATA_DIR);
        let data_dir = if given {
            reader.optional(keys::DATA_DIR)
        } else {
            folders::default_data_dir(|name| reader.sources().variable(name), folders::is_root())
        };
        if is_used && data_dir.is_none() && !given {
            reader.problem(
                keys::DATA_DIR.name(),
                "must name a folder, because there is no home folder (HOME is not set)",
            );
        }
        EmbeddedDatabase {
            data_dir,
            postgres_bin: reader.optional(keys::POSTGRES_BIN),
            search_path: reader.sources().variable("PATH").map(OsString::from),
            download: !reader.value(keys::NO_DOWNLOAD),
        }
    }
}
