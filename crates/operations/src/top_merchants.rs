//! Where most money was spent.

use domain::Money;
use domain::bounded::Bounded;
use domain::percent::Percent;
use domain::ports::CountedQuery;
use domain::scope::Scope;
use domain::spending::{MerchantSpending, TopMerchants as Merchants};
use domain::tally::Tally;

use crate::error::Error;
use crate::form::Form;
use crate::operation::{Operation, Spec, Tool};
use crate::service::Context;
use crate::shared::counted_query;

/// The operation.
#[derive(Debug)]
pub struct TopMerchants;

/// How many merchants to list.
pub type Limit = Bounded<1, 100>;

/// What to sum, and how many merchants to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The rows that count.
    pub counted: CountedQuery,
    /// Merchants at most.
    pub limit: Limit,
}

impl Default for Params {
    fn default() -> Params {
        Params { counted: CountedQuery::EVERYTHING, limit: Limit::constant::<10>() }
    }
}

impl Operation for TopMerchants {
    const SPEC: Spec = Spec {
        id: "top_merchants",
        path: "/v1/spending/merchants/top",
        tool: Some(Tool {
            name: "get_top_merchants",
            title: "Top merchants",
            description: "The merchants with the largest gross spending of a range, in the user's preferred currency. Answers which shops cost most; get_spending_by_category splits by category, search_transactions with merchantQuery lists the purchases at one merchant. 10 merchants and no range unless given; totalExpense includes spending without a merchant.",
            wrapper: None,
        }),
        scope: Some(Scope::SpendingRead),
        summary: "Top merchants",
        description: "The merchants with the largest gross spending of a range, in the user's preferred currency. Spending without a merchant is in totalExpense but not listed; merchants that differ only in case are one, shown in the most recent spelling.",
    };
    type Params = Params;
    type Output = Merchants;

    fn read(form: &mut Form<'_>) -> Params {
        Params {
            counted: counted_query(form),
            limit: form.or_default("limit", "Merchants at most.", Limit::constant::<10>()),
        }
    }

    async fn run(context: &Context<'_>, params: Params) -> Result<Merchants, Error> {
        let limit = params.limit.get();
        let reading = context.ledger().top_merchants(context.access(), &params.counted, limit).await?;
        let currency = reading.person.preferred_currency;
        let total = Tally::from_totals(&reading.data.total)?;
        let mut merchants = Vec::with_capacity(reading.data.merchants.len());
        for (merchant, sums) in reading.data.merchants {
            let spent = Tally::from_totals(&sums)?;
            merchants.push(MerchantSpending {
                merchant,
                total: Money::new(spent.cents, currency),
                percent_of_total: Percent::ratio(spent.cents, total.cents),
                transaction_count: spent.count,
                unconverted: spent.unconverted,
            });
        }
        Ok(Merchants {
            total_expense: Money::new(total.cents, currency),
            merchants,
            unconverted: total.unconverted,
        })
    }
}
