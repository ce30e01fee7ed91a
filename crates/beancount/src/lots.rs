//! Lots: the units that an account acquired at one cost, and the matching of reductions with lots.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::booked::{Booked, Line, line_at_cost, signed, unit_price, weight};
use super::ledger::{Amount, CostSpec, Method, Posting, Price};

/// Units of one commodity with the same cost and day of acquisition.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lot {
    pub(super) quantity: Decimal,
    /// Cost of one unit and day of acquisition; `None` if the units have no cost.
    pub(super) cost: Option<(Amount, Date)>,
}

/// A line of a transaction whose amount or cost may still have to be inferred.
#[derive(Clone, Debug)]
pub(super) enum Resolved {
    Known(Line),
    /// The units are known; the cost of one unit is inferred from the other lines.
    CostUnknown {
        account: Arc<str>,
        units: Amount,
        date: Date,
    },
    /// The amount is inferred from the other lines.
    AmountUnknown {
        account: Arc<str>,
    },
}

/// The lots of every account and commodity.
#[derive(Debug, Default)]
pub(super) struct Lots {
    held: BTreeMap<(Arc<str>, Arc<str>), Vec<Lot>>,
}

impl Lots {
    /// Returns the holdings at the end of a day.
    pub(super) fn at_end_of(day: Date, booked: &[Booked]) -> Lots {
        let mut lots = Lots::default();
        let until = booked.iter().filter(|transaction| transaction.date <= day);
        until.flat_map(|transaction| &transaction.lines).for_each(|line| lots.apply(line));
        lots
    }

    /// Returns each account and commodity with its lots.
    pub(super) fn held(&self) -> impl Iterator<Item = (&Arc<str>, &Arc<str>, &[Lot])> {
        self.held.iter().map(|((account, commodity), lots)| (account, commodity, lots.as_slice()))
    }

    /// Converts a posting to lines. A reduction that takes units from several lots becomes several lines.
    ///
    /// `reduced` has copies of the lots that earlier postings of the same entry reduced, so that no posting takes the
    /// same units again. Purchases of the entry are not among them: as in Beancount, a reduction takes no units that
    /// its own entry adds.
    ///
    /// # Errors
    ///
    /// The broken rule.
    pub(super) fn resolve(
        &self,
        posting: &Posting,
        date: Date,
        method: Method,
        reduced: &mut Lots,
    ) -> Result<Vec<Resolved>, String> {
        let account = posting.account.clone();
        let Some(units) = posting.units.clone() else { return Ok(vec![Resolved::AmountUnknown { account }]) };
        let Some(spec) = &posting.cost else {
            let price = posting.price.as_ref().and_then(|price| unit_price(price, &units));
            let weight = match &posting.price {
                Some(Price::Total(total)) => signed(total, units.number),
                _ => weight(&units, price.as_ref())?,
            };
            let line = Line { account, units, unit_price: price, weight, lot_date: None, at_cost: false };
            return Ok(vec![Resolved::Known(line)]);
        };
        let against = self.against(&posting.account, &units, reduced);
        if method != Method::None && !against.is_empty() {
            let lines = self.reduce(posting, &units, spec, method, against)?;
            let copied = reduced.held.entry((account, units.commodity));
            copied.or_insert_with_key(|key| self.held.get(key).cloned().unwrap_or_default());
            lines.iter().for_each(|line| reduced.apply(line));
            return Ok(lines.into_iter().map(Resolved::Known).collect());
        }
        let date = spec.date.unwrap_or(date);
        match &spec.amount {
            Some(cost) => Ok(vec![Resolved::Known(line_at_cost(account, units, cost.clone(), date)?)]),
            None => Ok(vec![Resolved::CostUnknown { account, units, date }]),
        }
    }

    /// Returns the account's lots of the same commodity with the opposite sign, which the units would reduce.
    fn against(&self, account: &Arc<str>, units: &Amount, reduced: &Lots) -> Vec<Lot> {
        let key = (account.clone(), units.commodity.clone());
        let lots = reduced.held.get(&key).or(self.held.get(&key)).map_or(&[][..], Vec::as_slice);
        let other_sign = |lot: &&Lot| {
            lot.cost.is_some() && (lot.quantity.is_sign_negative() != units.number.is_sign_negative())
        };
        lots.iter().filter(other_sign).cloned().collect()
    }

    fn reduce(
        &self,
        posting: &Posting,
        units: &Amount,
        spec: &CostSpec,
        method: Method,
        against: Vec<Lot>,
    ) -> Result<Vec<Line>, String> {
        let mut fitting: Vec<Lot> = against.into_iter().filter(|lot| fits(lot, spec)).collect();
        if fitting.is_empty() {
            return Err("a reduction must match a lot that is held; none has this cost and date".to_owned());
        }
        let wanted = units.number.abs();
        let all: Decimal = fitting.iter().map(|lot| lot.quantity.abs()).sum();
        let key = |lot: &Lot| lot.cost.as_ref().map(|(amount, date)| (*date, amount.number));
        match method {
            Method::Fifo => fitting.sort_by_key(|lot| key(lot).map(|(date, _)| date)),
            Method::Lifo => fitting.sort_by_key(|lot| std::cmp::Reverse(key(lot).map(|(date, _)| date))),
            Method::Hifo => fitting.sort_by_key(|lot| std::cmp::Reverse(key(lot).map(|(_, cost)| cost))),
            Method::StrictWithSize if fitting.len() > 1 && all != wanted => {
                fitting.sort_by_key(|lot| key(lot).map(|(date, _)| date));
                fitting.retain(|lot| lot.quantity.abs() == wanted);
                fitting.truncate(1);
            }
            Method::Strict | Method::StrictWithSize | Method::None => {}
        }
        let strict = matches!(method, Method::Strict | Method::StrictWithSize);
        if strict && (fitting.is_empty() || (fitting.len() > 1 && all != wanted)) {
            return Err("a reduction that matches several lots must name one by its cost or date".to_owned());
        }
        take(posting, units, &fitting)
    }

    /// Adds the units of a booked line to the lots, or removes them.
    pub(super) fn apply(&mut self, line: &Line) {
        let lots = self.held.entry((line.account.clone(), line.units.commodity.clone())).or_default();
        let cost = match (&line.unit_price, line.lot_date) {
            (Some(price), Some(date)) if line.at_cost => Some((price.clone(), date)),
            _ => None,
        };
        match lots.iter_mut().find(|lot| lot.cost == cost) {
            Some(lot) => lot.quantity += line.units.number,
            None => lots.push(Lot { quantity: line.units.number, cost }),
        }
        lots.retain(|lot| !lot.quantity.is_zero());
    }
}

fn fits(lot: &Lot, spec: &CostSpec) -> bool {
    lot.cost.as_ref().is_some_and(|(cost, date)| {
        spec.amount.as_ref().is_none_or(|wanted| wanted == cost)
            && spec.date.is_none_or(|wanted| wanted == *date)
    })
}

fn take(posting: &Posting, units: &Amount, fitting: &[Lot]) -> Result<Vec<Line>, String> {
    let mut left = units.number.abs();
    let mut lines = Vec::new();
    for lot in fitting {
        let (Some((cost, date)), false) = (&lot.cost, left.is_zero()) else { continue };
        let mut part = left.min(lot.quantity.abs());
        left -= part;
        part.set_sign_positive(units.number.is_sign_positive());
        let part = Amount { number: part, commodity: units.commodity.clone() };
        lines.push(line_at_cost(posting.account.clone(), part, cost.clone(), *date)?);
    }
    if left.is_zero() {
        Ok(lines)
    } else {
        Err(format!("a reduction must not exceed the lots that it matches: they lack {left}"))
    }
}
