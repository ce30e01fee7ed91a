//! Linked institutions and their accounts.

use jiff::civil::Date;
use uuid::Uuid;

use crate::currency::Currency;
use crate::money::Money;
use crate::string_enum::string_enum;
use crate::tally::Unconverted;
use crate::timestamp::UtcTimestamp;

string_enum! {
    /// The kind of an account.
    AccountType {
        Depository = "depository",
        Credit = "credit",
        Loan = "loan",
        Investment = "investment",
        Other = "other",
    }
}

/// One linked institution.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Item {
    /// The institution's identifier: the same as in the banks' status.
    pub id: Uuid,
    /// Its accounts together, each converted to the preferred currency and rounded, then added. Signed.
    pub total: Money,
    /// The currency of `total`: the preferred one.
    pub currency: Currency,
    /// Its open accounts, the largest first. Closed ones are in the history only.
    pub accounts: Vec<Account>,
    /// The institution's name.
    pub bank_name: String,
    /// True if the owner has to sign in to the institution again.
    pub needs_update: bool,
    /// True if the institution offers accounts that are not linked.
    pub new_accounts_available: bool,
    /// Balances that are missing from the total because they cannot be converted; absent when none is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconverted: Vec<Unconverted>,
}

/// One account.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct Account {
    /// The account's identifier, as `accountIds` of the transactions takes it.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// Its kind. New values may appear: tolerate unknown ones.
    pub r#type: AccountType,
    /// The institution's name for this kind of account, in lower case: `checking`, `savings`, `credit card`,
    /// `mortgage`, `brokerage` …
    pub subtype: String,
    /// The balance in hundredths of the account's own currency. Signed: what is owed is negative. Of an account with
    /// holdings it is cash and holdings together. Absent if no source states a balance.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    #[schemars(extend("x-tool-description" = "Signed: debts are negative; includes holdings. Absent if unknown."))]
    pub balance_cents: Option<i64>,
    /// The currency of the balance.
    pub currency: Currency,
    /// The day of the newest balance that a file or loader states; the transactions since then are added to it. Absent if
    /// there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date"))]
    #[schemars(extend("x-tool-description" = "Day of the newest stated balance."))]
    pub balance_as_of: Option<Date>,
    /// True if transactions since that day may be missing; else absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("x-tool-description" = "True if transactions since balance_as_of may be missing."))]
    pub estimated: bool,
    /// When the newest stated balance was known. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "UtcTimestamp")]
    pub updated_at: Option<UtcTimestamp>,
    /// True if the account holds securities. They are listed in `securitiesByItem`.
    pub has_holdings: bool,
}

impl Account {
    /// Creates an account without holdings and without a known balance. Its subtype is the name of its type.
    pub fn new(id: Uuid, name: impl Into<String>, r#type: AccountType, currency: Currency) -> Account {
        Account {
            id,
            name: name.into(),
            r#type,
            subtype: r#type.as_str().to_owned(),
            balance_cents: None,
            currency,
            balance_as_of: None,
            estimated: false,
            updated_at: None,
            has_holdings: false,
        }
    }

    /// Sets the balance, in hundredths of the account's currency, and the time from which it is.
    #[must_use]
    pub fn with_balance(self, cents: i64, updated_at: UtcTimestamp) -> Account {
        Account { balance_cents: Some(cents), updated_at: Some(updated_at), ..self }
    }

    /// Returns the balance; `None` if it is unknown.
    pub fn balance(&self) -> Option<Money> {
        self.balance_cents.map(|cents| Money::new(cents, self.currency))
    }
}
