//! What an import did with everything it did not turn into rows: nothing is silently dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What was imported, and what was not and why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Transactions of the ledger that were read, the padding ones included.
    pub transactions: usize,
    /// Rows made of them.
    pub rows: usize,
    /// Rows among them that are a leg of a movement between own accounts.
    pub transfer_rows: usize,
    /// Income and expense accounts that no pattern of the map names, sorted. Their rows are `OTHER_INCOME` or
    /// `UNCATEGORIZED`.
    pub unmapped_accounts: Vec<String>,
    /// What was left out, sorted.
    pub skipped: Vec<Skipped>,
    /// Rows whose amount has more than two decimals and was rounded half away from zero.
    pub rounded: Vec<Rounded>,
}

/// Something that was left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// What it is, such as `postings of VACHR`.
    pub what: String,
    /// Why it is not imported.
    pub reason: &'static str,
    /// How many of it there are.
    pub count: usize,
}

/// A row whose amount was rounded to hundredths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounded {
    /// The transaction it stands in: file and line.
    pub place: String,
    /// The amount as written.
    pub amount: String,
    /// The amount that is imported, in hundredths.
    pub amount_cents: i64,
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
    /// Counts something that is left out.
    pub(super) fn skip(&mut self, what: impl Into<String>, reason: &'static str) {
        *self.skipped.entry((what.into(), reason)).or_default() += 1;
    }

    /// Names an account that no pattern matches.
    pub(super) fn unmapped(&mut self, account: &str) {
        self.unmapped.insert(account.to_owned());
    }

    /// The report, once everything is read.
    pub(super) fn finish(mut self) -> Report {
        self.report.unmapped_accounts = self.unmapped.into_iter().collect();
        let skipped = self.skipped.into_iter();
        self.report.skipped =
            skipped.map(|((what, reason), count)| Skipped { what, reason, count }).collect();
        self.report
    }
}
