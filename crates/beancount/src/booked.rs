//! Booked transactions, in which every amount is known, and the arithmetic of their lines.

use std::sync::Arc;

use jiff::civil::Date;
use passbook_records::record::TAGS_MAX;
use rust_decimal::Decimal;

use super::ledger::{Amount, Place, Price};

/// Text of the rule for the size of amounts, as a clause of a fault.
pub(super) const TOO_LARGE: &str = "an amount must be at most 10^15";

/// A transaction in which every amount is known.
#[derive(Clone, Debug)]
pub(super) struct Booked {
    pub(super) place: Place,
    pub(super) date: Date,
    pub(super) payee: Option<String>,
    pub(super) narration: Option<String>,
    /// The links of the transaction, sorted.
    pub(super) links: Vec<Arc<str>>,
    /// The tags of the transaction, sorted.
    pub(super) tags: Vec<Arc<str>>,
    pub(super) lines: Vec<Line>,
}

impl Booked {
    /// Returns the tags of the rows: the tags, and the links with the mark of a link.
    pub(super) fn tags(&self) -> Vec<String> {
        let links = self.links.iter().map(|link| format!("^{link}"));
        self.tags.iter().map(|tag| tag.to_string()).chain(links).take(TAGS_MAX).collect()
    }
}

/// A line (posting) of a booked transaction.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) account: Arc<str>,
    pub(super) units: Amount,
    /// Cost of one unit, or its price if the line is not held at cost.
    pub(super) unit_price: Option<Amount>,
    /// Amount for balancing the transaction: the total cost, else the total price, else the units.
    pub(super) weight: Amount,
    /// Day on which the units were acquired; `None` if the line is not held at cost.
    pub(super) lot_date: Option<Date>,
    /// True if the line has a cost in braces, so that its units become a lot.
    pub(super) at_cost: bool,
}

/// Returns the price of one unit as a positive number, or `None` if the division overflows.
pub(super) fn unit_price(price: &Price, units: &Amount) -> Option<Amount> {
    let (number, commodity) = match price {
        Price::Unit(amount) => (amount.number, &amount.commodity),
        Price::Total(amount) if units.number.is_zero() => (amount.number, &amount.commodity),
        Price::Total(amount) => (amount.number.checked_div(units.number.abs())?, &amount.commodity),
    };
    Some(Amount { number: number.abs(), commodity: commodity.clone() })
}

/// Creates a line whose units are held at cost.
///
/// # Errors
///
/// The broken rule, if the total cost overflows.
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
