//! `setup`: from a folder of downloads to a token for an assistant, in one command that can be repeated.

mod suggestions;

use std::path::PathBuf;

use clap::Args;
use passbook_auth::personal_access_token::PlainToken;
use passbook_auth::sign_in_code::SignInFile;
use passbook_auth::{Clock as _, SystemClock};
use passbook_domain::Currency;
use passbook_domain::scope::Scope;
use passbook_ingest::accounts::{self, AccountChanges, StoredAccount};
use passbook_ingest::people::{self, NewPerson, Person};
use passbook_ingest::tokens::{self, EXPIRES_IN_DAYS_DEFAULT, NewToken};
use passbook_statements::ReadOptions;
use tokio_postgres::Client;

use super::account::{self, AccountToday};
use super::dialogue::Dialogue;
use super::import::accounts::Unnumbered;
use super::import::files::{self, FileImport};
use super::migrate;
use super::statement_file::{self, ReadingFlags, StatementFile};
use super::transaction::Rehearsal;
use super::user::{self, Owner};
use crate::chosen;
use crate::database::Database;
use crate::error::CommandError;
use crate::listing::{Format, Listing, amount, optional};
use crate::output;
use crate::settings::{DatabaseLocation, Settings};

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin setup statements --yes --email you@example.org --currency EUR --time-zone Europe/Paris";

/// The name of the token that `setup` creates.
const TOKEN: &str = "assistant";
/// The name of the token of the page, which lives as long as a session of the page.
const PAGE_TOKEN: &str = "page";
const PAGE_TOKEN_DAYS: u16 = 1;

/// The values of a new user, and the files.
#[derive(Debug, Args)]
pub(crate) struct Setup {
    /// Folder with files of banks and other apps
    folder: Option<PathBuf>,
    /// E-mail address of the user
    #[arg(long)]
    email: Option<String>,
    /// Currency of totals [default: that of the files or of the locale]
    #[arg(long, value_parser = user::currency)]
    currency: Option<Currency>,
    /// IANA time zone, which decides what day it is for the user [default: that of the system]
    #[arg(long)]
    time_zone: Option<String>,
    /// Accept every suggestion without a dialogue. Required if standard input is not a terminal
    #[arg(long)]
    yes: bool,
}

/// The dialogue, what suggests values, and the server.
struct Context<'a> {
    dialogue: Dialogue,
    files: &'a [StatementFile],
    locale: Option<&'a str>,
    /// The public origin of the server.
    origin: &'a str,
    /// The file from which the server reads the code of the page; `None` if it serves another database.
    sign_in_file: Option<SignInFile>,
}

/// Creates the tables and the user, imports the files of a folder, and prints what to do next.
pub(super) async fn run(settings: Settings, wanted: &Setup) -> Result<(), CommandError> {
    let dialogue = Dialogue::new(wanted.yes)?;
    let files = read(wanted)?;
    // The tables of a database of one's own are created by its owner.
    if let DatabaseLocation::Embedded(_) = settings.database {
        migrate::run(settings.database.clone(), Rehearsal { dry_run: false }).await?;
    }
    let server = settings.server.as_ref().expect("the command reads the settings of the server");
    let sign_in_file = match &settings.database {
        DatabaseLocation::Embedded(own) if server.database.is_none() => {
            Some(SignInFile::in_folder(&own.data_dir))
        }
        DatabaseLocation::Embedded(_) | DatabaseLocation::External(_) => None,
    };
    let mut database = Database::for_data(settings.database.clone()).await?;
    let locale = settings.locale.as_deref();
    let context = Context { dialogue, files: &files, locale, origin: &server.origin, sign_in_file };
    let done = prepare(&mut database.client, wanted, &context, &settings.token_prefix).await;
    database.close(done).await
}

/// Reads the files of the folder that can be read. The import names the others.
fn read(wanted: &Setup) -> Result<Vec<StatementFile>, CommandError> {
    let Some(folder) = &wanted.folder else { return Ok(Vec::new()) };
    let paths = statement_file::files(std::slice::from_ref(folder))?;
    let options = ReadOptions::default();
    Ok(paths.iter().filter_map(|path| statement_file::read(path, &options, 1).ok()).collect())
}

async fn prepare(
    client: &mut Client,
    wanted: &Setup,
    context: &Context<'_>,
    token_prefix: &str,
) -> Result<(), CommandError> {
    let dialogue = context.dialogue;
    let person = person(client, wanted, context).await?;
    note_stored_values(&person, wanted);
    if let Some(folder) = &wanted.folder {
        let import = FileImport {
            files: vec![folder.clone()],
            owner: Owner { user: Some(person.email.clone()) },
            account: Vec::new(),
            even_if_numbers_differ: false,
            create_accounts: true,
            unnumbered: Unnumbered::By(dialogue),
            reading: ReadingFlags::default(),
            rules: None,
            replace: false,
            force: false,
            strict: false,
            beside_others: false,
            rehearsal: Rehearsal { dry_run: false },
            listing: Listing { output: Format::Text },
        };
        files::run(client, &import).await?;
    }
    let own = Some(person.user_id);
    if dialogue == Dialogue::Terminal {
        let stored = account::with_balances(client, account::list(client, own).await?).await?;
        for unknown in stored.iter().filter(|one| one.balance_cents.is_none()) {
            balance(client, &unknown.account, dialogue).await?;
        }
    }
    let stored = account::with_balances(client, account::list(client, own).await?).await?;
    output::lines(summary(&stored))?;
    token(client, &person, token_prefix, context.origin).await?;
    output::lines(["start the server: passbook-server"])?;
    page(client, &person, token_prefix, context).await?;
    let folder = wanted.folder.as_ref().map_or("FOLDER".into(), |folder| folder.to_string_lossy());
    let folder = output::argument(&folder);
    output::lines([output::printable(&format!("next month: passbook-admin import {folder}"))])
}

/// Says that currency and time zone of a user who was stored before stay, if others are given.
fn note_stored_values(person: &Person, wanted: &Setup) {
    let currency = wanted.currency.filter(|given| given.as_str() != person.preferred_currency);
    let time_zone = wanted.time_zone.as_ref().filter(|given| **given != person.time_zone);
    if currency.is_some() || time_zone.is_some() {
        output::note(&format!(
            "{} is stored already with currency {} and time zone {}: `passbook-admin user set` changes a setting",
            person.email, person.preferred_currency, person.time_zone
        ));
    }
}

/// Returns the user: the one with the address, the only one, or a new one.
async fn person(client: &mut Client, wanted: &Setup, context: &Context<'_>) -> Result<Person, CommandError> {
    let dialogue = context.dialogue;
    let mut stored = people::list(client).await?;
    match (&wanted.email, stored.len()) {
        (Some(email), _) => {
            if let Some(person) = people::find_by_email(client, email).await? {
                return Ok(person);
            }
        }
        (None, 1) => return Ok(stored.remove(0)),
        (None, 0) => {}
        (None, _) => return user::find(client, None).await,
    }
    let text = |text: &str| Ok(text.to_owned());
    let address = |text: &str| {
        if text.contains('@') { Ok(text.to_owned()) } else { Err("must be an e-mail address".to_owned()) }
    };
    let email = match &wanted.email {
        Some(email) => email.clone(),
        None => dialogue.value("E-mail address", "--email", None, address)?,
    };
    let statements = context.files.iter().flat_map(|file| &file.statements);
    let suggested = suggestions::currency(statements, context.locale);
    let preferred_currency = match wanted.currency {
        Some(currency) => currency,
        None => dialogue.value("Currency of totals", "--currency", suggested.as_deref(), user::currency)?,
    };
    let zone = suggestions::time_zone();
    let time_zone = match &wanted.time_zone {
        Some(zone) => zone.clone(),
        None => dialogue.value("Time zone", "--time-zone", zone.as_deref(), text)?,
    };
    let person = NewPerson { user_id: None, email: &email, preferred_currency, time_zone: &time_zone };
    people::create(client, &person).await?;
    output::lines([format!("created {email}: {preferred_currency}, {time_zone}")])?;
    user::find(client, Some(&email)).await
}

/// Stores the present balance of an account whose files state none, if the person knows it.
async fn balance(
    client: &mut Client,
    account: &StoredAccount,
    dialogue: Dialogue,
) -> Result<(), CommandError> {
    let prompt = format!("Balance of {} {} today, Enter if unknown", account.bank, account.name);
    let known = |text: &str| if text.is_empty() { Ok(None) } else { chosen::cents(text).map(Some) };
    let balance_cents = dialogue.answer(&prompt, "the balance", None, known)?.flatten();
    let changes = AccountChanges { balance_cents, ..AccountChanges::default() };
    if balance_cents.is_some() {
        accounts::update(client, account.user_id, account.account_id, changes).await?;
    }
    Ok(())
}

/// Returns a line for each account: its balance today, the day of the newest stated balance, and its transactions.
fn summary(accounts: &[AccountToday]) -> Vec<String> {
    let heading = ["account", "balance", "currency", "as of", "transactions", "until"];
    let row = |one: &AccountToday| {
        let account = &one.account;
        [
            format!("{} {}", account.bank, account.name),
            one.balance_cents.map_or_else(|| "unknown".to_owned(), amount),
            account.currency.clone(),
            optional(one.balance_as_of.as_ref()),
            account.transactions.to_string(),
            optional(account.last_day.as_ref()),
        ]
    };
    if accounts.is_empty() { Vec::new() } else { output::table(heading, accounts.iter().map(row)) }
}

/// Creates the token of an assistant, unless there is one, and prints the line that connects the assistant.
async fn token(client: &mut Client, person: &Person, prefix: &str, origin: &str) -> Result<(), CommandError> {
    let tokens = tokens::list(client, Some(person.user_id)).await?;
    if tokens.iter().any(|token| token.name == TOKEN && token.revoked_at.is_none()) {
        output::note(&format!(
            "the token {TOKEN} exists; `passbook-admin token rotate {TOKEN}` prints a new one"
        ));
        return Ok(());
    }
    let token = NewToken {
        user_id: person.user_id,
        name: TOKEN,
        scopes: Scope::ALL,
        rest: true,
        mcp: true,
        expires_in_days: EXPIRES_IN_DAYS_DEFAULT,
    };
    let plain = PlainToken::generate(prefix);
    let transaction = client.transaction().await?;
    tokens::create(&transaction, &token, &plain).await?;
    // Printed before the commit: a token that could not be printed must not exist, because it cannot be shown again.
    output::lines([format!("token {}", plain.reveal()), super::token::connection(origin, plain.reveal())])?;
    super::transaction::end(transaction, Rehearsal { dry_run: false }).await
}

/// Prints the address of the page with a code that signs the user in once. The server finds the token of the session in the
/// file of the code.
async fn page(
    client: &Client,
    person: &Person,
    prefix: &str,
    context: &Context<'_>,
) -> Result<(), CommandError> {
    let Some(file) = &context.sign_in_file else { return Ok(()) };
    let token = NewToken {
        user_id: person.user_id,
        name: PAGE_TOKEN,
        scopes: Scope::ALL,
        rest: true,
        mcp: false,
        expires_in_days: PAGE_TOKEN_DAYS,
    };
    let plain = PlainToken::generate(prefix);
    tokens::create(client, &token, &plain).await?;
    let failed = |error| CommandError::internal("the file of the sign-in code cannot be written", &error);
    let code = file.store(plain.reveal(), SystemClock::new().unix_seconds()).map_err(failed)?;
    output::lines([format!("then open the page within ten minutes: {}/#code={code}", context.origin)])
}
