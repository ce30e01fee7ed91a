//! The accounts of a book.

use std::collections::HashMap;

use super::super::AccountKind;

/// Maximum depth of the tree of accounts.
const ACCOUNT_DEPTH_MAX: usize = 64;

/// An account of the book.
#[derive(Debug)]
pub(super) struct Account {
    pub(super) name: String,
    /// Type as written: `BANK`, `EXPENSE` …
    pub(super) kind: String,
    pub(super) parent: Option<String>,
    /// Index of its statement, if it is an own account.
    pub(super) statement: Option<usize>,
    /// True for the equity account of opening balances.
    pub(super) is_opening: bool,
}

/// The accounts of the book by identifier.
pub(super) type Accounts = HashMap<String, Account>;

/// Returns the kind of an own account. Accounts of shares and of trading are left out.
pub(super) fn own_kind(kind: &str) -> Option<AccountKind> {
    match kind {
        "BANK" => Some(AccountKind::Checking),
        "CASH" => Some(AccountKind::Cash),
        "CREDIT" => Some(AccountKind::Card),
        "ASSET" | "RECEIVABLE" => Some(AccountKind::Asset),
        "LIABILITY" | "PAYABLE" => Some(AccountKind::Liability),
        _ => None,
    }
}

/// Returns the name of an account with those of its parents: `Expenses:Food`.
pub(super) fn full_name(id: &str, accounts: &Accounts) -> String {
    let mut names = Vec::new();
    let mut next = Some(id);
    while let Some(account) = next.and_then(|id| accounts.get(id)).filter(|account| account.kind != "ROOT") {
        names.push(account.name.as_str());
        next = account.parent.as_deref();
        if names.len() == ACCOUNT_DEPTH_MAX {
            break;
        }
    }
    names.reverse();
    names.join(":")
}
