//! `user`: creates, lists, shows, renames and deletes users.

mod delete;

use clap::{Args, Subcommand};
use passbook_domain::month_start::MonthStart;
use passbook_domain::{Currency, Invalid};
use passbook_ingest::people::{self, NewPerson, Overview, Person};
use passbook_input::Fault;
use serde::Serialize;
use tokio_postgres::Client;
use uuid::Uuid;

use super::transaction::{self, Rehearsal};
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry, Listing, joined, optional};
use crate::output;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin user create --email you@example.org --currency EUR --time-zone Europe/Paris
  passbook-admin user list
  passbook-admin user set --currency CHF --time-zone Europe/Zurich
  passbook-admin user set --month-start 25
  passbook-admin user show you@example.org
  passbook-admin user rename you@example.org --email you@example.net
  passbook-admin user delete you@example.net --dry-run
  passbook-admin user delete you@example.net --yes";

/// Maximum number of users that a message lists.
const LISTED_MAX: usize = 20;

/// The time zone of a user without another one.
const UTC: &str = "UTC";
/// The rule about a user, if none is stored.
const NO_USER: &str =
    "must be a stored user, and there is none: create one with `passbook-admin user create`";

#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Create a user and print the user's id
    #[command(alias = "add")]
    Create(NewUser),
    /// List all users
    List {
        #[command(flatten)]
        listing: Listing,
    },
    /// Show the settings of a user, and the number of accounts, transactions and tokens
    Show {
        /// E-mail address of the user
        email: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// Change the currency of totals, or the time zone
    Set(UserSettings),
    /// Change the e-mail address of a user. The id of the user and the ids of the user's rows do not change
    Rename {
        /// Present e-mail address
        #[arg(value_name = "EMAIL")]
        present: String,
        /// New e-mail address
        #[arg(long, value_name = "NEW_EMAIL")]
        email: String,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
    /// Delete a user with all accounts, transactions, tokens and other rows of the user
    ///
    /// Prints the number of rows of each table. Without --yes, the command asks for the e-mail address on a terminal.
    Delete {
        /// E-mail address of the user
        #[arg(value_name = "EMAIL")]
        email: String,
        /// Delete without asking. Required if standard input is not a terminal
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
}

/// The new settings of a user. At least one must be given.
#[derive(Debug, Args)]
#[group(required = true, multiple = true, args = ["currency", "time_zone", "month_start"])]
pub(crate) struct UserSettings {
    /// Currency of totals
    #[arg(long, value_parser = currency)]
    currency: Option<Currency>,
    /// IANA time zone, which decides what day it is for the user
    #[arg(long)]
    time_zone: Option<String>,
    /// Day on which months begin, such as payday: 1 to 28, or last-working-day of the month before
    #[arg(long, value_name = "DAY", value_parser = month_start)]
    month_start: Option<MonthStart>,
    #[command(flatten)]
    edit: Edit,
}

/// The values of a new user. They are validated with the database, so that every fault is listed at once.
#[derive(Debug, Args)]
pub(crate) struct NewUser {
    /// E-mail address
    #[arg(long)]
    pub(crate) email: String,
    /// Currency of totals [default: EUR]
    #[arg(long, value_parser = currency)]
    pub(crate) currency: Option<Currency>,
    /// IANA time zone, which decides what day it is for the user [default: UTC]
    #[arg(long)]
    pub(crate) time_zone: Option<String>,
    /// Id of the user at the identity provider [default: derived from the e-mail address]
    #[arg(long, value_name = "UUID")]
    pub(crate) id: Option<Uuid>,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
}

/// Runs a command on users.
pub(super) async fn run(client: &mut Client, command: UserCommand) -> Result<(), CommandError> {
    match command {
        UserCommand::Create(wanted) => create(client, &wanted).await,
        UserCommand::List { listing } => listing::print(&people::list(client).await?, listing),
        UserCommand::Show { email, listing } => {
            let person = find_by_argument(client, "EMAIL", &email).await?;
            let overview = people::overview(client, person.user_id).await?;
            listing::print_one(&UserOverview { person, overview }, listing)
        }
        UserCommand::Set(wanted) => set(client, &wanted).await,
        UserCommand::Rename { present, email, rehearsal } => {
            rename(client, &present, &email, rehearsal).await
        }
        UserCommand::Delete { email, yes, rehearsal } => delete::run(client, &email, yes, rehearsal).await,
    }
}

/// Creates a user and prints the user's id.
async fn create(client: &mut Client, wanted: &NewUser) -> Result<(), CommandError> {
    let person = NewPerson {
        user_id: wanted.id,
        email: &wanted.email,
        preferred_currency: wanted.currency.unwrap_or(Currency::EUR),
        time_zone: wanted.time_zone.as_deref().unwrap_or(UTC),
    };
    let transaction = client.transaction().await?;
    let user_id = people::create(&transaction, &person).await?;
    transaction::end(transaction, wanted.rehearsal).await?;
    let defaults = [
        wanted.currency.is_none().then(|| format!("currency {}", Currency::EUR)),
        wanted.time_zone.is_none().then(|| format!("time zone {UTC}")),
    ];
    let defaults: Vec<String> = defaults.into_iter().flatten().collect();
    if !defaults.is_empty() {
        let text = defaults.join(" and ");
        output::note(&format!("by default, {text}: `passbook-admin user set` changes a setting"));
    }
    output::lines([user_id.to_string()])
}

/// Changes the settings of a user.
async fn set(client: &mut Client, wanted: &UserSettings) -> Result<(), CommandError> {
    let person = wanted.edit.owner.find(client).await?;
    let transaction = client.transaction().await?;
    let UserSettings { currency, time_zone, month_start, .. } = wanted;
    people::update(&transaction, person.user_id, *currency, time_zone.as_deref(), *month_start).await?;
    transaction::end(transaction, wanted.edit.rehearsal).await?;
    output::lines([format!("updated {}", person.email)])
}

/// Changes the e-mail address of a user.
async fn rename(
    client: &mut Client,
    present: &str,
    email: &str,
    rehearsal: Rehearsal,
) -> Result<(), CommandError> {
    let person = find_by_argument(client, "EMAIL", present).await?;
    let transaction = client.transaction().await?;
    people::rename(&transaction, person.user_id, email).await?;
    transaction::end(transaction, rehearsal).await?;
    output::lines([format!("renamed {} to {email}; the id {} is unchanged", person.email, person.user_id)])
}

/// The id of the user with an e-mail address, or `None` without an address.
///
/// # Errors
/// No user with the address.
pub(in crate::commands) async fn find_id(
    client: &Client,
    email: Option<&str>,
) -> Result<Option<Uuid>, CommandError> {
    match email {
        Some(email) => Ok(Some(find(client, Some(email)).await?.user_id)),
        None => Ok(None),
    }
}

/// The user with the e-mail address of the flag `--user`; without the flag the only stored user.
///
/// # Errors
/// No user with the address, or no address although there is not exactly one user.
pub(in crate::commands) async fn find(client: &Client, email: Option<&str>) -> Result<Person, CommandError> {
    if let Some(email) = email {
        return find_by_argument(client, "--user", email).await;
    }
    let mut people = people::list(client).await?;
    let rule = match people.len() {
        1 => return Ok(people.remove(0)),
        0 => NO_USER.to_owned(),
        _ => {
            let listed = people.iter().take(LISTED_MAX).map(|person| person.email.as_str());
            format!(
                "must be given, because several users are stored: {}",
                listed.collect::<Vec<_>>().join(", ")
            )
        }
    };
    Err(CommandError::input(Fault::new("--user", rule)))
}

/// The user with the e-mail address of an argument.
///
/// # Errors
/// No user with the address.
async fn find_by_argument(client: &Client, argument: &str, email: &str) -> Result<Person, CommandError> {
    if let Some(person) = people::find_by_email(client, email).await? {
        return Ok(person);
    }
    let rule = match people::list(client).await?[..] {
        [] => NO_USER,
        _ => "must be the e-mail address of a user; `passbook-admin user list` shows them",
    };
    Err(CommandError::input(Fault::new(argument, rule).received(email)))
}

impl ListEntry for Person {
    const COLUMNS: &[Column<Person>] = &[
        ("id", |entry| entry.user_id.to_string()),
        ("email", |entry| entry.email.clone()),
        ("currency", |entry| entry.preferred_currency.clone()),
        ("time zone", |entry| entry.time_zone.clone()),
        ("created", |entry| format!("{:.0}", entry.created_at)),
    ];
}

/// The overview of one user.
#[derive(Debug, Serialize)]
struct UserOverview {
    #[serde(flatten)]
    person: Person,
    #[serde(flatten)]
    overview: Overview,
}

impl ListEntry for UserOverview {
    const COLUMNS: &[Column<UserOverview>] = &[
        ("id", |entry| entry.person.user_id.to_string()),
        ("email", |entry| entry.person.email.clone()),
        ("currency", |entry| entry.person.preferred_currency.clone()),
        ("time zone", |entry| entry.person.time_zone.clone()),
        ("created", |entry| format!("{:.0}", entry.person.created_at)),
        ("months begin", |entry| entry.overview.month_start.clone()),
        ("excluded", |entry| joined(&entry.overview.excluded_categories)),
        ("accounts", |entry| entry.overview.accounts.to_string()),
        ("transactions", |entry| entry.overview.transactions.to_string()),
        ("first day", |entry| optional(entry.overview.first_day.as_ref())),
        ("last day", |entry| optional(entry.overview.last_day.as_ref())),
        ("tokens", |UserOverview { overview, .. }| {
            let (active, expired) = (overview.tokens_active, overview.tokens_expired);
            format!("{active} active, {expired} expired, {} revoked", overview.tokens_revoked)
        }),
        ("sources", |entry| joined(&entry.overview.sources)),
    ];
}

fn month_start(text: &str) -> Result<MonthStart, String> {
    MonthStart::parse(text).map_err(rule)
}

pub(super) fn currency(text: &str) -> Result<Currency, String> {
    Currency::parse(text).map_err(rule)
}

/// Returns the given currency, otherwise that of a user's totals.
pub(super) fn currency_or_own(given: Option<Currency>, person: &Person) -> Result<Currency, CommandError> {
    let own = || currency(&person.preferred_currency);
    let currency = given.map_or_else(own, Ok);
    currency.map_err(|rule| CommandError::input(Fault::new("currency", rule)))
}

fn rule(invalid: Invalid) -> String {
    match invalid.allowed() {
        [] => invalid.rule().to_owned(),
        allowed => format!("{}: {}", invalid.rule(), allowed.join(", ")),
    }
}

/// The user whose data they are.
#[derive(Clone, Debug, Args)]
pub(crate) struct Owner {
    /// E-mail address of the user [default: the only stored user]
    #[arg(long, value_name = "EMAIL")]
    pub(crate) user: Option<String>,
}

impl Owner {
    /// The user.
    ///
    /// # Errors
    /// The errors of [`find`].
    pub(in crate::commands) async fn find(&self, client: &Client) -> Result<Person, CommandError> {
        find(client, self.user.as_deref()).await
    }
}

/// The user whose rows a command lists, and the format of the list.
#[derive(Clone, Debug, Args)]
pub(crate) struct UserList {
    #[command(flatten)]
    pub(crate) owner: Owner,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// The user whose rows a command changes, and the flag for a dry run.
#[derive(Clone, Debug, Args)]
pub(crate) struct Edit {
    #[command(flatten)]
    pub(crate) owner: Owner,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
}
