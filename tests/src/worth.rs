//! What assets were worth at the end of a day, told a second time and differently: day by day in exact decimals, over
//! the records that were loaded. Nothing here calls the code under test.

use std::collections::{BTreeMap, BTreeSet};

use domain::Currency;
use formats::record::{Account, Record};
use jiff::ToSpan as _;
use jiff::civil::Date;
use rust_decimal::prelude::ToPrimitive as _;
use rust_decimal::{Decimal, RoundingStrategy};
use uuid::Uuid;

use crate::model::Model;

/// A total and what it leaves out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Worth {
    /// Cents of the preferred currency.
    pub cents: i64,
    /// Signed cents without a rate, by currency.
    pub unconverted: BTreeMap<String, i64>,
    /// Whether something is left out because its worth is not known.
    pub partial: bool,
}

/// Assets as the model sees them.
#[derive(Debug)]
pub struct WorthModel<'a> {
    /// Converts.
    pub model: &'a Model<'a>,
    /// What was loaded.
    pub records: &'a [Record],
    /// The day it is.
    pub today: Date,
}

impl WorthModel<'_> {
    /// What everything was worth at the end of a day.
    pub fn on(&self, day: Date) -> Worth {
        let mut worth = Worth::default();
        for record in self.records {
            if let Record::Account(account) = record
                && account.closed_on.is_none_or(|closed| closed > day)
            {
                self.add(&mut worth, self.balance(account, day), account.currency, day);
            }
        }
        let known = day.min(self.today);
        for (wallet, security) in self.contents() {
            let quantity = self.quantity(wallet, security, known).unwrap_or_default();
            if quantity.is_zero() {
                continue;
            }
            let value = self.price(security, known).map(|price| {
                let exact = quantity * price * Decimal::ONE_HUNDRED;
                let cents = exact.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
                cents.to_i64().expect("a small amount")
            });
            self.add(&mut worth, value, self.currency(security), day);
        }
        worth
    }

    /// The first day from which on nothing is left out for want of knowledge; none when today something is, and when
    /// nothing ever was since `earliest`.
    pub fn complete_from(&self, earliest: Date) -> Option<Date> {
        let mut day = self.today;
        while !self.on(day).partial {
            if day == earliest {
                return None;
            }
            day = day.checked_sub(1.day()).expect("in range");
        }
        (day < self.today).then(|| day.checked_add(1.day()).expect("in range"))
    }

    /// The first day on which a balance or the content of a wallet is stored.
    pub fn first_known(&self) -> Option<Date> {
        let days = self.records.iter().filter_map(|record| match record {
            Record::BalanceSnapshot(snapshot) => Some(snapshot.as_of),
            Record::WalletHolding(held) => Some(held.as_of),
            _ => None,
        });
        days.min()
    }

    fn add(&self, worth: &mut Worth, cents: Option<i64>, currency: Currency, day: Date) {
        let Some(cents) = cents else {
            worth.partial = true;
            return;
        };
        match self.model.exchanged(cents, currency, day) {
            Some(converted) => worth.cents += converted,
            None => *worth.unconverted.entry(currency.to_string()).or_default() += cents,
        }
    }

    fn balance(&self, account: &Account, day: Date) -> Option<i64> {
        if day >= self.today {
            return Some(account.balance_cents);
        }
        let mut latest = None;
        for record in self.records {
            if let Record::BalanceSnapshot(snapshot) = record
                && snapshot.account_id == account.account_id
                && snapshot.as_of <= day
            {
                latest = latest.max(Some((snapshot.as_of, snapshot.balance_cents)));
            }
        }
        latest.map(|(_, cents)| cents)
    }

    fn contents(&self) -> BTreeSet<(Uuid, Uuid)> {
        let held = self.records.iter().filter_map(|record| match record {
            Record::WalletHolding(held) => Some((held.wallet_id, held.security_id)),
            _ => None,
        });
        held.collect()
    }

    fn quantity(&self, wallet: Uuid, security: Uuid, day: Date) -> Option<Decimal> {
        let rows = self.records.iter().filter_map(|record| match record {
            Record::WalletHolding(held) if held.wallet_id == wallet && held.security_id == security => {
                Some((held.as_of, held.quantity))
            }
            _ => None,
        });
        latest(rows, day)
    }

    fn price(&self, security: Uuid, day: Date) -> Option<Decimal> {
        let rows = self.records.iter().filter_map(|record| match record {
            Record::SecurityPrice(price) if price.security_id == security => Some((price.as_of, price.price)),
            _ => None,
        });
        latest(rows, day)
    }

    fn currency(&self, wanted: Uuid) -> Currency {
        let found = self.records.iter().find_map(|record| match record {
            Record::Security(security) if security.security_id == wanted => Some(security.currency),
            _ => None,
        });
        found.expect("what is held is listed")
    }
}

/// The last value on or before a day.
fn latest(rows: impl Iterator<Item = (Date, Decimal)>, day: Date) -> Option<Decimal> {
    rows.filter(|(as_of, _)| *as_of <= day).max_by_key(|(as_of, _)| *as_of).map(|(_, value)| value)
}
