//! Transactions with every amount known, and the arithmetic of their lines.

use std::sync::Arc;

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::ledger::{Amount, Place, Price};

/// The rule for amounts, as a clause of a fault.
pub(super) const TOO_LARGE: &str = "an amount must be at most 10^15";

/// A transaction with every amount known.
#[derive(Clone, Debug)]
pub(super) struct Booked {
    pub(super) place: Place,
    pub(super) date: Date,
    pub(super) payee: Option<String>,
    pub(super) narration: Option<String>,
    pub(super) lines: Vec<Line>,
}

/// A line of a booked transaction.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) account: Arc<str>,
    pub(super) units: Amount,
    /// What one unit cost or was priced at.
    pub(super) unit_price: Option<Amount>,
    /// What the line counts for when the transaction is balanced: at cost, else at the price, else itself.
    pub(super) weight: Amount,
    /// The day of the lot, for a line held at cost.
    pub(super) lot_date: Option<Date>,
    /// Whether the line is held at cost.
    pub(super) at_cost: bool,
}

/// The price of one unit, always positive.
pub(super) fn unit_price(price: &Price, units: &Amount) -> Option<Amount> {
    let (number, commodity) = match price {
        Price::Unit(amount) => (amount.number, &amount.commodity),
        Price::Total(amount) if units.number.is_zero() => (amount.number, &amount.commodity),
        Price::Total(amount) => (amount.number.checked_div(units.number.abs())?, &amount.commodity),
    };
    Some(Amount { number: number.abs(), commodity: commodity.clone() })
}

/// A line held at cost.
pub(super) fn line_at_cost(
    account: Arc<str>,
    units: Amount,
    cost: Amount,
    date: Date,
) -> Result<Line, String> {
    let weight = weight(&units, Some(&cost))?;
    Ok(Line { account, units, unit_price: Some(cost), weight, lot_date: Some(date), at_cost: true })
}

pub(super) fn weight(units: &Amount, unit_price: Option<&Amount>) -> Result<Amount, String> {
    let Some(price) = unit_price else { return Ok(units.clone()) };
    let number = units.number.checked_mul(price.number).ok_or(TOO_LARGE)?;
    Ok(Amount { number, commodity: price.commodity.clone() })
}

pub(super) fn signed(total: &Amount, sign_of: Decimal) -> Amount {
    let mut number = total.number.abs();
    number.set_sign_positive(sign_of.is_sign_positive());
    Amount { number, commodity: total.commodity.clone() }
}
