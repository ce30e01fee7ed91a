//! Functions that add up the totals of a ledger.

use domain::category::ExpenseCategory;
use domain::person::Person;
use domain::ports::CountedQuery;
use domain::tally::{CurrencyTotal, Overflow, Tally};

/// Adds up the totals that have the same key, such as a category. Keys are in the order of their first occurrence.
pub(crate) fn tallies<K: PartialEq + Copy>(
    sums: impl IntoIterator<Item = (K, CurrencyTotal)>,
) -> Result<Vec<(K, Tally)>, Overflow> {
    let mut tallies: Vec<(K, Tally)> = Vec::new();
    for (key, sum) in sums {
        let at = tallies.iter().position(|(known, _)| *known == key);
        let at = at.unwrap_or_else(|| {
            tallies.push((key, Tally::default()));
            tallies.len() - 1
        });
        tallies[at].1.add(&sum)?;
    }
    Ok(tallies)
}

/// Returns the expense categories that a query leaves out: those that the user excluded, or none if the query includes
/// them.
pub(crate) fn excluded_categories(person: &Person, query: &CountedQuery) -> Vec<ExpenseCategory> {
    if query.include_excluded { Vec::new() } else { person.excluded_categories.clone() }
}
