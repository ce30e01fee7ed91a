//! The operation `spending_summary`: spending of a range and of its months, weeks or days.

use jiff::ToSpan as _;
use jiff::civil::Date;
use passbook_domain::Money;
use passbook_domain::comparison::{CompareTo, ComparedTotal, SpendingComparison};
use passbook_domain::percent::Percent;
use passbook_domain::period::{GroupBy, Period, days_between};
use passbook_domain::person::Person;
use passbook_domain::ports::SpendingTotals;
use passbook_domain::range::{DaySpan, Planned, ResolvedDays};
use passbook_domain::rounding::divide;
use passbook_domain::scope::Scope;
use passbook_domain::spending::{PreviousPeriod, SpendingPeriod, SpendingSummary as Summary};
use passbook_domain::tally::{Overflow, Tally};
use passbook_domain::transaction::TransactionType;

use crate::context::Context;
use crate::error::Error;
use crate::form::Form;
use crate::names::nearest_merchants;
use crate::operation::{Operation, Spec, Tool};
use crate::range_parameters::GroupedQuery;
use crate::totals::{counted_span, divide_range, excluded_categories, spending_per_month, tallies};

/// Spending of a range and of its months, weeks or days.
#[derive(Debug)]
pub struct SpendingSummary;

/// Maximum number of periods in the result of the tool. A period has about 200 bytes.
const TOOL_PERIODS_MAX: usize = 120;

/// The filter for the counted transactions, and the length of the periods.
pub type Params = GroupedQuery<GroupBy>;

impl Operation for SpendingSummary {
    const SPEC: Spec = Spec {
        id: "spending_summary",
        path: "/v1/spending/summary",
        tool: Some(Tool {
            name: "get_spending_summary",
            title: "Spending summary",
            description: "Gross spending of a range by month, week or day, with refunds, net, averages and the days before, in the user's preferred currency. Shows how spending develops; get_spending_by_category and get_top_merchants show what it was for; excludedCategories are left out.",
        }),
        scope: Some(Scope::SpendingRead),
        summary: "Spending over time",
        description: "Gross spending, refunds and net, the daily average up to today, the same number of days directly before, and the range divided into months, ISO weeks or days, all in the user's preferred currency. A refund counts on its own day; the filters select its purchase, or without a purchase the refund itself. The filters apply to the days before too.",
    };
    type Params = Params;
    type Output = Summary;
    type ToolOutput = Summary;

    fn read(form: &mut Form<'_>) -> Params {
        GroupedQuery::read(
            form,
            "Length of the periods that the range is divided into (weeks are ISO weeks); none for no periods. At most 1,200 periods (a tool: 120).",
        )
    }

    async fn run(context: &Context<'_>, params: Params) -> Result<Summary, Error> {
        let snapshot = context.snapshot(params.compare_to != CompareTo::None).await?;
        let (ledger, access) = (snapshot.as_deref().unwrap_or(context.ledger()), context.access());
        let reading = ledger.spending(access, &params.counted, params.group_by).await?;
        let (person, days, sums) = (&reading.person, reading.days, &reading.data);
        let currency = person.preferred_currency;
        let expense = Tally::from_totals(sums.expenses.iter().map(|(_, sum)| sum))?;
        let refunds = Tally::from_totals(&sums.refunds)?;
        let span = counted_span(days, sums.counted_days, person.today);
        let periods = divide_range(params.group_by, span, person)?;
        if context.is_tool() && periods.len() > TOOL_PERIODS_MAX {
            let rule = format!(
                "would give {} periods, and a tool returns at most {TOOL_PERIODS_MAX}: use longer periods or a shorter range",
                periods.len()
            );
            return Err(Error::invalid_parameter("groupBy", rule));
        }
        let after_today = Tally::from_totals(&sums.after_today)?;
        let elapsed_cents = expense.cents - after_today.cents;
        let comparison = match params.compared(days, person) {
            None => None,
            Some(compared) => {
                let before = ledger.spending(access, &compared.before, GroupBy::None).await?;
                let before = Tally::from_totals(before.data.expenses.iter().map(|(_, sum)| sum))?;
                Some(SpendingComparison {
                    days: compared.days.before,
                    total_expense: ComparedTotal::new(before.cents, elapsed_cents, currency)?,
                    categories: None,
                    unconverted: before.unconverted_of_type(TransactionType::Expense).collect(),
                })
            }
        };
        let is_empty = sums.expenses.is_empty() && sums.refunds.is_empty();
        let text = params.counted.merchant.as_ref();
        Ok(Summary {
            days,
            average_per_month: spending_per_month(sums.months.as_ref(), currency)?,
            resolved: context.resolved(),
            nearest_merchants: nearest_merchants(context, ledger, text, is_empty).await?,
            total_expense: Money::new(expense.cents, currency),
            total_refunds: Money::new(refunds.cents, currency),
            net_spending: Money::new(expense.cents - refunds.cents, currency),
            average_per_day: average_per_day(span, person, elapsed_cents)?,
            transaction_count: expense.count,
            previous_period: previous_period(days, sums, person, elapsed_cents)?,
            periods: spending_periods(periods, sums, person)?,
            comparison,
            planned: Planned::new(sums.planned),
            excluded_categories: excluded_categories(person, &params.counted),
            unconverted: expense
                .unconverted_of_type(TransactionType::Expense)
                .chain(refunds.unconverted_of_type(TransactionType::Income))
                .collect(),
        })
    }
}

/// Returns the expenses per day of the days up to today; none without such a day.
fn average_per_day(
    span: Option<(Date, Date)>,
    person: &Person,
    elapsed_cents: i64,
) -> Result<Option<Money>, Overflow> {
    let length = span.map_or(0, |(first, last)| days_between(first, last.min(person.today)));
    if length == 0 {
        return Ok(None);
    }
    let average = i64::try_from(divide(elapsed_cents.into(), length.into())).map_err(|_| Overflow)?;
    Ok(Some(Money::new(average, person.preferred_currency)))
}

fn previous_period(
    days: ResolvedDays,
    sums: &SpendingTotals,
    person: &Person,
    elapsed_cents: i64,
) -> Result<Option<PreviousPeriod>, Error> {
    let (Some(first), Some(last)) = (days.first, days.last) else { return Ok(None) };
    let length = days_between(first, last.min(person.today));
    let (Ok(before_first), Ok(before_last)) = (first.checked_sub(length.days()), first.checked_sub(1.day()))
    else {
        return Ok(None);
    };
    if length == 0 {
        return Ok(None);
    }
    let before = Tally::from_totals(&sums.previous)?;
    Ok(Some(PreviousPeriod {
        days: DaySpan { first: before_first, last: before_last },
        total_expense: Money::new(before.cents, person.preferred_currency),
        change_percent: Percent::change(before.cents, elapsed_cents),
        unconverted: before.unconverted,
    }))
}

fn spending_periods(
    periods: Vec<Period>,
    sums: &SpendingTotals,
    person: &Person,
) -> Result<Vec<SpendingPeriod>, Overflow> {
    let mut spent: std::collections::HashMap<Option<Date>, Tally> =
        tallies(sums.expenses.iter().copied())?.into_iter().collect();
    let filled = periods.into_iter().map(|Period { label, start, first, last }| {
        let tally = spent.remove(&Some(start)).unwrap_or_default();
        SpendingPeriod {
            period: label,
            days: DaySpan { first, last },
            total_expense: Money::new(tally.cents, person.preferred_currency),
            transaction_count: tally.count,
            unconverted: tally.unconverted,
        }
    });
    Ok(filled.collect())
}
