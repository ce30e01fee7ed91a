//! The accounts of the files to import: found, created, or missing.

mod neighbours;

use std::path::Path;

use passbook_domain::Currency;
use passbook_domain::portfolio::AccountType;
use passbook_ingest::accounts::{self, Selection, StoredAccount};
use passbook_ingest::import::{AccountMatch, OwnAccount, is_alike, own_accounts};
use passbook_input::Fault;
use passbook_records::id;
use passbook_records::record::{Account, Bank};
use passbook_statements::{AccountKind, AccountReference, Statement, masked};
use tokio_postgres::Client;
use uuid::Uuid;

use super::chosen_accounts::ChosenAccounts;
use super::files::FileImport;
use crate::chosen;
use crate::commands::dialogue::Dialogue;
use crate::commands::memory::Memory;
use crate::commands::statement_file;
use crate::error::CommandError;

/// The accounts of files that name none by IBAN or number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Unnumbered {
    /// The command line names them.
    #[default]
    Named,
    /// A dialogue chooses a stored account, or a new one of the bank's and the file's name.
    By(Dialogue),
}

/// The accounts of the user, and those to create.
pub(super) struct Accounts<'a> {
    user_id: Uuid,
    own: Vec<OwnAccount>,
    stored: Vec<StoredAccount>,
    memory: &'a Memory,
    /// The accounts that earlier files decided, in words.
    notes: Vec<String>,
    new: Vec<(Bank, Account)>,
    /// The new accounts of files that name none, each with the name of such a file.
    unnamed: Vec<(Uuid, String)>,
}

/// A statement without an account.
pub(super) struct MissingAccount {
    rule: String,
    received: String,
}

impl MissingAccount {
    /// The fault of the file.
    pub(super) fn fault(&self, path: &Path) -> Fault {
        Fault::new(format!("{}: account", path.display()), self.rule.clone()).received(self.received.clone())
    }
}

impl<'a> Accounts<'a> {
    pub(super) async fn read(
        client: &Client,
        user_id: Uuid,
        memory: &'a Memory,
    ) -> Result<Accounts<'a>, CommandError> {
        let own = own_accounts(client, user_id).await?;
        let stored = accounts::list(client, Selection { user_id: Some(user_id), account_id: None }).await?;
        Ok(Accounts { user_id, own, stored, memory, notes: Vec::new(), new: Vec::new(), unnamed: Vec::new() })
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
        (path, currency): (&Path, Option<Currency>),
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
            return Err(MissingAccount { rule, received });
        }
        let found = match named.map(|text| self.named(text)) {
            Some(Ok(account)) => AccountMatch::Found(account),
            Some(Err(fault)) => {
                let (rule, received) =
                    (format!("--account {}", fault.rule), named.unwrap_or_default().to_owned());
                return Err(MissingAccount { rule, received });
            }
            None => self.known(statement, path),
        };
        let flags = flags.unwrap_or_else(|| "--account".to_owned());
        if let AccountMatch::Found(account) = found
            && named.is_some()
            && !wanted.even_if_numbers_differ
            && let Some(rule) =
                self.another_owner(account, reference).or_else(|| self.another_bank(account, reference))
        {
            return Err(MissingAccount { rule, received });
        }
        match found {
            AccountMatch::Found(account) => self.check_currency(account, reference, received),
            AccountMatch::Remembered { account, file } => {
                let stored = self.stored.iter().find(|one| one.account_id == account);
                let name = stored.map_or("", |one| one.name.as_str());
                self.notes.push(format!("{received}: into {name}, as {file}"));
                Ok(account)
            }
            AccountMatch::Ambiguous => {
                let rule = format!(
                    "must belong to one account, but earlier files of this account were imported into several; name \
                     the account with {flags}"
                );
                Err(MissingAccount { rule, received })
            }
            AccountMatch::Unknown => {
                let is_nameless = reference.iban.is_none() && reference.number.is_none();
                match wanted.dialogue_about_accounts().filter(|_| is_nameless) {
                    Some(dialogue) => self.unnumbered(dialogue, reference, (path, currency)),
                    None => self.unknown(wanted, reference, currency, &flags),
                }
            }
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
                Err(MissingAccount { rule, received })
            }
            None => Ok(account),
        }
    }

    /// Chooses the account of a file that names none by IBAN or number: a stored one, or a new one of the bank and the name
    /// of the account, as far as the file states them, otherwise of the file.
    fn unnumbered(
        &mut self,
        dialogue: Dialogue,
        reference: &AccountReference,
        (path, currency): (&Path, Option<Currency>),
    ) -> Result<Uuid, MissingAccount> {
        let received = description(reference);
        let missing = |rule: String| MissingAccount { rule, received: received.clone() };
        let currency = currency.ok_or_else(|| {
            let rule = "must have a currency, which the file does not state: create the account with `passbook-admin account \
                        create`, and name it with --account";
            missing(rule.to_owned())
        })?;
        let bank_name = reference.bank_name.as_ref().or(reference.bank.as_ref()).cloned();
        let bank_name = bank_name.unwrap_or_else(|| statement_file::bank(path));
        let name = reference.name.as_deref().unwrap_or("Account");
        let same = |one: &str, other: &str| one.to_lowercase() == other.to_lowercase();
        let of_bank = |one: &&StoredAccount| same(&one.bank, &bank_name) && one.currency == currency.as_str();
        if let Some(known) = self.stored.iter().filter(of_bank).find(|one| same(&one.name, name)) {
            return Ok(known.account_id);
        }
        let bank = bank(self.user_id, &bank_name);
        let is_stored = |id: Uuid| self.stored.iter().any(|one| one.account_id == id);
        let numbered = |number: &str| {
            let source = format!("{bank_name}/{name}{number} {currency}");
            account(self.user_id, bank.bank_id, &source, name, AccountKind::Checking, currency)
        };
        // An earlier file with this name of an account created it, and the person renamed it.
        let renamed = numbered("").account_id;
        if reference.name.is_some() && is_stored(renamed) {
            return self.check_currency(renamed, reference, received);
        }
        let account = first_free(numbered, is_stored);
        let id = account.account_id;
        let file = statement_file::name(path);
        let unlike = self.unnamed.iter().find(|(known, other)| *known == id && !is_alike(other, &file));
        if dialogue == Dialogue::Suggestions && reference.name.is_none() {
            let others = chosen::listed(self.stored.iter().filter(of_bank));
            let others = unlike.map_or(others, |(_, other)| format!("that of {other}"));
            if !others.is_empty() {
                return Err(missing(format!(
                    "must belong to one account: it names none, and may be of a new account or of {others}; name the account \
                     with --account"
                )));
            }
        }
        let prompt = format!(
            "{received} has no number. Enter for a new account {bank_name} {name}, {currency}, or the name of one of: {}",
            self.listed()
        );
        let is_new = "";
        let choice = dialogue.value(&prompt, "--account", Some(is_new), |text| match text {
            "" => Ok(None),
            text => {
                let account = self.named(text).map_err(|fault| fault.rule)?;
                self.another_bank(account, reference).map_or(Ok(Some(account)), Err)
            }
        });
        if let Some(account) =
            choice.map_err(|_| missing("must have an account, and no answer was accepted".to_owned()))?
        {
            return self.check_currency(account, reference, received);
        }
        self.unnamed.push((id, file));
        if !self.new.iter().any(|(_, known)| known.account_id == id) {
            self.new.push((bank, account));
        }
        Ok(id)
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
        if let (true, Some((bank, account))) = (wanted.create_accounts, &rows) {
            let id = account.account_id;
            match self.new.iter().find(|(_, known)| known.account_id == id) {
                None => self.new.push((bank.clone(), account.clone())),
                Some((_, known)) if known.currency == account.currency => {}
                Some(_) => {
                    let rule = format!(
                        "must have an account for each currency, and new accounts have one currency: name each with \
                         {flags}"
                    );
                    return Err(MissingAccount { rule, received: description(reference) });
                }
            }
            return Ok(id);
        }
        let rule = match &rows {
            Some(_) => format!(
                "must have an account of this user: name one with {flags}, or let --create-accounts create it"
            ),
            None => format!(
                "must have an account of this user, but the file names none by IBAN or number: create one with \
                 `passbook-admin account create`, and name it with {flags}, or let --create-accounts create it; accounts of \
                 this user: {}",
                self.listed()
            ),
        };
        Err(MissingAccount { rule, received: description(reference) })
    }

    /// Returns the accounts of the user in one line.
    fn listed(&self) -> String {
        if self.stored.is_empty() { "none".to_owned() } else { chosen::listed(&self.stored) }
    }

    /// Returns the accounts that earlier files decided, in words.
    pub(super) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the banks and accounts to create.
    pub(super) fn new_accounts(&self) -> &[(Bank, Account)] {
        &self.new
    }
}

/// Returns the account of a file in words.
fn description(reference: &AccountReference) -> String {
    let AccountReference { bank_name, iban, bank, name, .. } = reference;
    let parts = [bank_name, iban, bank, &reference.shown_number(), name];
    let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
    if parts.is_empty() { "a file that names no account".to_owned() } else { parts.join(" ") }
}

/// Returns the account without a number, or else with the first number (` 2`, ` 3` and so on) whose identifier is not stored. The
/// identifier depends on the first name, which a renamed account may have given up.
pub(in crate::commands) fn first_free(
    numbered: impl Fn(&str) -> Account,
    is_stored: impl Fn(Uuid) -> bool,
) -> Account {
    let further = (2_u64..).map(|number| format!(" {number}"));
    let mut accounts = std::iter::once(String::new()).chain(further).map(|number| numbered(&number));
    accounts.find(|account| !is_stored(account.account_id)).expect("a number is free")
}

/// Returns the rows of a new bank and account.
fn rows(user_id: Uuid, reference: &AccountReference, currency: Option<Currency>) -> Option<(Bank, Account)> {
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
    let kind = reference.kind.unwrap_or(AccountKind::Checking);
    let name = reference.name.clone().unwrap_or_else(|| match &reference.number {
        // The number of a card is a secret.
        Some(number) if reference.iban.is_none() => format!("{} {}", title(kind), masked(number)),
        _ => source.clone(),
    });
    let account = account(user_id, bank.bank_id, &source, &name, kind, currency);
    Some((bank, account))
}

/// Returns a bank whose accounts a person maintains.
pub(in crate::commands) fn bank(user_id: Uuid, name: &str) -> Bank {
    Bank::manual(user_id, id::derive(user_id, "bank", name), name)
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

/// Returns the title of an account of this kind.
fn title(kind: AccountKind) -> &'static str {
    match kind {
        AccountKind::Checking => "Checking",
        AccountKind::Savings => "Savings",
        AccountKind::Card => "Card",
        AccountKind::Loan => "Loan",
        AccountKind::Cash => "Cash",
        AccountKind::Investment => "Investment",
        AccountKind::Asset => "Asset",
        AccountKind::Liability => "Liability",
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
