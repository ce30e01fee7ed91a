//! The commodities of a ledger: money, securities with their daily prices, and commodities without a price in money.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::portfolio::SecurityType;
use rust_decimal::Decimal;

use super::booked::Booked;
use super::ledger::{BeancountLedger, Content, Directive, LedgerTransaction, Place, Price};
use super::report::Notes;

/// Currency codes of ISO 4217. A three-letter ticker symbol such as VHT is not among them.
const CURRENCIES: &str = "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN \
    BWP BYN BZD CAD CDF CHF CLF CLP CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS \
    GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT \
    LAK LBP LKR LRD LSL LTL LVL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD \
    OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP \
    SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL \
    ATS BEF CYP DEM EEK ESP FIM FRF GRD IEP ITL LUF MTL NLG PTE SIT SKK";

/// A commodity that can be held and has a price in money.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Security {
    pub(super) code: Arc<str>,
    pub(super) name: Option<String>,
    pub(super) kind: SecurityType,
    /// Currency of the security's prices.
    pub(super) currency: Currency,
}

/// The commodities of a ledger.
#[derive(Debug, Default)]
pub(super) struct Commodities {
    money: BTreeMap<Arc<str>, Currency>,
    pub(super) securities: BTreeMap<Arc<str>, Security>,
}

impl Commodities {
    /// Returns the currency of a commodity that is money; otherwise `None`.
    pub(super) fn money(&self, code: &str) -> Option<Currency> {
        self.money.get(code).copied()
    }

    /// Classifies the commodities of a ledger.
    ///
    /// Money is a three-letter code of ISO 4217 or of the option `operating_currency`. An ISO code that is only ever
    /// held at cost is a ticker symbol and not money. A security is any other commodity that has a cost or a price in
    /// money somewhere.
    pub(super) fn from_ledger(ledger: &BeancountLedger) -> Commodities {
        let mut seen = Seen::default();
        ledger.directives.iter().for_each(|directive| seen.directive(directive));
        let operating = |code: &Arc<str>| ledger.options.operating.contains(code);
        let mut commodities = Commodities::default();
        for code in &seen.all {
            let iso = CURRENCIES.split_whitespace().any(|known| known == &**code);
            let as_money =
                seen.quotes.contains(code) || seen.bare.contains(code) || !seen.at_cost.contains(code);
            if let Ok(currency) = Currency::parse(code)
                && (operating(code) || (iso && as_money))
            {
                commodities.money.insert(code.clone(), currency);
            }
        }
        for (code, quoted_in) in &seen.quoted {
            let in_money =
                quoted_in.iter().filter_map(|(quote, times)| Some((times, commodities.money(quote)?)));
            let currency = in_money.max().map(|(_, currency)| currency);
            if let (None, Some(currency)) = (commodities.money(code), currency) {
                let (name, kind) = seen.described.get(code).cloned().unwrap_or_default();
                let kind = kind.as_deref().map_or(SecurityType::Other, security_type);
                commodities
                    .securities
                    .insert(code.clone(), Security { code: code.clone(), name, kind, currency });
            }
        }
        commodities
    }
}

/// Converts the metadata `type` of a commodity to a security type; `Other` if the word is not known.
fn security_type(word: &str) -> SecurityType {
    SecurityType::parse(&word.to_uppercase().replace(' ', "_")).unwrap_or(SecurityType::Other)
}

/// The uses of each commodity code in a ledger, from which its class is determined.
#[derive(Default)]
struct Seen {
    all: BTreeSet<Arc<str>>,
    quotes: BTreeSet<Arc<str>>,
    bare: BTreeSet<Arc<str>>,
    at_cost: BTreeSet<Arc<str>>,
    /// Number of prices by commodity and currency. The most frequent currency becomes the currency of the security, so
    /// that a single price in another currency changes nothing.
    quoted: BTreeMap<Arc<str>, BTreeMap<Arc<str>, usize>>,
    described: BTreeMap<Arc<str>, (Option<String>, Option<String>)>,
}

impl Seen {
    fn directive(&mut self, directive: &Directive) {
        match &directive.content {
            Content::Commodity { code, name, kind } => {
                self.described.insert(code.clone(), (name.clone(), kind.clone()));
            }
            Content::Price { commodity, amount } => {
                self.all.extend([commodity.clone(), amount.commodity.clone()]);
                self.quote(commodity, &amount.commodity);
            }
            Content::Balance { amount, .. } => {
                self.all.insert(amount.commodity.clone());
            }
            Content::Transaction(transaction) => self.transaction(transaction),
            Content::Open { .. } | Content::Close { .. } | Content::Pad { .. } => {}
        }
    }

    fn transaction(&mut self, transaction: &LedgerTransaction) {
        for posting in &transaction.postings {
            let Some(units) = &posting.units else { continue };
            self.all.insert(units.commodity.clone());
            let used = if posting.cost.is_some() { &mut self.at_cost } else { &mut self.bare };
            used.insert(units.commodity.clone());
            let cost = posting.cost.iter().filter_map(|cost| cost.amount.as_ref());
            let price = posting.price.iter().map(|price| match price {
                Price::Unit(amount) | Price::Total(amount) => amount,
            });
            for quote in cost.chain(price) {
                self.all.insert(quote.commodity.clone());
                self.quote(&units.commodity, &quote.commodity);
            }
        }
    }

    fn quote(&mut self, commodity: &Arc<str>, quote: &Arc<str>) {
        self.quotes.insert(quote.clone());
        *self.quoted.entry(commodity.clone()).or_default().entry(quote.clone()).or_default() += 1;
    }
}

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
        ledger: &BeancountLedger,
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
