//! The list of the stored rows that a command removes.

use passbook_ingest::load::{Removal, RemovedTransaction};

use crate::{listing, output};

/// Prints the rows that are going to be removed on standard error: the first transactions, and then the numbers by
/// account and by table.
pub(super) fn list(removal: &Removal) {
    lines(removal).iter().for_each(|line| output::note(line));
}

fn lines(removal: &Removal) -> Vec<String> {
    let mut lines = Vec::new();
    if removal.transactions > 0 {
        let (removed, stored) = (removal.transactions, removal.stored);
        lines.push(format!("removing {removed} of {stored} stored transactions"));
        let heading = ["date", "amount", "currency", "title", "account"];
        lines.extend(output::table(heading, removal.first.iter().map(row)));
        let more = removed - removal.first.len() as u64;
        if more > 0 {
            lines.push(format!("and {more} more"));
        }
        lines.extend(counts("account", "transactions", &removal.by_account));
    }
    if !removal.other_tables.is_empty() {
        lines.extend(counts("removing from table", "rows", &removal.other_tables));
    }
    lines
}

fn row(transaction: &RemovedTransaction) -> [String; 5] {
    [
        transaction.date.to_string(),
        listing::amount(transaction.amount_cents),
        transaction.currency.clone(),
        output::printable(&transaction.title),
        output::printable(&transaction.account),
    ]
}

fn counts(name: &str, number: &str, counts: &[(impl AsRef<str>, u64)]) -> Vec<String> {
    let row = |(name, count): &(_, u64)| [output::printable(AsRef::as_ref(name)), count.to_string()];
    output::table([name, number], counts.iter().map(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn removal(transactions: u64, first: Vec<RemovedTransaction>) -> Removal {
        let by_account = vec![("Checking".to_owned(), transactions)];
        Removal { stored: 50, transactions, first, by_account, other_tables: Vec::new() }
    }

    fn transaction(cents: i64, title: &str) -> RemovedTransaction {
        RemovedTransaction {
            date: jiff::civil::date(2026, 11, 5),
            amount_cents: cents,
            currency: "EUR".to_owned(),
            title: title.to_owned(),
            account: "Checking".to_owned(),
        }
    }

    #[test]
    fn transactions_are_listed_with_counts_by_account() {
        let first = vec![transaction(-1_205, "Kiosk\u{1b}[2J"), transaction(300_000, "Salary")];
        assert_eq!(
            lines(&removal(22, first)),
            [
                "removing 22 of 50 stored transactions",
                "date        amount   currency  title      account",
                "2026-11-05  -12.05   EUR       Kiosk [2J  Checking",
                "2026-11-05  3000.00  EUR       Salary     Checking",
                "and 20 more",
                "account   transactions",
                "Checking  22",
            ]
        );
    }

    #[test]
    fn other_tables_are_listed_alone_if_no_transaction_is_removed() {
        let removal = Removal { other_tables: vec![("budgets", 1), ("holdings", 12)], ..Removal::default() };
        assert_eq!(
            lines(&removal),
            ["removing from table  rows", "budgets              1", "holdings             12"]
        );
    }
}
