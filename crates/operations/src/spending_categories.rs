//! The operation `spending_categories`: spending of a range by category.

use std::cmp::Reverse;
use std::collections::HashMap;

use jiff::civil::Date;
use passbook_domain::category::ExpenseCategory;
use passbook_domain::comparison::{CompareTo, ComparedSpending, ComparedTotal, SpendingComparison};
use passbook_domain::label::LabelKind;
use passbook_domain::percent::Percent;
use passbook_domain::period::{CategoryGrouping, MonthGrouping, Period};
use passbook_domain::ports::CategoryTotals;
use passbook_domain::range::{DaySpan, Planned};
use passbook_domain::scope::Scope;
use passbook_domain::spending::{CategoryPeriod, CategorySpending, SpendingByCategory};
use passbook_domain::tally::{Overflow, Tally, Unconverted};
use passbook_domain::transaction::TransactionType;
use passbook_domain::{Currency, Money};

use crate::context::Context;
use crate::error::Error;
use crate::form::Form;
use crate::label_groups::label_groups;
use crate::names::nearest_merchants;
use crate::operation::{Operation, Spec, Tool};
use crate::range_parameters::GroupedQuery;
use crate::totals::{
    compare_categories, counted_span, excluded_categories, months, spending_per_month, tallies,
};

/// Spending of a range by category.
#[derive(Debug)]
pub struct SpendingCategories;

/// Maximum number of monthly totals in the result of the tool: categories × months. A monthly total has about 150 bytes.
const TOOL_MONTHLY_TOTALS_MAX: usize = 500;

/// The filter for the counted transactions, and the division into months, own categories, tags or accounts.
pub type Params = GroupedQuery<CategoryGrouping>;

impl Operation for SpendingCategories {
    const SPEC: Spec = Spec {
        id: "spending_categories",
        path: "/v1/spending/categories",
        tool: Some(Tool {
            name: "get_spending_by_category",
            title: "Spending by category",
            description: "Gross spending of a range by category, largest first, with shares that add up to 100.00 and the refunds of each category, in the user's preferred currency; with groupBy also by month. Shows where the money goes; get_top_merchants splits by merchant, get_budget_summary compares with targets; excludedCategories are left out.",
        }),
        scope: Some(Scope::SpendingRead),
        summary: "Spending by category",
        description: "Gross spending of a range by category, largest first, with shares that add up to exactly 100.00, and the refunds received for purchases of each category, all in the user's preferred currency. On request, the spending of each category in each month. A refund counts on its own day; the filters select its purchase, or without a purchase the refund itself.",
    };
    type Params = Params;
    type Output = SpendingByCategory;
    type ToolOutput = SpendingByCategory;

    fn read(form: &mut Form<'_>) -> Params {
        GroupedQuery::read(
            form,
            "month adds the spending of each month to each category, at most 1,200 months (a tool: 500 monthly totals); ownCategory, tag and account (with transactions:read) add groups.",
        )
    }

    async fn run(context: &Context<'_>, params: Params) -> Result<SpendingByCategory, Error> {
        let labels = params.group_by.labels();
        let snapshot = context.snapshot(params.compare_to != CompareTo::None || labels.is_some()).await?;
        let (ledger, access) = (snapshot.as_deref().unwrap_or(context.ledger()), context.access());
        let reading = ledger.spending_by_category(access, &params.counted, params.group_by.months()).await?;
        let currency = reading.person.preferred_currency;
        let total = Tally::from_totals(reading.data.expenses.iter().map(|(_, _, sum)| sum))?;
        let unlinked = &reading.data.unlinked_refunds;
        let refunds = Tally::from_totals(reading.data.refunds.iter().map(|(_, sum)| sum).chain(unlinked))?;
        let unlinked = Tally::from_totals(unlinked)?;
        let rows = rows(&reading.data)?;
        let shares = Percent::shares(&rows.iter().map(|row| row.spent.cents).collect::<Vec<i64>>());
        let uncategorized = rows.iter().find(|row| row.category == ExpenseCategory::Uncategorized);
        let uncategorized_total = Money::new(uncategorized.map_or(0, |row| row.spent.cents), currency);
        let span = counted_span(reading.days, reading.data.counted_days, reading.person.today);
        let months = months(params.group_by.months(), span, &reading.person)?;
        if context.is_tool() {
            // The comparison has one more total of each category.
            let compared = usize::from(params.compare_to != CompareTo::None);
            check_tool_size(rows.len(), months.as_deref().unwrap_or_default().len() + compared)?;
        }
        let comparison = match params.compared(reading.days, &reading.person) {
            None => None,
            Some(compared) => {
                let none = MonthGrouping::None;
                let cut = match &compared.now {
                    None => None,
                    Some(query) => Some(ledger.spending_by_category(access, query, none).await?.data),
                };
                let before = ledger.spending_by_category(access, &compared.before, none).await?;
                let now = cut.as_ref().unwrap_or(&reading.data);
                Some(comparison(compared.days.before, now, &before.data, currency)?)
            }
        };
        let (groups, groups_overlap) = match labels {
            None => (None, None),
            Some(kind) => {
                let names = context.with_scope(Scope::TransactionsRead);
                let access = if kind == LabelKind::Account { names.access() } else { access };
                let labelled = ledger.spending_by_label(access, &params.counted, kind).await?;
                let (groups, overlap) = label_groups(&labelled.data, &total, currency)?;
                (Some(groups), overlap)
            }
        };
        let mut monthly = MonthlyTotals::new(&reading.data, currency)?;
        let text = params.counted.merchant.as_ref();
        let nearest_merchants =
            nearest_merchants(context, ledger, text, rows.is_empty() && unlinked.count == 0);
        Ok(SpendingByCategory {
            days: reading.days,
            average_per_month: spending_per_month(reading.data.months.as_ref(), currency)?,
            resolved: context.resolved(),
            nearest_merchants: nearest_merchants.await?,
            total_expense: Money::new(total.cents, currency),
            total_refunds: Money::new(refunds.cents, currency),
            unlinked_refunds: Money::new(unlinked.cents, currency),
            uncategorized_total,
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
                    periods: months.as_ref().map(|months| monthly.take(row.category, months)),
                    unconverted: unconverted(row.spent, row.refunded),
                })
                .collect(),
            groups,
            groups_overlap,
            comparison,
            planned: Planned::new(reading.data.planned),
            excluded_categories: excluded_categories(&reading.person, &params.counted),
            unconverted: unconverted(total, refunds),
        })
    }
}

/// Compares the spending of the range up to today with that of the earlier `days`.
fn comparison(
    days: DaySpan,
    now: &CategoryTotals,
    before: &CategoryTotals,
    currency: Currency,
) -> Result<SpendingComparison, Overflow> {
    let total = |totals: &CategoryTotals| Tally::from_totals(totals.expenses.iter().map(|(_, _, sum)| sum));
    let by_category =
        |totals: &CategoryTotals| tallies(totals.expenses.iter().map(|(category, _, sum)| (*category, *sum)));
    let earlier = total(before)?;
    let categories = compare_categories(by_category(before)?, by_category(now)?, currency)?;
    let categories =
        categories.into_iter().map(|(category, compared)| ComparedSpending { category, compared });
    Ok(SpendingComparison {
        days,
        total_expense: ComparedTotal::new(earlier.cents, total(now)?.cents, currency)?,
        categories: Some(categories.collect()),
        unconverted: earlier.unconverted_of_type(TransactionType::Expense).collect(),
    })
}

/// Checks the number of monthly totals in the result of the tool.
fn check_tool_size(categories: usize, months: usize) -> Result<(), Error> {
    let count = categories * months;
    if count <= TOOL_MONTHLY_TOTALS_MAX {
        return Ok(());
    }
    let rule = format!(
        "would give {count} monthly totals ({categories} categories, {months} months), and a tool returns at most {TOOL_MONTHLY_TOTALS_MAX}: use a shorter range or name categories"
    );
    Err(Error::invalid_parameter("groupBy", rule))
}

/// Spending by category and month.
struct MonthlyTotals {
    tallies: HashMap<(ExpenseCategory, Option<Date>), Tally>,
    currency: Currency,
}

impl MonthlyTotals {
    fn new(totals: &CategoryTotals, currency: Currency) -> Result<MonthlyTotals, Overflow> {
        let mut tallies: HashMap<(ExpenseCategory, Option<Date>), Tally> = HashMap::new();
        for (category, month, sum) in &totals.expenses {
            tallies.entry((*category, *month)).or_default().add(sum)?;
        }
        Ok(MonthlyTotals { tallies, currency })
    }

    /// Removes and returns the spending of a category in each month.
    fn take(&mut self, category: ExpenseCategory, months: &[Period]) -> Vec<CategoryPeriod> {
        let period = |month: &Period| {
            let key = (category, Some(month.start));
            let tally = self.tallies.remove(&key).unwrap_or_default();
            CategoryPeriod {
                period: month.label.clone(),
                total: Money::new(tally.cents, self.currency),
                unconverted: tally.unconverted,
            }
        };
        months.iter().map(period).collect()
    }
}

/// Returns the amounts that the totals of spending and of refunds leave out. Each is marked with the transaction type
/// of its total.
fn unconverted(spent: Tally, refunded: Tally) -> Vec<Unconverted> {
    let refunds = refunded.unconverted_of_type(TransactionType::Income);
    spent.unconverted_of_type(TransactionType::Expense).chain(refunds).collect()
}

struct SpendingRow {
    category: ExpenseCategory,
    spent: Tally,
    refunded: Tally,
}

/// Returns one row per category with spending or refunds, by spending, largest first, then by name. A category whose
/// purchases are all before the range has refunds and no spending.
fn rows(sums: &CategoryTotals) -> Result<Vec<SpendingRow>, Overflow> {
    let mut rows: Vec<SpendingRow> =
        tallies(sums.expenses.iter().map(|(category, _, sum)| (*category, *sum)))?
            .into_iter()
            .map(|(category, spent)| SpendingRow { category, spent, refunded: Tally::default() })
            .collect();
    for (category, refunded) in tallies(sums.refunds.iter().copied())? {
        match rows.iter_mut().find(|row| row.category == category) {
            Some(row) => row.refunded = refunded,
            None => rows.push(SpendingRow { category, spent: Tally::default(), refunded }),
        }
    }
    rows.sort_by_key(|row| (Reverse(row.spent.cents), row.category.as_str()));
    Ok(rows)
}
