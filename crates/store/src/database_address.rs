//! The address of a database for messages and logs: host, port, database and role, never the password.

use std::fmt;

use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// The port of PostgreSQL that a connection uses if its settings name none.
const DEFAULT_PORT: u16 = 5432;

/// Host, port, database and role of a connection. It never contains the password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseAddress {
    hosts: String,
    database: Option<String>,
    role: Option<String>,
}

impl DatabaseAddress {
    /// Returns the address in connection settings.
    pub fn of(config: &Config) -> DatabaseAddress {
        let port = |index: usize| {
            config.get_ports().get(index).or(config.get_ports().first()).copied().unwrap_or(DEFAULT_PORT)
        };
        let named = config.get_hosts().iter().map(|host| match host {
            Host::Tcp(name) if name.contains(':') => format!("[{name}]"),
            Host::Tcp(name) => name.clone(),
            Host::Unix(folder) => folder.display().to_string(),
        });
        let mut hosts: Vec<String> = named.collect();
        if hosts.is_empty() {
            hosts = config.get_hostaddrs().iter().map(ToString::to_string).collect();
        }
        let hosts = hosts.iter().enumerate().map(|(index, host)| format!("{host}:{}", port(index)));
        let role = config.get_user().map(str::to_owned);
        DatabaseAddress {
            hosts: hosts.collect::<Vec<String>>().join(","),
            // PostgreSQL opens the database that has the name of the role if a connection names none.
            database: config.get_dbname().map(str::to_owned).or_else(|| role.clone()),
            role,
        }
    }

    /// Returns the hosts with their ports, separated by commas. The host of a Unix socket is its folder.
    pub fn hosts(&self) -> &str {
        &self.hosts
    }

    /// Returns the name of the database; empty if the settings name neither a database nor a role.
    pub fn database(&self) -> &str {
        self.database.as_deref().unwrap_or_default()
    }

    /// Returns the name of the role; empty if the settings name none.
    pub fn role(&self) -> &str {
        self.role.as_deref().unwrap_or_default()
    }
}

impl fmt::Display for DatabaseAddress {
    /// Writes `database "money" on db.example:5432 as role "passbook_reader"`, without the parts that the settings lack.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.database {
            Some(database) => write!(f, "database \"{database}\"")?,
            None => f.write_str("the default database")?,
        }
        if !self.hosts.is_empty() {
            write!(f, " on {}", self.hosts)?;
        }
        match &self.role {
            Some(role) => write!(f, " as role \"{role}\""),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_names_host_port_database_and_role_but_not_the_password() {
        for (url, expected) in [
            (
                "postgresql://passbook_reader:hunter2@db.example/money",
                "database \"money\" on db.example:5432 as role \"passbook_reader\"",
            ),
            ("postgresql://ada:hunter2@[::1]:6000", "database \"ada\" on [::1]:6000 as role \"ada\""),
            (
                "postgresql://ada:hunter2@a.example:1,b.example:2/money",
                "database \"money\" on a.example:1,b.example:2 as role \"ada\"",
            ),
            ("postgresql://ada@%2Frun%2Fpg/money", "database \"money\" on /run/pg:5432 as role \"ada\""),
            ("hostaddr=127.0.0.1 password=hunter2", "the default database on 127.0.0.1:5432"),
            ("postgresql:///money", "database \"money\""),
        ] {
            let config: Config = url.parse().expect("the URL is valid");
            assert_eq!(DatabaseAddress::of(&config).to_string(), expected, "{url}");
        }
    }
}
