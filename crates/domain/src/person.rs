//! Whose money it is, and the settings that every answer depends on.

use jiff::civil::Date;
use uuid::Uuid;

use crate::category::ExpenseCategory;
use crate::currency::Currency;

/// The user whose data a request may read. There is no parameter anywhere that names another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UserId(Uuid);

impl UserId {
    /// States that authentication has established this user. Only `auth`, or a host that authenticates by
    /// itself, may say so.
    pub const fn from_authenticated(id: Uuid) -> UserId {
        UserId(id)
    }

    /// The identifier.
    pub const fn as_uuid(&self) -> Uuid {
        self.0
    }
}

/// A person, as the transaction that read the data saw them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Who.
    pub id: UserId,
    /// E-mail address.
    pub email: String,
    /// The currency of totals.
    pub preferred_currency: Currency,
    /// The day it is in the person's time zone.
    pub today: Date,
    /// Left out of cashflow, spending, merchants and budgets; sorted.
    pub excluded_categories: Vec<ExpenseCategory>,
}

/// The surfaces a credential may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surfaces {
    /// The REST routes.
    pub rest: bool,
    /// The tool server.
    pub mcp: bool,
}
