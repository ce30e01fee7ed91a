//! The typed settings of the tool, read by the rules that the server follows too.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use passbook_auth::authorization_proxy::IssuerMode;
use passbook_auth::personal_access_token::check_prefix;
use passbook_input::Fault;
use passbook_settings::{Deployment, EmbeddedDatabase, Reader, Sources, certificate_files, keys};
use passbook_store::{ConnectionSettings, DatabaseAddress};

/// The name by which PostgreSQL lists the tool's connections.
pub(crate) const APPLICATION_NAME: &str = "passbook-admin";

/// The variables that name the locale of amounts.
const LOCALES: [&str; 3] = ["LC_ALL", "LC_MONETARY", "LANG"];

/// The settings of a command.
#[derive(Debug)]
pub(crate) struct Settings {
    /// The database to administer.
    pub(crate) database: DatabaseLocation,
    /// The folders that can contain client programs of PostgreSQL.
    pub(crate) client_folders: ClientFolders,
    /// The prefix of new personal access tokens, which must be that of the server.
    pub(crate) token_prefix: String,
    /// The public origin of the server.
    pub(crate) origin: String,
    /// The locale of amounts, such as `de_AT.UTF-8`; only for `setup`.
    pub(crate) locale: Option<String>,
    /// The settings of the server; only for `doctor` and `setup`.
    pub(crate) server: Option<ServerSettings>,
}

/// The folders that can contain client programs of PostgreSQL, such as `psql`, besides the usual ones.
#[derive(Debug)]
pub(crate) struct ClientFolders {
    /// The folder of the setting.
    pub(crate) postgres_bin: Option<PathBuf>,
    /// The folders of the environment variable `PATH`.
    pub(crate) search_path: Option<OsString>,
}

/// The location of the database.
#[derive(Clone, Debug)]
pub(crate) enum DatabaseLocation {
    /// The server that a URL names.
    External(Box<ConnectionSettings>),
    /// The embedded database in a folder.
    Embedded(passbook_embedded::EmbeddedConfig),
}

impl std::fmt::Display for DatabaseLocation {
    /// Writes `database "money" on db.example:5432`, or the folder of the embedded database.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DatabaseLocation::External(config) => {
                let address = DatabaseAddress::of(config.config());
                write!(f, "database \"{}\" on {}", address.database(), address.hosts())
            }
            DatabaseLocation::Embedded(config) => {
                write!(f, "{} (embedded database)", config.data_dir.display())
            }
        }
    }
}

/// The settings of the server that `doctor` examines. `setup` prints its address.
#[derive(Debug)]
pub(crate) struct ServerSettings {
    /// The database to serve; the embedded database if there is none.
    pub(crate) database: Option<ConnectionSettings>,
    /// The identity provider, if there is one.
    pub(crate) provider: Option<passbook_auth::provider::Settings>,
    /// The issuer that the discovery documents name.
    pub(crate) mode: IssuerMode,
    /// The public origin.
    pub(crate) origin: String,
    /// False if the server sends each query as text.
    pub(crate) prepares_statements: bool,
    /// Files with the certificate of the server's own TLS, and with its key.
    pub(crate) certificate: Option<(PathBuf, PathBuf)>,
    /// The settings file, if it has secrets and every account of the machine may read it.
    pub(crate) exposed_file: Option<PathBuf>,
}

impl Settings {
    /// Reads all settings; those of the server only if `examines_server` is true.
    ///
    /// # Errors
    /// Every problem.
    pub(crate) fn resolve(sources: &Sources, examines_server: bool) -> Result<Settings, Vec<Fault>> {
        let mut reader = Reader::new(sources);
        let url = reader.optional(keys::ADMIN_DATABASE_URL);
        let uses_embedded = !reader.is_given(keys::ADMIN_DATABASE_URL);
        let embedded = EmbeddedDatabase::read(&mut reader, uses_embedded);
        let client_folders = ClientFolders {
            postgres_bin: embedded.postgres_bin.clone(),
            search_path: embedded.search_path.clone(),
        };
        let database = match url {
            Some(url) => DatabaseLocation::External(Box::new(url.with_application_name(APPLICATION_NAME))),
            None => DatabaseLocation::Embedded(passbook_embedded::EmbeddedConfig {
                data_dir: embedded.data_dir.unwrap_or_default(),
                postgres_bin: embedded.postgres_bin,
                search_path: embedded.search_path,
                download: embedded.download,
                durable: true,
            }),
        };
        let prefix =
            |text: &str| check_prefix(text).map(|()| text.to_owned()).map_err(|rule| rule.to_string());
        let settings = Settings {
            database,
            client_folders,
            token_prefix: reader.checked(keys::TOKEN_PREFIX, prefix).unwrap_or_default(),
            // Faults of the server's settings are those of other commands.
            origin: Deployment::read(&mut Reader::new(sources)).public_origin(),
            // The order of POSIX.
            locale: LOCALES.iter().find_map(|name| Some(sources.variable(name)?.to_str()?.to_owned())),
            server: examines_server.then(|| ServerSettings::read(&mut reader, sources)),
        };
        reader.finish(settings)
    }
}

impl ServerSettings {
    fn read(reader: &mut Reader<'_>, sources: &Sources) -> ServerSettings {
        let deployment = Deployment::read(reader);
        ServerSettings {
            origin: deployment.public_origin(),
            database: deployment.database,
            provider: deployment.issuer.map(|issuer| {
                passbook_auth::provider::Settings::new(issuer).with_allowed_hosts(deployment.hosts)
            }),
            mode: deployment.mode,
            prepares_statements: reader.value(keys::DATABASE_PREPARED_STATEMENTS),
            certificate: certificate_files(reader),
            exposed_file: sources.exposed_file().map(Path::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(environment: &[(&'static str, &'static str)]) -> Result<Settings, Vec<Fault>> {
        Settings::resolve(&Sources::from_environment(environment.iter().copied()), true)
    }

    fn names(problems: Result<Settings, Vec<Fault>>) -> Vec<String> {
        problems.expect_err("a problem").into_iter().map(|problem| problem.place).collect()
    }

    #[test]
    fn database_url_takes_precedence_over_the_data_folder() {
        let url = ("PASSBOOK_ADMIN_DATABASE_URL", "postgresql://operator@db.example.org/books");
        let folder = ("PASSBOOK_DATA_DIR", "/data");
        match resolve(&[folder, url]).expect("the settings are valid").database {
            DatabaseLocation::External(config) => assert_eq!(config.config().get_dbname(), Some("books")),
            other @ DatabaseLocation::Embedded(_) => panic!("{other:?}"),
        }
        match resolve(&[folder]).expect("the settings are valid").database {
            DatabaseLocation::Embedded(config) => assert_eq!(config.data_dir, Path::new("/data")),
            other @ DatabaseLocation::External(_) => panic!("{other:?}"),
        }
    }

    #[test]
    fn download_is_allowed_unless_a_setting_forbids_it() {
        for (value, expected) in [("true", false), ("1", false), ("false", true), ("0", true), ("", true)] {
            let environment = [("PASSBOOK_DATA_DIR", "/data"), ("PASSBOOK_NO_DOWNLOAD", value)];
            match resolve(&environment).expect("the settings are valid").database {
                DatabaseLocation::Embedded(config) => assert_eq!(config.download, expected, "{value:?}"),
                other @ DatabaseLocation::External(_) => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn relative_data_folder_is_refused() {
        assert_eq!(names(resolve(&[("PASSBOOK_DATA_DIR", "data")])), ["PASSBOOK_DATA_DIR"]);
    }

    #[test]
    fn problems_of_tool_and_server_are_reported_at_once() {
        let environment = [
            ("PASSBOOK_DATA_DIR", "/data"),
            ("PASSBOOK_TOKEN_PREFIX", "ACME"),
            ("PASSBOOK_DATABASE_URL", "postgresql://reader@h:port/x"),
            ("PASSBOOK_OIDC_ISSUER", "http://id.example"),
            ("PASSBOOK_OAUTH_MODE", "both"),
        ];
        let expected =
            ["PASSBOOK_TOKEN_PREFIX", "PASSBOOK_DATABASE_URL", "PASSBOOK_OIDC_ISSUER", "PASSBOOK_OAUTH_MODE"];
        assert_eq!(names(resolve(&environment)), expected);
    }
}
