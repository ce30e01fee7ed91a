//! Infers missing amounts and checks that each transaction balances, with Beancount's rules for tolerances.

use std::collections::BTreeMap;
use std::sync::Arc;

use passbook_input::Fault;
use rust_decimal::{Decimal, RoundingStrategy};

use super::booked::{Line, line_at_cost};
use super::ledger::{Amount, Options, Place, Posting, Price};
use super::lots::Resolved;

/// Maximum number of decimals of a number that a person wrote. A number with more decimals is the result of a division.
const WRITTEN_SCALE_MAX: u32 = 12;

type Residual = BTreeMap<Arc<str>, Decimal>;

/// Maximum number of decimals of a tolerance that follows from written numbers. Inferred amounts are not rounded to a
/// tolerance with more decimals.
const WRITTEN_DIGITS_MAX: u32 = 5;

/// Infers unknown amounts and costs of a transaction, and checks that its weights sum to zero in every commodity.
pub(super) fn complete(
    resolved: Vec<Resolved>,
    postings: &[Posting],
    options: &Options,
    place: &Place,
) -> Result<Vec<Line>, Fault> {
    let tolerances = Tolerances::infer(postings, options);
    let unknown = resolved.iter().filter(|line| !matches!(line, Resolved::Known(_))).count();
    if unknown > 1 {
        return Err(place.fault("a transaction must leave out at most one amount"));
    }
    let mut residual = residual(resolved.iter().filter_map(|line| match line {
        Resolved::Known(line) => Some(line),
        _ => None,
    }));
    let mut lines = Vec::new();
    for line in resolved {
        match line {
            Resolved::Known(line) => lines.push(line),
            Resolved::AmountUnknown { account } => {
                lines.extend(inferred(&account, &residual, &tolerances));
                residual.clear();
            }
            Resolved::CostUnknown { account, units, date } => {
                let cost = cost(&units, &residual).ok_or_else(|| {
                    let rule = "the cost of a lot must be written, or follow from the other lines";
                    place.fault(rule).received(units.to_string())
                })?;
                lines.push(line_at_cost(account, units, cost, date).map_err(|rule| place.fault(rule))?);
                residual.clear();
            }
        }
    }
    match residual.iter().find(|(code, left)| left.abs() > tolerances.tolerance(code)) {
        None => Ok(lines),
        Some((code, left)) => {
            let left = Amount { number: left.normalize(), commodity: code.clone() };
            Err(place
                .fault("the amounts of a transaction must sum to zero")
                .received(format!("{left} left over")))
        }
    }
}

fn residual<'a>(lines: impl Iterator<Item = &'a Line>) -> Residual {
    let mut residual = Residual::new();
    for line in lines {
        // Saturation cannot occur here: every number is bounded, and a transaction has few lines. The caller checks the
        // bound of the weights afterwards.
        let sum = residual.entry(line.weight.commodity.clone()).or_default();
        *sum = sum.saturating_add(line.weight.number);
    }
    residual
}

fn inferred(account: &Arc<str>, residual: &Residual, tolerances: &Tolerances<'_>) -> Vec<Line> {
    let open = residual.iter().filter(|(_, left)| !left.is_zero());
    open.map(|(code, left)| {
        let units = Amount { number: tolerances.rounded(code, -left), commodity: code.clone() };
        let weight = units.clone();
        Line { account: account.clone(), units, unit_price: None, weight, lot_date: None, at_cost: false }
    })
    .collect()
}

fn cost(units: &Amount, residual: &Residual) -> Option<Amount> {
    let mut open = residual.iter().filter(|(_, left)| !left.is_zero());
    let (code, left) = open.next()?;
    let number = left.checked_div(units.number).map(|number| -number)?;
    (open.next().is_none() && !number.is_sign_negative()).then(|| Amount { number, commodity: code.clone() })
}

/// The largest imbalance that a transaction may have, by commodity.
struct Tolerances<'a> {
    by_commodity: BTreeMap<&'a str, Decimal>,
    default: Decimal,
}

impl<'a> Tolerances<'a> {
    /// Infers the tolerance of a commodity as half of the last digit written. Whole numbers do not contribute.
    fn infer(postings: &'a [Posting], options: &'a Options) -> Tolerances<'a> {
        let mut tolerances = Tolerances { by_commodity: BTreeMap::new(), default: Decimal::ZERO };
        for (code, tolerance) in &options.tolerance_defaults {
            if code == "*" {
                tolerances.default = *tolerance;
            } else {
                tolerances.by_commodity.insert(code, *tolerance);
            }
        }
        let mut from_costs: BTreeMap<&str, Decimal> = BTreeMap::new();
        for posting in postings {
            let Some(units) = posting.units.as_ref().filter(|units| units.number.scale() > 0) else {
                continue;
            };
            let tolerance = last_digit(units.number).saturating_mul(options.tolerance_multiplier);
            tolerances.at_least(&units.commodity, tolerance);
            // A unit cost that results from dividing a total cost has decimals that nobody wrote.
            let written = |amount: &&Amount| amount.number.scale() <= WRITTEN_SCALE_MAX;
            let cost = posting.cost.iter().filter_map(|cost| cost.amount.as_ref()).filter(written);
            let price = posting.price.iter().map(|price| match price {
                Price::Unit(amount) | Price::Total(amount) => amount,
            });
            for amount in cost.chain(price).filter(|_| options.tolerance_from_cost) {
                let sum = from_costs.entry(&amount.commodity).or_default();
                let part = tolerance.saturating_mul(amount.number.abs()).min(Decimal::new(5, 1));
                *sum = sum.saturating_add(part);
            }
        }
        for (code, tolerance) in from_costs {
            tolerances.at_least(code, tolerance);
        }
        tolerances
    }

    fn at_least(&mut self, code: &'a str, tolerance: Decimal) {
        let known = self.by_commodity.entry(code).or_insert(tolerance);
        *known = tolerance.max(*known);
    }

    fn tolerance(&self, code: &str) -> Decimal {
        self.by_commodity.get(code).copied().unwrap_or(self.default)
    }

    /// Rounds an inferred amount to the decimals of the amounts from which it was inferred.
    fn rounded(&self, code: &str, number: Decimal) -> Decimal {
        let quantum = self.tolerance(code).saturating_mul(Decimal::TWO).normalize();
        let digits = quantum.mantissa().unsigned_abs().to_string().len();
        if quantum.is_zero() || digits > WRITTEN_DIGITS_MAX as usize {
            return number;
        }
        number.round_dp_with_strategy(quantum.scale(), RoundingStrategy::MidpointNearestEven)
    }
}

/// Returns one unit of the last decimal place of a number.
pub(super) fn last_digit(number: Decimal) -> Decimal {
    Decimal::new(1, number.scale())
}
