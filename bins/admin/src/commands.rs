//! The commands: a file for each group, with its command line.

mod account;
mod backup;
mod budget;
mod categorize;
mod category;
mod client;
mod consent;
pub(crate) mod definitions;
mod derive;
mod dialogue;
mod doctor;
mod explain;
mod import;
mod input;
mod latest_day;
mod load;
mod memory;
mod migrate;
mod note;
mod own_category;
mod preview;
mod profile;
mod psql;
mod reconcile;
mod remedies;
mod removal;
mod restore;
mod row;
mod rule;
mod setup;
mod statement_file;
mod tag;
mod token;
mod transaction;
mod user;

use std::process::ExitCode;

use clap::Subcommand;

use super::database::Database;
use super::error::CommandError;
use super::listing::Listing;
use super::settings::Settings;
use account::AccountCommand;
use backup::NewBackup;
use budget::BudgetCommand;
use categorize::Categorize;
use category::CategoryCommand;
use client::ClientCommand;
use consent::{ConsentCommand, SessionCommand};
use explain::Explain;
use import::Import;
use load::{BundleLoad, RatesCommand};
use note::NewNote;
use preview::Preview;
use profile::ProfileCommand;
use psql::DatabaseShell;
use restore::Restoration;
use rule::RuleCommand;
use setup::Setup;
use tag::TagCommand;
use token::TokenCommand;
use transaction::Rehearsal;
use user::{UserCommand, UserList};

/// A command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Prepare everything for one person: tables, user, the files of a folder, and a token for an assistant
    #[command(after_help = setup::EXAMPLES)]
    Setup(Setup),
    /// Create the schema or bring it up to date
    #[command(after_help = migrate::EXAMPLES)]
    Migrate {
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
    /// Check the database, the identity provider and the clock, and print what to change
    #[command(after_help = doctor::EXAMPLES)]
    Doctor {
        #[command(flatten)]
        listing: Listing,
    },
    /// Write all rows to a file: users, their data, tokens as hashes, clients and exchange rates
    #[command(after_help = backup::BACKUP_EXAMPLES)]
    Backup(NewBackup),
    /// Restore a backup into an empty database, and bring its schema up to date
    #[command(after_help = restore::RESTORE_EXAMPLES)]
    Restore(Restoration),
    /// Open a shell on the database (psql); transactions are read-only unless --write is given
    #[command(after_help = psql::EXAMPLES)]
    Psql(DatabaseShell),
    /// Show the content of a file of a bank or an app; nothing is stored
    #[command(after_help = preview::PREVIEW_EXAMPLES)]
    Preview(Preview),
    /// Draft, store, list, show and delete profiles for CSV files of banks that Passbook does not know
    #[command(subcommand, after_help = profile::EXAMPLES)]
    Profile(ProfileCommand),
    #[command(flatten)]
    Data(DataCommand),
}

impl Command {
    /// Returns true if the command reads the settings of the server.
    pub(crate) fn examines_server(&self) -> bool {
        matches!(self, Command::Doctor { .. } | Command::Setup(_))
    }
}

/// A command that reads or writes rows.
#[derive(Debug, Subcommand)]
pub(crate) enum DataCommand {
    /// Create, list, show, rename and delete users
    #[command(subcommand, after_help = user::EXAMPLES)]
    User(UserCommand),
    /// List, show, create, change, merge, close and delete accounts
    #[command(subcommand, after_help = account::EXAMPLES)]
    Account(AccountCommand),
    /// List, set and unset monthly budgets
    #[command(subcommand, after_help = budget::EXAMPLES)]
    Budget(BudgetCommand),
    /// List categories, give transactions one, exclude categories from totals, and make your own
    #[command(subcommand, after_help = category::EXAMPLES)]
    Category(CategoryCommand),
    /// List, rename and delete tags, and add them to transactions
    #[command(subcommand, after_help = tag::EXAMPLES)]
    Tag(TagCommand),
    /// Set or remove the note of a transaction
    #[command(after_help = note::EXAMPLES)]
    Note(NewNote),
    /// List, create, delete and export the rules that categorise imported transactions
    #[command(subcommand, after_help = rule::EXAMPLES)]
    Rule(RuleCommand),
    /// Create, list, rotate and revoke personal access tokens
    #[command(subcommand, after_help = token::EXAMPLES)]
    Token(TokenCommand),
    /// Create, list and revoke OAuth clients
    #[command(subcommand, after_help = client::EXAMPLES)]
    Client(ClientCommand),
    /// List and revoke the consents that users gave to clients
    #[command(subcommand, after_help = consent::CONSENT_EXAMPLES)]
    Consent(ConsentCommand),
    /// List and revoke sessions of clients
    #[command(subcommand, after_help = consent::SESSION_EXAMPLES)]
    Session(SessionCommand),
    /// Load exchange rates
    #[command(subcommand, after_help = load::RATES_EXAMPLES)]
    Rates(RatesCommand),
    /// Derive converted amounts, links and totals again; other writers wait
    #[command(after_help = derive::EXAMPLES)]
    Derive {
        /// Only compare the derived data with the rows of users; exit code 65 if they differ
        #[arg(long)]
        check: bool,
    },
    /// Load a bundle of records: all of them, or none if any record has a fault
    #[command(after_help = load::BUNDLE_EXAMPLES)]
    Load(BundleLoad),
    /// Import files of banks and other apps, or the books of another program
    #[command(after_help = import::IMPORT_EXAMPLES)]
    Import(Box<Import>),
    /// Show where an imported transaction comes from: lines, identity, category, own category, tags, note and link
    #[command(after_help = explain::EXPLAIN_EXAMPLES)]
    Explain(Explain),
    /// Apply the rules to all imported transactions again
    #[command(after_help = categorize::CATEGORIZE_EXAMPLES)]
    Categorize(Categorize),
    /// Compare imported transactions with the balances of their files
    #[command(after_help = reconcile::RECONCILE_EXAMPLES)]
    Reconcile(UserList),
}

/// Runs a command and returns its exit code. Stops the embedded server if the command started it.
pub(crate) async fn run(command: Command, settings: Settings) -> Result<ExitCode, CommandError> {
    let done = match command {
        Command::Setup(wanted) => setup::run(settings, &wanted).await,
        Command::Migrate { rehearsal } => migrate::run(settings.database, rehearsal).await,
        Command::Doctor { listing } => doctor::run(settings, listing).await,
        Command::Backup(wanted) => backup::run(settings.database, &wanted).await,
        Command::Restore(wanted) => restore::run(settings.database, &wanted).await,
        Command::Psql(wanted) => return psql::run(settings, &wanted).await,
        Command::Data(command) => {
            let mut database = Database::for_data(settings.database).await?;
            let result = run_on_data(&mut database, command, &settings.token_prefix, &settings.origin).await;
            database.close(result).await
        }
        Command::Preview(wanted) => preview::run(settings.database, &wanted).await,
        Command::Profile(command) => profile::run(settings.database, command).await,
    };
    done.map(|()| ExitCode::SUCCESS)
}

async fn run_on_data(
    database: &mut Database,
    command: DataCommand,
    token_prefix: &str,
    origin: &str,
) -> Result<(), CommandError> {
    let client = &mut database.client;
    match command {
        DataCommand::User(command) => user::run(client, command).await,
        DataCommand::Account(command) => account::run(client, command).await,
        DataCommand::Budget(command) => budget::run(client, command).await,
        DataCommand::Category(command) => category::run(client, command).await,
        DataCommand::Tag(command) => tag::run(client, command).await,
        DataCommand::Note(wanted) => note::run(client, &wanted).await,
        DataCommand::Rule(command) => rule::run(client, command).await,
        DataCommand::Token(command) => token::run(client, command, token_prefix, origin).await,
        DataCommand::Client(command) => client::run(client, command).await,
        DataCommand::Consent(command) => consent::run_on_consents(client, command).await,
        DataCommand::Session(command) => consent::run_on_sessions(client, command).await,
        DataCommand::Rates(RatesCommand::Load { file, rehearsal }) => {
            load::load_rates(client, &file, rehearsal).await
        }
        DataCommand::Derive { check } => derive::run(client, check).await,
        DataCommand::Load(wanted) => load::load_bundle(client, &wanted).await,
        DataCommand::Import(wanted) => import::run(client, *wanted).await,
        DataCommand::Explain(wanted) => explain::run(client, &wanted).await,
        DataCommand::Categorize(wanted) => categorize::run(client, &wanted).await,
        DataCommand::Reconcile(wanted) => reconcile::run(client, &wanted).await,
    }
}
