//! Books the transactions of a ledger in order of date. Booking infers missing amounts, and matches each posting that
//! takes units out of an account with the lots (purchases with their cost) that the units come from.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use passbook_input::{Fault, Faults};

use super::balancing;
use super::booked::{Booked, Line, TOO_LARGE};
use super::ledger::{BeancountLedger, Content, Directive, METHODS, Method, Options, Place};
use super::lots::Lots;
use super::number::within_bounds;

/// The state of booking between two directives: the lots of every account, and the accounts that are open.
#[derive(Debug)]
pub(super) struct Booking<'a> {
    options: &'a Options,
    pub(super) lots: Lots,
    opened: BTreeMap<Arc<str>, (Vec<Arc<str>>, Method)>,
    closed: BTreeSet<Arc<str>>,
}

/// Books every transaction of a ledger that is sorted by date. Adds a fault for each one that cannot be booked.
pub(super) fn book(ledger: &BeancountLedger, faults: &mut Faults, progress: &dyn Fn(u64)) -> Vec<Booked> {
    let mut booking = Booking {
        options: &ledger.options,
        lots: Lots::default(),
        opened: BTreeMap::new(),
        closed: BTreeSet::new(),
    };
    let mut booked = Vec::new();
    for (directive, done) in ledger.directives.iter().zip(1_u64..) {
        match booking.directive(directive) {
            Ok(Some(transaction)) => booked.push(transaction),
            Ok(None) => {}
            Err(fault) => faults.push(fault),
        }
        if done % PROGRESS_EVERY == 0 {
            progress(done);
        }
    }
    booked
}

/// Number of directives between two calls of `progress`.
const PROGRESS_EVERY: u64 = 1000;

impl Booking<'_> {
    fn directive(&mut self, directive: &Directive) -> Result<Option<Booked>, Fault> {
        let place = &directive.place;
        match &directive.content {
            Content::Open { account, currencies, booking } => {
                self.open(place, account, currencies, booking.as_deref())?;
            }
            Content::Close { account } => {
                self.must_be_open(place, account)?;
                self.closed.insert(account.clone());
            }
            Content::Balance { account, .. } => self.must_exist(place, account)?,
            Content::Pad { account, source } => {
                self.must_be_open(place, account)?;
                self.must_be_open(place, source)?;
            }
            Content::Transaction(_) => return self.transaction(directive).map(Some),
            Content::Commodity { .. } | Content::Price { .. } => {}
        }
        Ok(None)
    }

    fn open(
        &mut self,
        place: &Place,
        account: &Arc<str>,
        currencies: &[Arc<str>],
        booking: Option<&str>,
    ) -> Result<(), Fault> {
        if self.options.root(account).is_none() {
            let rule = "an account name must start with Assets, Liabilities, Equity, Income or Expenses, or with the name that an option gives one of them";
            return Err(place.fault(rule).received(account));
        }
        let method = match booking {
            None => self.options.booking,
            Some(word) => Method::parse(word)
                .ok_or_else(|| place.fault(format!("a booking method {METHODS}")).received(word))?,
        };
        if self.opened.insert(account.clone(), (currencies.to_vec(), method)).is_some() {
            return Err(place.fault("an account must be opened only once").received(account));
        }
        Ok(())
    }

    fn must_exist(&self, place: &Place, account: &str) -> Result<(), Fault> {
        // The parent of open accounts may be asserted although it is not open itself.
        let below = format!("{account}:");
        let known = self.opened.contains_key(account)
            || self.opened.keys().any(|open| open.starts_with(&below))
            || (self.options.opens_accounts && self.options.root(account).is_some());
        if known { Ok(()) } else { Err(unknown(place, account)) }
    }

    fn must_be_open(&self, place: &Place, account: &str) -> Result<(), Fault> {
        let opened = self.opened.contains_key(account);
        if self.closed.contains(account) {
            return Err(place.fault("an account must not be used after its close").received(account));
        }
        if opened || (self.options.opens_accounts && self.options.root(account).is_some()) {
            return Ok(());
        }
        Err(unknown(place, account))
    }

    fn transaction(&mut self, directive: &Directive) -> Result<Booked, Fault> {
        let Directive { place, date, content: Content::Transaction(read) } = directive else {
            unreachable!("only transactions come here");
        };
        for posting in &read.postings {
            self.must_be_open(place, &posting.account)?;
            let allowed = self.opened.get(&posting.account).map_or(&[][..], |(currencies, _)| currencies);
            if let Some(units) = &posting.units
                && !allowed.is_empty()
                && !allowed.contains(&units.commodity)
            {
                let rule = format!(
                    "{} must be used with {} only, as its open directive declares",
                    posting.account,
                    allowed.join(", ")
                );
                return Err(place.fault(rule).received(units.to_string()));
            }
        }
        let (mut reduced, mut lines) = (Lots::default(), Vec::new());
        for posting in &read.postings {
            let method =
                self.opened.get(&posting.account).map_or(self.options.booking, |(_, method)| *method);
            lines.extend(self.lots.resolve(posting, *date, method, &mut reduced).map_err(|rule| {
                match &posting.units {
                    Some(units) => place.fault(rule).received(units.to_string()),
                    None => place.fault(rule),
                }
            })?);
        }
        let lines = balancing::complete(lines, &read.postings, self.options, place)?;
        let is_small = |line: &&Line| within_bounds(line.weight.number) && within_bounds(line.units.number);
        if let Some(line) = lines.iter().find(|line| !is_small(line)) {
            return Err(place.fault(TOO_LARGE).received(line.weight.to_string()));
        }
        lines.iter().for_each(|line| self.lots.apply(line));
        let (payee, narration) = (read.payee.clone(), read.narration.clone());
        let (links, tags) = (read.links.clone(), read.tags.clone());
        Ok(Booked { place: place.clone(), date: *date, payee, narration, links, tags, lines })
    }
}

fn unknown(place: &Place, account: &str) -> Fault {
    place.fault("an account must be opened before it is used").received(account)
}
