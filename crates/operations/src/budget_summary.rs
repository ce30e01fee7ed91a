//! The operation `budget_summary`: spending against targets in a month.

use std::collections::BTreeMap;

use passbook_domain::bounded::Bounded;
use passbook_domain::budget::{BudgetSummary as Summary, BudgetSummaryEntry, MonthBudgets};
use passbook_domain::category::ExpenseCategory;
use passbook_domain::ports::{BudgetTotals, Target};
use passbook_domain::range::Planned;
use passbook_domain::scope::Scope;
use passbook_domain::tally::{Overflow, Tally, Unconverted};
use passbook_domain::{Currency, Money};

use crate::context::Context;
use crate::error::Error;
use crate::form::Form;
use crate::operation::{Operation, Spec, Tool};
use crate::totals::{tallies, with_refunds};

/// Spending against targets in a month.
#[derive(Debug)]
pub struct BudgetSummary;

/// A month of the year, 1 to 12.
pub type Month = Bounded<1, 12>;
/// A calendar year, 1900 to 2200.
pub type Year = Bounded<1900, 2200>;

/// The requested month. If the month or the year is missing, the current one is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Params {
    /// Month, 1 to 12.
    pub month: Option<Month>,
    /// Calendar year.
    pub year: Option<Year>,
}

impl Params {
    /// Returns the parameters for a month of a year.
    pub fn new(year: Year, month: Month) -> Params {
        Params { month: Some(month), year: Some(year) }
    }
}

impl Operation for BudgetSummary {
    const SPEC: Spec = Spec {
        id: "budget_summary",
        path: "/v1/budgets/summary",
        tool: Some(Tool {
            name: "get_budget_summary",
            title: "Budget summary",
            description: "Spending and refunds in one month beside the user's target, for every expense category that has any, in the preferred currency. Shows if a budget holds; get_spending_by_category takes any range, list_budget_categories has the expected income. The current month by default; excludedCategories are marked.",
        }),
        scope: Some(Scope::BudgetsRead),
        summary: "Spending against targets in a month",
        description: "Every expense category with spending or refunds in the month or a target, by category, in the user's preferred currency. A refund counts in the month of its own day, in the category of its purchase; refunds without a purchase are left out. The current month ends today. Entries of categories that the user excludes are marked; without them, the totals add up to those of spending by category.",
    };
    type Params = Params;
    type Output = Summary;
    type ToolOutput = MonthBudgets;

    fn read(form: &mut Form<'_>) -> Params {
        Params {
            month: form.optional("month", "Month, 1 to 12; the current month if missing."),
            year: form.optional("year", "Year; the current year if missing."),
        }
    }

    async fn run(context: &Context<'_>, params: Params) -> Result<Summary, Error> {
        let year = params.year.and_then(|year| i16::try_from(year.get()).ok());
        let month = params.month.and_then(|month| i8::try_from(month.get()).ok());
        let reading = context.ledger().budget_summary(context.access(), year, month).await?;
        let currency = reading.person.preferred_currency;
        let first = reading.days.first.unwrap_or(reading.person.today);
        let name = reading.person.month_start.month_of(first);
        let entries = rows(&reading.data)?
            .into_iter()
            .map(|(word, row)| {
                let category = ExpenseCategory::parse(word).expect("the key is a category's word");
                let excluded = reading.person.excluded_categories.contains(&category);
                Ok(BudgetSummaryEntry { excluded, ..entry(category, row, currency)? })
            })
            .collect::<Result<_, Overflow>>()?;
        Ok(Summary {
            entries,
            month: name.month(),
            year: name.year(),
            planned: Planned::new(reading.data.planned),
            excluded_categories: reading.person.excluded_categories,
        })
    }
}

fn entry(
    category: ExpenseCategory,
    row: BudgetRow,
    currency: Currency,
) -> Result<BudgetSummaryEntry, Overflow> {
    let net = row.spent.cents - row.refunded.cents;
    let target = row.target.and_then(|target| target.converted_cents);
    let remaining = target.map(|cents| cents.checked_sub(net).ok_or(Overflow)).transpose()?;
    Ok(BudgetSummaryEntry {
        category,
        total: Money::new(row.spent.cents, currency),
        refunded: Money::new(row.refunded.cents, currency),
        net: Money::new(net, currency),
        currency,
        target: target.map(|cents| Money::new(cents, currency)),
        remaining: remaining.map(|cents| Money::new(cents, currency)),
        excluded: false,
        unconverted: with_refunds(row.spent, row.refunded)
            .into_iter()
            .chain(row.target.and_then(unconverted))
            .collect(),
    })
}

#[derive(Default)]
struct BudgetRow {
    spent: Tally,
    refunded: Tally,
    target: Option<Target>,
}

/// Returns one row per category that has spending, refunds or a target, by the name of the category.
fn rows(sums: &BudgetTotals) -> Result<BTreeMap<&'static str, BudgetRow>, Overflow> {
    let mut rows: BTreeMap<&'static str, BudgetRow> = BTreeMap::new();
    for (category, spent) in tallies(sums.expenses.iter().copied())? {
        rows.entry(category.as_str()).or_default().spent = spent;
    }
    for (category, refunded) in tallies(sums.refunds.iter().copied())? {
        rows.entry(category.as_str()).or_default().refunded = refunded;
    }
    for (category, target) in &sums.targets {
        rows.entry(category.as_str()).or_default().target = Some(*target);
    }
    Ok(rows)
}

/// Returns the amount of a target that has no exchange rate, as an unconverted amount without a transaction count.
fn unconverted(target: Target) -> Option<Unconverted> {
    target.converted_cents.is_none().then_some(Unconverted {
        transaction_type: None,
        currency: target.currency,
        amount_cents: target.amount_cents,
        transaction_count: None,
    })
}
