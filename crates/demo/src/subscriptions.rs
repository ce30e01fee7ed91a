//! What the household subscribes to. One has grown dearer, one was cancelled, two are paid in dollars.

use domain::category::ExpenseCategory as Spent;

use super::accounts::Place;
use super::standing::Amount::{EuroEveryEighteenMonths, Fixed};
use super::standing::Rhythm::{CancelledMonthsAgo, InMonths, Monthly};
use super::standing::{Amount, Rhythm, Standing};

const fn subscription(
    merchant: &'static str,
    title: &'static str,
    place: Place,
    rhythm: Rhythm,
    amount: Amount,
) -> Standing {
    Standing { merchant: Some(merchant), title, place, category: Spent::Subscriptions, rhythm, amount }
}

/// Every subscription.
#[rustfmt::skip]
pub(super) static SUBSCRIPTIONS: &[Standing] = &[
    subscription("Netflix", "NETFLIX.COM AMSTERDAM NL", Place::Card, Monthly(3), EuroEveryEighteenMonths(1_099)),
    subscription("Spotify", "SPOTIFY P2B41C88D0 STOCKHOLM", Place::Card, Monthly(14), Fixed(1_099)),
    subscription("Die Zeit", "ZEITVERLAG GERD BUCERIUS DIGITALABO", Place::Card, Monthly(21), Fixed(2_890)),
    subscription("Audible", "AUDIBLE GMBH ADBL.CO/PYMT", Place::Card, CancelledMonthsAgo(7, 9), Fixed(995)),
    subscription("BahnCard", "DB FERNVERKEHR BAHNCARD 25", Place::Card, InMonths(&[6], 12), Fixed(6_290)),
    subscription("GitHub", "GITHUB, INC. SAN FRANCISCO CA", Place::DollarChecking, Monthly(7), Fixed(1_000)),
    subscription("Adobe", "ADOBE *PHOTOGRAPHY PLAN SAN JOSE CA", Place::DollarChecking, Monthly(19), Fixed(1_999)),
];
