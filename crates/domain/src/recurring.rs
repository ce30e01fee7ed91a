//! Recurring payments: which rows are payments of one stream, how often it comes, and whether it still does.
//!
//! [`detect`] is a pure function of the rows and the day. `docs/recurring.md` describes the method.

mod answer;
mod belief;
mod calendar;
mod chain;
mod confidence;
mod fit;
mod identity;
mod lattice;
mod month;
mod payee;
mod rhythm;
mod same_price;
mod stream;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use jiff::civil::Date;
use uuid::Uuid;

use crate::category::{Category, ExpenseCategory, IncomeCategory};
use crate::currency::Currency;
use crate::string_enum::string_enum;
use crate::transaction::TransactionType;

pub use answer::{Found, RecurringPayment, RecurringPayments, find};
pub use belief::Evidence;
pub use confidence::{Confidence, ConfidenceMin};
pub use month::monthly_total;
pub use payee::payee_key;
pub use stream::{Gaps, Stream};

use belief::Payee;
use chain::{Item, chains};

string_enum! {
    /// How often a payment comes round.
    Cadence {
        /// Every 7 days.
        Weekly = "WEEKLY",
        /// Every 14 days.
        Biweekly = "BIWEEKLY",
        /// Twice a month, on two days of the month.
        SemiMonthly = "SEMI_MONTHLY",
        /// Once a month, or every 28 or 30 days.
        Monthly = "MONTHLY",
        /// Every 3 months.
        Quarterly = "QUARTERLY",
        /// Every 6 months.
        SemiAnnually = "SEMI_ANNUALLY",
        /// Once a year.
        Annually = "ANNUALLY",
    }
}

string_enum! {
    /// Whether a recurring payment still comes.
    RecurringStatus {
        /// The last payment that was due came, or may still come within the days that payments are late.
        Active = "ACTIVE",
        /// A payment is missing.
        Overdue = "OVERDUE",
        /// The next payment after the missing one is missing too, or for those that come twice a year or less, a
        /// quarter of a year has passed.
        Ended = "ENDED",
    }
}

/// A row that may be a payment of a stream. Transfers between own accounts are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// The transaction.
    pub id: Uuid,
    /// Its day.
    pub date: Date,
    /// Income or expense.
    pub transaction_type: TransactionType,
    /// Its category.
    pub category: Category,
    /// Magnitude, in hundredths of `currency`.
    pub amount_cents: i64,
    /// Its currency.
    pub currency: Currency,
    /// What the bank says about it.
    pub title: String,
    /// Who was paid, or who paid.
    pub merchant_name: Option<String>,
    /// The account it is on. It plays no part in what is found: cards are replaced.
    pub account_name: Option<String>,
    /// The amount in the preferred currency at the day that is asked about; none without a rate.
    pub converted_cents: Option<i64>,
}

/// Months before the day that is asked about whose rows are looked at: enough for two payments of a yearly stream.
pub const WINDOW_MONTHS: i32 = 25;

/// The rows of one payee, one direction and one currency.
type Payees = BTreeMap<(TransactionType, Currency, String), Vec<usize>>;

/// Every stream among the rows up to a day, in order of payee; within one, the first found first. Neither the order of
/// the rows nor rows of other payees play a part.
pub fn detect(payments: &[Payment], as_of: Date) -> Vec<Stream> {
    let looked_at = |at: &usize| may_recur(&payments[*at]) && payments[*at].date <= as_of;
    let mut order: Vec<usize> = (0..payments.len()).filter(looked_at).collect();
    order.sort_by_key(|at| (payments[*at].date, payments[*at].amount_cents, payments[*at].id));
    // From here on a row is known by its place in this order, so that ties fall alike whatever order was given.
    let rows: Vec<&Payment> = order.iter().map(|at| &payments[*at]).collect();
    let as_of = calendar::number(as_of);
    let mut found = Vec::new();
    for ((_, _, name), places) in payees(&rows) {
        let most_are = |is: fn(Category) -> bool| {
            places.iter().filter(|at| is(rows[**at].category)).count() * 2 > places.len()
        };
        let kind = Payee {
            bill: most_are(Category::is_billed),
            occasional: most_are(Category::is_occasional),
            habitual: most_are(Category::is_habitual),
            rows: places.len(),
        };
        let item =
            |at: usize| Item { day: calendar::number(rows[at].date), cents: rows[at].amount_cents, at };
        let items: Vec<Item> = places.into_iter().map(item).collect();
        found.extend(chains(&items, &kind).iter().map(|chain| Stream::of(&name, chain, &order, as_of)));
    }
    found
}

/// Rows by payee. A row without a merchant's name belongs to the merchant that other rows with its title name.
fn payees(rows: &[&Payment]) -> Payees {
    let titles: Vec<String> = rows.iter().map(|row| payee_key(&row.title)).collect();
    let names: Vec<Option<String>> =
        rows.iter().map(|row| row.merchant_name.as_deref().map(payee_key)).collect();
    let mut named: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for (title, name) in titles.iter().zip(&names) {
        if let Some(name) = name {
            let known = named.entry(title).or_insert(Some(name));
            // A title that two merchants share names neither.
            *known = known.filter(|known| known == name);
        }
    }
    let mut payees = Payees::new();
    for (at, row) in rows.iter().enumerate() {
        let title = titles[at].as_str();
        let name = names[at].as_deref().or_else(|| named.get(title).copied().flatten()).unwrap_or(title);
        payees.entry((row.transaction_type, row.currency, name.to_owned())).or_default().push(at);
    }
    payees
}

/// Cash is fetched and refunds happen; neither is collected by anybody. Nothing is paid by an amount of 0.
fn may_recur(payment: &Payment) -> bool {
    let excluded =
        [Category::Expense(ExpenseCategory::CashWithdrawal), Category::Income(IncomeCategory::Refund)];
    let moved = payment.amount_cents > 0 && payment.transaction_type != TransactionType::InternalTransfer;
    moved && !excluded.contains(&payment.category)
}
