//! An operation of a host: the largest expense of each month.
//!
//! The operation is declared as the operations of Passbook are, so REST, OpenAPI, the tools and every other adapter serve
//! it with the same checks, limits and log. It has a scope of its own, `largest-expenses:read`.

use jiff::ToSpan as _;
use jiff::civil::Date;
use passbook_operations::form::Form;
use passbook_operations::passbook_domain::Money;
use passbook_operations::passbook_domain::bounded::Bounded;
use passbook_operations::passbook_domain::range::DateRange;
use passbook_operations::passbook_domain::scope::Scope;
use passbook_operations::passbook_domain::transaction::{Transaction, TransactionSort, TransactionType};
use passbook_operations::transactions::Transactions;
use passbook_operations::{Context, Error, Operation, Spec, Tool};

/// The scope of the operation. A grant includes it if its stored scopes name it.
pub const LARGEST_EXPENSES_READ: Scope = Scope::host("largest-expenses:read");

/// Number of months. Each month is one query.
pub type Months = Bounded<1, 12>;

/// The largest expense of each month.
#[derive(Debug)]
pub struct LargestExpenses;

/// The largest expenses of the last months.
#[derive(Clone, Debug, serde::Serialize, schemars::JsonSchema)]
pub struct MonthlyMaxima {
    /// The months with expenses, newest first.
    pub months: Vec<LargestExpense>,
}

/// The largest expense of one month.
#[derive(Clone, Debug, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LargestExpense {
    /// First day of the month.
    #[schemars(with = "String", extend("format" = "date"))]
    pub month: Date,
    /// Day of the expense.
    #[schemars(with = "String", extend("format" = "date"))]
    pub date: Date,
    /// Title of the expense.
    pub title: String,
    /// The amount, in the currency of its account.
    pub amount: Money,
}

impl Operation for LargestExpenses {
    const SPEC: Spec = Spec {
        id: "largest_expenses",
        path: "/v1/spending/largest",
        tool: Some(Tool {
            name: "get_largest_expenses",
            title: "Largest expense of each month",
            description: "The largest expense of each of the last months, newest first. Shows single outliers; get_top_merchants adds up by merchant. 6 months by default.",
        }),
        scope: Some(LARGEST_EXPENSES_READ),
        summary: "Largest expense of each month",
        description: "The largest expense of each of the last months, compared in the user's preferred currency. A month without expenses is left out.",
    };
    type Params = Months;
    type Output = MonthlyMaxima;
    type ToolOutput = MonthlyMaxima;

    fn read(form: &mut Form<'_>) -> Months {
        form.or_default("months", "Number of months, up to the current one.", Months::constant::<6>())
    }

    async fn run(context: &Context<'_>, months: Months) -> Result<MonthlyMaxima, Error> {
        let today = context.ledger().person(context.access()).await?.person.today;
        let mut maxima = Vec::new();
        for back in 0..months.get() {
            let month = today.first_of_month().saturating_sub(back.months());
            if let Some(row) = largest(context, month).await? {
                let amount = Money::new(row.amount_cents, row.currency);
                maxima.push(LargestExpense { month, date: row.date, title: row.title, amount });
            }
        }
        Ok(MonthlyMaxima { months: maxima })
    }
}

/// Returns the largest expense of the month that starts on this day.
async fn largest(context: &Context<'_>, month: Date) -> Result<Option<Transaction>, Error> {
    // An empty form gives the defaults of the list of transactions.
    let mut query = Transactions::read(&mut Form::new(&[]));
    query.days = DateRange::new(Some(month), Some(month.last_of_month()), None).unwrap_or_default();
    query.types = vec![TransactionType::Expense];
    query.sort = TransactionSort::AmountDescending;
    query.page_size = Bounded::constant::<1>();
    let reading = context.ledger().transactions(context.access(), &query).await?;
    Ok(reading.data.rows.into_iter().next())
}
