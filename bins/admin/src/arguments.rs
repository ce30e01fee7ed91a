//! The command line.

mod access;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use domain::Currency;
use domain::scope::{Scope, Surface};
use ingest::tokens::{EXPIRES_IN_DAYS_DEFAULT, EXPIRES_IN_DAYS_MAX};
use uuid::Uuid;

pub(crate) use access::{ClientCommand, ConsentCommand, NewClient, SessionCommand};

const AFTER_HELP: &str = "\
The database is the one that PASSBOOK_ADMIN_DATABASE_URL names (or admin_database_url in the settings file), else
the private one in the data folder, which is started for the command when no server runs on it.

Exit codes: 0 done; 64 wrong usage or configuration, a schema that will not do, or something that `doctor` finds
broken; 65 wrong data, every fault listed; 69 the database cannot be reached; 70 an internal error.";

/// The operator's tool of Passbook: the schema, people, who may read, and loading data.
#[derive(Debug, Parser)]
#[command(name = "passbook-admin", version, after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) connection: Connection,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// How the database is found. Secrets are never flags: every user of the machine could read them.
#[derive(Debug, Default, Args)]
pub(crate) struct Connection {
    /// Settings file [default: passbook/config.toml in the configuration folder, if present]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Folder of the private database
    #[arg(
        long,
        global = true,
        value_name = "FOLDER",
        help = "Folder of the private database [env: PASSBOOK_DATA_DIR]"
    )]
    pub(crate) data_dir: Option<PathBuf>,
    /// Folder with the programs of PostgreSQL for the private database
    #[arg(
        long,
        global = true,
        value_name = "FOLDER",
        help = "Folder with PostgreSQL's programs [env: PASSBOOK_POSTGRES_BIN]"
    )]
    pub(crate) postgres_bin: Option<PathBuf>,
    /// Never fetch PostgreSQL for the private database
    #[arg(long, global = true, help = "Never fetch PostgreSQL [env: PASSBOOK_NO_DOWNLOAD]")]
    pub(crate) no_download: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Bring the schema up to date
    Migrate {
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
    /// Look at database, identity provider and clock, and say what to change
    Doctor,
    /// People whose money it is
    #[command(subcommand)]
    User(UserCommand),
    /// Personal access tokens
    #[command(subcommand)]
    Token(TokenCommand),
    /// Clients that sign people in through the identity provider
    #[command(subcommand)]
    Client(ClientCommand),
    /// What people agreed to: clients that may read for them
    #[command(subcommand)]
    Consent(ConsentCommand),
    /// Sessions of clients
    #[command(subcommand)]
    Session(SessionCommand),
    /// Exchange rates
    #[command(subcommand)]
    Rates(RatesCommand),
    /// Load a bundle of records: all of it, or nothing when anything is wrong
    Load {
        /// The bundle, or - for standard input
        file: PathBuf,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
    /// Import another program's books
    #[command(subcommand)]
    Import(ImportCommand),
}

/// Whether it is only tried out.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Rehearsal {
    /// Do everything, checks included, and store nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Make a person; prints their identifier
    Create {
        /// Their e-mail address
        #[arg(long)]
        email: String,
        /// The currency of their totals
        #[arg(long, default_value = "EUR", value_parser = currency)]
        currency: Currency,
        /// The IANA time zone that decides what day it is for them
        #[arg(long, default_value = "UTC")]
        time_zone: String,
        /// Their identifier, where the identity provider has one already [default: derived from the address]
        #[arg(long, value_name = "UUID")]
        id: Option<Uuid>,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
    /// List everyone
    List,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Make a token; prints it, this once
    Create(NewToken),
    /// List tokens; a token itself is stored nowhere
    List {
        /// Only this person's, by e-mail address
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
    },
    /// Take a token back, from the next request on
    Revoke {
        /// Its identifier, as listed
        token_id: Uuid,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
}

#[derive(Debug, Args)]
pub(crate) struct NewToken {
    /// Its owner, by e-mail address
    #[arg(long, value_name = "EMAIL")]
    pub(crate) user: String,
    /// By which its owner recognises it
    #[arg(long)]
    pub(crate) name: String,
    /// What it may read, separated by commas [default: everything]
    #[arg(long, value_delimiter = ',', value_parser = scope)]
    pub(crate) scopes: Vec<Scope>,
    /// Who accepts it
    #[arg(long, value_delimiter = ',', default_value = "rest,mcp", value_parser = surface)]
    pub(crate) surfaces: Vec<Surface>,
    /// How long it lives
    #[arg(long, value_name = "DAYS", default_value_t = EXPIRES_IN_DAYS_DEFAULT,
        value_parser = clap::value_parser!(u16).range(1..=i64::from(EXPIRES_IN_DAYS_MAX)))]
    pub(crate) expires_in_days: u16,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RatesCommand {
    /// Load the European Central Bank's file of reference rates (CSV)
    Load {
        /// The file, or - for standard input
        file: PathBuf,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ImportCommand {
    /// Import a Beancount ledger
    Beancount(BeancountImport),
}

/// A ledger to import.
#[derive(Clone, Debug, Args)]
pub(crate) struct BeancountImport {
    /// The ledger; what it includes is read too
    pub(crate) file: PathBuf,
    /// Whose it is, by e-mail address
    #[arg(long, value_name = "EMAIL")]
    pub(crate) user: String,
    /// Which of the person's ledgers it is, where there are several
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(crate) ledger: String,
    /// Which accounts stand for which categories, on top of what is built in (TOML)
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,
    /// Remove stored transactions that the ledger no longer has; without this, such rows are a fault, because
    /// an edited entry would count twice
    #[arg(long)]
    pub(crate) replace: bool,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
}

fn currency(text: &str) -> Result<Currency, String> {
    Currency::parse(text).map_err(|invalid| explained(&invalid))
}

fn scope(text: &str) -> Result<Scope, String> {
    Scope::parse(text).map_err(|invalid| explained(&invalid))
}

fn surface(text: &str) -> Result<Surface, String> {
    Surface::parse(text).map_err(|invalid| explained(&invalid))
}

fn explained(invalid: &domain::Invalid) -> String {
    match invalid.allowed() {
        [] => invalid.rule().to_owned(),
        allowed => format!("{}: {}", invalid.rule(), allowed.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_secret_is_never_a_flag() {
        let help = Arguments::command().render_long_help().to_string();
        assert!(!help.contains("--admin-database-url"));
    }

    #[test]
    fn a_token_lives_for_a_year_at_most() {
        let words = |days| {
            ["passbook-admin", "token", "create", "--user", "e", "--name", "n", "--expires-in-days", days]
        };
        assert!(Arguments::try_parse_from(words("365")).is_ok());
        for days in ["0", "366", "-1", "x"] {
            assert!(Arguments::try_parse_from(words(days)).is_err(), "{days}");
        }
    }

    #[test]
    fn an_unknown_scope_names_the_known_ones() {
        let words =
            ["passbook-admin", "token", "create", "--user", "e", "--name", "n", "--scopes", "everything"];
        let error = Arguments::try_parse_from(words).expect_err("no such scope").to_string();
        assert!(error.contains("transactions:read") && error.contains("preferences:read"), "{error}");
    }
}
