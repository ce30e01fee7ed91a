//! Linked institutions and their accounts.

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
    /// holdings it is cash and holdings together.
    #[schemars(extend("x-tool-description" = "Signed: debts are negative; includes holdings."))]
    pub balance_cents: i64,
    /// The currency of the balance.
    pub currency: Currency,
    /// When the balance was known to be this.
    pub updated_at: UtcTimestamp,
    /// True if the account holds securities. They are listed in `securitiesByItem`.
    pub has_holdings: bool,
}

impl Account {
    /// Creates an account without holdings. Its subtype is the name of its type.
    pub fn new(
        id: Uuid,
        name: impl Into<String>,
        r#type: AccountType,
        balance: Money,
        updated_at: UtcTimestamp,
    ) -> Account {
        Account {
            id,
            name: name.into(),
            r#type,
            subtype: r#type.as_str().to_owned(),
            balance_cents: balance.amount_cents,
            currency: balance.currency,
            updated_at,
            has_holdings: false,
        }
    }

    /// Returns the balance.
    pub fn balance(&self) -> Money {
        Money::new(self.balance_cents, self.currency)
    }
}
