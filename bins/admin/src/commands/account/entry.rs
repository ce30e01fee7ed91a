//! An account in the list of accounts.

use jiff::Timestamp;
use jiff::civil::Date;
use passbook_ingest::accounts::Account;
use serde::Serialize;
use uuid::Uuid;

use crate::listing::{Entry, amount, optional};

/// An account in the list.
#[derive(Debug, Serialize)]
pub(super) struct AccountEntry {
    account_id: Uuid,
    /// E-mail address.
    user: String,
    bank: String,
    name: String,
    r#type: String,
    subtype: String,
    currency: String,
    balance_cents: i64,
    balance_updated_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    closed_on: Option<Date>,
    transactions: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_day: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_day: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

impl From<Account> for AccountEntry {
    fn from(account: Account) -> AccountEntry {
        AccountEntry {
            account_id: account.account_id,
            user: account.email,
            bank: account.bank,
            name: account.name,
            r#type: account.kind,
            subtype: account.subtype,
            currency: account.currency,
            balance_cents: account.balance_cents,
            balance_updated_at: account.balance_updated_at,
            closed_on: account.closed_on,
            transactions: account.transactions,
            first_day: account.first_day,
            last_day: account.last_day,
            source: account.source,
        }
    }
}

impl Entry for AccountEntry {
    const HEADING: &'static [&'static str] = &[
        "id",
        "user",
        "bank",
        "name",
        "type",
        "currency",
        "balance",
        "state",
        "transactions",
        "first day",
        "last day",
        "source",
    ];

    fn cells(&self) -> Vec<String> {
        vec![
            self.account_id.to_string(),
            self.user.clone(),
            self.bank.clone(),
            self.name.clone(),
            format!("{}/{}", self.r#type, self.subtype),
            self.currency.clone(),
            amount(self.balance_cents),
            self.closed_on.map_or_else(|| "open".to_owned(), |day| format!("closed {day}")),
            self.transactions.to_string(),
            optional(self.first_day.as_ref()),
            optional(self.last_day.as_ref()),
            optional(self.source.as_ref()),
        ]
    }
}
