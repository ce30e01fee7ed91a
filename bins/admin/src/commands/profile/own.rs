//! `profile create | list | show | delete`: the own profiles of a user.

use std::path::PathBuf;

use clap::Args;
use passbook_ingest::import::{self, OwnProfile};
use passbook_input::Fault;
use passbook_statements::csv::{Profile, builtin_profiles};
use serde::Serialize;
use tokio_postgres::Client;

use crate::commands::statement_file;
use crate::commands::transaction;
use crate::commands::user::{Edit, Owner, UserList};
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry};
use crate::output;

/// A profile to store.
#[derive(Clone, Debug, Args)]
pub(crate) struct OwnProfileFile {
    /// Name of the profile: lower-case letters, digits and hyphens [default: that in the profile, else that of the file]
    name: Option<String>,
    /// Profile (TOML), such as `profile draft` writes
    file: PathBuf,
    #[command(flatten)]
    edit: Edit,
}

/// Stores a profile. Files with its header line are read with it from then on.
pub(super) async fn create(client: &mut Client, wanted: &OwnProfileFile) -> Result<(), CommandError> {
    let person = wanted.edit.owner.find(client).await?;
    let text = statement_file::text(&wanted.file)?;
    let name = wanted.name.clone().or_else(|| name_in(&text)).unwrap_or_else(|| {
        wanted.file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    });
    let refused = |rule: &str| Err(CommandError::input(Fault::new("NAME", rule).received(&name)));
    let text = named(&text, &name);
    let profile = Profile::parse(&text, &wanted.file.display().to_string()).map_err(CommandError::input)?;
    if builtin_profiles().iter().any(|known| known.name == name) {
        return refused(
            "must not be the name of a profile that comes with Passbook: give another one before the file",
        );
    }
    let transaction = client.transaction().await?;
    let new = import::NewProfile { name: name.clone(), text };
    if !import::create_profile(&transaction, person.user_id, &new).await? {
        return refused("must be a new name; `passbook-admin profile delete` deletes a profile");
    }
    transaction::end(transaction, wanted.edit.rehearsal).await?;
    output::lines([format!("created the profile {name} of {}", profile.bank)])
}

/// A profile in the list.
#[derive(Debug, Serialize)]
struct Listed {
    name: String,
    bank: String,
    files: i64,
}

/// Prints the profiles with the number of the files that were read with each.
pub(super) async fn list(client: &Client, wanted: &UserList) -> Result<(), CommandError> {
    let listed = stored(client, &wanted.owner).await?.into_iter().map(|one| {
        let bank = Profile::parse(&one.profile, &one.name).map_or_else(|_| String::new(), |read| read.bank);
        Listed { bank, name: one.name, files: one.files }
    });
    listing::print(&listed.collect::<Vec<_>>(), wanted.listing)
}

impl ListEntry for Listed {
    const COLUMNS: &[Column<Listed>] = &[
        ("name", |entry| entry.name.clone()),
        ("bank", |entry| entry.bank.clone()),
        ("files", |entry| entry.files.to_string()),
    ];
}

/// Prints a profile.
pub(super) async fn show(client: &Client, name: &str, owner: &Owner) -> Result<(), CommandError> {
    let profile = find(stored(client, owner).await?, name)?;
    output::lines(profile.profile.lines())
}

/// Deletes a profile. Imported files stay as they were read.
pub(super) async fn delete(client: &mut Client, name: &str, edit: &Edit) -> Result<(), CommandError> {
    let person = edit.owner.find(client).await?;
    let profile = find(stored(client, &edit.owner).await?, name)?;
    let transaction = client.transaction().await?;
    import::delete_profile(&transaction, person.user_id, name).await?;
    transaction::end(transaction, edit.rehearsal).await?;
    output::lines([format!("deleted the profile {name}; {} imported files stay as read", profile.files)])
}

async fn stored(client: &Client, owner: &Owner) -> Result<Vec<OwnProfile>, CommandError> {
    let person = owner.find(client).await?;
    Ok(import::own_profiles(client, person.user_id).await?)
}

fn find(stored: Vec<OwnProfile>, name: &str) -> Result<OwnProfile, CommandError> {
    let names: Vec<String> = stored.iter().map(|one| one.name.clone()).collect();
    stored.into_iter().find(|one| one.name == name).ok_or_else(|| {
        let known = if names.is_empty() { "there is none".to_owned() } else { names.join(", ") };
        let rule = format!("must be an own profile of this user: {known}");
        CommandError::input(Fault::new("NAME", rule).received(name))
    })
}

/// Returns the text of a profile with another name.
pub(super) fn named(text: &str, name: &str) -> String {
    let own = format!("name = {name:?}");
    let is_missing = text.lines().all(|line| value_of_name(line).is_none());
    let rename = |line| if value_of_name(line).is_some() { own.as_str() } else { line };
    let lines = is_missing.then_some(own.as_str()).into_iter().chain(text.lines().map(rename));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Returns the name in the text of a profile.
fn name_in(text: &str) -> Option<String> {
    let value = text.lines().find_map(value_of_name)?;
    value.trim().split(['"', '\'']).nth(1).map(str::to_owned)
}

/// Returns the value in the line of the name.
fn value_of_name(line: &str) -> Option<&str> {
    line.split_once('=').filter(|(key, _)| key.trim() == "name").map(|(_, value)| value)
}
