//! The effect of the account map on a ledger, for the comparison of two maps.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

use passbook_domain::category::{ExpenseCategory, IncomeCategory};
use uuid::Uuid;

use super::account_map::AccountMap;
use super::ledger::Options;
use super::own_accounts::{OwnAccounts, is_liability};
use passbook_records::Located;
use passbook_records::record::Record;

/// The value that the map gives to an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mapped {
    /// The category of money spent.
    Expense,
    /// The category of money received.
    Income,
    /// Type and subtype of an account under Assets.
    Asset { securities: bool },
    /// Type and subtype of an account under Liabilities.
    Liability,
}

/// The accounts of an imported ledger that get a category or a type from the account map, with the number of their rows.
#[derive(Clone, Debug, Default)]
pub struct MappedAccounts(BTreeMap<(Arc<str>, Mapped), usize>);

/// An account that two maps categorise differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapChange {
    /// Name of the account in the ledger.
    pub account: String,
    /// Category, or type and subtype, by the former map.
    pub from: String,
    /// Category, or type and subtype, by the new map.
    pub to: String,
    /// Number of transaction rows of the account.
    pub rows: usize,
}

impl fmt::Display for MapChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MapChange { account, from, to, rows } = self;
        write!(f, "{account}: {from} -> {to} (rows: {rows})")
    }
}

impl MappedAccounts {
    /// Returns the accounts whose category or type differs between two maps, sorted by name.
    pub fn changes(&self, from: &AccountMap, to: &AccountMap) -> Vec<MapChange> {
        let changes = self.0.iter().map(|((account, mapped), rows)| MapChange {
            account: account.to_string(),
            from: value(from, account, *mapped),
            to: value(to, account, *mapped),
            rows: *rows,
        });
        changes.filter(|change| change.from != change.to).collect()
    }

    /// Counts rows of an account.
    pub(super) fn count(&mut self, account: &Arc<str>, mapped: Mapped, rows: usize) {
        *self.0.entry((account.clone(), mapped)).or_default() += rows;
    }

    /// Counts the rows of each of the owner's accounts.
    pub(super) fn count_own(&mut self, accounts: &OwnAccounts, options: &Options, records: &[Located]) {
        let mut rows: HashMap<Uuid, usize> = HashMap::new();
        for located in records {
            if let Record::Transaction(transaction) = &located.record {
                *rows.entry(transaction.account_id).or_default() += 1;
            }
        }
        for own in &accounts.all {
            let mapped = match is_liability(&own.ledger_name, options) {
                true => Mapped::Liability,
                false => Mapped::Asset { securities: own.holds_securities },
            };
            self.count(&own.ledger_name, mapped, rows.get(&own.account_id).copied().unwrap_or_default());
        }
    }
}

fn value(map: &AccountMap, account: &str, mapped: Mapped) -> String {
    let own = |liability, securities| {
        let (account_type, subtype) = map.own_account(account, liability, securities);
        format!("{}/{subtype}", account_type.as_str())
    };
    match mapped {
        Mapped::Expense => map.expense(account).unwrap_or(ExpenseCategory::Uncategorized).as_str().to_owned(),
        Mapped::Income => map.income(account).unwrap_or(IncomeCategory::OtherIncome).as_str().to_owned(),
        Mapped::Asset { securities } => own(false, securities),
        Mapped::Liability => own(true, false),
    }
}
