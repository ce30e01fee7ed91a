//! The account that earlier files decide, and the files that wait for another file of their account, because it has a fault;
//! and files that belong to another account or bank than the one that the person chose.

use std::path::{Path, PathBuf};

use passbook_ingest::import::{AccountMatch, is_alike, match_account};
use passbook_statements::csv::builtin_profiles;
use passbook_statements::{AccountReference, Statement};
use uuid::Uuid;

use super::Accounts;
use crate::chosen::Choosable as _;
use crate::commands::import::chosen_accounts::ChosenAccounts;
use crate::commands::statement_file::{self, StatementFile};

impl Accounts<'_> {
    /// Returns the account of a statement as earlier files and accounts decide it.
    pub(super) fn known(&self, statement: &Statement, path: &Path) -> AccountMatch {
        let name = statement_file::name(path);
        match_account(self.user_id, statement, &name, &self.own, &self.memory.earlier)
    }

    /// Returns the file among unreadable ones that has a statement of the same account as one of these statements.
    pub(in crate::commands::import) fn faulty_neighbour<'f>(
        &self,
        chosen: &ChosenAccounts<'_>,
        file: &StatementFile,
        unreadable: &'f [(PathBuf, Vec<Statement>)],
    ) -> Option<&'f Path> {
        let account = |statement: &Statement, path: &Path| {
            let named = chosen.named(statement).or(chosen.default).and_then(|text| self.named(text).ok());
            named.or_else(|| match self.known(statement, path) {
                AccountMatch::Found(account) | AccountMatch::Remembered { account, .. } => Some(account),
                AccountMatch::Unknown | AccountMatch::Ambiguous => None,
            })
        };
        let source = |one: &Statement| (one.format, one.profile.clone(), one.account.clone());
        let shares = |one: &Statement, other: &Statement, path: &Path| {
            let accounts = (account(one, &file.path), account(other, path));
            let is_same_iban = one.account.iban.is_some() && one.account.iban == other.account.iban;
            is_same_iban
                || source(one) == source(other)
                || matches!(accounts, (Some(one), Some(other)) if one == other)
        };
        // Without a statement, the file may be like earlier ones.
        let is_like_earlier = |path: &Path, account: Uuid| {
            let name = statement_file::name(path);
            self.memory.earlier.iter().any(|one| one.account_id == account && is_alike(&one.file, &name))
        };
        let concerns = |(path, others): &&(PathBuf, Vec<Statement>)| {
            file.statements.iter().any(|one| {
                others.iter().any(|other| shares(one, other, path))
                    || others.is_empty()
                        && account(one, &file.path).is_some_and(|account| is_like_earlier(path, account))
            })
        };
        unreadable.iter().find(concerns).map(|(path, _)| path.as_path())
    }
}

impl Accounts<'_> {
    /// Returns the rule that a file breaks if it names another account, or another bank of the user, than the account that
    /// the person chose.
    pub(super) fn another_owner(&self, account: Uuid, reference: &AccountReference) -> Option<String> {
        let stored = self.stored.iter().find(|one| one.account_id == account)?;
        let of_files =
            self.memory.earlier.iter().filter(|one| one.account_id == account).map(|one| &one.reference);
        let number = |one: &AccountReference| one.iban.clone().or_else(|| one.number.clone());
        let named: Vec<&AccountReference> = of_files.filter(|one| number(one).is_some()).collect();
        let known: Vec<String> = named.iter().copied().filter_map(number).collect();
        let own = number(reference)?;
        let is_source = stored.has_id(&own);
        let differs = !known.is_empty() && !known.contains(&own) && !is_source;
        let remedy = "correct --account, or confirm it with --even-if-numbers-differ";
        differs.then(|| {
            format!(
                "must be a file of the account {}, whose other files name {}: {remedy}",
                stored.name,
                named[0].iban.clone().or_else(|| named[0].shown_number()).unwrap_or_default()
            )
        })
    }

    /// The same for the bank.
    pub(super) fn another_bank(&self, account: Uuid, reference: &AccountReference) -> Option<String> {
        let stored = self.stored.iter().find(|one| one.account_id == account)?;
        let own = reference.bank_name.as_ref()?.to_lowercase();
        let has_bank = self.stored.iter().any(|one| one.bank.to_lowercase() == own);
        // An account that a person created may have another name of the bank, but not one with files of another bank.
        let of_files = self.memory.earlier.iter().filter(|one| one.account_id == account);
        let bank_of = |profile: &String| builtin_profiles().iter().find(|one| one.name == *profile);
        let has_files_of_another = of_files
            .filter_map(|one| one.profile.as_ref().and_then(bank_of))
            .any(|profile| profile.bank.to_lowercase() != own);
        let differs = (has_bank || has_files_of_another) && stored.bank.to_lowercase() != own;
        differs.then(|| {
            format!(
                "must be a file of {}, the bank of the account {}: correct --account, or confirm it with \
                 --even-if-numbers-differ",
                stored.bank, stored.name
            )
        })
    }
}
