//! The operation `cashflow_summary`: income, expenses and net of a range.

use std::cmp::Reverse;
use std::collections::HashMap;

use jiff::civil::Date;
use passbook_domain::cashflow::{
    CashflowPeriod, CashflowSummary as Summary, CategoryIncome, TransfersOutside,
};
use passbook_domain::category::IncomeCategory;
use passbook_domain::comparison::{CashflowComparison, CompareTo, ComparedIncome, ComparedTotal};
use passbook_domain::period::{MonthGrouping, Period};
use passbook_domain::ports::CashflowTotals;
use passbook_domain::range::{DaySpan, Planned};
use passbook_domain::scope::Scope;
use passbook_domain::tally::{Overflow, Tally, Unconverted};
use passbook_domain::transaction::TransactionType;
use passbook_domain::{Currency, Money};

use crate::context::Context;
use crate::error::Error;
use crate::form::Form;
use crate::names::nearest_merchants;
use crate::operation::{Operation, Spec, Tool};
use crate::range_parameters::GroupedQuery;
use crate::totals::{
    cashflow_per_month, compare_categories, counted_span, excluded_categories, months, tallies,
};

/// Income, expenses and net of a range.
#[derive(Debug)]
pub struct CashflowSummary;

/// Maximum number of months in the result of the tool. A month has about 450 bytes.
const TOOL_MONTHS_MAX: usize = 120;

/// The filter for the counted transactions, and the division into months.
pub type Params = GroupedQuery<MonthGrouping>;

impl Operation for CashflowSummary {
    const SPEC: Spec = Spec {
        id: "cashflow_summary",
        path: "/v1/cashflow/summary",
        tool: Some(Tool {
            name: "get_cashflow_summary",
            title: "Cashflow summary",
            description: "Total income, expenses and net of a range in the user's preferred currency, income by category, and with groupBy each month. Shows how much was earned, spent or saved; get_spending_by_category and get_top_merchants split the spending. Without a range, every day up to today counts. Refunds are income; internal transfers are left out, and the categories in excludedCategories.",
        }),
        scope: Some(Scope::CashflowRead),
        summary: "Income, expenses and net of a range",
        description: "Total income, total expenses and their difference in the user's preferred currency, the income by category, and on request each month. The totals are those of the income and expenses that the list of transactions has with the same filters. Internal transfers never count; refunds are income; excluded categories are left out unless included or named. Each transaction is converted at the last rate on or before its own date; amounts that cannot be converted are reported in unconverted.",
    };
    type Params = Params;
    type Output = Summary;
    type ToolOutput = Summary;

    fn read(form: &mut Form<'_>) -> Params {
        GroupedQuery::read(
            form,
            "month adds the income, expenses and net of each month, at most 1,200 (a tool: 120).",
        )
    }

    async fn run(context: &Context<'_>, params: Params) -> Result<Summary, Error> {
        let snapshot = context.snapshot(params.compare_to != CompareTo::None).await?;
        let (ledger, access) = (snapshot.as_deref().unwrap_or(context.ledger()), context.access());
        let reading = ledger.cashflow(access, &params.counted, params.group_by).await?;
        let (person, totals) = (&reading.person, &reading.data);
        let currency = person.preferred_currency;
        let income = Tally::from_totals(totals.income.iter().map(|(_, _, sum)| sum))?;
        let expense = Tally::from_totals(totals.expenses.iter().map(|(_, sum)| sum))?;
        let excluded_categories = excluded_categories(person, &params.counted);
        let (excluded, outgoing) =
            (Tally::from_totals(&totals.excluded)?, Tally::from_totals(&totals.outgoing)?);
        let net = income.cents - expense.cents;
        let span = counted_span(reading.days, totals.counted_days, person.today);
        let months = months(params.group_by, span, person)?;
        if let Some(months) = &months
            && context.is_tool()
            && months.len() > TOOL_MONTHS_MAX
        {
            let rule = format!(
                "would give {} months, and a tool returns at most {TOOL_MONTHS_MAX}: use a shorter range",
                months.len()
            );
            return Err(Error::invalid_parameter("groupBy", rule));
        }
        let comparison = match params.compared(reading.days, person) {
            None => None,
            Some(compared) => {
                let cut = match &compared.now {
                    None => None,
                    Some(query) => Some(ledger.cashflow(access, query, MonthGrouping::None).await?.data),
                };
                let before = ledger.cashflow(access, &compared.before, MonthGrouping::None).await?;
                let now = cut.as_ref().unwrap_or(totals);
                Some(comparison(compared.days.before, now, &before.data, currency)?)
            }
        };
        let is_empty = totals.income.is_empty() && totals.expenses.is_empty();
        let text = params.counted.merchant.as_ref();
        Ok(Summary {
            days: reading.days,
            average_per_month: cashflow_per_month(totals.months.as_ref(), currency)?,
            resolved: context.resolved(),
            nearest_merchants: nearest_merchants(context, ledger, text, is_empty).await?,
            expense_total: Money::new(expense.cents, currency),
            income_total: Money::new(income.cents, currency),
            net: Money::new(net, currency),
            excluded_expense_total: Money::new(excluded.cents, currency),
            net_with_excluded: Money::new(net.checked_sub(excluded.cents).ok_or(Overflow)?, currency),
            refund_total: income_of(totals, IncomeCategory::Refund, currency)?,
            transfers_outside: TransfersOutside {
                incoming: income_of(totals, IncomeCategory::TransferIn, currency)?,
                outgoing: Money::new(outgoing.cents, currency),
            },
            income_categories: income_categories(totals, currency)?,
            periods: months.map(|months| cashflow_periods(months, totals, currency)).transpose()?,
            comparison,
            planned: Planned::new(totals.planned),
            excluded_categories,
            unconverted: unconverted(expense, income),
            excluded_unconverted: excluded.unconverted,
        })
    }
}

/// Returns the amounts that the totals leave out. Each is marked with the transaction type of its total.
fn unconverted(expense: Tally, income: Tally) -> Vec<Unconverted> {
    let income = income.unconverted_of_type(TransactionType::Income);
    expense.unconverted_of_type(TransactionType::Expense).chain(income).collect()
}

/// Compares the totals of the range up to today with those of the earlier `days`.
fn comparison(
    days: DaySpan,
    now: &CashflowTotals,
    before: &CashflowTotals,
    currency: Currency,
) -> Result<CashflowComparison, Overflow> {
    let income = |totals: &CashflowTotals| Tally::from_totals(totals.income.iter().map(|(_, _, sum)| sum));
    let expense = |totals: &CashflowTotals| Tally::from_totals(totals.expenses.iter().map(|(_, sum)| sum));
    let by_category =
        |totals: &CashflowTotals| tallies(totals.income.iter().map(|(_, category, sum)| (*category, *sum)));
    let (now_income, now_expense) = (income(now)?, expense(now)?);
    let (before_income, before_expense) = (income(before)?, expense(before)?);
    let income_categories = compare_categories(by_category(before)?, by_category(now)?, currency)?;
    Ok(CashflowComparison {
        days,
        income_total: ComparedTotal::new(before_income.cents, now_income.cents, currency)?,
        expense_total: ComparedTotal::new(before_expense.cents, now_expense.cents, currency)?,
        net: ComparedTotal::new(
            before_income.cents - before_expense.cents,
            now_income.cents - now_expense.cents,
            currency,
        )?,
        income_categories: income_categories
            .into_iter()
            .map(|(category, compared)| ComparedIncome { category, compared })
            .collect(),
        unconverted: unconverted(before_expense, before_income),
    })
}

/// Returns the income of one category.
fn income_of(totals: &CashflowTotals, wanted: IncomeCategory, currency: Currency) -> Result<Money, Overflow> {
    let income = totals.income.iter().filter(|(_, category, _)| *category == wanted);
    Ok(Money::new(Tally::from_totals(income.map(|(_, _, sum)| sum))?.cents, currency))
}

/// Returns the income of each category, largest first, then by name.
fn income_categories(totals: &CashflowTotals, currency: Currency) -> Result<Vec<CategoryIncome>, Overflow> {
    let mut tallies = tallies(totals.income.iter().map(|(_, category, sum)| (*category, *sum)))?;
    tallies.sort_by_key(|(category, tally)| (Reverse(tally.cents), category.as_str()));
    let income = tallies.into_iter().map(|(category, tally)| CategoryIncome {
        category,
        total: Money::new(tally.cents, currency),
        transaction_count: tally.count,
        unconverted: tally.unconverted,
    });
    Ok(income.collect())
}

/// Returns the income and expenses of each month.
fn cashflow_periods(
    months: Vec<Period>,
    totals: &CashflowTotals,
    currency: Currency,
) -> Result<Vec<CashflowPeriod>, Overflow> {
    let income = tallies(totals.income.iter().map(|(month, _, sum)| (*month, *sum)))?;
    let expenses = tallies(totals.expenses.iter().copied())?;
    let mut income: HashMap<Option<Date>, Tally> = income.into_iter().collect();
    let mut expenses: HashMap<Option<Date>, Tally> = expenses.into_iter().collect();
    let periods = months.into_iter().map(|Period { label, start, first, last }| {
        let month = Some(start);
        let (income, expense) =
            (income.remove(&month).unwrap_or_default(), expenses.remove(&month).unwrap_or_default());
        CashflowPeriod {
            period: label,
            days: DaySpan { first, last },
            income_total: Money::new(income.cents, currency),
            expense_total: Money::new(expense.cents, currency),
            net: Money::new(income.cents - expense.cents, currency),
            unconverted: unconverted(expense, income),
        }
    });
    Ok(periods.collect())
}
