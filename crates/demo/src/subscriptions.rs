//! The subscriptions of the household. One rises in price, one was cancelled, two are paid in dollars.

use passbook_domain::category::ExpenseCategory as Spent;

use super::accounts::OwnAccount;
use super::schedule::Amount::{EuroEveryEighteenMonths, Fixed};
use super::schedule::Cadence::{CancelledMonthsAgo, InMonths, Monthly};
use super::schedule::{Amount, Cadence, RecurringPayment};

const fn subscription(
    merchant: &'static str,
    title: &'static str,
    account: OwnAccount,
    cadence: Cadence,
    amount: Amount,
) -> RecurringPayment {
    RecurringPayment {
        merchant: Some(merchant),
        title,
        account,
        category: Spent::Subscriptions,
        cadence,
        amount,
    }
}

/// Every subscription.
#[rustfmt::skip]
pub(super) static SUBSCRIPTIONS: &[RecurringPayment] = &[
    subscription("Netflix", "NETFLIX.COM AMSTERDAM NL", OwnAccount::Card, Monthly(3), EuroEveryEighteenMonths(1_099)),
    subscription("Spotify", "SPOTIFY P2B41C88D0 STOCKHOLM", OwnAccount::Card, Monthly(14), Fixed(1_099)),
    subscription("Die Zeit", "ZEITVERLAG GERD BUCERIUS DIGITALABO", OwnAccount::Card, Monthly(21), Fixed(2_890)),
    subscription("Audible", "AUDIBLE GMBH ADBL.CO/PYMT", OwnAccount::Card, CancelledMonthsAgo(7, 9), Fixed(995)),
    subscription("BahnCard", "DB FERNVERKEHR BAHNCARD 25", OwnAccount::Card, InMonths(&[6], 12), Fixed(6_290)),
    subscription("GitHub", "GITHUB, INC. SAN FRANCISCO CA", OwnAccount::DollarChecking, Monthly(7), Fixed(1_000)),
    subscription("Adobe", "ADOBE *PHOTOGRAPHY PLAN SAN JOSE CA", OwnAccount::DollarChecking, Monthly(19), Fixed(1_999)),
];
