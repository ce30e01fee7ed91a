//! Transactions as the detection reads them.

use std::sync::Arc;

use jiff::civil::Date;
use uuid::Uuid;

use crate::category::{Category, ExpenseCategory, IncomeCategory};
use crate::currency::Currency;
use crate::transaction::{Transaction, TransactionType};

/// Number of months that the detection searches, up to and including the `asOf` day. It is long enough for two payments
/// of an annual stream, even if the second is late.
pub const WINDOW_MONTHS: i32 = 25;
/// Maximum number of transactions in the searched months. One person makes a few thousand in that time; a request with
/// more would take memory and time from the others.
pub const ANALYSED_PAYMENTS_MAX: usize = 250_000;

/// A transaction that may be a payment of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Payment {
    /// Identifier of the transaction.
    pub id: Uuid,
    /// Posting date of the transaction; for a pending transaction, the transaction date.
    pub date: Date,
    /// Income or expense. Internal transfers are ignored.
    pub transaction_type: TransactionType,
    /// Category of the transaction.
    pub category: Category,
    /// Magnitude of the amount in hundredths of `currency`. Rows with an amount of 0 are ignored.
    pub amount_cents: i64,
    /// Currency in which the transaction was booked.
    pub currency: Currency,
    /// Description of the transaction by the bank.
    pub title: String,
    /// Name of the merchant, employer or other counterparty; none if unknown.
    pub merchant_name: Option<String>,
    /// Name of the account. It does not affect the detection, because a stream continues when its card is replaced.
    pub account_name: Option<Arc<str>>,
    /// The amount in the preferred currency at the rate of the `asOf` day; none without a rate.
    pub converted_cents: Option<i64>,
}

impl Payment {
    /// Creates the payment of a transaction. `converted_cents` is its amount in hundredths of the preferred currency, at
    /// the rate of the `asOf` day; none without a rate.
    pub fn new(transaction: Transaction, converted_cents: Option<i64>) -> Payment {
        Payment {
            id: transaction.id,
            date: transaction.date,
            transaction_type: transaction.r#type,
            category: transaction.category,
            amount_cents: transaction.amount_cents,
            currency: transaction.currency,
            title: transaction.title,
            merchant_name: transaction.merchant_name,
            account_name: transaction.account_name,
            converted_cents,
        }
    }

    /// Returns true if the transaction can be part of a stream. Internal transfers, cash withdrawals and refunds are
    /// never collected on a schedule, and a payment has an amount.
    pub(super) fn can_recur(&self) -> bool {
        let excluded =
            [Category::Expense(ExpenseCategory::CashWithdrawal), Category::Income(IncomeCategory::Refund)];
        self.amount_cents > 0
            && self.transaction_type != TransactionType::InternalTransfer
            && !excluded.contains(&self.category)
    }
}
