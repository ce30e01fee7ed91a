//! Texts with the settings and commands that fix errors of library crates. Library crates name neither, so the programs
//! append these texts to the errors.

use passbook_auth::compatibility;
use passbook_input::Fault;

/// Returns a finding of the start-up check with the setting or the command that fixes it.
pub fn start_up_finding(finding: &passbook_store::Finding) -> Fault {
    let remedy = start_up_remedy(&finding.remedy);
    match finding.remedy {
        passbook_store::Remedy::ReaderRole => {
            Fault::verbatim("PASSBOOK_DATABASE_URL", format!("{remedy}; {}", finding.sentence))
        }
        _ => Fault::verbatim(&finding.sentence, remedy),
    }
}

/// Returns the remedy of a finding of the start-up check, as a command where this project has one.
pub fn start_up_remedy(remedy: &passbook_store::Remedy) -> &str {
    match remedy {
        passbook_store::Remedy::ReaderRole => READER_ROLE,
        passbook_store::Remedy::Migrate => MIGRATE,
        passbook_store::Remedy::NewerProgram => NEWER_SERVER,
        passbook_store::Remedy::Restore => RESTORE,
        passbook_store::Remedy::MoveToThisVersion => MOVE,
        passbook_store::Remedy::Statement(statement) => statement,
    }
}

/// Returns a finding about the identity provider with the setting that fixes the problem.
pub fn sign_in_finding(finding: &compatibility::Finding) -> String {
    let remedy = match finding.remedy {
        None => return finding.sentence.clone(),
        Some(compatibility::Remedy::HttpsOrigin) => HTTPS_ORIGIN,
        Some(compatibility::Remedy::DirectMode) => DIRECT_MODE,
        Some(compatibility::Remedy::SplitMode) => SPLIT_MODE,
        Some(compatibility::Remedy::ProviderIssuer) => PROVIDER_ISSUER,
    };
    format!("{}; {remedy}", finding.sentence)
}

/// For the error that no usable PostgreSQL was found.
pub const POSTGRES_BIN: &str =
    "Or set PASSBOOK_POSTGRES_BIN to the folder that contains its `postgres` and `initdb`.";

/// For the error that no usable PostgreSQL was found, if a setting forbids the download.
pub const NO_DOWNLOAD: &str = "Or set PASSBOOK_POSTGRES_BIN to the folder that contains its `postgres` and `initdb`, \
                               or allow the download by removing PASSBOOK_NO_DOWNLOAD (--no-download).";

/// For the error that the folder in a setting contains no usable PostgreSQL.
pub const POSTGRES_BIN_UNUSABLE: &str = "Set PASSBOOK_POSTGRES_BIN to the folder that contains both, or remove the setting to search the usual folders.";

/// For the error that another process uses the data folder.
pub const DATA_DIR_IN_USE: &str = "Or set PASSBOOK_DATA_DIR to another folder.";

/// For the error that the account that runs PostgreSQL cannot enter the data folder.
pub const DATA_DIR_UNREACHABLE: &str = "Or set PASSBOOK_DATA_DIR to a folder such as /var/lib/passbook.";

/// For the error that another major version of PostgreSQL created the database in the data folder.
pub const OTHER_MAJOR: &str = "Or set PASSBOOK_POSTGRES_BIN to the folder of that version, or PASSBOOK_DATA_DIR to a \
                               folder for a new database.";

/// For the error that the schema of the database is absent or older than the program.
const MIGRATE: &str = "passbook-admin migrate";

/// For the error that the role of the server may write.
const READER_ROLE: &str =
    "connect as passbook_reader or a member of it (alter role passbook_reader login password '…')";

/// For the error that the schema of the database is newer than the program.
const NEWER_SERVER: &str = "run a passbook-server as new as the database";

/// For the error that an object of the schema is missing, which only a backup contains.
const RESTORE: &str = "restore the database from a backup, as docs/schema.md describes";

/// For the error that another development version created the schema.
const MOVE: &str = "back up the database with the passbook-admin that created it, and restore the backup with this one \
                    into a new database";

/// For the error that the public origin starts with `http`.
const HTTPS_ORIGIN: &str = "set PASSBOOK_ORIGIN to the https address";

/// For the error that assistants cannot sign in because of the provider's issuer parameter.
const DIRECT_MODE: &str = "or set PASSBOOK_OAUTH_MODE=direct";

/// For the error that the issuer in the OpenID configuration differs from the issuer of ID tokens.
const SPLIT_MODE: &str = "or set PASSBOOK_OAUTH_MODE=split";

/// For the error that the issuer in the settings is this service instead of the identity provider.
const PROVIDER_ISSUER: &str = "set PASSBOOK_OIDC_ISSUER to the issuer of the provider itself";
