//! Banks and the state of the connection to each bank.

use jiff::civil::Date;
use uuid::Uuid;

use crate::balance::AccountBalances;
use crate::string_enum::string_enum;
use crate::timestamp::UtcTimestamp;

string_enum! {
    /// State of the connection to a bank.
    BankStatus {
        /// The connection works.
        Connected = "CONNECTED",
        /// The owner has to sign in again.
        NeedsUpdate = "NEEDS_UPDATE",
        /// Updates fail for a reason that a sign-in does not fix.
        Error = "ERROR",
        /// The connection was ended.
        Disconnected = "DISCONNECTED",
        /// The data is entered by hand or loaded from files, without a connection.
        Manual = "MANUAL",
    }
}

/// A bank as the ledger returns it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bank {
    /// Identifier of the bank.
    pub id: Uuid,
    /// Name of the bank.
    pub name: String,
    /// State of the connection.
    pub status: BankStatus,
    /// True if the bank offers accounts that are not linked yet.
    pub new_accounts_available: bool,
    /// Number of accounts that are not closed.
    pub account_count: i64,
    /// Time of the last successful update.
    pub last_successful_update: Option<UtcTimestamp>,
    /// Time of the last failed update.
    pub last_failed_update: Option<UtcTimestamp>,
    /// Time at which the owner's consent to read expires.
    pub consent_expires_at: Option<UtcTimestamp>,
    /// Error code of a failing connection: upper-case letters, digits and underscores.
    pub error_code: Option<String>,
    /// Days from the last successful update to today in the person's time zone; none if no update has succeeded.
    pub days_since_update: Option<i32>,
    /// Days since the newest covered day, stated balance or transaction of the accounts that are not closed; none without any.
    pub days_since_data: Option<i32>,
    /// True if the bank had accounts, which are all closed.
    pub is_closed: bool,
    /// The last day through which stated balances agree with the transactions of every account that is not closed.
    pub reconciled_through: Option<Date>,
    /// Number of differences between stated balances and the transactions of these accounts.
    pub balance_differences: i64,
}

impl Bank {
    /// Maximum number of days since the last successful update of a connection that is not stale.
    pub const DAYS_WITHOUT_SUCCESS_MAX: i32 = 3;
    /// Maximum number of days since the newest data of a bank without a connection that is not stale.
    pub const DAYS_WITHOUT_DATA_MAX: i32 = 40;

    /// Creates a bank without accounts that was never updated.
    pub fn new(id: Uuid, name: impl Into<String>, status: BankStatus) -> Bank {
        Bank {
            id,
            name: name.into(),
            status,
            new_accounts_available: false,
            account_count: 0,
            last_successful_update: None,
            last_failed_update: None,
            consent_expires_at: None,
            error_code: None,
            days_since_update: None,
            days_since_data: None,
            is_closed: false,
            reconciled_through: None,
            balance_differences: 0,
        }
    }

    /// Adds what the balances of the bank's accounts show. Each has true if the account is not closed.
    pub fn add_accounts<'a>(&mut self, accounts: impl Iterator<Item = (&'a AccountBalances, bool)>) {
        let (open, closed): (Vec<_>, Vec<_>) = accounts.partition(|(_, is_open)| *is_open);
        let open = || open.iter().map(|(balances, _)| balances);
        self.account_count = i64::try_from(open().count()).unwrap_or(i64::MAX);
        self.is_closed = self.account_count == 0 && !closed.is_empty();
        self.days_since_data = open().filter_map(|balances| balances.days_since_newest()).min();
        // Without an account nothing is reconciled, and one account that is not makes the bank so.
        self.reconciled_through = open().map(|balances| balances.reconciled()).min().flatten();
        let differences = open().map(|balances| balances.findings().len()).sum::<usize>();
        self.balance_differences = i64::try_from(differences).unwrap_or(i64::MAX);
    }

    /// Returns true if the owner must sign in again.
    pub fn needs_update(&self) -> bool {
        self.status == BankStatus::NeedsUpdate
    }

    /// Returns true if the last successful update is more than [`Self::DAYS_WITHOUT_SUCCESS_MAX`] days ago or no update has
    /// succeeded; without a connection (`MANUAL`) if the newest data are more than [`Self::DAYS_WITHOUT_DATA_MAX`] days old. A
    /// bank whose accounts are all closed is never stale.
    pub fn is_stale(&self) -> bool {
        let is_old = match self.status {
            BankStatus::Manual => self.days_since_data.is_some_and(|days| days > Bank::DAYS_WITHOUT_DATA_MAX),
            _ => self.days_since_update.is_none_or(|days| days > Bank::DAYS_WITHOUT_SUCCESS_MAX),
        };
        is_old && !self.is_closed
    }

    /// Returns true if the owner should act: the status is `NEEDS_UPDATE`, `ERROR` or `DISCONNECTED`, or the bank is
    /// stale.
    pub fn needs_attention(&self) -> bool {
        matches!(self.status, BankStatus::NeedsUpdate | BankStatus::Error | BankStatus::Disconnected)
            || self.is_stale()
    }

    /// Converts the bank to its response type.
    pub fn connection(self) -> BankConnection {
        BankConnection {
            needs_update: self.needs_update(),
            stale: self.is_stale(),
            stale_days: match self.status {
                BankStatus::Manual => self.days_since_data,
                _ => self.days_since_update,
            },
            id: self.id,
            bank_name: self.name,
            status: self.status,
            new_accounts_available: self.new_accounts_available,
            account_count: self.account_count,
            last_successful_update: self.last_successful_update,
            last_failed_update: self.last_failed_update,
            consent_expires_at: self.consent_expires_at,
            error_code: self.error_code,
            reconciled_through: self.reconciled_through,
            balance_differences: Some(self.balance_differences).filter(|count| *count > 0),
        }
    }
}

/// State of the connections to a person's banks.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BanksStatus {
    /// Number of banks that are broken (`NEEDS_UPDATE` or `ERROR`), `DISCONNECTED` or stale.
    #[schemars(extend("x-tool-description" = "Number of banks that are broken, disconnected or stale."))]
    pub needs_attention: i64,
    /// Every bank, by name.
    #[schemars(extend("x-tool-description" = "By name."))]
    pub banks: Vec<BankConnection>,
}

impl BanksStatus {
    /// Creates the status of `banks`, in their order.
    pub fn new(banks: Vec<Bank>) -> BanksStatus {
        let needs_attention = banks.iter().map(|bank| i64::from(bank.needs_attention())).sum();
        BanksStatus { needs_attention, banks: banks.into_iter().map(Bank::connection).collect() }
    }
}

/// One bank with the state of its connection.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct BankConnection {
    /// The bank's identifier: the same as in the portfolio.
    #[schemars(extend("x-tool-description" = "The same as in the portfolio."))]
    pub id: Uuid,
    /// The bank's name.
    pub bank_name: String,
    /// `CONNECTED` works; `NEEDS_UPDATE` waits for its owner to sign in again; `ERROR` fails for another reason;
    /// `DISCONNECTED` was given up; `MANUAL` is kept by hand or from files, without a connection. New values may
    /// appear: tolerate unknown ones.
    #[schemars(extend("x-tool-description" = "CONNECTED works; NEEDS_UPDATE waits for the owner to sign in again; ERROR fails for another reason; DISCONNECTED was given up; MANUAL has no connection."))]
    pub status: BankStatus,
    /// True exactly when the status is `NEEDS_UPDATE`.
    pub needs_update: bool,
    /// True if the bank offers accounts that are not linked.
    #[schemars(extend("x-tool-description" = "True if the bank offers accounts that are not linked."))]
    pub new_accounts_available: bool,
    /// Number of known accounts that are not closed.
    #[schemars(extend("x-tool-description" = "Number of accounts that are not closed."))]
    pub account_count: i64,
    /// When the bank last gave its data.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "UtcTimestamp")]
    pub last_successful_update: Option<UtcTimestamp>,
    /// When it last failed to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "UtcTimestamp")]
    pub last_failed_update: Option<UtcTimestamp>,
    /// True when more than 3 days have passed without a successful update, or there never was one; for `MANUAL` when the newest
    /// covered day, stated balance or transaction is more than 40 days old. Never if all accounts are closed.
    #[schemars(extend("x-tool-description" = "True after more than 3 days without a successful update; for MANUAL, if the newest data are over 40 days old."))]
    pub stale: bool,
    /// Days from the last successful update to today, for `MANUAL` since the newest data; absent when there never was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i32")]
    #[schemars(extend("x-tool-description" = "Days since the last successful update."))]
    pub stale_days: Option<i32>,
    /// When the owner's consent to read ends, where the bank sets an end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "UtcTimestamp")]
    #[schemars(extend("x-tool-description" = "End of the owner's consent."))]
    pub consent_expires_at: Option<UtcTimestamp>,
    /// Why the connection fails, as a code such as `LOGIN_REQUIRED`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    #[schemars(extend("x-tool-description" = "Cause of the failure, such as LOGIN_REQUIRED."))]
    pub error_code: Option<String>,
    /// The last day through which the balances that files and loaders state agree with the transactions of every account that
    /// is not closed. Absent if no two balances of an account agree.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date"))]
    #[schemars(extend("x-tool-description" = "Stated balances agree with all transactions through this day."))]
    pub reconciled_through: Option<Date>,
    /// Number of differences between stated balances and transactions: rows are missing, superfluous or wrong, or a balance
    /// is. Absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    #[schemars(extend("x-tool-description" = "Differences between stated balances and transactions."))]
    pub balance_differences: Option<i64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bank(status: BankStatus, days: Option<i32>) -> Bank {
        Bank {
            days_since_update: days,
            days_since_data: days,
            ..Bank::new(Uuid::nil(), "First Platypus", status)
        }
    }

    #[test]
    fn connection_is_stale_after_three_days_and_manual_data_after_forty() {
        use BankStatus::{Connected, Disconnected, Error, Manual, NeedsUpdate};
        for (status, days, stale, attention, shown) in [
            (Connected, Some(0), false, false, Some(0)),
            (Connected, Some(3), false, false, Some(3)),
            (Connected, Some(4), true, true, Some(4)),
            (Connected, None, true, true, None),
            (NeedsUpdate, Some(1), false, true, Some(1)),
            (Error, Some(0), false, true, Some(0)),
            (Disconnected, Some(90), true, true, Some(90)),
            (Manual, Some(40), false, false, Some(40)),
            (Manual, Some(41), true, true, Some(41)),
            (Manual, None, false, false, None),
        ] {
            let bank = bank(status, days);
            assert_eq!((bank.is_stale(), bank.needs_attention()), (stale, attention), "{status} {days:?}");
            assert!(!Bank { is_closed: true, ..bank.clone() }.is_stale(), "{status} {days:?}");
            let connection = bank.connection();
            assert_eq!((connection.stale, connection.stale_days), (stale, shown), "{status} {days:?}");
            assert_eq!(connection.needs_update, status == NeedsUpdate);
        }
    }

    #[test]
    fn stale_bank_with_error_is_counted_once() {
        let banks = vec![bank(BankStatus::Error, None), bank(BankStatus::Connected, Some(1))];
        assert_eq!(BanksStatus::new(banks).needs_attention, 1);
    }
}
