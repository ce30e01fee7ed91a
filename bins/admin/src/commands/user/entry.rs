//! A user in the list of users, and the overview of one user.

use jiff::Timestamp;
use jiff::civil::Date;
use passbook_ingest::people::{Overview, Person};
use serde::Serialize;
use uuid::Uuid;

use crate::listing::{Entry, optional};

/// A user in the list.
#[derive(Debug, Serialize)]
pub(super) struct UserEntry {
    user_id: Uuid,
    email: String,
    preferred_currency: String,
    time_zone: String,
    created_at: Timestamp,
}

impl From<Person> for UserEntry {
    fn from(person: Person) -> UserEntry {
        UserEntry {
            user_id: person.user_id,
            email: person.email,
            preferred_currency: person.preferred_currency,
            time_zone: person.time_zone,
            created_at: person.created_at,
        }
    }
}

impl Entry for UserEntry {
    const HEADING: &'static [&'static str] = &["id", "email", "currency", "time zone", "created"];

    fn cells(&self) -> Vec<String> {
        vec![
            self.user_id.to_string(),
            self.email.clone(),
            self.preferred_currency.clone(),
            self.time_zone.clone(),
            format!("{:.0}", self.created_at),
        ]
    }
}

/// The overview of one user.
#[derive(Debug, Serialize)]
pub(super) struct UserOverview {
    #[serde(flatten)]
    user: UserEntry,
    excluded_categories: Vec<String>,
    accounts: i64,
    transactions: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_day: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_day: Option<Date>,
    tokens_active: i64,
    tokens_expired: i64,
    tokens_revoked: i64,
    sources: Vec<String>,
}

impl UserOverview {
    pub(super) fn new(person: Person, overview: Overview) -> UserOverview {
        UserOverview {
            user: person.into(),
            excluded_categories: overview.excluded_categories,
            accounts: overview.accounts,
            transactions: overview.transactions,
            first_day: overview.first_day,
            last_day: overview.last_day,
            tokens_active: overview.tokens_active,
            tokens_expired: overview.tokens_expired,
            tokens_revoked: overview.tokens_revoked,
            sources: overview.sources,
        }
    }
}

impl Entry for UserOverview {
    const HEADING: &'static [&'static str] = &[
        "id",
        "email",
        "currency",
        "time zone",
        "created",
        "excluded",
        "accounts",
        "transactions",
        "first day",
        "last day",
        "tokens",
        "sources",
    ];

    fn cells(&self) -> Vec<String> {
        let mut cells = self.user.cells();
        cells.extend([
            joined(&self.excluded_categories),
            self.accounts.to_string(),
            self.transactions.to_string(),
            optional(self.first_day.as_ref()),
            optional(self.last_day.as_ref()),
            format!(
                "{} active, {} expired, {} revoked",
                self.tokens_active, self.tokens_expired, self.tokens_revoked
            ),
            joined(&self.sources),
        ]);
        cells
    }
}

fn joined(values: &[String]) -> String {
    if values.is_empty() { "none".to_owned() } else { values.join(",") }
}
