//! Maps an aggregator's personal-finance category codes to Passbook's categories.
//!
//! The table is `data/plaid_categories.csv`: primary code, detailed code, type and category. The types are `I`
//! (income), `E` (expense) and `X` (internal transfer). A star after the type means: an internal transfer if the
//! counterpart is linked, otherwise income or expense by the direction. An unknown detailed code takes the row "other"
//! of its primary code. A code of an unknown primary is uncategorised.

use std::collections::HashMap;
use std::sync::LazyLock;

use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_domain::transaction::TransactionType;

/// The direction of a transaction, seen from the account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Money received.
    In,
    /// Money spent.
    Out,
}

/// The meaning of an aggregator's category code, for money in either direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Meaning {
    kind: Kind,
    category: Category,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Income,
    Expense,
    /// Always an internal transfer, also without a known counterpart: loan proceeds, because borrowed money is not
    /// income.
    Internal,
    /// An internal transfer if the counterpart is linked; otherwise income or expense.
    Transfer,
}

/// The meanings of every detailed code, and of every primary code (its fallback row).
static MEANINGS: LazyLock<HashMap<&'static str, Meaning>> = LazyLock::new(|| {
    let mut meanings = HashMap::new();
    for (primary, detailed, meaning) in lines() {
        meanings.insert(detailed, meaning);
        if detailed[primary.len()..].starts_with("_OTHER") {
            meanings.insert(primary, meaning);
        }
    }
    meanings
});

/// Returns primary code, detailed code and meaning of each line of the table.
fn lines() -> impl Iterator<Item = (&'static str, &'static str, Meaning)> {
    let lines = include_str!("../data/plaid_categories.csv").lines().skip(1);
    lines.map(|line| read_line(line).expect("the table of categories is well formed"))
}

fn read_line(line: &'static str) -> Option<(&'static str, &'static str, Meaning)> {
    let mut cells = line.split(',');
    let (primary, detailed, kind, category) = (cells.next()?, cells.next()?, cells.next()?, cells.next()?);
    let kind = match kind {
        "I" => Kind::Income,
        "E" => Kind::Expense,
        "X" => Kind::Internal,
        "I*" | "E*" | "X*" => Kind::Transfer,
        _ => return None,
    };
    Some((primary, detailed, Meaning { kind, category: Category::parse(category).ok()? }))
}

/// Returns type and category of a transaction with an aggregator's code. `linked` is true if the counterpart on another
/// account of the same owner is known.
pub fn classify(code: &str, direction: Direction, linked: bool) -> (TransactionType, Category) {
    const UNCATEGORIZED: Category = Category::Expense(ExpenseCategory::Uncategorized);
    let Some(meaning) = find(code) else {
        return match direction {
            Direction::In => (TransactionType::Income, Category::Income(IncomeCategory::OtherIncome)),
            Direction::Out => (TransactionType::Expense, UNCATEGORIZED),
        };
    };
    match (meaning.kind, direction, meaning.category) {
        (Kind::Internal, _, category) => internal(category, direction),
        (Kind::Transfer, _, category) if linked => internal(category, direction),
        (Kind::Transfer, _, category) => unmatched(category, direction),
        // An uncategorised expense has an unknown purpose, so it is not known either that incoming money with the same
        // code is a refund.
        (_, Direction::In, UNCATEGORIZED) => {
            (TransactionType::Income, Category::Income(IncomeCategory::OtherIncome))
        }
        (_, Direction::In, Category::Expense(_)) => {
            (TransactionType::Income, Category::Income(IncomeCategory::Refund))
        }
        (_, Direction::In, category @ Category::Income(_)) => (TransactionType::Income, category),
        (_, Direction::Out, Category::Income(_)) => (TransactionType::Expense, UNCATEGORIZED),
        (_, Direction::Out, category @ Category::Expense(_)) => (TransactionType::Expense, category),
    }
}

/// Returns type and category of a transfer between own accounts. Only three categories are allowed, by direction.
fn internal(category: Category, direction: Direction) -> (TransactionType, Category) {
    let category = match (direction, category) {
        (Direction::In, _) => Category::Income(IncomeCategory::TransferIn),
        (Direction::Out, Category::Expense(ExpenseCategory::CreditCardPayment)) => category,
        (Direction::Out, _) => Category::Expense(ExpenseCategory::TransferOut),
    };
    (TransactionType::InternalTransfer, category)
}

/// Returns type and category of a transfer without a known counterpart, which counts as income or expense. A category
/// of the same side is unchanged, because it is more precise: `INVESTMENT` in, `CREDIT_CARD_PAYMENT` out.
pub fn unmatched(category: Category, direction: Direction) -> (TransactionType, Category) {
    match (direction, category) {
        (Direction::In, Category::Income(_)) => (TransactionType::Income, category),
        (Direction::In, Category::Expense(_)) => {
            (TransactionType::Income, Category::Income(IncomeCategory::TransferIn))
        }
        (Direction::Out, Category::Expense(_)) => (TransactionType::Expense, category),
        (Direction::Out, Category::Income(_)) => {
            (TransactionType::Expense, Category::Expense(ExpenseCategory::TransferOut))
        }
    }
}

/// Returns true if the table has the code or its primary code.
pub fn is_known_code(code: &str) -> bool {
    find(code).is_some()
}

/// Returns the meaning of a code from its own row of the table, otherwise from the row of the longest primary code that
/// it starts with.
fn find(code: &str) -> Option<Meaning> {
    let code = code.trim().to_ascii_uppercase();
    let mut rest = code.as_str();
    loop {
        if let Some(meaning) = MEANINGS.get(rest) {
            return Some(*meaning);
        }
        rest = &rest[..rest.rfind('_')?];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_parsed() {
        let mut primaries = std::collections::HashSet::new();
        for (primary, detailed, meaning) in lines() {
            assert_eq!(find(detailed), Some(meaning), "{detailed}");
            primaries.insert(primary);
        }
        for primary in primaries {
            assert!(MEANINGS.contains_key(primary), "{primary} has a fallback");
        }
    }
}
