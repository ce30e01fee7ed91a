//! The totals that a ledger returns, before conversion gaps are reported and percentages are computed.

use jiff::civil::Date;

#[cfg(doc)]
use crate::cashflow::TransfersOutside;
use crate::category::{ExpenseCategory, IncomeCategory};
use crate::currency::Currency;
use crate::money::Money;
use crate::tally::CurrencyTotal;
use crate::transaction::{Transaction, TransactionType};

/// One page of transactions, and what the whole list has.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TransactionRows {
    /// The rows of the page, and one row more if a next page exists.
    pub rows: Vec<Transaction>,
    /// Number of transactions after today that the list would have if the request had a last day; 0 after the first page.
    pub planned: i64,
    /// Totals of the rows of the list that cannot be converted, by type: for the first page of an order by amount, else empty.
    pub unconverted: Vec<(TransactionType, CurrencyTotal)>,
}

/// Totals of income by category and of expenses.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CashflowTotals {
    /// Number of transactions after today that the totals would include if the request had a last day.
    pub planned: i64,
    /// Totals of income, each with the first day of its month and its category.
    pub income: Vec<(Option<Date>, IncomeCategory, CurrencyTotal)>,
    /// Totals of expenses, each with the first day of its month.
    pub expenses: Vec<(Option<Date>, CurrencyTotal)>,
    /// Totals of the expenses that the query leaves out because the person excluded their categories.
    pub excluded: Vec<CurrencyTotal>,
    /// Totals of those expenses that have a category of [`TransfersOutside::OUTGOING`].
    pub outgoing: Vec<CurrencyTotal>,
    /// First and last day of the range on which an included transaction was posted; none if there is no such day.
    /// A ledger may also return none if both ends of the range are known.
    pub counted_days: Option<(Date, Date)>,
}

/// Expense and refund totals of a range, and expense totals of the days before the range.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SpendingTotals {
    /// Number of expenses after today that the totals would include if the request had a last day.
    pub planned: i64,
    /// Totals of expenses, each with the first day of its period; none if the range is not divided into periods.
    pub expenses: Vec<(Option<Date>, CurrencyTotal)>,
    /// Totals of the refunds in the range. The query selects the purchase of a refund, or without a purchase the refund.
    pub refunds: Vec<CurrencyTotal>,
    /// Totals of expenses in the days directly before the range, as many as the range has up to today; empty without such days,
    /// and for a range without a first day.
    pub previous: Vec<CurrencyTotal>,
    /// Totals of those expenses of the range that are after today.
    pub after_today: Vec<CurrencyTotal>,
    /// First and last day of the range on which an included expense was posted; none if there is no such day.
    /// A ledger may also return none if both ends of the range are known.
    pub counted_days: Option<(Date, Date)>,
}

/// Expense totals by category and month, and refund totals by the category of the refunded purchase.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CategoryTotals {
    /// Number of expenses after today that the totals would include if the request had a last day.
    pub planned: i64,
    /// Totals of expenses, each with its category and the first day of its month.
    pub expenses: Vec<(ExpenseCategory, Option<Date>, CurrencyTotal)>,
    /// First and last day of the range on which an included expense was posted; none if there is no such day.
    /// A ledger may also return none if both ends of the range are known.
    pub counted_days: Option<(Date, Date)>,
    /// Totals of refunds, each with the category of the refunded purchase.
    pub refunds: Vec<(ExpenseCategory, CurrencyTotal)>,
    /// Totals of the refunds without a purchase.
    pub unlinked_refunds: Vec<CurrencyTotal>,
}

/// Expense totals by merchant, and the refunds of the same range.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct MerchantTotals {
    /// Number of expenses after today that the totals would include if the request had a last day.
    pub planned: i64,
    /// Totals of all expenses, including expenses without a merchant.
    pub total: Vec<CurrencyTotal>,
    /// Names and totals of the merchants with the largest expenses, largest first. A name has its most recent spelling.
    /// Each merchant has one total per currency and existence of a rate.
    pub merchants: Vec<(String, Vec<CurrencyTotal>)>,
    /// Totals of refunds, each with a name of `merchants`: the merchant of the purchase, or without a purchase that of the refund.
    pub refunds: Vec<(String, CurrencyTotal)>,
    /// Totals of all refunds, including those without a merchant.
    pub total_refunds: Vec<CurrencyTotal>,
}

/// Target of one expense category: the amount that the person plans to spend in a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Target {
    /// Amount of the target in hundredths of `currency`.
    pub amount_cents: i64,
    /// Currency in which the target is stored.
    pub currency: Currency,
    /// Amount of the target in hundredths of the preferred currency, at the rate of the end of the month or of today,
    /// whichever is earlier; none without a rate.
    pub converted_cents: Option<i64>,
}

impl Target {
    /// Creates a target with its amount in the preferred currency; none without a rate.
    pub fn new(amount: Money, converted_cents: Option<i64>) -> Target {
        Target { amount_cents: amount.amount_cents, currency: amount.currency, converted_cents }
    }
}

/// Expense totals of a month by category, and the target of each category.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct BudgetTotals {
    /// Number of expenses of the current month after today.
    pub planned: i64,
    /// Totals of the month's expenses, each with its category.
    pub expenses: Vec<(ExpenseCategory, CurrencyTotal)>,
    /// Targets, each with its category. Excluded categories have none here.
    pub targets: Vec<(ExpenseCategory, Target)>,
    /// Totals of the month's refunds, each with the category of the refunded purchase.
    pub refunds: Vec<(ExpenseCategory, CurrencyTotal)>,
}
