//! The settings that `passbook-server` serves by and `passbook-admin doctor` examines.

use std::net::{Ipv4Addr, SocketAddr};

use crate::{Reader, rules};

/// The rules that need types of other crates. Each is a function that returns the typed value, or the broken rule as a
/// clause that follows the name of the setting.
#[derive(Clone, Copy, Debug)]
pub struct DeploymentRules<Mode> {
    /// The rule of `PASSBOOK_OIDC_ISSUER`.
    pub issuer: fn(&str) -> Result<String, String>,
    /// The rule of `PASSBOOK_OAUTH_MODE`.
    pub mode: fn(&str) -> Result<Mode, String>,
}

/// The settings for the addresses, the database and the identity provider of a deployment.
#[derive(Clone, Debug)]
pub struct Deployment<Mode> {
    /// The address and port on which the server listens.
    pub listen: SocketAddr,
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
    pub mode: Mode,
}

impl<Mode: Default> Deployment<Mode> {
    /// Reads the settings and checks how they depend on each other.
    pub fn read(reader: &mut Reader<'_>, rules: DeploymentRules<Mode>) -> Deployment<Mode> {
        let deployment = Deployment {
            listen: reader.address("PASSBOOK_LISTEN").unwrap_or((Ipv4Addr::LOCALHOST, 0).into()),
            origin: reader.origin("PASSBOOK_ORIGIN"),
            database: reader.optional("PASSBOOK_DATABASE_URL", rules::database_url),
            issuer: reader.optional("PASSBOOK_OIDC_ISSUER", rules.issuer),
            audiences: reader.list("PASSBOOK_OIDC_AUDIENCE"),
            hosts: reader.list("PASSBOOK_OIDC_HOSTS"),
            mode: reader.optional("PASSBOOK_OAUTH_MODE", rules.mode).unwrap_or_default(),
        };
        for name in ["PASSBOOK_OIDC_AUDIENCE", "PASSBOOK_OIDC_HOSTS"] {
            reader.needs(name, "PASSBOOK_OIDC_ISSUER");
        }
        if deployment.listen.ip().is_unspecified() && !reader.is_given("PASSBOOK_ORIGIN") {
            reader.problem(
                "PASSBOOK_ORIGIN",
                "must be set when PASSBOOK_LISTEN names all addresses, for example to https://money.example",
            );
        }
        deployment
    }
}

impl<Mode> Deployment<Mode> {
    /// Returns the public origin; without the setting, `http://` and the listening address.
    pub fn public_origin(&self) -> String {
        self.origin.clone().unwrap_or_else(|| format!("http://{}", self.listen))
    }
}
