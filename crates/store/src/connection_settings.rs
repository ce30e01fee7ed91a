//! The settings of a connection to a database: address, role, password and TLS, from a URL.

mod error;
mod parameters;

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Connection, Socket};

use crate::tls::Connector;
pub use error::ConnectionSettingsError;
use parameters::{Mode, Parameters, Tls};

/// Maximum lag of a standby on which data are read, unless another is set.
const STANDBY_LAG_USUAL: Duration = Duration::from_secs(5);
/// Upper bound of the maximum lag.
const STANDBY_LAG_LONGEST: Duration = Duration::from_secs(60);

/// The settings of a connection to a database.
///
/// [`str::parse`] reads them from a URL with the parameters of PostgreSQL's own programs. `sslmode` selects TLS:
///
/// | `sslmode` | meaning |
/// |---|---|
/// | `disable` | no TLS |
/// | `prefer` | TLS if the server offers it, without a check of its certificate (the default) |
/// | `require` | TLS, without a check of the certificate; with `sslrootcert`, the same as `verify-ca` |
/// | `verify-ca` | TLS, and the certificate was issued by an authority of the file `sslrootcert` |
/// | `verify-full` | as `verify-ca`, and the certificate is valid for the name of the host. Without `sslrootcert` or with `sslrootcert=system`, the authorities are those of the system |
///
/// Connections over Unix sockets never use TLS.
///
/// A URL may name several hosts, a primary and its standbys. `target_session_attrs` selects where data are read:
///
/// | `target_session_attrs` | meaning |
/// |---|---|
/// | `primary`, `read-write`, absent | everything is read on the primary, whichever of the hosts that is |
/// | `prefer-standby` | data are read on standbys that do not lag too far behind, and grants always on the primary |
#[derive(Clone, Debug)]
pub struct ConnectionSettings {
    config: Config,
    ssl_mode: &'static str,
    root_certificate: Option<PathBuf>,
    connector: Connector,
    /// True if data are read on standbys.
    prefers_standby: bool,
    standby_lag_max: Duration,
}

impl ConnectionSettings {
    /// Returns the settings of the driver. The TLS mode in them is incomplete: the driver does not check certificates.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the value of `sslmode`.
    #[must_use]
    pub fn ssl_mode(&self) -> &'static str {
        self.ssl_mode
    }

    /// Returns the file `sslrootcert`; `None` if the URL names none.
    #[must_use]
    pub fn root_certificate(&self) -> Option<&Path> {
        self.root_certificate.as_deref()
    }

    /// Returns the connector for TLS.
    #[must_use]
    pub fn connector(&self) -> &Connector {
        &self.connector
    }

    /// Returns the settings of the driver for each host, in the order of the URL.
    #[must_use]
    pub fn hosts(&self) -> Vec<Config> {
        match self.config.get_hosts().len() {
            0 | 1 => vec![self.config.clone()],
            count => (0..count).map(|number| one_host(&self.config, number)).collect(),
        }
    }

    /// Returns the settings for each host alone, in the order of the URL, with the same TLS. Connecting does not depend on
    /// whether the host is a primary or a standby.
    #[must_use]
    pub fn of_each_host(&self) -> Vec<ConnectionSettings> {
        let alone = |config| ConnectionSettings { config, prefers_standby: false, ..self.clone() };
        self.hosts().into_iter().map(alone).collect()
    }

    /// Returns the maximum lag of a standby on which data are read; `None` if all data are read on the primary.
    #[must_use]
    pub fn standby_lag_max(&self) -> Option<Duration> {
        self.prefers_standby.then_some(self.standby_lag_max)
    }

    /// Sets the maximum lag of a standby on which data are read. The default is 5 s, the longest is a minute.
    #[must_use]
    pub fn with_standby_lag_max(self, standby_lag_max: Duration) -> ConnectionSettings {
        ConnectionSettings { standby_lag_max: standby_lag_max.min(STANDBY_LAG_LONGEST), ..self }
    }

    /// Lets [`ConnectionSettings::connect`] open a connection to any of the hosts, also to a standby.
    #[must_use]
    pub fn to_any_host(mut self) -> ConnectionSettings {
        self.config.target_session_attrs(TargetSessionAttrs::Any);
        self
    }

    /// Sets the name by which PostgreSQL lists the connections.
    #[must_use]
    pub fn with_application_name(mut self, name: &str) -> ConnectionSettings {
        self.config.application_name(name);
        self
    }

    /// Opens a connection, with several hosts to one on which the role may write. The caller runs the returned connection
    /// in a task of its own.
    ///
    /// # Errors
    /// Those of the driver; [`ConnectionFailure`](crate::ConnectionFailure) explains them.
    pub async fn connect(
        &self,
    ) -> Result<
        (Client, Connection<Socket, <Connector as MakeTlsConnect<Socket>>::Stream>),
        tokio_postgres::Error,
    > {
        self.config.connect(self.connector.clone()).await
    }

    fn new(mut config: Config, parameters: Parameters, connector: Connector) -> ConnectionSettings {
        let tls = parameters.tls;
        config.ssl_mode(tls.mode.of_driver());
        if config.get_hosts().is_empty() {
            // The driver takes the name for TLS from the hosts, which a URL may leave out.
            for address in config.get_hostaddrs().to_vec() {
                config.host(address.to_string());
            }
        }
        let has_tcp_host = config.get_hosts().iter().any(|host| matches!(host, Host::Tcp(_)));
        if !has_tcp_host {
            config.ssl_mode(SslMode::Disable);
        }
        let root_certificate = tls.root_certificate;
        let has_standbys = config.get_hosts().len() > 1;
        if has_standbys {
            // For connections of a writing role. A reading role finds the primary by itself, because its transactions are
            // read-only everywhere.
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        ConnectionSettings {
            config,
            ssl_mode: tls.mode.as_str(),
            root_certificate,
            connector,
            prefers_standby: has_standbys && parameters.prefers_standby,
            standby_lag_max: STANDBY_LAG_USUAL,
        }
    }
}

impl From<Config> for ConnectionSettings {
    /// Takes over the TLS mode of the driver's settings, which checks no certificate.
    fn from(config: Config) -> ConnectionSettings {
        let mode = match config.get_ssl_mode() {
            SslMode::Disable => Mode::Disable,
            SslMode::Require => Mode::Require,
            _ => Mode::Prefer,
        };
        let tls = Tls { mode, root_certificate: None };
        let parameters = Parameters { tls, prefers_standby: false };
        ConnectionSettings::new(config, parameters, Connector::without_checks())
    }
}

impl FromStr for ConnectionSettings {
    type Err = ConnectionSettingsError;

    fn from_str(text: &str) -> Result<ConnectionSettings, ConnectionSettingsError> {
        let (url, parameters) = Parameters::take_from(text)?;
        let config = url.parse().map_err(|_| ConnectionSettingsError::Malformed)?;
        let connector = parameters.tls.connector()?;
        Ok(ConnectionSettings::new(config, parameters, connector))
    }
}

/// Returns the settings of one host. The driver's settings cannot forget a host, so all others are copied.
fn one_host(config: &Config, number: usize) -> Config {
    let mut one = Config::new();
    match &config.get_hosts()[number] {
        Host::Tcp(name) => one.host(name).ssl_mode(config.get_ssl_mode()),
        Host::Unix(folder) => one.host_path(folder).ssl_mode(SslMode::Disable),
    };
    one.ssl_negotiation(config.get_ssl_negotiation()).channel_binding(config.get_channel_binding());
    one.keepalives(config.get_keepalives()).keepalives_idle(config.get_keepalives_idle());
    if let Some(address) = config.get_hostaddrs().get(number) {
        one.hostaddr(*address);
    }
    if let Some(port) = config.get_ports().get(number).or(config.get_ports().first()) {
        one.port(*port);
    }
    if let Some(user) = config.get_user() {
        one.user(user);
    }
    if let Some(password) = config.get_password() {
        one.password(password);
    }
    if let Some(database) = config.get_dbname() {
        one.dbname(database);
    }
    if let Some(options) = config.get_options() {
        one.options(options);
    }
    if let Some(name) = config.get_application_name() {
        one.application_name(name);
    }
    if let Some(timeout) = config.get_connect_timeout() {
        one.connect_timeout(*timeout);
    }
    if let Some(timeout) = config.get_tcp_user_timeout() {
        one.tcp_user_timeout(*timeout);
    }
    if let Some(interval) = config.get_keepalives_interval() {
        one.keepalives_interval(interval);
    }
    if let Some(retries) = config.get_keepalives_retries() {
        one.keepalives_retries(retries);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(url: &str) -> ConnectionSettings {
        url.parse().unwrap_or_else(|error| panic!("{url}: {error}"))
    }

    #[test]
    fn mode_of_the_url_is_returned_and_other_parameters_reach_the_driver() {
        for (parameters, mode, driver) in [
            ("", "prefer", SslMode::Prefer),
            ("?sslmode=disable&connect_timeout=3", "disable", SslMode::Disable),
            ("?connect_timeout=3&sslmode=prefer", "prefer", SslMode::Prefer),
            ("?sslmode=require", "require", SslMode::Require),
        ] {
            let settings = parsed(&format!("postgresql://ada:s?cret@db.example/money{parameters}"));
            assert_eq!(
                (settings.ssl_mode(), settings.config().get_ssl_mode()),
                (mode, driver),
                "{parameters}"
            );
            assert_eq!(settings.config().get_password(), Some(b"s?cret".as_slice()));
            assert_eq!(settings.config().get_dbname(), Some("money"));
            let has_timeout = settings.config().get_connect_timeout().is_some();
            assert_eq!(has_timeout, parameters.contains("connect_timeout"), "{parameters}");
        }
    }

    #[test]
    fn unix_socket_has_no_tls_and_an_address_is_its_own_host_name() {
        let socket = parsed("postgresql://ada@%2Frun%2Fpg/money?sslmode=require");
        assert_eq!(socket.config().get_ssl_mode(), SslMode::Disable);
        let address = parsed("postgresql:///money?hostaddr=10.0.0.1&sslmode=require");
        assert_eq!(address.config().get_hosts(), [Host::Tcp("10.0.0.1".to_owned())]);
        assert_eq!(address.config().get_ssl_mode(), SslMode::Require);
    }

    #[test]
    fn each_host_has_all_settings_of_the_url() {
        let url = "postgresql://ada:secret@one.example:1,%2Frun%2Fpg:2/money?sslmode=require&connect_timeout=3&\
                   target_session_attrs=prefer-standby";
        let settings = parsed(url).with_application_name("name");
        assert_eq!(settings.standby_lag_max(), Some(STANDBY_LAG_USUAL));
        let [one, two] = settings.hosts().try_into().expect("two hosts");
        assert_eq!(
            one,
            "postgresql://ada:secret@one.example:1/money?sslmode=require&connect_timeout=3&\
                         application_name=name"
                .parse()
                .expect("a URL")
        );
        assert_eq!(
            two,
            "postgresql://ada:secret@%2Frun%2Fpg:2/money?sslmode=disable&connect_timeout=3&\
                         application_name=name"
                .parse()
                .expect("a URL")
        );
        let primary = parsed("postgresql://ada@one.example,two.example/money");
        assert_eq!(primary.standby_lag_max(), None);
        assert_eq!(
            parsed("postgresql://ada@one.example/money?target_session_attrs=prefer-standby")
                .standby_lag_max(),
            None
        );
    }

    #[test]
    fn wrong_tls_parameters_are_refused_with_the_remedy() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("root.crt");
        std::fs::write(&file, "no certificate").expect("written");
        let file = file.to_str().expect("UTF-8");
        for (parameters, words) in [
            ("sslmode=allow", "must have one of the modes"),
            ("sslmode=verify-ca", "sslmode=verify-ca without a file"),
            ("sslmode=verify-ca&sslrootcert=system", "sslmode=verify-ca without a file"),
            (&format!("sslrootcert={file}"), "is not used with sslmode=disable and sslmode=prefer"),
            (&format!("sslmode=disable&sslrootcert={file}"), "is not used with"),
            (
                "sslmode=verify-full&sslrootcert=/no/such%20file",
                "sslrootcert=/no/such file, which cannot be used: ",
            ),
            (&format!("sslmode=verify-full&sslrootcert={file}"), "it contains no certificate"),
            ("sslmode=prefer&sslrootcert=system", "is not used with"),
            ("sslcert=/client.pem", "must be a URL such as"),
            ("target_session_attrs=standby", "grants are always read on the primary"),
        ] {
            let url = format!("postgresql://ada:hunter2@db.example/money?{parameters}");
            let error = url.parse::<ConnectionSettings>().expect_err(parameters).to_string();
            assert!(error.contains(words) && !error.contains("hunter2"), "{parameters}: {error}");
        }
        let error = "host=db.example sslmode=verify-full".parse::<ConnectionSettings>().expect_err("no URL");
        assert!(matches!(error, ConnectionSettingsError::NoUrl), "{error}");
    }
}
