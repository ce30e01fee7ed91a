//! The securities of the household with a price for each day, and the exchange rates.

use SecurityType::{Cryptocurrency, Equity, Etf};
use jiff::ToSpan as _;
use jiff::civil::{Date, date};
use passbook_domain::Currency;
use passbook_domain::portfolio::SecurityType;
use passbook_records::id;
use passbook_records::record::{ExchangeRate, Security, SecurityPrice};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::accounts::{USER_ID, currency};
use super::calendar::{MILLION, Window, day_number, days, is_business_day, wave};

/// A security and the parameters of its price curve.
#[derive(Debug)]
pub(super) struct Listing {
    pub(super) symbol: &'static str,
    name: &'static str,
    security_type: SecurityType,
    currency: &'static str,
    isin: Option<&'static str>,
    is_cash_equivalent: bool,
    /// The price in cents at the start of 2024.
    start: i64,
    /// Growth per year, and maximum deviation from the growth line, in millionths.
    growth: i64,
    deviation: i64,
}

#[rustfmt::skip]
pub(super) static GLOBAL_STOCKS: Listing = Listing { symbol: "VWRL", name: "Vanguard FTSE All-World UCITS ETF", security_type: Etf, currency: "EUR", isin: Some("IE00B3RBWM25"), is_cash_equivalent: false, start: 10_540, growth: 82_000, deviation: 60_000 };
#[rustfmt::skip]
pub(super) static BONDS: Listing = Listing { symbol: "EUNA", name: "iShares Core Global Aggregate Bond UCITS ETF", security_type: Etf, currency: "EUR", isin: Some("IE00BDBRDM35"), is_cash_equivalent: false, start: 480, growth: 18_000, deviation: 21_000 };
#[rustfmt::skip]
pub(super) static OVERNIGHT: Listing = Listing { symbol: "XEON", name: "Xtrackers II EUR Overnight Rate Swap UCITS ETF", security_type: Etf, currency: "EUR", isin: Some("LU0290358497"), is_cash_equivalent: true, start: 13_912, growth: 24_000, deviation: 200 };
#[rustfmt::skip]
pub(super) static SAP: Listing = Listing { symbol: "SAP", name: "SAP SE", security_type: Equity, currency: "EUR", isin: Some("DE0007164600"), is_cash_equivalent: false, start: 14_210, growth: 130_000, deviation: 110_000 };
#[rustfmt::skip]
pub(super) static APPLE: Listing = Listing { symbol: "AAPL", name: "Apple Inc.", security_type: Equity, currency: "USD", isin: Some("US0378331005"), is_cash_equivalent: false, start: 18_450, growth: 90_000, deviation: 90_000 };
#[rustfmt::skip]
pub(super) static MICROSOFT: Listing = Listing { symbol: "MSFT", name: "Microsoft Corporation", security_type: Equity, currency: "USD", isin: Some("US5949181045"), is_cash_equivalent: false, start: 37_600, growth: 95_000, deviation: 80_000 };
#[rustfmt::skip]
pub(super) static TESLA: Listing = Listing { symbol: "TSLA", name: "Tesla, Inc.", security_type: Equity, currency: "USD", isin: Some("US88160R1014"), is_cash_equivalent: false, start: 24_830, growth: 60_000, deviation: 240_000 };
#[rustfmt::skip]
pub(super) static BITCOIN: Listing = Listing { symbol: "BTC", name: "Bitcoin", security_type: Cryptocurrency, currency: "EUR", isin: None, is_cash_equivalent: false, start: 5_870_000, growth: 120_000, deviation: 210_000 };
#[rustfmt::skip]
pub(super) static ETHER: Listing = Listing { symbol: "ETH", name: "Ether", security_type: Cryptocurrency, currency: "USD", isin: None, is_cash_equivalent: false, start: 264_000, growth: 80_000, deviation: 240_000 };

/// Every security that has prices.
pub(super) static LISTINGS: [&Listing; 9] =
    [&GLOBAL_STOCKS, &BONDS, &OVERNIGHT, &SAP, &APPLE, &MICROSOFT, &TESLA, &BITCOIN, &ETHER];

impl Listing {
    /// Returns the derived identifier.
    pub(super) fn security_id(&self) -> Uuid {
        id::derive(USER_ID, "security", self.symbol)
    }

    /// Returns the security's record.
    pub(super) fn record(&self) -> Security {
        Security {
            user_id: USER_ID,
            security_id: self.security_id(),
            name: self.name.to_owned(),
            security_type: self.security_type,
            currency: currency(self.currency),
            symbol: Some(self.symbol.to_owned()),
            isin: self.isin.map(str::to_owned),
            is_cash_equivalent: self.is_cash_equivalent,
        }
    }

    /// Returns the prices. Cryptocurrencies have one every day up to today, other securities on business days up to
    /// yesterday.
    pub(super) fn prices(&self, window: Window) -> impl Iterator<Item = SecurityPrice> + '_ {
        // Starts ten days early, so that the first day of the window has an earlier price if it is not a business day.
        days(window.first - 10.days(), window.today)
            .filter(move |day| self.is_priced(*day, window.today))
            .map(|day| SecurityPrice {
                user_id: USER_ID,
                security_id: self.security_id(),
                as_of: day,
                price: Decimal::new(self.price_on(day), 2),
            })
    }

    /// Returns true if a price of this day is known today.
    pub(super) fn is_priced(&self, day: Date, today: Date) -> bool {
        match self.security_type {
            SecurityType::Cryptocurrency => day <= today,
            _ => day < today && is_business_day(day),
        }
    }

    /// Returns the last known price on or before a day, in cents.
    pub(super) fn last_price(&self, day: Date, today: Date) -> i64 {
        let mut priced = day;
        while !self.is_priced(priced, today) {
            priced -= 1.day();
        }
        self.price_on(priced)
    }

    fn price_on(&self, day: Date) -> i64 {
        // At most twenty years of growth keep prices plausible for any date.
        let grown_days = (day_number(day) - day_number(date(2024, 1, 1))).clamp(0, 7_305);
        let parts = self.growth * grown_days / 365
            + wave(self.symbol, day, 151, self.deviation / 2)
            + wave(self.symbol, day, 37, self.deviation / 3)
            + wave(self.symbol, day, 9, self.deviation / 6)
            + wave(self.symbol, day, 1, self.deviation / 12);
        self.start + self.start * parts / MILLION
    }
}

/// A currency, its mean rate in ten-thousandths of a unit per euro, and its maximum deviation in millionths.
const QUOTED: &[(&str, i64, i64)] =
    &[("USD", 10_850, 34_000), ("GBP", 8_560, 18_000), ("CHF", 9_480, 15_000)];

/// Returns the rates of the business days up to yesterday, because rates of a day are published in its afternoon.
pub(super) fn exchange_rates(window: Window) -> impl Iterator<Item = ExchangeRate> {
    // Starts ten days early, so that the first day of the window has an earlier rate if it is not a business day.
    days(window.first - 10.days(), window.today - 1.day())
        .filter(move |day| is_business_day(*day) && !is_gap(*day, window.today))
        .flat_map(|day| {
            QUOTED.iter().map(move |(code, middle, deviation)| {
                let quoted: Currency = currency(code);
                ExchangeRate {
                    currency: quoted,
                    as_of: day,
                    units_per_base: rate(code, *middle, *deviation, day),
                }
            })
        })
}

fn rate(code: &str, middle: i64, deviation: i64, day: Date) -> Decimal {
    let parts = wave(code, day, 97, deviation)
        + wave(code, day, 23, deviation / 4)
        + wave(code, day, 1, deviation / 20);
    Decimal::new(middle + middle * parts / MILLION, 4)
}

/// Returns true from April 1 to May 12 of a past spring. The gap is longer than the 31 days for which a rate may be
/// used. Recent springs have no gap, so that current figures are complete.
fn is_gap(day: Date, today: Date) -> bool {
    (date(day.year(), 4, 1)..=date(day.year(), 5, 12)).contains(&day) && today >= date(day.year(), 6, 1)
}
