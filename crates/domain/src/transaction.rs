//! One movement of money, as the contract shows it.

use jiff::civil::Date;
use uuid::Uuid;

use crate::bounded::Bounded;
use crate::category::Category;
use crate::currency::Currency;
use crate::invalid::Invalid;
use crate::page::{Cursor, Pagination};
use crate::range::DateRange;
use crate::string_enum::string_enum;

string_enum! {
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

/// Rows on one page.
pub type PageSize = Bounded<1, 200>;

/// A bound on an amount's magnitude, in cents of the row's own currency.
pub type AmountBound = Bounded<0, { crate::money::AMOUNT_CENTS_MAX }>;

string_enum! {
    /// The order of a list of transactions. Amounts are compared in the preferred currency; rows without a rate
    /// come last.
    TransactionSort {
        DateDescending = "date_desc",
        DateAscending = "date_asc",
        AmountDescending = "amount_desc",
        AmountAscending = "amount_asc",
    }
}

/// What to look for in merchant names and titles: 1 to 100 characters, taken literally.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MerchantQuery(String);

impl MerchantQuery {
    /// The longest text, in characters.
    pub const CHARACTERS_MAX: usize = 100;

    /// Refused when empty, longer than [`Self::CHARACTERS_MAX`], or holding NUL, which no stored text can.
    pub fn parse(text: &str) -> Result<MerchantQuery, Invalid> {
        let length = text.chars().count();
        if length == 0 || length > Self::CHARACTERS_MAX || text.contains('\0') {
            return Err(Invalid::new("must be 1 to 100 characters, without NUL"));
        }
        Ok(MerchantQuery(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Which transactions to list. Every part narrows the list; alternatives are inside a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransactionQuery {
    /// Days, inclusive.
    pub days: DateRange,
    /// Types to list.
    pub types: Vec<TransactionType>,
    /// Categories to list; all when none.
    pub categories: Option<Vec<Category>>,
    /// Accounts to list; all when none.
    pub accounts: Option<Vec<Uuid>>,
    /// Smallest magnitude, inclusive.
    pub amount_min: Option<AmountBound>,
    /// Largest magnitude, inclusive.
    pub amount_max: Option<AmountBound>,
    /// Text in merchant name or title, without regard to case and accents.
    pub merchant: Option<MerchantQuery>,
    /// Only pending, or only posted, rows.
    pub pending: Option<bool>,
    /// The order.
    pub sort: TransactionSort,
    /// Rows after this one.
    pub after: Option<Cursor>,
    /// Rows at most.
    pub page_size: PageSize,
}

/// One page of transactions.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct TransactionPage {
    /// The rows, in the order asked for.
    pub transactions: Vec<Transaction>,
    /// Where the page ends.
    pub pagination: Pagination,
}
