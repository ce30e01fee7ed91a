//! The elements for people, banks, accounts, balances, budgets and exchange rates.

use jiff::Timestamp;
use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::bank::BankStatus;
use passbook_domain::category::{Category, ExpenseCategory};
use passbook_domain::portfolio::AccountType;
use passbook_input::{Fault, Faults};
use uuid::Uuid;

use super::element::{Element, element};
use super::text::{Email, ErrorCode, Name, SourceId, Subtype, Text};
use super::value::{Flag, Magnitude, Positive, SignedCents};
use crate::id::{derive, own_category};
use crate::record::{self, Record};

element! {
    /// A person and their settings. These values replace all stored settings, the excluded categories included.
    User; {
        /// The person's identifier, which is also the `sub` of their tokens.
        id: Uuid,
        /// E-mail address, unique without regard to case.
        email: Email,
        /// The currency in which totals are reported.
        preferred_currency: Currency,
        /// IANA time zone, such as `Europe/Paris`, which determines the current day.
        time_zone: Text<64>,
        /// Categories left out of cashflow, spending, merchants and the budget summary. An empty list excludes none.
        excluded_categories: Vec<ExpenseCategory>,
    } => |user| {
        user_id: user.id,
        email: user.email.0,
        preferred_currency: user.preferred_currency,
        time_zone: user.time_zone.0,
        excluded_categories: user.excluded_categories,
    }
}

element! {
    /// Units of a currency for one unit of `rate_base` on a day.
    ExchangeRate; {
        /// The quoted currency; must not be the base.
        currency: Currency,
        /// The day for which the rate was published.
        as_of: Date,
        /// Units of `currency` for one unit of the base.
        units_per_base: Positive,
    } => |exchange_rate| {
        currency: exchange_rate.currency,
        as_of: exchange_rate.as_of,
        units_per_base: exchange_rate.units_per_base.0,
    }
}

element! {
    /// A bank and the status of the connection to it.
    Bank; {
        /// The user's identifier.
        user: Uuid,
        /// The bank's identifier at the source.
        id: SourceId,
        /// The bank's name.
        name: Name,
        /// The status of the connection. The default is `MANUAL`, for a bank without a connection.
        status: Option<BankStatus>,
        /// True if the bank offers accounts that are not connected yet.
        new_accounts_available: Flag<false>,
        /// The time of the last successful update.
        last_successful_update: Option<Timestamp>,
        /// The time of the last failed update.
        last_failed_update: Option<Timestamp>,
        /// The time at which the owner's consent expires.
        consent_expires_at: Option<Timestamp>,
        /// The provider's error code.
        error_code: Option<ErrorCode>,
    } => |bank| {
        user_id: bank.user,
        bank_id: derive(bank.user, "bank", &bank.id.0),
        name: bank.name.0,
        status: bank.status.unwrap_or(BankStatus::Manual),
        new_accounts_available: bank.new_accounts_available.0,
        last_successful_update: bank.last_successful_update,
        last_failed_update: bank.last_failed_update,
        consent_expires_at: bank.consent_expires_at,
        error_code: bank.error_code.map(|code| code.0),
    }
}

element! {
    /// An account at a bank.
    Account; {
        /// The user's identifier.
        user: Uuid,
        /// The account's identifier at the source.
        id: SourceId,
        /// The `id` of the account's bank.
        bank: SourceId,
        /// The account's name.
        name: Name,
        /// The account's type.
        r#type: AccountType,
        /// The bank's own word for the type, in lower case: `checking`, `savings`, `credit card`, `brokerage` …
        subtype: Subtype,
        /// The currency of the account's balances.
        currency: Currency,
        /// The present balance from the owner's side: money owed is negative. Absent if the source states none.
        balance_cents: Option<SignedCents>,
        /// The time at which the account had this balance; with a balance only.
        balance_updated_at: Option<Timestamp>,
        /// The day on which the account was opened: its balance before was 0. Absent if it is unknown.
        opened_on: Option<Date>,
        /// The day on which the account was closed; absent for an open account.
        closed_on: Option<Date>,
        /// The first day from which on the bundle has every transaction of the account. Absent if rows may be missing.
        rows_complete_from: Option<Date>,
    }
}

impl Element for Account {
    fn record(self, place: &str, faults: &mut Faults) -> Record {
        let (balance, time) = ("balance_cents", "balance_updated_at");
        match (self.balance_cents.is_some(), self.balance_updated_at.is_some()) {
            (true, false) => {
                faults.push(Fault::new(format!("{place}.{time}"), "must be given with balance_cents"))
            }
            (false, true) => {
                faults.push(Fault::new(format!("{place}.{balance}"), "must be given with balance_updated_at"))
            }
            _ => {}
        }
        if let (Some(opened), Some(closed)) = (self.opened_on, self.closed_on)
            && opened > closed
        {
            let fault = Fault::new(format!("{place}.opened_on"), "must not be after closed_on");
            faults.push(fault.received(opened.to_string()));
        }
        Record::Account(record::Account {
            user_id: self.user,
            account_id: derive(self.user, "account", &self.id.0),
            bank_id: derive(self.user, "bank", &self.bank.0),
            name: self.name.0,
            account_type: self.r#type,
            subtype: self.subtype.0,
            currency: self.currency,
            balance_cents: self.balance_cents.map(|cents| cents.0),
            balance_updated_at: self.balance_updated_at,
            opened_on: self.opened_on,
            closed_on: self.closed_on,
            rows_complete_from: self.rows_complete_from,
            source: None,
        })
    }
}

element! {
    /// The balance of an account at the end of a day on which it changed.
    BalanceSnapshot; {
        /// The user's identifier.
        user: Uuid,
        /// The `id` of the account.
        account: SourceId,
        /// The day of the balance.
        as_of: Date,
        /// The balance from the owner's side: money owed is negative.
        balance_cents: SignedCents,
    } => |balance_snapshot| {
        user_id: balance_snapshot.user,
        account_id: derive(balance_snapshot.user, "account", &balance_snapshot.account.0),
        as_of: balance_snapshot.as_of,
        balance_cents: balance_snapshot.balance_cents.0,
    }
}

element! {
    /// A category of a person's own. Totals by fixed categories do not depend on it.
    OwnCategory; {
        /// The user's identifier.
        user: Uuid,
        /// The name, unique among the categories with the same parent, without regard to case.
        name: Name,
        /// The fixed category for which the own category stands.
        category: Category,
        /// The name of the own category that contains this one, which has no parent itself.
        parent: Option<Name>,
    } => |own| {
        user_id: own.user,
        own_category_id: own_category(own.user, own.parent.as_ref().map(|parent| &*parent.0), &own.name.0),
        category: own.category,
        parent_id: own.parent.map(|parent| own_category(own.user, None, &parent.0)),
        name: own.name.0,
    }
}

element! {
    /// A monthly budget: planned spending, or expected income, of one category.
    Budget; {
        /// The user's identifier.
        user: Uuid,
        /// The budget's identifier at the source.
        id: SourceId,
        /// The category; a person has at most one budget per category.
        category: Category,
        /// The monthly target; absent for a category that is watched without a target.
        target_cents: Option<Magnitude>,
        /// The currency of the target.
        currency: Currency,
    } => |budget| {
        user_id: budget.user,
        budget_id: derive(budget.user, "budget", &budget.id.0),
        category: budget.category,
        target_cents: budget.target_cents.map(|target| target.0),
        currency: budget.currency,
    }
}
