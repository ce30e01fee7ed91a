//! Splits booked transactions into income, expenses and changes of own accounts.
//!
//! Each line counts with its weight: its total cost, else its total price, else its units. The weights of a transaction
//! sum to zero. Each income and expense line is assigned to the own account that explains it best, and equity explains
//! the changes of several accounts. The change of an own account that remains is a transfer. Buying a security inside
//! one account therefore leaves nothing, and buying it with money of another account is a transfer.

use std::sync::Arc;

use passbook_domain::Currency;
use rust_decimal::Decimal;

use super::booked::{Booked, Line};
use super::commodity::Commodities;
use super::ledger::{Amount, Options, Root};
use super::own_accounts::OwnAccounts;
use super::report::Notes;

/// A line under Income or Expenses, assigned to an own account.
#[derive(Debug)]
pub(super) struct Flow<'a> {
    pub(super) line: &'a Line,
    pub(super) root: Root,
    pub(super) amount: Amount,
    /// Position of the own account in the list of own accounts; `None` if the transaction touches none.
    pub(super) account: Option<usize>,
    pub(super) currency: Currency,
}

/// A leg: the change of one own account in one transaction that no income or expense explains.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    pub(super) account: usize,
    pub(super) currency: Currency,
    pub(super) left: Decimal,
    /// Amount in the account's own currency, if the line exchanged currencies and no part of it is explained.
    pub(super) exchanged: Option<(Decimal, Currency)>,
    weight: Decimal,
}

/// The income, expenses and legs of one transaction.
#[derive(Debug)]
pub(super) struct Movement<'a> {
    pub(super) flows: Vec<Flow<'a>>,
    pub(super) legs: Vec<Leg>,
}

/// The account and commodity tables of a ledger, which are needed to interpret its lines.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    pub(super) options: &'a Options,
    pub(super) commodities: &'a Commodities,
    pub(super) accounts: &'a OwnAccounts,
}

impl Reader<'_> {
    /// Splits a transaction into income, expenses and legs.
    pub(super) fn movement<'b>(&self, booked: &'b Booked, notes: &mut Notes) -> Movement<'b> {
        let mut movement = Movement { flows: Vec::new(), legs: Vec::new() };
        let mut equity: Vec<(Currency, Decimal)> = Vec::new();
        for line in &booked.lines {
            let Some(currency) = self.countable(line, notes) else { continue };
            match self.options.root(&line.account) {
                Some(Root::Assets | Root::Liabilities) => self.leg(line, currency, &mut movement.legs),
                Some(root @ (Root::Income | Root::Expenses)) => {
                    movement.flows.push(self.flow(line, root, currency));
                }
                Some(Root::Equity) => equity.push((currency, line.weight.number)),
                None => {}
            }
        }
        let legs = &mut movement.legs;
        for flow in &mut movement.flows {
            let best = best_leg(legs, flow.line, self.commodities);
            flow.account = best.map(|best| legs[best].account);
            explain(legs, best, flow.line, self.commodities);
        }
        for (currency, weight) in equity {
            let in_currency =
                |flow: &Flow<'_>| self.commodities.money(&flow.line.weight.commodity) == Some(currency);
            if movement.flows.iter().any(in_currency) || is_part_of_transfer(legs, currency, weight) {
                spread(legs, currency, weight);
            } else {
                // An opening entry has assets and debts, which an equity line balances together.
                legs.retain(|leg| leg.currency != currency);
            }
        }
        movement
    }

    /// Returns the currency in which a line counts. Returns `None` and adds a note if the line has no value in money.
    fn countable(&self, line: &Line, notes: &mut Notes) -> Option<Currency> {
        let code = &line.units.commodity;
        if self.commodities.money(code).is_none() && !self.commodities.securities.contains_key(code) {
            notes.skip(format!("postings of {code}"), "it is neither money nor priced in money");
            return None;
        }
        let currency = self.commodities.money(&line.weight.commodity);
        if currency.is_none() {
            notes.skip(
                format!("movements of {code}"),
                "without a cost or price their amount is unknown; holdings include them",
            );
        }
        currency
    }

    fn flow<'b>(&self, line: &'b Line, root: Root, currency: Currency) -> Flow<'b> {
        // Money counts in its own currency, and any other commodity with its weight.
        let amount =
            if self.commodities.money(&line.units.commodity).is_some() { &line.units } else { &line.weight };
        let currency = self.commodities.money(&amount.commodity).unwrap_or(currency);
        Flow { line, root, amount: amount.clone(), account: None, currency }
    }

    fn leg(&self, line: &Line, currency: Currency, legs: &mut Vec<Leg>) {
        let Some(account) = self.accounts.position_of_line(line, self.commodities) else { return };
        let own = self.commodities.money(&line.units.commodity).filter(|own| *own != currency);
        let exchanged = own.map(|own| (line.units.number, own));
        match legs.iter_mut().find(|leg| leg.account == account && leg.currency == currency) {
            Some(leg) => {
                leg.weight += line.weight.number;
                leg.left += line.weight.number;
                leg.exchanged = match (leg.exchanged, exchanged) {
                    (Some((a, own)), Some((b, _))) => Some((a + b, own)),
                    _ => None,
                };
            }
            None => {
                let weight = line.weight.number;
                legs.push(Leg { account, currency, left: weight, exchanged, weight });
            }
        }
    }
}

/// Returns the position of the leg that explains a line best: a leg of exactly its amount; else the largest leg in its
/// currency with the opposite sign; else the largest in its currency; else the largest of all. Among equal legs, the
/// first in the file.
fn best_leg(legs: &[Leg], line: &Line, commodities: &Commodities) -> Option<usize> {
    let currency = commodities.money(&line.weight.commodity);
    let rank = |leg: &Leg| {
        let same = Some(leg.currency) == currency;
        let exact = same && leg.weight == -line.weight.number;
        let right_way = same && leg.weight.is_sign_negative() != line.weight.number.is_sign_negative();
        (exact, right_way, same, leg.weight.abs())
    };
    (0..legs.len()).rev().max_by_key(|index| rank(&legs[*index]))
}

fn explain(legs: &mut [Leg], best: Option<usize>, line: &Line, commodities: &Commodities) {
    let currency = commodities.money(&line.weight.commodity);
    if let Some(leg) = best.and_then(|best| legs.get_mut(best)).filter(|leg| Some(leg.currency) == currency) {
        leg.left += line.weight.number;
        leg.exchanged = None;
    }
}

/// Returns true if an equity line is a difference of one transfer, such as a rounding: two legs of opposite sign are larger.
fn is_part_of_transfer(legs: &[Leg], currency: Currency, weight: Decimal) -> bool {
    let mut changes = legs.iter().filter(|leg| leg.currency == currency).map(|leg| leg.left);
    match (changes.next(), changes.next(), changes.next()) {
        (Some(one), Some(other), None) => {
            one.is_sign_negative() != other.is_sign_negative() && one.abs().min(other.abs()) > weight.abs()
        }
        _ => false,
    }
}

/// Explains legs by an equity line: a leg of exactly its amount, else those of the opposite sign.
fn spread(legs: &mut [Leg], currency: Currency, mut weight: Decimal) {
    let is_opposite =
        |leg: &&mut Leg| leg.currency == currency && leg.left.is_sign_negative() != weight.is_sign_negative();
    let mut opposite: Vec<&mut Leg> = legs.iter_mut().filter(is_opposite).collect();
    opposite.sort_by_key(|leg| leg.left != -weight);
    for leg in opposite {
        let mut part = weight.abs().min(leg.left.abs());
        if !part.is_zero() {
            part.set_sign_positive(weight.is_sign_positive());
            weight -= part;
            leg.left += part;
            leg.exchanged = None;
        }
    }
}

/// A transfer between two accounts. Each side consists of account position, amount and currency; `None` if the transfer
/// has no counterpart.
#[derive(Debug, PartialEq)]
pub(super) struct Transfer {
    pub(super) out: Option<(usize, Decimal, Currency)>,
    pub(super) into: Option<(usize, Decimal, Currency)>,
}

/// Largest remainder that is ignored: half a cent. Smaller remainders are rounding errors of prices with many decimals,
/// not transfers.
const DUST: Decimal = Decimal::from_parts(5, 0, 0, false, 3);

/// Combines legs to transfers: equal amounts first, then the largest outgoing with the largest incoming amount.
pub(super) fn transfers(mut legs: Vec<Leg>) -> Vec<Transfer> {
    let mut transfers = Vec::new();
    while let Some((out, into)) = next_pair(&legs) {
        let amount = legs[out].left.abs().min(legs[into].left);
        let side = |leg: &Leg| match leg.exchanged {
            Some((number, own)) if leg.left.abs() - amount <= DUST => (leg.account, number.abs(), own),
            _ => (leg.account, amount, leg.currency),
        };
        transfers.push(Transfer { out: Some(side(&legs[out])), into: Some(side(&legs[into])) });
        for (position, change) in [(out, amount), (into, -amount)] {
            legs[position].left += change;
            legs[position].exchanged = None;
        }
    }
    for leg in legs.iter().filter(|leg| leg.left.abs() > DUST) {
        let alone = Some((leg.account, leg.left.abs(), leg.currency));
        transfers.push(if leg.left.is_sign_negative() {
            Transfer { out: alone, into: None }
        } else {
            Transfer { out: None, into: alone }
        });
    }
    transfers
}

fn next_pair(legs: &[Leg]) -> Option<(usize, usize)> {
    let open = |position: &usize| legs[*position].left.abs() > DUST;
    let outs = (0..legs.len()).filter(open).filter(|position| legs[*position].left.is_sign_negative());
    let pairs = outs.flat_map(|out| {
        let ins = (0..legs.len()).filter(open).filter(|into| legs[*into].left.is_sign_positive());
        ins.map(move |into| (out, into))
    });
    let fitting = pairs.filter(|(out, into)| legs[*out].currency == legs[*into].currency);
    let rank = |(out, into): &(usize, usize)| {
        let (from, to) = (legs[*out].left.abs(), legs[*into].left);
        (from == to, from.min(to), std::cmp::Reverse((*out, *into)))
    };
    fitting.max_by_key(rank)
}

/// Returns the last component of an account name. It is the title of transactions without a description.
pub(super) fn last_name(account: &Arc<str>) -> &str {
    account.rsplit(':').next().unwrap_or(account)
}
