//! The one person of the demo household.

use passbook_domain::Currency;
use passbook_domain::category::ExpenseCategory;
use passbook_records::record::User;
use uuid::Uuid;

/// Identifier of the demo person.
pub const USER_ID: Uuid = Uuid::from_u128(0xde30_0000_0000_4000_8000_0000_0000_0001);

/// E-mail address of the demo person.
pub const EMAIL: &str = "demo@passbook.example";

/// IANA time zone of the demo person; the household ends on the current day in this zone.
pub const TIME_ZONE: &str = "Europe/Berlin";

/// Returns the person with their settings.
pub(super) fn person() -> User {
    User {
        user_id: USER_ID,
        email: EMAIL.to_owned(),
        preferred_currency: Currency::EUR,
        time_zone: TIME_ZONE.to_owned(),
        excluded_categories: vec![ExpenseCategory::Vacation],
    }
}
