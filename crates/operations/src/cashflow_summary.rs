//! The operation `cashflow_summary`: income, expenses and net of a range.

#[cfg(test)]
mod tests;

use domain::Money;
use domain::cashflow::CashflowSummary as Summary;
use domain::ports::CountedQuery;
use domain::scope::Scope;
use domain::tally::Tally;
use domain::transaction::TransactionType;

use crate::context::Context;
use crate::error::Error;
use crate::form::Form;
use crate::operation::{Operation, Spec, Tool};
use crate::range_parameters::counted_query;

/// Income, expenses and net of a range.
#[derive(Debug)]
pub struct CashflowSummary;

impl Operation for CashflowSummary {
    const SPEC: Spec = Spec {
        id: "cashflow_summary",
        path: "/v1/cashflow/summary",
        tool: Some(Tool {
            name: "get_cashflow_summary",
            title: "Cashflow summary",
            description: "Total income, expenses and net of a range in the user's preferred currency. Shows how much was earned, spent or saved; get_spending_by_category and get_top_merchants split the spending, search_transactions lists single rows. Without a range, every day counts. Refunds are income; internal transfers and excluded categories are left out.",
            wrapper: None,
        }),
        scope: Some(Scope::CashflowRead),
        summary: "Income, expenses and net of a range",
        description: "Total income, total expenses and their difference in the user's preferred currency. Internal transfers never count; refunds are income; excluded categories are left out unless included. Each transaction is converted at the last rate on or before its own date; amounts without a rate are reported in unconverted.",
    };
    type Params = CountedQuery;
    type Output = Summary;

    fn read(form: &mut Form<'_>) -> CountedQuery {
        counted_query(form)
    }

    async fn run(context: &Context<'_>, params: CountedQuery) -> Result<Summary, Error> {
        let reading = context.ledger().cashflow(context.access(), &params).await?;
        let of = |wanted: TransactionType| {
            Tally::from_totals(reading.data.iter().filter(|(found, _)| *found == wanted).map(|(_, sum)| sum))
        };
        let (income, expense) = (of(TransactionType::Income)?, of(TransactionType::Expense)?);
        let currency = reading.person.preferred_currency;
        let net = income.cents - expense.cents;
        Ok(Summary {
            expense_total: Money::new(expense.cents, currency),
            income_total: Money::new(income.cents, currency),
            net: Money::new(net, currency),
            unconverted: expense
                .unconverted_of_type(TransactionType::Expense)
                .chain(income.unconverted_of_type(TransactionType::Income))
                .collect(),
        })
    }
}
