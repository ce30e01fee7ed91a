//! `rule`: the stored rules that categorise imported transactions.

mod text;

use clap::{Args, Subcommand};
use passbook_domain::category::Category;
use passbook_ingest::import::{self, StoredRules};
use passbook_input::Fault;
use serde::Serialize;
use tokio_postgres::Client;
use uuid::Uuid;

use super::categorize;
use super::transaction::Rehearsal;
use super::user::Owner;
use crate::chosen::category;
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry, Listing};
use crate::output;
use text::RulesText;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin rule create METRO groceries
  passbook-admin rule list
  passbook-admin rule export > own-rules.toml
  passbook-admin rule delete 1";

/// The name of stored rules that no file gave a name.
const NAME: &str = "rules.toml";

#[derive(Debug, Subcommand)]
pub(crate) enum RuleCommand {
    /// List the rules in the order in which they apply: the first that fits a transaction decides
    List {
        #[command(flatten)]
        owner: Owner,
        #[command(flatten)]
        listing: Listing,
    },
    /// Add a rule before all others, and apply it to past and future transactions
    Create(NewRule),
    /// Delete a rule, and categorise all imported transactions again
    Delete {
        /// Number of the rule, from `rule list`
        number: usize,
        #[command(flatten)]
        owner: Owner,
        #[command(flatten)]
        rehearsal: Rehearsal,
        #[command(flatten)]
        listing: Listing,
    },
    /// Print the rules as a rules file, which `categorize --rules` stores
    Export {
        #[command(flatten)]
        owner: Owner,
    },
}

/// A rule: the category of transactions whose text contains a text.
#[derive(Clone, Debug, Args)]
pub(crate) struct NewRule {
    /// Text in the name of the payee or the purpose, in any case
    text: String,
    /// Category, in any case and spelling
    #[arg(value_parser = category)]
    category: Category,
    #[command(flatten)]
    owner: Owner,
    #[command(flatten)]
    rehearsal: Rehearsal,
    #[command(flatten)]
    listing: Listing,
}

/// Runs a command on rules.
pub(super) async fn run(client: &mut Client, command: RuleCommand) -> Result<(), CommandError> {
    match command {
        RuleCommand::List { owner, listing } => list(client, &owner, listing).await,
        RuleCommand::Create(wanted) => create(client, &wanted).await,
        RuleCommand::Delete { number, owner, rehearsal, listing } => {
            delete(client, number, &owner, rehearsal, listing).await
        }
        RuleCommand::Export { owner } => {
            let person = owner.find(client).await?;
            let rules = import::rules(client, person.user_id).await?;
            output::lines(rules.map(|rules| rules.text.trim_end().to_owned()))
        }
    }
}

/// A rule in the list.
#[derive(Debug, Serialize)]
struct Listed {
    number: usize,
    rule: String,
}

async fn list(client: &Client, owner: &Owner, listing: Listing) -> Result<(), CommandError> {
    let person = owner.find(client).await?;
    let rules = read(client, person.user_id).await?.1;
    let listed = rules.lines().zip(1..).map(|(rule, number)| Listed { number, rule });
    listing::print(&listed.collect::<Vec<_>>(), listing)
}

impl ListEntry for Listed {
    const COLUMNS: &[Column<Listed>] =
        &[("number", |entry| entry.number.to_string()), ("rule", |entry| output::printable(&entry.rule))];
}

/// Adds a rule before all others, and prints the transactions whose category changes.
pub(super) async fn create(client: &mut Client, wanted: &NewRule) -> Result<(), CommandError> {
    let person = wanted.owner.find(client).await?;
    if wanted.text.trim().is_empty() {
        return Err(CommandError::input(Fault::new("TEXT", "must not be empty")));
    }
    let (name, mut rules) = read(client, person.user_id).await?;
    rules.add(wanted.text.trim(), wanted.category);
    let stored = StoredRules { name, text: rules.text() };
    categorize::apply(client, person.user_id, Some(&stored), wanted.rehearsal, wanted.listing).await
}

async fn delete(
    client: &mut Client,
    number: usize,
    owner: &Owner,
    rehearsal: Rehearsal,
    listing: Listing,
) -> Result<(), CommandError> {
    let person = owner.find(client).await?;
    let (name, mut rules) = read(client, person.user_id).await?;
    let Some(removed) = rules.remove(number) else {
        let rule = "must be the number of a rule; `passbook-admin rule list` shows them";
        return Err(CommandError::input(Fault::new("NUMBER", rule).received(number.to_string())));
    };
    output::note(&output::printable(&format!("deleted {removed}")));
    let stored = StoredRules { name, text: rules.text() };
    categorize::apply(client, person.user_id, Some(&stored), rehearsal, listing).await
}

/// Returns the stored rules that a rules file lacks, each in one line.
pub(super) async fn removed_by(
    client: &Client,
    user_id: Uuid,
    rules: &StoredRules,
) -> Result<Vec<String>, CommandError> {
    let stored = read(client, user_id).await?.1;
    let new: Vec<String> = RulesText::read(&rules.text).lines().collect();
    Ok(stored.lines().filter(|rule| !new.contains(rule)).map(|rule| output::printable(&rule)).collect())
}

/// Returns name and text of the stored rules.
async fn read(client: &Client, user_id: Uuid) -> Result<(String, RulesText), CommandError> {
    let stored = import::rules(client, user_id).await?;
    let (name, text) =
        stored.map_or_else(|| (NAME.to_owned(), String::new()), |rules| (rules.name, rules.text));
    Ok((name, RulesText::read(&text)))
}
