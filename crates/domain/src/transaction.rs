//! One movement of money, as the contract shows it.

use jiff::civil::Date;
use uuid::Uuid;

use crate::category::Category;
use crate::currency::Currency;
use crate::words::words;

words! {
    /// What a transaction is to its owner.
    TransactionType {
        /// Money that came in.
        Income = "INCOME",
        /// Money that went out.
        Expense = "EXPENSE",
        /// Money moved between the owner's own accounts: never counted.
        InternalTransfer = "INTERNAL_TRANSFER",
    }
}

/// One movement on one account.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Transaction {
    /// The transaction's identifier.
    pub id: Uuid,
    /// Whether it is income, an expense, or a transfer between own accounts.
    pub r#type: TransactionType,
    /// Its category. New values may appear: tolerate unknown ones.
    pub category: Category,
    /// Magnitude in hundredths of the row's own currency, 0 or more; `type` gives the direction, and for
    /// `INTERNAL_TRANSFER` the category: `TRANSFER_IN` came in, every other went out.
    pub amount_cents: i64,
    /// The bank's posting date, or for a pending row the day of the transaction.
    #[schemars(extend("format" = "date"))]
    #[schemars(with = "String")]
    pub date: Date,
    /// What the bank says about it.
    pub title: String,
    /// True while the bank has not posted it.
    pub pending: bool,
    /// The currency of `amount_cents`.
    pub currency: Currency,
    /// The aggregator's own category label.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub provider_category: Option<String>,
    /// Who was paid, or who paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub merchant_name: Option<String>,
    /// The account it is on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub account_name: Option<String>,
    /// The institution of that account.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub bank_name: Option<String>,
    /// A counterpart: the other leg of an `INTERNAL_TRANSFER`, or the purchase that a `REFUND` refunds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Uuid")]
    pub linked_transaction_id: Option<Uuid>,
}
