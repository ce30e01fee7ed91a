//! The accounts that the person named with `--account`: one for all files, or one for each account of the files.

use std::collections::{BTreeMap, BTreeSet};

use passbook_domain::Currency;
use passbook_input::Fault;
use passbook_statements::{AccountReference, Statement};

use super::super::statement_file::StatementFile;
use crate::output;

/// The kind of name that needs no other name.
const IBAN: &str = "IBAN";

/// The accounts on the command line.
pub(super) struct ChosenAccounts<'a> {
    /// The account of every statement that no name fits.
    pub(super) default: Option<&'a str>,
    /// Accounts by the name in the files.
    named: Vec<(&'a str, &'a str)>,
    accounts: FileAccounts,
}

/// The accounts that files name, by the kind of the name. Names of one kind are comparable: two IBANs are two accounts,
/// but an IBAN and a number may be the same account.
#[derive(Default)]
struct FileAccounts(BTreeMap<String, BTreeMap<String, FileAccount>>);

/// An account that files name.
#[derive(Default)]
struct FileAccount {
    /// The name as people may see it.
    shown: String,
    /// The name that a person knows. The numbers of apps are identifiers that only the app knows.
    title: Option<String>,
    currencies: BTreeSet<Currency>,
}

impl FileAccounts {
    fn add(&mut self, statement: &Statement) {
        if let Some((kind, name)) = name_of(statement) {
            let of_file = &statement.account;
            let hidden = of_file.number.as_deref().zip(of_file.shown_number());
            let shown = hidden.map_or_else(|| name.clone(), |(number, shown)| name.replace(number, &shown));
            let account = self.0.entry(kind).or_default().entry(name).or_default();
            account.shown = shown;
            account.title = statement.account.name.clone().or(account.title.take());
            account.currencies.extend(statement.account.currency);
        }
    }

    /// Returns the names of the accounts of one kind. An account with several currencies is several accounts.
    fn names(&self, kind: &str) -> Vec<String> {
        let Some(known) = self.0.get(kind) else { return Vec::new() };
        let has_title = |account: &FileAccount, title: &String| account.title.as_ref() == Some(title);
        let is_only = |title: &&String| known.values().filter(|other| has_title(other, title)).count() == 1;
        let names = known.values().flat_map(|account| {
            let name =
                account.title.as_ref().filter(is_only).filter(|_| kind != IBAN).unwrap_or(&account.shown);
            match account.currencies.len() {
                0 | 1 => vec![name.clone()],
                _ => account.currencies.iter().map(|currency| format!("{name} {currency}")).collect(),
            }
        });
        names.collect()
    }
}

/// Returns the name of a statement's account with the kind of the name.
fn name_of(statement: &Statement) -> Option<(String, String)> {
    let account = &statement.account;
    if let Some(iban) = &account.iban {
        return Some((IBAN.to_owned(), iban.clone()));
    }
    let source = format!("{}/{}", statement.format, statement.profile.as_deref().unwrap_or_default());
    if let Some(number) = &account.number {
        let name = account.bank.iter().chain([number]).map(String::as_str).collect::<Vec<_>>().join("/");
        return Some((format!("number {source}"), name));
    }
    account.name.clone().map(|name| (format!("name {source}"), name))
}

/// Returns true if a text on the command line names an account of a file.
fn names(text: &str, account: &AccountReference) -> bool {
    let numbers = || account.number.iter().cloned().chain(account.shown_number());
    let qualified = account.bank.iter().flat_map(|bank| numbers().map(move |one| format!("{bank}/{one}")));
    let plain = [&account.iban, &account.name].into_iter().flatten().cloned();
    plain.chain(numbers()).chain(qualified).any(|name| {
        let with_currency = account.currency.map(|currency| format!("{name} {currency}"));
        let is = |name: &str| name.trim().eq_ignore_ascii_case(text.trim());
        is(&name) || with_currency.is_some_and(|name| is(&name))
    })
}

impl<'a> ChosenAccounts<'a> {
    /// Reads the values of `--account`. `is_account` returns true for the id of an account of the person.
    ///
    /// # Errors
    /// Several accounts for all files, or a name that no file has or that several accounts have.
    pub(super) fn new(
        values: &'a [String],
        files: &[StatementFile],
        is_account: &dyn Fn(&str) -> bool,
    ) -> Result<ChosenAccounts<'a>, Vec<Fault>> {
        let mut chosen =
            ChosenAccounts { default: None, named: Vec::new(), accounts: FileAccounts::default() };
        let mut faults = Vec::new();
        for value in values {
            match value.rsplit_once('=').filter(|_| !is_account(value)) {
                Some(pair) => chosen.named.push(pair),
                None if chosen.default.is_none_or(|known| known == value) => chosen.default = Some(value),
                None => {
                    let rule = "must be given once without the name of an account in the files; the other accounts \
                                need NAME=ID";
                    faults.push(Fault::new("--account", rule).received(value));
                }
            }
        }
        let statements = || files.iter().flat_map(|file| &file.statements);
        for (text, _) in &chosen.named {
            let mut fitting = FileAccounts::default();
            let own = statements().filter(|statement| names(text, &statement.account));
            own.for_each(|statement| fitting.add(statement));
            if fitting.0.is_empty() {
                let rule = "must be the IBAN, the number or the name of an account in the files; \
                            `passbook-admin preview FILE` shows them";
                faults.push(Fault::new("--account", rule).received(*text));
            }
            for names in fitting.0.keys().map(|kind| fitting.names(kind)).filter(|names| names.len() > 1) {
                let rule = format!("must name one account of the files: {}", names.join(" or "));
                faults.push(Fault::new("--account", rule).received(*text));
            }
        }
        let mut accounts = FileAccounts::default();
        let others = statements().filter(|statement| chosen.named(statement).is_none());
        others.for_each(|statement| accounts.add(statement));
        chosen.accounts = accounts;
        if faults.is_empty() { Ok(chosen) } else { Err(faults) }
    }

    /// Returns the account that the person named for a statement.
    pub(super) fn named(&self, statement: &Statement) -> Option<&'a str> {
        self.named.iter().find(|(text, _)| names(text, &statement.account)).map(|(_, account)| *account)
    }

    /// Returns the flags that name each account of the files, if they have several accounts of this kind.
    pub(super) fn flags(&self, statement: &Statement) -> Option<String> {
        let (kind, _) = name_of(statement)?;
        let names = self.accounts.names(&kind);
        let flag = |name: &String| format!("--account {}", output::argument(&format!("{name}=ID")));
        (names.len() > 1).then(|| names.iter().map(flag).collect::<Vec<_>>().join(" "))
    }
}
