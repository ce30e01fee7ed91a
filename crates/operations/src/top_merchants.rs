//! The operation `top_merchants`: the merchants with the largest spending.

use passbook_domain::Money;
use passbook_domain::bounded::Bounded;
use passbook_domain::percent::Percent;
use passbook_domain::ports::CountedQuery;
use passbook_domain::range::Planned;
use passbook_domain::scope::Scope;
use passbook_domain::spending::{MerchantSpending, TopMerchants as Merchants};
use passbook_domain::tally::Tally;

use crate::context::Context;
use crate::error::Error;
use crate::form::Form;
use crate::names::nearest_merchants;
use crate::operation::{Operation, Spec, Tool};
use crate::range_parameters::counted_query;
use crate::totals::{excluded_categories, with_refunds};

/// The merchants with the largest spending.
#[derive(Debug)]
pub struct TopMerchants;

/// Maximum number of listed merchants.
pub type Limit = Bounded<1, 100>;

/// The filter for the counted transactions, and the maximum number of merchants.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Params {
    /// Range of days, and the filter for the counted transactions.
    pub counted: CountedQuery,
    /// Maximum number of listed merchants.
    pub limit: Limit,
}

impl Default for Params {
    fn default() -> Params {
        Params { counted: CountedQuery::EVERYTHING, limit: Limit::constant::<10>() }
    }
}

impl Params {
    /// Returns the parameters for the transactions that `counted` selects, and the defaults of the others.
    pub fn new(counted: CountedQuery) -> Params {
        Params { counted, ..Params::default() }
    }

    /// Sets the maximum number of listed merchants.
    #[must_use]
    pub fn with_limit(self, limit: Limit) -> Params {
        Params { limit, ..self }
    }
}

impl Operation for TopMerchants {
    const SPEC: Spec = Spec {
        id: "top_merchants",
        path: "/v1/spending/merchants/top",
        tool: Some(Tool {
            name: "get_top_merchants",
            title: "Top merchants",
            description: "The merchants with the largest gross spending of a range, with refunds and net, in the user's preferred currency. Shows where most money was spent; get_spending_by_category splits by category, merchants selects some, whose purchases search_transactions lists. 10 merchants by default; rows without a merchant count under their title, excludedCategories not.",
        }),
        scope: Some(Scope::SpendingRead),
        summary: "Top merchants",
        description: "The merchants with the largest gross spending of a range, in the user's preferred currency. A row without a merchant counts under its title. Names that differ only in case and in numbers, such as those of branches, are one merchant, shown in the most recent spelling. A refund counts on its own day, at the merchant of its purchase, or without a purchase at its own; the filters select that row.",
    };
    type Params = Params;
    type Output = Merchants;
    type ToolOutput = Merchants;

    fn read(form: &mut Form<'_>) -> Params {
        Params {
            counted: counted_query(form),
            limit: form.or_default("limit", "Maximum number of merchants.", Limit::constant::<10>()),
        }
    }

    async fn run(context: &Context<'_>, params: Params) -> Result<Merchants, Error> {
        let limit = params.limit.get();
        let reading = context.ledger().top_merchants(context.access(), &params.counted, limit).await?;
        let currency = reading.person.preferred_currency;
        let total = Tally::from_totals(&reading.data.total)?;
        let total_refunds = Tally::from_totals(&reading.data.total_refunds)?;
        let mut merchants = Vec::with_capacity(reading.data.merchants.len());
        for (index, (merchant, sums)) in reading.data.merchants.into_iter().enumerate() {
            let spent = Tally::from_totals(&sums)?;
            let refunds = reading.data.refunds.iter().filter(|(of, _)| *of == index);
            let refunds = Tally::from_totals(refunds.map(|(_, sum)| sum))?;
            merchants.push(MerchantSpending {
                merchant,
                total: Money::new(spent.cents, currency),
                refunds: Money::new(refunds.cents, currency),
                net: Money::new(spent.cents - refunds.cents, currency),
                percent_of_total: Percent::ratio(spent.cents, total.cents),
                transaction_count: spent.count,
                unconverted: with_refunds(spent, refunds),
            });
        }
        let is_empty = reading.data.total.is_empty() && reading.data.total_refunds.is_empty();
        let text = params.counted.merchant.as_ref();
        Ok(Merchants {
            days: reading.days,
            resolved: context.resolved(),
            nearest_merchants: nearest_merchants(context, context.ledger(), text, is_empty).await?,
            planned: Planned::new(reading.data.planned),
            excluded_categories: excluded_categories(&reading.person, &params.counted),
            total_expense: Money::new(total.cents, currency),
            refunds: Money::new(total_refunds.cents, currency),
            net: Money::new(total.cents - total_refunds.cents, currency),
            merchants,
            unconverted: with_refunds(total, total_refunds),
        })
    }
}
