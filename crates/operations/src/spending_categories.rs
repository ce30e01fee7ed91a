//! The operation `spending_categories`: spending of a range by category.

#[cfg(test)]
mod tests;

use domain::Money;
use domain::category::ExpenseCategory;
use domain::percent::Percent;
use domain::ports::{CategoryTotals, CountedQuery};
use domain::scope::Scope;
use domain::spending::{CategorySpending, SpendingByCategory};
use domain::tally::{Overflow, Tally, Unconverted};
use domain::transaction::TransactionType;

use crate::context::Context;
use crate::error::Error;
use crate::form::Form;
use crate::operation::{Operation, Spec, Tool};
use crate::range_parameters::counted_query;
use crate::totals::{excluded_categories, tallies};

/// Spending of a range by category.
#[derive(Debug)]
pub struct SpendingCategories;

impl Operation for SpendingCategories {
    const SPEC: Spec = Spec {
        id: "spending_categories",
        path: "/v1/spending/categories",
        tool: Some(Tool {
            name: "get_spending_by_category",
            title: "Spending by category",
            description: "Gross spending of a range by category, largest first, with shares that add up to 100.00 and the refunds of each category, in the user's preferred currency. Shows where the money goes; get_top_merchants splits by merchant, get_budget_summary compares with targets. Without a range, every day counts; excluded categories are left out.",
            wrapper: None,
        }),
        scope: Some(Scope::SpendingRead),
        summary: "Spending by category",
        description: "Gross spending of a range by category, largest first, with shares that add up to exactly 100.00, and the refunds received for purchases of each category, all in the user's preferred currency.",
    };
    type Params = CountedQuery;
    type Output = SpendingByCategory;

    fn read(form: &mut Form<'_>) -> CountedQuery {
        counted_query(form)
    }

    async fn run(context: &Context<'_>, params: CountedQuery) -> Result<SpendingByCategory, Error> {
        let reading = context.ledger().spending_by_category(context.access(), &params).await?;
        let currency = reading.person.preferred_currency;
        let total = Tally::from_totals(reading.data.expenses.iter().map(|(_, sum)| sum))?;
        let refunded = Tally::from_totals(reading.data.refunds.iter().map(|(_, sum)| sum))?;
        let mut rows = rows(&reading.data)?;
        rows.sort_by(|one, other| {
            other
                .spent
                .cents
                .cmp(&one.spent.cents)
                .then_with(|| one.category.as_str().cmp(other.category.as_str()))
        });
        let shares = Percent::shares(&rows.iter().map(|row| row.spent.cents).collect::<Vec<i64>>());
        let uncategorized = rows.iter().find(|row| row.category == ExpenseCategory::Uncategorized);
        Ok(SpendingByCategory {
            days: reading.days,
            total_expense: Money::new(total.cents, currency),
            uncategorized_total: Money::new(uncategorized.map_or(0, |row| row.spent.cents), currency),
            categories: rows
                .into_iter()
                .zip(shares)
                .map(|(row, share)| CategorySpending {
                    category: row.category,
                    group: row.category.group(),
                    total: Money::new(row.spent.cents, currency),
                    percent_of_total: share,
                    transaction_count: row.spent.count,
                    refunds: (row.refunded.count > 0).then(|| Money::new(row.refunded.cents, currency)),
                    unconverted: unconverted(row.spent, row.refunded),
                })
                .collect(),
            excluded_categories: excluded_categories(&reading.person, &params),
            unconverted: unconverted(total, refunded),
        })
    }
}

/// Returns the amounts that the totals of spending and of refunds leave out. Each is marked with the transaction type
/// of its total.
fn unconverted(spent: Tally, refunded: Tally) -> Vec<Unconverted> {
    let refunds = refunded.unconverted_of_type(TransactionType::Income);
    spent.unconverted_of_type(TransactionType::Expense).chain(refunds).collect()
}

struct Row {
    category: ExpenseCategory,
    spent: Tally,
    refunded: Tally,
}

/// Returns one row per category with spending or refunds. A category whose purchases are all before the range has
/// refunds and no spending.
fn rows(sums: &CategoryTotals) -> Result<Vec<Row>, Overflow> {
    let mut rows: Vec<Row> = tallies(sums.expenses.iter().copied())?
        .into_iter()
        .map(|(category, spent)| Row { category, spent, refunded: Tally::default() })
        .collect();
    for (category, refunded) in tallies(sums.refunds.iter().copied())? {
        match rows.iter_mut().find(|row| row.category == category) {
            Some(row) => row.refunded = refunded,
            None => rows.push(Row { category, spent: Tally::default(), refunded }),
        }
    }
    Ok(rows)
}
