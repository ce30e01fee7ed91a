//! The accounts of the files to import: found, created, or missing.

use std::path::Path;

use passbook_domain::Currency;
use passbook_domain::bank::BankStatus;
use passbook_domain::portfolio::AccountType;
use passbook_ingest::accounts::{self, Selection, StoredAccount};
use passbook_ingest::import::{AccountMatch, OwnAccount, match_account, own_accounts, references};
use passbook_input::Fault;
use passbook_records::id;
use passbook_records::record::{Account, Bank};
use passbook_statements::{AccountKind, AccountReference, Statement};
use serde_json::{Value, json};
use tokio_postgres::Client;
use uuid::Uuid;

use super::chosen_accounts::ChosenAccounts;
use super::files::FileImport;
use crate::chosen;
use crate::error::CommandError;
use crate::listing;

/// Maximum number of accounts that a message lists.
const LISTED_MAX: usize = 20;

/// The accounts of the user, and those to create.
pub(super) struct Accounts {
    user_id: Uuid,
    own: Vec<OwnAccount>,
    stored: Vec<StoredAccount>,
    known: Vec<(AccountReference, Uuid)>,
    new: Vec<(Bank, Account)>,
}

/// A statement without an account, and the rows that would be its account.
pub(super) struct MissingAccount {
    rule: String,
    received: String,
    /// The rows that would be its account, if the file says enough.
    rows: Option<Box<NewRows>>,
}

impl MissingAccount {
    /// The fault of the file.
    pub(super) fn fault(&self, path: &Path) -> Fault {
        Fault::new(format!("{}: account", path.display()), self.rule.clone()).received(self.received.clone())
    }
}

/// A new bank and account, and the account's identifier in a bundle.
type NewRows = (Bank, Account, String);

impl Accounts {
    pub(super) async fn read(client: &Client, user_id: Uuid) -> Result<Accounts, CommandError> {
        let (own, known) = (own_accounts(client, user_id).await?, references(client, user_id).await?);
        let stored = accounts::list(client, Selection { user_id: Some(user_id), account_id: None }).await?;
        Ok(Accounts { user_id, own, stored, known, new: Vec::new() })
    }

    /// Returns true if a text chooses an account of the user.
    pub(super) fn has(&self, text: &str) -> bool {
        self.named(text).is_ok()
    }

    /// Returns the account of a statement.
    pub(super) fn choose(
        &mut self,
        wanted: &FileImport,
        chosen: &ChosenAccounts<'_>,
        statement: &Statement,
        currency: Option<Currency>,
    ) -> Result<Uuid, MissingAccount> {
        let reference = &statement.account;
        let received = description(reference);
        let named = chosen.named(statement).or(chosen.default);
        let flags = chosen.flags(statement);
        if let (None, Some(_), Some(flags)) = (chosen.named(statement), chosen.default, &flags) {
            let rule = format!(
                "must not share the account of --account, because the files have several accounts: name each with \
                 {flags}"
            );
            return Err(MissingAccount { rule, received, rows: None });
        }
        let found = match named.map(|text| self.named(text)) {
            Some(Ok(account)) => AccountMatch::Found(account),
            Some(Err(fault)) => {
                let (rule, received) =
                    (format!("--account {}", fault.rule), named.unwrap_or_default().to_owned());
                return Err(MissingAccount { rule, received, rows: None });
            }
            None => match_account(self.user_id, reference, &self.own, &self.known),
        };
        let flags = flags.unwrap_or_else(|| "--account".to_owned());
        match found {
            AccountMatch::Found(account) => self.check_currency(account, reference, received),
            AccountMatch::Ambiguous => {
                let rule = format!(
                    "must belong to one account, but earlier files of this account were imported into several; name \
                     the account with {flags}"
                );
                Err(MissingAccount { rule, received, rows: None })
            }
            AccountMatch::Unknown => self.unknown(wanted, reference, currency, &flags),
        }
    }

    fn named(&self, text: &str) -> Result<Uuid, Fault> {
        chosen::choose(&self.stored, "--account", "an account of this user", text).map(|one| one.account_id)
    }

    fn check_currency(
        &self,
        account: Uuid,
        reference: &AccountReference,
        received: String,
    ) -> Result<Uuid, MissingAccount> {
        let stored = self.stored.iter().find(|one| one.account_id == account);
        let fits =
            |one: &StoredAccount| reference.currency.is_none_or(|currency| currency.as_str() == one.currency);
        match stored.filter(|one| !fits(one)) {
            Some(one) => {
                let rule = format!("must have the currency {} of the account {}", one.currency, one.name);
                Err(MissingAccount { rule, received, rows: None })
            }
            None => Ok(account),
        }
    }

    /// Plans the account of a file that no account fits, or returns the reason why there is none.
    fn unknown(
        &mut self,
        wanted: &FileImport,
        reference: &AccountReference,
        currency: Option<Currency>,
        flags: &str,
    ) -> Result<Uuid, MissingAccount> {
        let rows = rows(self.user_id, reference, currency);
        if let (true, Some((bank, account, _))) = (wanted.create_accounts, &rows) {
            let id = account.account_id;
            match self.new.iter().find(|(_, known)| known.account_id == id) {
                None => self.new.push((bank.clone(), account.clone())),
                Some((_, known)) if known.currency == account.currency => {}
                Some(_) => {
                    let rule = format!(
                        "must have an account for each currency, and new accounts have one currency: name each with \
                         {flags}"
                    );
                    return Err(MissingAccount { rule, received: description(reference), rows: None });
                }
            }
            return Ok(id);
        }
        let rule = match &rows {
            Some(_) => format!(
                "must have an account of this user: name one with {flags}, let --create-accounts create it, or load \
                 the rows below"
            ),
            None => format!(
                "must have an account of this user, but the file names none by IBAN or number: create one with \
                 `passbook-admin account create`, and name it with {flags}; accounts of this user: {}",
                self.listed()
            ),
        };
        Err(MissingAccount { rule, received: description(reference), rows: rows.map(Box::new) })
    }

    /// Returns the names of the accounts of the user.
    fn listed(&self) -> String {
        let names = self.stored.iter().take(LISTED_MAX).map(|one| format!("{} {}", one.bank, one.name));
        let names: Vec<String> = names.collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }

    /// Returns the banks and accounts to create.
    pub(super) fn new_accounts(&self) -> &[(Bank, Account)] {
        &self.new
    }
}

/// Returns the account of a file in words.
fn description(reference: &AccountReference) -> String {
    let parts = [&reference.bank_name, &reference.iban, &reference.bank, &reference.number, &reference.name];
    let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
    if parts.is_empty() { "a file that names no account".to_owned() } else { parts.join(" ") }
}

/// Returns the rows of a new bank and account, and the account's identifier in a bundle.
fn rows(user_id: Uuid, reference: &AccountReference, currency: Option<Currency>) -> Option<NewRows> {
    let currency = currency?;
    let qualified = || {
        Some(match (&reference.bank, reference.number.as_ref()?) {
            (Some(bank), number) => format!("{bank}/{number}"),
            (None, number) => number.clone(),
        })
    };
    let source = reference.iban.clone().or_else(qualified)?;
    let bank_name = reference.bank_name.clone().or_else(|| reference.bank.clone());
    let bank = bank(user_id, &bank_name.unwrap_or_else(|| "Bank".to_owned()));
    let name = reference.name.as_deref().unwrap_or(&source);
    let kind = reference.kind.unwrap_or(AccountKind::Checking);
    let account = account(user_id, bank.bank_id, &source, name, kind, currency);
    Some((bank, account, source))
}

/// Returns a bank whose accounts a person maintains.
pub(in crate::commands) fn bank(user_id: Uuid, name: &str) -> Bank {
    Bank {
        user_id,
        bank_id: id::derive(user_id, "bank", name),
        name: name.to_owned(),
        status: BankStatus::Manual,
        new_accounts_available: false,
        last_successful_update: None,
        last_failed_update: None,
        consent_expires_at: None,
        error_code: None,
    }
}

/// Returns an account without a balance. `source` is its identifier in a bundle.
pub(in crate::commands) fn account(
    user_id: Uuid,
    bank_id: Uuid,
    source: &str,
    name: &str,
    kind: AccountKind,
    currency: Currency,
) -> Account {
    let (account_type, subtype) = type_and_subtype(kind);
    Account {
        user_id,
        account_id: id::derive(user_id, "account", source),
        bank_id,
        name: name.to_owned(),
        account_type,
        subtype: subtype.to_owned(),
        currency,
        balance_cents: None,
        balance_updated_at: None,
        opened_on: None,
        closed_on: None,
        rows_complete_from: None,
        source: None,
    }
}

fn type_and_subtype(kind: AccountKind) -> (AccountType, &'static str) {
    match kind {
        AccountKind::Savings => (AccountType::Depository, "savings"),
        AccountKind::Card => (AccountType::Credit, "credit card"),
        AccountKind::Loan => (AccountType::Loan, "loan"),
        AccountKind::Cash => (AccountType::Other, "cash"),
        AccountKind::Investment => (AccountType::Investment, "brokerage"),
        AccountKind::Asset => (AccountType::Other, "asset"),
        AccountKind::Liability => (AccountType::Other, "liability"),
        AccountKind::Checking => (AccountType::Depository, "checking"),
    }
}

/// The statements without an account, of all files.
#[derive(Default)]
pub(super) struct MissingAccounts {
    faults: Vec<Fault>,
    rows: Vec<NewRows>,
}

impl MissingAccounts {
    pub(super) fn add(&mut self, path: &Path, account: MissingAccount) {
        let fault = account.fault(path);
        // A file may have many statements of one account.
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
        if let Some(rows) = account.rows
            && !self.rows.iter().any(|known| known.2 == rows.2)
        {
            self.rows.push(*rows);
        }
    }

    /// Returns the error with all faults, and prints the rows of the missing accounts.
    pub(super) fn none_or_error(self, accounts: &Accounts) -> Result<(), CommandError> {
        if self.faults.is_empty() {
            return Ok(());
        }
        if !self.rows.is_empty() {
            listing::print_json(&bundle(accounts.user_id, &self.rows))?;
        }
        Err(CommandError::Input(self.faults))
    }
}

/// Returns a bundle with banks and accounts.
fn bundle(user_id: Uuid, rows: &[NewRows]) -> Value {
    let mut banks: Vec<Value> = Vec::new();
    for (bank, ..) in rows {
        let row = json!({ "user": user_id, "id": bank.name, "name": bank.name, "status": "MANUAL" });
        if !banks.contains(&row) {
            banks.push(row);
        }
    }
    let account = |(bank, account, source): &NewRows| {
        json!({
            "user": user_id,
            "id": source,
            "bank": bank.name,
            "name": account.name,
            "type": account.account_type.as_str(),
            "subtype": account.subtype,
            "currency": account.currency,
        })
    };
    let accounts: Vec<Value> = rows.iter().map(account).collect();
    json!({ "format": "passbook-bundle", "version": 1, "banks": banks, "accounts": accounts })
}
