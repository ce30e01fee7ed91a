//! Transactions: the response types, and the filter of a list.

use std::sync::Arc;

use jiff::civil::Date;
use uuid::Uuid;

use crate::bounded::Bounded;
use crate::category::Category;
use crate::currency::Currency;
use crate::error::Invalid;
use crate::label::Label;
use crate::money::Money;
use crate::names::Resolved;
use crate::page::{Cursor, Pagination};
use crate::range::{DateRange, Planned};
use crate::string_enum::string_enum;
use crate::tally::Unconverted;

string_enum! {
    /// The direction of a transaction from the owner's point of view.
    TransactionType {
        /// Money received.
        Income = "INCOME",
        /// Money spent.
        Expense = "EXPENSE",
        /// Money moved between the owner's own accounts. No total includes it.
        InternalTransfer = "INTERNAL_TRANSFER",
    }
}

/// One transaction on one account.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct Transaction {
    /// The transaction's identifier.
    pub id: Uuid,
    /// Direction: income, an expense, or a transfer between own accounts.
    #[schemars(extend("x-tool-description" = "INTERNAL_TRANSFER is between own accounts."))]
    pub r#type: TransactionType,
    /// Its category. New values may appear: tolerate unknown ones.
    pub category: Category,
    /// Magnitude in hundredths of the row's own currency, 0 or more; `type` gives the direction, and for
    /// `INTERNAL_TRANSFER` the category: `TRANSFER_IN` came in, every other went out.
    #[schemars(extend("x-tool-description" = "Magnitude in hundredths of currency; type gives the direction."))]
    pub amount_cents: i64,
    /// The bank's posting date, or for a pending row the day of the transaction.
    #[schemars(extend("format" = "date"))]
    #[schemars(with = "String")]
    #[schemars(extend("x-tool-description" = "Posting date; of a pending row, the day of the transaction."))]
    pub date: Date,
    /// Description by the bank.
    #[schemars(extend("x-tool-description" = "Description by the bank."))]
    pub title: String,
    /// True while the bank has not posted it.
    #[schemars(extend("x-tool-description" = "True until the bank posts the transaction."))]
    pub pending: bool,
    /// The currency of `amount_cents`.
    pub currency: Currency,
    /// The aggregator's own category label.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    #[schemars(extend("x-tool-description" = "Category label of the aggregator."))]
    pub provider_category: Option<String>,
    /// The amount in the preferred currency, at the last rate on or before `date`, as totals count it; absent if
    /// `currency` is the preferred one, and if the amount cannot be converted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Money")]
    #[schemars(extend("x-tool-description" = "Amount in the preferred currency, as in totals; absent if in it or not convertible."))]
    pub converted: Option<Money>,
    /// Payee or payer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    #[schemars(extend("x-tool-description" = "Payee or payer."))]
    pub merchant_name: Option<String>,
    /// Identifier of the account it is on, as in the portfolio and in `accountIds`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Uuid")]
    #[schemars(extend("x-tool-description" = "For accountIds."))]
    pub account_id: Option<Uuid>,
    /// The account it is on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub account_name: Option<Arc<str>>,
    /// The institution of that account.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub bank_name: Option<Arc<str>>,
    /// A counterpart: the other leg of an `INTERNAL_TRANSFER`, or the purchase that a `REFUND` refunds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Uuid")]
    #[schemars(extend("x-tool-description" = "Other leg of an INTERNAL_TRANSFER, or the purchase that a REFUND refunds."))]
    pub linked_transaction_id: Option<Uuid>,
    /// The own category.
    #[serde(rename = "ownCategory", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Label")]
    pub own_category: Option<Label>,
    /// The tags, sorted by name; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Label>,
    /// A note of the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    #[schemars(extend("x-tool-description" = "The user's note."))]
    pub note: Option<String>,
}

impl Transaction {
    /// Creates a posted transaction without the optional fields. `amount` is a magnitude, 0 or more, in the currency of
    /// the account. The category must agree with the type.
    pub fn new(
        id: Uuid,
        date: Date,
        r#type: TransactionType,
        category: Category,
        amount: Money,
        title: impl Into<String>,
    ) -> Transaction {
        Transaction {
            id,
            r#type,
            category,
            amount_cents: amount.amount_cents,
            date,
            title: title.into(),
            pending: false,
            currency: amount.currency,
            provider_category: None,
            converted: None,
            merchant_name: None,
            account_id: None,
            account_name: None,
            bank_name: None,
            linked_transaction_id: None,
            own_category: None,
            tags: Vec::new(),
            note: None,
        }
    }

    /// Returns the amount as money: a magnitude in the row's own currency.
    pub fn amount(&self) -> Money {
        Money::new(self.amount_cents, self.currency)
    }
}

/// Number of rows on one page, 1 to 200.
pub type PageSize = Bounded<1, 200>;

/// Minimum or maximum amount in a filter, without a sign, in hundredths of the row's currency.
pub type AmountBound = Bounded<0, { crate::money::AMOUNT_CENTS_MAX }>;

string_enum! {
    /// Sort order of a list of transactions. Amounts are compared in the preferred currency. Rows without an exchange
    /// rate are last in both directions.
    TransactionSort {
        DateDescending = "date_desc",
        DateAscending = "date_asc",
        AmountDescending = "amount_desc",
        AmountAscending = "amount_asc",
    }
}

/// Search text for merchant names and titles: 1 to 100 characters. It has no wildcards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MerchantQuery(String);

impl MerchantQuery {
    /// Maximum length in characters.
    pub const CHARACTERS_MAX: usize = 100;

    /// Parses a search text.
    ///
    /// # Errors
    ///
    /// The text is empty, longer than [`Self::CHARACTERS_MAX`], or contains NUL, which PostgreSQL cannot store.
    pub fn parse(text: &str) -> Result<MerchantQuery, Invalid> {
        let length = text.chars().count();
        if length == 0 || length > Self::CHARACTERS_MAX || text.contains('\0') {
            return Err(Invalid::new("must be 1 to 100 characters, without NUL"));
        }
        Ok(MerchantQuery(text.to_owned()))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Filter, order and page of a list of transactions. A row must match every given field; within a list field, one
/// matching value is enough.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TransactionQuery {
    /// Days, both ends inclusive.
    pub days: DateRange,
    /// Types of the listed rows.
    pub types: Vec<TransactionType>,
    /// Categories of the listed rows; none lists all.
    pub categories: Option<Vec<Category>>,
    /// Identifiers of the accounts of the listed rows; none lists all.
    pub accounts: Option<Vec<Uuid>>,
    /// Minimum magnitude, inclusive.
    pub amount_min: Option<AmountBound>,
    /// Maximum magnitude, inclusive.
    pub amount_max: Option<AmountBound>,
    /// Text in the merchant name, title or note. Case and accents are ignored.
    pub merchant: Option<MerchantQuery>,
    /// Own categories of the listed rows; none lists all. A category includes those that it contains.
    pub own_categories: Option<Vec<Uuid>>,
    /// Tags of the listed rows; none lists all.
    pub tags: Option<Vec<Uuid>>,
    /// Identifiers of the merchants of the listed rows; none lists all.
    pub merchants: Option<Vec<String>>,
    /// True lists pending rows only, false posted rows only; none lists both.
    pub pending: Option<bool>,
    /// Sort order.
    pub sort: TransactionSort,
    /// Cursor: the list starts after this row.
    pub after: Option<Cursor>,
    /// Maximum number of rows.
    pub page_size: PageSize,
}

impl TransactionQuery {
    /// Creates a query for the first page of the income and expenses of `days`, newest first, without further filters.
    pub fn new(days: DateRange, page_size: PageSize) -> TransactionQuery {
        TransactionQuery {
            days,
            types: vec![TransactionType::Income, TransactionType::Expense],
            categories: None,
            accounts: None,
            amount_min: None,
            amount_max: None,
            merchant: None,
            own_categories: None,
            tags: None,
            merchants: None,
            pending: None,
            sort: TransactionSort::DateDescending,
            after: None,
            page_size,
        }
    }
}

/// One page of transactions.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransactionPage {
    /// The rows, in the requested order.
    pub transactions: Vec<Transaction>,
    /// End of the page, and the cursor of the next page.
    pub pagination: Pagination,
    /// On the first page, the transactions after today that the pages leave out because the range has no last day; absent if
    /// there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Planned")]
    #[schemars(extend("x-tool-description" = "After today, not listed."))]
    pub planned: Option<Planned>,
    /// The names of the request and what they name; absent if it has identifiers only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-tool-description" = "argument, given, id and name of each given name."))]
    pub resolved: Vec<Resolved>,
    /// Names of merchants that are nearest to `merchantQuery`, if it matches nothing; absent otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-tool-description" = "Nearest names, if merchantQuery matches nothing."))]
    pub nearest_merchants: Vec<String>,
    /// Amounts of the whole list that cannot be converted and are therefore last, by type and currency: on the first page of an
    /// order by amount; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-tool-description" = "Not convertible, so last in an order by amount; first page only."))]
    pub unconverted: Vec<Unconverted>,
}
