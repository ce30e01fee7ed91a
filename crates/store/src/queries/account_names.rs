//! The names of accounts and of their banks. A second query of a few rows costs less than a join for each row of a long list.

use std::collections::HashMap;

use uuid::Uuid;

use crate::error::Error;
use crate::row::Rows;

/// The names of a user's accounts and of their banks, by account.
pub(super) struct AccountNames<'a>(HashMap<Uuid, (&'a str, &'a str)>);

impl<'a> AccountNames<'a> {
    /// Reads the rows of `account_names.sql`.
    pub(super) fn new(rows: &'a Rows) -> Result<AccountNames<'a>, Error> {
        let names =
            rows.map(|row| Ok((row.get("account_id")?, (row.get("account_name")?, row.get("bank_name")?))))?;
        Ok(AccountNames(names.into_iter().collect()))
    }

    /// Returns the names of an account and of its bank.
    pub(super) fn find(&self, account: Uuid) -> Option<(&'a str, &'a str)> {
        self.0.get(&account).copied()
    }
}
