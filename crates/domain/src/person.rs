//! The authenticated user, and the settings on which every response depends.

use jiff::civil::Date;
use uuid::Uuid;

use crate::category::ExpenseCategory;
use crate::currency::Currency;

/// Identifier of the authenticated user, whose data a request reads. No request parameter names a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UserId(Uuid);

impl UserId {
    /// Creates the identifier of a user whom authentication has established. Only `auth`, or a host with its own
    /// authentication, may call this function; clippy disallows it elsewhere.
    pub const fn from_authenticated(id: Uuid) -> UserId {
        UserId(id)
    }

    /// Returns the identifier as a UUID.
    pub const fn as_uuid(&self) -> Uuid {
        self.0
    }
}

/// A person with their settings, read in the same database transaction as the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Identifier of the person as a user.
    pub id: UserId,
    /// E-mail address of the person.
    pub email: String,
    /// Currency to which all totals of the person are converted.
    pub preferred_currency: Currency,
    /// IANA name of the person's time zone, such as `Europe/Berlin`.
    pub time_zone: String,
    /// Current day in the person's time zone.
    pub today: Date,
    /// Expense categories that cash flow, spending, merchants and budgets leave out; sorted.
    pub excluded_categories: Vec<ExpenseCategory>,
}

/// The surfaces that a grant allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surfaces {
    /// True if the REST routes are allowed.
    pub rest: bool,
    /// True if the tool server is allowed.
    pub mcp: bool,
}
