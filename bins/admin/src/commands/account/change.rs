//! The changes of accounts.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_ingest::accounts::{self, AccountChanges, Selection, StoredAccount};
use passbook_ingest::import::{self, ImportOptions, StatementsOf};
use passbook_input::Fault;
use passbook_records::Record;
use passbook_records::record::BalanceSnapshot;
use passbook_statements::AccountKind;
use tokio_postgres::Client;

use super::{ChosenAccount, find};
use crate::chosen::cents;
use crate::commands::dialogue::{Confirmation, confirm};
use crate::commands::import::accounts::{self as new_account, first_free};
use crate::commands::import::stored_files::options;
use crate::commands::transaction::{self, Rehearsal};
use crate::commands::user::{self, Owner};
use crate::commands::{load, remedies};
use crate::error::CommandError;
use crate::listing::amount;
use crate::output;

/// A new account.
#[derive(Debug, Args)]
pub(crate) struct NewAccount {
    /// Name of the account
    name: String,
    /// Name of the bank
    #[arg(long)]
    bank: String,
    /// Currency [default: the currency of the user]
    #[arg(long, value_parser = user::currency)]
    currency: Option<Currency>,
    /// Kind of the account
    #[arg(long = "type", value_parser = kind(), value_name = "TYPE", default_value = "checking")]
    kind: AccountKind,
    /// IBAN or number, by which files find the account
    #[arg(long)]
    number: Option<String>,
    /// Day on which the account was opened: the balance before was 0
    #[arg(long, value_name = "DAY")]
    opened_on: Option<Date>,
    #[command(flatten)]
    owner: Owner,
    #[command(flatten)]
    rehearsal: Rehearsal,
}

/// The kinds of accounts that a person creates.
const KINDS: [(&str, AccountKind); 6] = [
    ("checking", AccountKind::Checking),
    ("savings", AccountKind::Savings),
    ("card", AccountKind::Card),
    ("loan", AccountKind::Loan),
    ("investment", AccountKind::Investment),
    ("cash", AccountKind::Cash),
];

fn kind() -> impl TypedValueParser<Value = AccountKind> {
    let kind_of = |text: String| KINDS.into_iter().find_map(|(name, kind)| (name == text).then_some(kind));
    PossibleValuesParser::new(KINDS.map(|(name, _)| name))
        .map(move |text| kind_of(text).expect("the possible values are those of the table"))
}

/// A new name.
#[derive(Debug, Args)]
pub(crate) struct Renaming {
    #[command(flatten)]
    chosen: ChosenAccount,
    /// New name
    name: String,
    #[command(flatten)]
    rehearsal: Rehearsal,
}

/// A balance.
#[derive(Debug, Args)]
pub(crate) struct Balance {
    #[command(flatten)]
    chosen: ChosenAccount,
    /// Balance in the currency of the account, such as 1234.50; money owed is negative
    #[arg(value_parser = cents, allow_negative_numbers = true)]
    amount: i64,
    /// Day at whose end the account had the balance [default: the present balance]
    #[arg(long, value_name = "DAY")]
    on: Option<Date>,
    #[command(flatten)]
    rehearsal: Rehearsal,
}

/// The days of an account that can be changed. At least one must be given.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
struct ChangedDays {
    /// Day on which the account was opened: the balance before was 0
    #[arg(long, value_name = "DAY")]
    opened_on: Option<Date>,
    /// First day from which on every transaction is stored
    #[arg(long, value_name = "DAY", alias = "rows-complete-from")]
    covered_from: Option<Date>,
}

/// The new days of an account.
#[derive(Debug, Args)]
pub(crate) struct Update {
    #[command(flatten)]
    chosen: ChosenAccount,
    #[command(flatten)]
    changes: ChangedDays,
    #[command(flatten)]
    rehearsal: Rehearsal,
}

/// An account that is part of another one.
#[derive(Debug, Args)]
pub(crate) struct Merge {
    #[command(flatten)]
    chosen: ChosenAccount,
    /// The account that takes the files: its name, its id, or its id in a bundle
    #[arg(long, value_name = "ACCOUNT")]
    into: String,
    /// Merge files with days on which the other account has transactions of a bundle or ledger: both count
    #[arg(long)]
    beside_others: bool,
    #[command(flatten)]
    rehearsal: Rehearsal,
}

/// The end of an account.
#[derive(Debug, Args)]
pub(crate) struct Closing {
    #[command(flatten)]
    chosen: ChosenAccount,
    /// Day from which on the account does not count
    #[arg(long, value_name = "DAY")]
    on: Date,
    #[command(flatten)]
    rehearsal: Rehearsal,
}

/// An account to delete.
#[derive(Debug, Args)]
pub(crate) struct Deletion {
    #[command(flatten)]
    chosen: ChosenAccount,
    #[command(flatten)]
    confirmation: Confirmation,
    #[command(flatten)]
    rehearsal: Rehearsal,
}

/// Creates an account, and its bank if there is none of this name.
pub(super) async fn create(client: &mut Client, wanted: &NewAccount) -> Result<(), CommandError> {
    let person = wanted.owner.find(client).await?;
    let user_id = person.user_id;
    let currency = user::currency_or_own(wanted.currency, &person)?;
    let source = wanted.number.clone().unwrap_or_else(|| format!("{}/{}", wanted.bank, wanted.name));
    let same = |name: &str, other: &str| name.to_lowercase() == other.to_lowercase();
    let known =
        accounts::banks(client, user_id).await?.into_iter().find(|bank| same(&bank.name, &wanted.bank));
    let bank = new_account::bank(user_id, &wanted.bank);
    let bank_id = known.as_ref().map_or(bank.bank_id, |known| known.bank_id);
    let numbered = |number: &str| {
        let source = format!("{source}{number}");
        new_account::account(user_id, bank_id, &source, &wanted.name, wanted.kind, currency)
    };
    let stored = accounts::list(client, Selection { user_id: Some(user_id), account_id: None }).await?;
    let is_stored = |id| stored.iter().any(|other| other.account_id == id);
    let mut account = match &wanted.number {
        Some(_) => numbered(""),
        None => first_free(numbered, is_stored),
    };
    account.opened_on = wanted.opened_on;
    let is_known = |other: &&StoredAccount| {
        other.account_id == account.account_id
            || same(&other.name, &wanted.name) && same(&other.bank, &wanted.bank)
    };
    if let Some(other) = stored.iter().find(is_known) {
        let rule = format!("must not be an account that exists: {} {}", other.bank, other.name);
        return Err(CommandError::input(Fault::new("NAME", rule).received(wanted.name.clone())));
    }
    let name = account.name.clone();
    let bank = known.is_none().then_some(Record::Bank(bank));
    load::store(client, bank.into_iter().chain([Record::Account(account)]), "the account", wanted.rehearsal)
        .await?;
    output::lines([format!("created {name} of {}", wanted.bank)])
}

/// Changes the name of an account.
pub(super) async fn rename(client: &mut Client, wanted: &Renaming) -> Result<(), CommandError> {
    let account = wanted.chosen.find(client).await?;
    let changes = AccountChanges { name: Some(wanted.name.trim()), ..AccountChanges::default() };
    if wanted.name.trim().is_empty() {
        return Err(CommandError::input(Fault::new("NAME", "must not be empty")));
    }
    change(client, &account, changes, wanted.rehearsal).await?;
    output::lines([format!("renamed {} to {}", account.name, wanted.name.trim())])
}

/// Stores a balance: the present one, or that of the end of a day.
pub(super) async fn balance(client: &mut Client, wanted: &Balance) -> Result<(), CommandError> {
    let account = wanted.chosen.find(client).await?;
    let shown = format!("{} {}", amount(wanted.amount), account.currency);
    let Some(as_of) = wanted.on else {
        let changes = AccountChanges { balance_cents: Some(wanted.amount), ..AccountChanges::default() };
        change(client, &account, changes, wanted.rehearsal).await?;
        return output::lines([format!("{}: the balance is {shown}", account.name)]);
    };
    let snapshot = BalanceSnapshot {
        user_id: account.user_id,
        account_id: account.account_id,
        as_of,
        balance_cents: wanted.amount,
    };
    load::store(client, [Record::BalanceSnapshot(snapshot)], "the balance", wanted.rehearsal).await?;
    output::lines([format!("{}: the balance at the end of {as_of} is {shown}", account.name)])
}

/// Changes the days of an account.
pub(super) async fn update(client: &mut Client, wanted: &Update) -> Result<(), CommandError> {
    let account = wanted.chosen.find(client).await?;
    let ChangedDays { opened_on, covered_from } = wanted.changes;
    if let (Some(opened), Some(closed)) = (opened_on, account.closed_on)
        && opened > closed
    {
        let rule = format!("must not be after {closed}, when the account was closed");
        return Err(CommandError::input(Fault::new("--opened-on", rule).received(opened.to_string())));
    }
    let changes = AccountChanges { opened_on, rows_complete_from: covered_from, ..AccountChanges::default() };
    change(client, &account, changes, wanted.rehearsal).await?;
    output::lines([format!("updated {}", account.name)])
}

/// Closes an account.
pub(super) async fn close(client: &mut Client, wanted: &Closing) -> Result<(), CommandError> {
    let account = wanted.chosen.find(client).await?;
    if let Some(opened) = account.opened_on.filter(|opened| *opened > wanted.on) {
        let rule = format!("must not be before {opened}, when the account was opened");
        return Err(CommandError::input(Fault::new("--on", rule).received(wanted.on.to_string())));
    }
    let changes = AccountChanges { closed_on: Some(wanted.on), ..AccountChanges::default() };
    change(client, &account, changes, wanted.rehearsal).await?;
    output::lines([format!("{} is closed from {} on", account.name, wanted.on)])
}

/// Moves all files of an account to another one of the same currency, and deletes the account.
pub(super) async fn merge(client: &mut Client, wanted: &Merge) -> Result<(), CommandError> {
    let account = wanted.chosen.find(client).await?;
    let into = find(client, "--into", &wanted.into, Some(account.user_id)).await?;
    let rule = match () {
        () if into.account_id == account.account_id => "must be another account".to_owned(),
        () if into.currency != account.currency => format!("must have the currency {}", account.currency),
        () => String::new(),
    };
    if !rule.is_empty() {
        return Err(CommandError::input(Fault::new("--into", rule).received(into.name)));
    }
    let from = StatementsOf::Account(account.account_id);
    let options = ImportOptions { beside_others: wanted.beside_others, ..options(wanted.rehearsal) };
    let merged = import::move_statements(client, account.user_id, from, into.account_id, options)
        .await
        .map_err(|error| CommandError::from(error).map_faults(remedies::name_import_flags))?;
    transaction::note_dry_run(wanted.rehearsal);
    // An account that an import made is gone already.
    let selection = Selection { user_id: Some(account.user_id), account_id: Some(account.account_id) };
    match accounts::list(client, selection).await?.first() {
        Some(left) if left.transactions == 0 && !left.has_holdings => {
            import::delete_account(client, left.user_id, left.account_id, options).await?;
        }
        Some(left) if merged.inserted == 0 => {
            let rule = match left.transactions {
                0 => "must have imported files: it has only holdings".to_owned(),
                number => format!("must have imported files: its {number} transactions are of no file"),
            };
            return Err(CommandError::input(Fault::new("ACCOUNT", rule).received(account.name)));
        }
        Some(left) if !wanted.rehearsal.dry_run => {
            let rest = match left.transactions {
                0 => "it has holdings".to_owned(),
                number => format!("{number} of its transactions are of no file"),
            };
            output::note(&format!("{} stays, because {rest}", left.name));
        }
        _ => {}
    }
    let (inserted, name) = (merged.inserted, into.name);
    output::lines([format!("merged {} into {name}: {inserted} transactions", account.name)])
}

/// Deletes an account after a confirmation.
pub(super) async fn delete(client: &mut Client, wanted: &Deletion) -> Result<(), CommandError> {
    let account = wanted.chosen.find(client).await?;
    let query =
        format!("Delete {} of {} with {} transactions?", account.name, account.bank, account.transactions);
    confirm(&query, wanted.confirmation, wanted.rehearsal)?;
    import::delete_account(client, account.user_id, account.account_id, options(wanted.rehearsal)).await?;
    transaction::note_dry_run(wanted.rehearsal);
    output::lines([format!("deleted {}", account.name)])
}

async fn change(
    client: &mut Client,
    account: &StoredAccount,
    changes: AccountChanges<'_>,
    rehearsal: Rehearsal,
) -> Result<(), CommandError> {
    let transaction = client.transaction().await?;
    accounts::update(&transaction, account.user_id, account.account_id, changes).await?;
    transaction::end(transaction, rehearsal).await
}
