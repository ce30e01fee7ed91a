//! What a unit of each security was worth on each day that says so.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::booked::Booked;
use super::commodity::Commodities;
use super::ledger::{Content, Ledger, Place};
use super::report::Notes;

/// A price and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Quote {
    pub(super) price: Decimal,
    pub(super) place: Place,
}

/// Prices by security and day, in the currency of the security.
#[derive(Debug, Default)]
pub(super) struct Prices(pub(super) BTreeMap<Arc<str>, BTreeMap<Date, Quote>>);

impl Prices {
    /// Collects the `price` directives. Until the first one of a security, what was paid for it stands in, so
    /// that nothing that was bought is ever worth nothing.
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
                notes.skip(what, "a security has one currency, the one it is mostly priced in");
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
                // A sale at cost says what was paid long ago, not what the unit is worth now.
                let bought = line.lot_date.is_none_or(|bought| bought == transaction.date);
                if let (true, true, Some(paid)) = (early, bought, paid) {
                    let quote = Quote { price: paid.number, place: transaction.place.clone() };
                    self.0.entry(code.clone()).or_default().insert(transaction.date, quote);
                }
            }
        }
    }

    /// The last price on or before a day.
    pub(super) fn latest(&self, code: &str, day: Date) -> Option<Decimal> {
        self.0.get(code)?.range(..=day).next_back().map(|(_, quote)| quote.price)
    }
}
