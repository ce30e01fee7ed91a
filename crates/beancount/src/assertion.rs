//! Checks balance assertions, and creates the padding transactions that `pad` directives request.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use passbook_input::Faults;
use rust_decimal::Decimal;

use super::balancing::last_digit;
use super::booked::{Booked, Line};
use super::commodity::Commodities;
use super::ledger::{Amount, BeancountLedger, Content, Directive, Options};
use super::report::Notes;

/// Returns the transactions with the padding transactions inserted, in order.
pub(super) fn pad(ledger: &BeancountLedger, booked: Vec<Booked>, notes: &mut Notes) -> Vec<Booked> {
    let mut padding = Padding::default();
    for (index, directive) in ledger.directives.iter().enumerate() {
        if let Content::Pad { account, .. } = &directive.content {
            padding.entries.insert(index, Vec::new());
            padding.accounts.insert(account.clone());
        }
    }
    for account in std::mem::take(&mut padding.accounts) {
        padding.account(&account, ledger, &booked);
    }
    let mut booked = booked.into_iter();
    let mut all = Vec::new();
    for (index, directive) in ledger.directives.iter().enumerate() {
        match &directive.content {
            Content::Transaction(_) => all.extend(booked.next()),
            Content::Pad { .. } => match padding.entries.remove(&index).unwrap_or_default() {
                entries if entries.is_empty() => {
                    notes.skip("pad directives", "no later balance assertion needs them");
                }
                entries => all.extend(entries),
            },
            _ => {}
        }
    }
    all
}

#[derive(Default)]
struct Padding {
    accounts: BTreeSet<Arc<str>>,
    /// The padding transactions that each `pad` directive causes, by the index of the directive.
    entries: BTreeMap<usize, Vec<Booked>>,
}

impl Padding {
    /// Pads one account together with its sub-accounts. After a `pad`, the first assertion about each commodity
    /// determines the padded amount.
    fn account(&mut self, account: &Arc<str>, ledger: &BeancountLedger, booked: &[Booked]) {
        let mut booked = booked.iter();
        let mut held: BTreeMap<Arc<str>, Decimal> = BTreeMap::new();
        let mut active: Option<(usize, &Directive, &Arc<str>)> = None;
        let mut padded: BTreeSet<&str> = BTreeSet::new();
        for (index, directive) in ledger.directives.iter().enumerate() {
            match &directive.content {
                Content::Transaction(_) => {
                    let lines = booked.next().map_or(&[][..], |transaction| &transaction.lines);
                    for line in lines.iter().filter(|line| is_within(&line.account, account)) {
                        *held.entry(line.units.commodity.clone()).or_default() += line.units.number;
                    }
                }
                Content::Pad { account: padded_account, source } if padded_account == account => {
                    active = Some((index, directive, source));
                    padded.clear();
                }
                Content::Balance { account: asserted, amount, tolerance } if asserted == account => {
                    let now = held.entry(amount.commodity.clone()).or_default();
                    let missing = amount.number - *now;
                    let exact = missing.abs() <= tolerance_of(amount, *tolerance, &ledger.options);
                    if let (Some((index, pad, source)), true, false) =
                        (active, padded.insert(&amount.commodity), exact)
                    {
                        *now = amount.number;
                        let units = Amount { number: missing, commodity: amount.commodity.clone() };
                        self.entries.entry(index).or_default().push(entry(pad, account, source, units));
                    }
                }
                _ => {}
            }
        }
    }
}

fn entry(pad: &Directive, account: &Arc<str>, source: &Arc<str>, units: Amount) -> Booked {
    let line = |account: &Arc<str>, units: Amount| Line {
        account: account.clone(),
        weight: units.clone(),
        units,
        unit_price: None,
        lot_date: None,
        at_cost: false,
    };
    let back = Amount { number: -units.number, commodity: units.commodity.clone() };
    Booked {
        place: pad.place.clone(),
        date: pad.date,
        payee: None,
        narration: Some("Padding to the asserted balance".to_owned()),
        links: Vec::new(),
        tags: Vec::new(),
        lines: vec![line(account, units), line(source, back)],
    }
}

/// Checks every balance assertion, which states the balance of the account and its sub-accounts at the beginning of the
/// day.
pub(super) fn check(
    ledger: &BeancountLedger,
    booked: &[Booked],
    commodities: &Commodities,
    notes: &mut Notes,
    faults: &mut Faults,
) {
    let mut booked = booked.iter().peekable();
    let mut held: BTreeMap<(&str, &str), Decimal> = BTreeMap::new();
    for directive in &ledger.directives {
        let Content::Balance { account, amount, tolerance } = &directive.content else { continue };
        while let Some(transaction) = booked.next_if(|transaction| transaction.date < directive.date) {
            for line in &transaction.lines {
                *held.entry((&line.account, &line.units.commodity)).or_default() += line.units.number;
            }
        }
        let code = &amount.commodity;
        if commodities.money(code).is_none() && !commodities.securities.contains_key(code) {
            notes.skip(format!("balance assertions of {code}"), "it is neither money nor priced in money");
            continue;
        }
        let of_account = held.iter().filter(|((at, of), _)| **of == **code && is_within(at, account));
        let now: Decimal = of_account.map(|(_, number)| number).sum();
        if (amount.number - now).abs() > tolerance_of(amount, *tolerance, &ledger.options) {
            let rule = format!("the balance of {account} must be {amount}, as asserted");
            faults.push(directive.place.fault(rule).received(format!("{now} {code}")));
        }
    }
}

fn tolerance_of(amount: &Amount, written: Option<Decimal>, options: &Options) -> Decimal {
    match written {
        Some(tolerance) => tolerance,
        None if amount.number.scale() == 0 => Decimal::ZERO,
        // Twice the tolerance of a transaction, because an asserted balance sums up many roundings. Beancount does the
        // same.
        None => last_digit(amount.number)
            .saturating_mul(options.tolerance_multiplier)
            .saturating_mul(Decimal::TWO),
    }
}

fn is_within(account: &str, parent: &str) -> bool {
    account.strip_prefix(parent).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}
