//! The report of an import: every part of the ledger that was left out or changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use passbook_domain::Currency;

/// Counts of what was imported, and lists of what was left out or changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Number of transactions in the ledger, padding transactions included.
    pub transactions: usize,
    /// Number of transaction rows that the import created.
    pub rows: usize,
    /// Number of rows that are one side of a transfer between own accounts.
    pub transfer_rows: usize,
    /// Income and expense accounts that match no pattern of the account map, sorted. Their rows have the category
    /// `OTHER_INCOME` or `UNCATEGORIZED`.
    pub unmapped_accounts: Vec<String>,
    /// Kinds of entries that were left out, sorted.
    pub skipped: Vec<Skipped>,
    /// Rows whose amount has more than two decimals. The amount was rounded half away from zero.
    pub rounded: Vec<Rounded>,
    /// Number of refunds that are linked to their purchase.
    pub linked_refunds: usize,
    /// Refunds whose purchase was not identified, by date.
    pub unlinked_refunds: Vec<UnlinkedRefund>,
}

/// A kind of entry that was left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// Name of the kind, such as `postings of VACHR`.
    pub what: String,
    /// The reason why entries of this kind are not imported.
    pub reason: &'static str,
    /// Number of entries of this kind.
    pub count: usize,
}

/// A row whose amount was rounded to hundredths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounded {
    /// File and line of the transaction, as text.
    pub place: String,
    /// The amount as written in the ledger.
    pub amount: String,
    /// The imported amount in hundredths.
    pub amount_cents: i64,
}

/// A refund whose purchase was not identified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlinkedRefund {
    /// File and line of the transaction, as text.
    pub place: String,
    /// Name of the expense account in the ledger.
    pub account: String,
    /// Refunded amount in hundredths of `currency`.
    pub amount_cents: i64,
    /// Currency of the refund.
    pub currency: Currency,
    /// The reason: no purchase matches, or several.
    pub reason: &'static str,
}

impl fmt::Display for UnlinkedRefund {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnlinkedRefund { place, account, amount_cents, currency, reason } = self;
        let (whole, hundredths) = (amount_cents / 100, amount_cents % 100);
        write!(f, "{place}: {whole}.{hundredths:02} {currency}, {account} ({reason})")
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} transactions, {} rows, {} of them transfers",
            self.transactions, self.rows, self.transfer_rows
        )?;
        for account in &self.unmapped_accounts {
            writeln!(f, "not in the account map: {account}")?;
        }
        for Skipped { what, reason, count } in &self.skipped {
            writeln!(f, "left out: {count} {what} ({reason})")?;
        }
        for Rounded { place, amount, amount_cents } in &self.rounded {
            writeln!(f, "rounded: {place}: {amount} to {amount_cents} hundredths")?;
        }
        if self.linked_refunds > 0 {
            writeln!(f, "refunds linked to their purchase: {}", self.linked_refunds)?;
        }
        for refund in &self.unlinked_refunds {
            writeln!(f, "refund without a purchase: {refund}")?;
        }
        Ok(())
    }
}

/// Collects the report while the import runs.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) report: Report,
    unmapped: BTreeSet<String>,
    skipped: BTreeMap<(String, &'static str), usize>,
}

impl Notes {
    /// Records that an entry was left out.
    pub(super) fn skip(&mut self, what: impl Into<String>, reason: &'static str) {
        *self.skipped.entry((what.into(), reason)).or_default() += 1;
    }

    /// Records an account that matches no pattern of the account map.
    pub(super) fn unmapped(&mut self, account: &str) {
        self.unmapped.insert(account.to_owned());
    }

    /// Returns the report.
    pub(super) fn finish(mut self) -> Report {
        self.report.unmapped_accounts = self.unmapped.into_iter().collect();
        let skipped = self.skipped.into_iter();
        self.report.skipped =
            skipped.map(|((what, reason), count)| Skipped { what, reason, count }).collect();
        self.report
    }
}
