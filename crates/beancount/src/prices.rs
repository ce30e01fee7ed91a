//! Collects the daily prices of every security.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::booked::Booked;
use super::commodity::Commodities;
use super::ledger::{Content, Ledger, Place};
use super::report::Notes;

/// A price and its file and line in the ledger.
#[derive(Clone, Debug)]
pub(super) struct Quote {
    pub(super) price: Decimal,
    pub(super) place: Place,
}

/// Prices by security and day, in the currency of the security.
#[derive(Debug, Default)]
pub(super) struct Prices(pub(super) BTreeMap<Arc<str>, BTreeMap<Date, Quote>>);

impl Prices {
    /// Collects the `price` directives. Before the first `price` of a security, the prices paid for it are used, so
    /// that a purchased security always has a value.
    pub(super) fn collect(
        ledger: &Ledger,
        booked: &[Booked],
        commodities: &Commodities,
        notes: &mut Notes,
    ) -> Prices {
        let mut prices = Prices::default();
        for directive in &ledger.directives {
            let Content::Price { commodity, amount } = &directive.content else { continue };
            if commodities.money(commodity).is_some() {
                notes
                    .skip(format!("prices of {commodity}"), "exchange rates are loaded from a file of rates");
            } else if let Some(security) = commodities.securities.get(commodity)
                && security.currency.as_str() == &*amount.commodity
            {
                let quote = Quote { price: amount.number.abs(), place: directive.place.clone() };
                prices.0.entry(commodity.clone()).or_default().insert(directive.date, quote);
            } else {
                let what = format!("prices of {commodity} in {}", amount.commodity);
                notes.skip(what, "a security has one currency: that of most of its prices");
            }
        }
        prices.add_paid(booked, commodities);
        prices
    }

    fn add_paid(&mut self, booked: &[Booked], commodities: &Commodities) {
        let first: BTreeMap<Arc<str>, Date> =
            self.0.iter().filter_map(|(code, days)| Some((code.clone(), *days.keys().next()?))).collect();
        for transaction in booked {
            for line in &transaction.lines {
                let code = &line.units.commodity;
                let Some(security) = commodities.securities.get(code) else { continue };
                let early = first.get(code).is_none_or(|first| transaction.date < *first);
                let paid =
                    line.unit_price.as_ref().filter(|paid| security.currency.as_str() == &*paid.commodity);
                // The cost of a sold lot is the price of an earlier day, not of the day of the sale.
                let bought = line.lot_date.is_none_or(|bought| bought == transaction.date);
                if let (true, true, Some(paid)) = (early, bought, paid) {
                    let quote = Quote { price: paid.number, place: transaction.place.clone() };
                    self.0.entry(code.clone()).or_default().insert(transaction.date, quote);
                }
            }
        }
    }

    /// Returns the last price on or before a day.
    pub(super) fn latest(&self, code: &str, day: Date) -> Option<Decimal> {
        self.0.get(code)?.range(..=day).next_back().map(|(_, quote)| quote.price)
    }
}
