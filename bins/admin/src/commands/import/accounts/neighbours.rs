//! The account that earlier files decide, and the files that wait for another file of their account, because it has a fault.

use std::path::{Path, PathBuf};

use passbook_ingest::import::{AccountMatch, is_alike, match_account};
use passbook_statements::Statement;
use uuid::Uuid;

use super::super::chosen_accounts::ChosenAccounts;
use super::Accounts;
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
