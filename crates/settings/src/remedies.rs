//! The settings and commands that fix errors of library crates. Those crates name neither; the programs append these
//! words to their errors.

/// No usable PostgreSQL was found.
pub const POSTGRES_BIN: &str =
    "Or set PASSBOOK_POSTGRES_BIN to the folder that contains its `postgres` and `initdb`.";

/// No usable PostgreSQL was found, and a setting forbids the download.
pub const NO_DOWNLOAD: &str = "Or set PASSBOOK_POSTGRES_BIN to the folder that contains its `postgres` and `initdb`, \
                               or allow the download by removing PASSBOOK_NO_DOWNLOAD (--no-download).";

/// The folder that a setting names contains no usable PostgreSQL.
pub const POSTGRES_BIN_UNUSABLE: &str = "Set PASSBOOK_POSTGRES_BIN to the folder that contains both, or remove the setting to search the usual folders.";

/// Another process uses the data folder.
pub const DATA_DIR_IN_USE: &str = "Or set PASSBOOK_DATA_DIR to another folder.";

/// The account that runs PostgreSQL cannot enter the data folder.
pub const DATA_DIR_UNREACHABLE: &str = "Or set PASSBOOK_DATA_DIR to a folder such as /var/lib/passbook.";

/// The database in the data folder was created by another major version of PostgreSQL.
pub const OTHER_MAJOR: &str = "Or set PASSBOOK_POSTGRES_BIN to the folder of that version, or PASSBOOK_DATA_DIR to a \
                               folder for a new database.";

/// The schema of the database is absent or older than the program.
pub const MIGRATE: &str = "passbook-admin migrate";

/// The schema of the database is newer than the program.
pub const NEWER_SERVER: &str = "run a passbook-server as new as the database";

/// The public origin is http.
pub const HTTPS_ORIGIN: &str = "set PASSBOOK_ORIGIN to the https address";

/// The identity provider's issuer parameter breaks assistants.
pub const DIRECT_MODE: &str = "or set PASSBOOK_OAUTH_MODE=direct";

/// The issuer in the OpenID configuration differs from that of ID tokens.
pub const SPLIT_MODE: &str = "or set PASSBOOK_OAUTH_MODE=split";

/// The issuer is this service instead of the identity provider.
pub const PROVIDER_ISSUER: &str = "set PASSBOOK_OIDC_ISSUER to the issuer of the provider itself";
