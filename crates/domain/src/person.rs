//! The authenticated user, and the settings on which every response depends.

use std::fmt;

use jiff::civil::Date;
use uuid::Uuid;

use crate::category::ExpenseCategory;
use crate::currency::Currency;
use crate::month_start::MonthStart;

/// Identifier of the authenticated user, whose data a request reads. No request parameter names a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UserId(Uuid);

impl UserId {
    /// Creates the identifier of a user whom authentication has established. Only `auth`, or a host with its own
    /// authentication, may call this function; clippy disallows it elsewhere.
    pub const fn from_authenticated(id: Uuid) -> UserId {
        UserId(id)
    }

    /// Returns the identifier as a UUID. `Display` writes the same identifier.
    pub const fn as_uuid(&self) -> Uuid {
        self.0
    }
}

/// Writes the identifier as a hyphenated UUID.
impl fmt::Display for UserId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A person with their settings, read in the same database transaction as the data.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
    /// The day on which the person's months begin.
    pub month_start: MonthStart,
    /// Expense categories that cash flow, spending, merchants and budgets leave out; sorted.
    pub excluded_categories: Vec<ExpenseCategory>,
}

impl Person {
    /// Creates a person with months of the calendar who excludes no category. `time_zone` is an IANA name, and `today` the current day there.
    pub fn new(
        id: UserId,
        email: impl Into<String>,
        preferred_currency: Currency,
        time_zone: impl Into<String>,
        today: Date,
    ) -> Person {
        let (email, time_zone) = (email.into(), time_zone.into());
        let month_start = MonthStart::FIRST_DAY;
        Person {
            id,
            email,
            preferred_currency,
            time_zone,
            today,
            month_start,
            excluded_categories: Vec::new(),
        }
    }

    /// Sets the day on which the person's months begin.
    #[must_use]
    pub fn with_month_start(self, month_start: MonthStart) -> Person {
        Person { month_start, ..self }
    }

    /// Sets the excluded expense categories, and sorts them by name.
    #[must_use]
    pub fn with_excluded_categories(mut self, mut excluded: Vec<ExpenseCategory>) -> Person {
        excluded.sort_by_key(|category| category.as_str());
        self.excluded_categories = excluded;
        self
    }
}

/// The settings of a person that a report needs: its currency, and the days of its ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReportSettings {
    /// Currency to which all totals of the person are converted.
    pub preferred_currency: Currency,
    /// IANA name of the person's time zone, such as `Europe/Berlin`.
    pub time_zone: String,
    /// Current day in the person's time zone.
    pub today: Date,
}

impl From<Person> for ReportSettings {
    fn from(person: Person) -> ReportSettings {
        let Person { preferred_currency, time_zone, today, .. } = person;
        ReportSettings { preferred_currency, time_zone, today }
    }
}

/// The surfaces that a grant allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surfaces {
    /// True if the REST routes are allowed.
    pub rest: bool,
    /// True if the tool server is allowed.
    pub mcp: bool,
}
