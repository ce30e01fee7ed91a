//! The environment variables by which psql finds the database. Command lines are visible to all users of the machine, so
//! no value is an argument.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use passbook_store::ConnectionSettings;
use tokio::process::Command;
use tokio_postgres::config::Host;

use crate::settings::APPLICATION_NAME;

/// Variables of libpq that would select another database, or replace an option that this program sets.
const REPLACED: [&str; 15] = [
    "PGHOST",
    "PGHOSTADDR",
    "PGPORT",
    "PGDATABASE",
    "PGUSER",
    "PGPASSWORD",
    "PGSERVICE",
    "PGSERVICEFILE",
    "PGOPTIONS",
    "PGAPPNAME",
    "PGSSLMODE",
    "PGSSLROOTCERT",
    "PGREQUIRESSL",
    "PGCONNECT_TIMEOUT",
    "PGTARGETSESSIONATTRS",
];

/// Lets a command connect as `config` does. Without `write`, transactions are read-only by default.
pub(super) fn set(command: &mut Command, settings: &ConnectionSettings, write: bool) {
    for name in REPLACED {
        command.env_remove(name);
    }
    command.envs(variables(settings, write));
}

fn variables(settings: &ConnectionSettings, write: bool) -> Vec<(&'static str, OsString)> {
    let config = settings.config();
    let mut variables = vec![("PGAPPNAME", OsString::from(APPLICATION_NAME))];
    let mut add = |name, value: OsString| {
        if !value.is_empty() {
            variables.push((name, value));
        }
    };
    add("PGHOST", joined(config.get_hosts().iter().map(host)));
    add("PGHOSTADDR", joined(config.get_hostaddrs().iter().map(|address| address.to_string().into())));
    add("PGPORT", joined(config.get_ports().iter().map(|port| port.to_string().into())));
    add("PGDATABASE", config.get_dbname().unwrap_or_default().into());
    add("PGUSER", config.get_user().unwrap_or_default().into());
    add("PGPASSWORD", OsStr::from_bytes(config.get_password().unwrap_or_default()).to_owned());
    add("PGSSLMODE", settings.ssl_mode().into());
    add("PGSSLROOTCERT", settings.root_certificate().unwrap_or(Path::new("")).into());
    if let Some(timeout) = config.get_connect_timeout() {
        add("PGCONNECT_TIMEOUT", timeout.as_secs().max(1).to_string().into());
    }
    let read_only = (!write).then_some("-c default_transaction_read_only=on");
    let options = config.get_options().into_iter().chain(read_only);
    add("PGOPTIONS", options.collect::<Vec<&str>>().join(" ").into());
    variables
}

fn host(host: &Host) -> OsString {
    match host {
        Host::Tcp(name) => name.into(),
        Host::Unix(folder) => folder.into(),
    }
}

fn joined(values: impl Iterator<Item = OsString>) -> OsString {
    values.collect::<Vec<OsString>>().join(OsStr::new(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(url: &str, write: bool) -> String {
        let settings: ConnectionSettings = url.parse().expect("a URL");
        let variables = variables(&settings, write).into_iter();
        let lines: Vec<String> =
            variables.map(|(name, value)| format!("{name}={}", value.to_string_lossy())).collect();
        lines.join("\n")
    }

    #[test]
    fn url_becomes_environment_variables() {
        let url = "postgresql://ada:s%3Acret@one:1,two:2/books?options=-c%20a%3Db&connect_timeout=3&sslmode=disable";
        assert_eq!(
            text(url, false),
            "PGAPPNAME=passbook-admin\nPGHOST=one,two\nPGPORT=1,2\nPGDATABASE=books\nPGUSER=ada\nPGPASSWORD=s:cret\n\
             PGSSLMODE=disable\nPGCONNECT_TIMEOUT=3\nPGOPTIONS=-c a=b -c default_transaction_read_only=on"
        );
    }

    #[test]
    fn absent_values_are_left_to_psql() {
        assert_eq!(
            text("postgresql://ada@%2Frun%2Fpostgresql", true),
            "PGAPPNAME=passbook-admin\nPGHOST=/run/postgresql\nPGPORT=5432\nPGUSER=ada\nPGSSLMODE=prefer"
        );
    }
}
