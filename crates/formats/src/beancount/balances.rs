//! What every own account was worth at the end of each day on which that changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use domain::money::AMOUNT_CENTS_MAX;
use jiff::civil::Date;
use rust_decimal::Decimal;

use super::booked::Booked;
use super::cents::cents;
use super::commodity::Commodities;
use super::ledger::Place;
use super::own_accounts::OwnAccounts;
use super::prices::Prices;
use super::report::Notes;
use crate::Faults;

/// Balances in hundredths by account, as a position, and day.
pub(super) type Balances = Vec<BTreeMap<Date, i64>>;

/// Cash and securities of one account.
#[derive(Clone, Debug, Default)]
struct Worth {
    cash: Decimal,
    securities: BTreeMap<Arc<str>, Decimal>,
}

/// Walks through the days of a ledger. An account is worth its cash plus each holding at the last price on or
/// before the day; each is rounded to hundredths and then added.
pub(super) fn balances(
    booked: &[Booked],
    accounts: &OwnAccounts,
    commodities: &Commodities,
    prices: &Prices,
    notes: &mut Notes,
    faults: &mut Faults,
) -> Balances {
    let mut worth = vec![Worth::default(); accounts.all.len()];
    let mut balances: Balances = vec![BTreeMap::new(); accounts.all.len()];
    let priced = by_day(prices);
    let days: BTreeSet<Date> =
        booked.iter().map(|booked| booked.date).chain(priced.keys().copied()).collect();
    let mut booked = booked.iter().peekable();
    let mut unpriced: BTreeSet<(usize, Arc<str>)> = BTreeSet::new();
    let mut too_large: BTreeSet<usize> = BTreeSet::new();
    for day in days {
        // What is worth something else than before, and the line that says so.
        let mut touched: BTreeMap<usize, &Place> = BTreeMap::new();
        while let Some(transaction) = booked.next_if(|transaction| transaction.date <= day) {
            for line in &transaction.lines {
                let Some(position) = accounts.position_of_line(line, commodities) else { continue };
                let code = &line.units.commodity;
                match commodities.money(code) {
                    Some(_) => worth[position].cash += line.units.number,
                    None => *worth[position].securities.entry(code.clone()).or_default() += line.units.number,
                }
                touched.insert(position, &transaction.place);
            }
        }
        if let Some(codes) = priced.get(&day) {
            for (position, worth) in worth.iter().enumerate() {
                if let Some(place) = worth.securities.keys().find_map(|code| codes.get(&**code)) {
                    touched.entry(position).or_insert(place);
                }
            }
        }
        for (position, place) in touched {
            worth[position].securities.retain(|_, quantity| !quantity.is_zero());
            let missing = worth[position].securities.keys().filter(|code| prices.latest(code, day).is_none());
            unpriced.extend(missing.map(|code| (position, code.clone())));
            let Some(now) = value(&worth[position], prices, day) else {
                if too_large.insert(position) {
                    let rule = "the balance of an account must be at most 9·10^13";
                    faults.add(place.fault(rule).received(&accounts.all[position].ledger_name));
                }
                continue;
            };
            let last = balances[position].last_key_value().map(|(_, last)| *last);
            if last != Some(now) {
                balances[position].insert(day, now);
            }
        }
    }
    for (position, code) in unpriced {
        let what = format!("early balances of {code} in {}", accounts.all[position].ledger_name);
        notes.skip(what, "nothing says what it was worth before its first price");
    }
    balances
}

/// The securities that have a price on a day, and where it stands.
fn by_day(prices: &Prices) -> BTreeMap<Date, BTreeMap<&str, &Place>> {
    let mut priced: BTreeMap<Date, BTreeMap<&str, &Place>> = BTreeMap::new();
    for (code, days) in &prices.0 {
        for (day, quote) in days {
            priced.entry(*day).or_default().insert(code, &quote.place);
        }
    }
    priced
}

/// What an account is worth; none when that is beyond what can be stored. A holding that has no price yet counts for nothing.
fn value(worth: &Worth, prices: &Prices, day: Date) -> Option<i64> {
    let (mut value, _) = cents(worth.cash)?;
    for (code, quantity) in &worth.securities {
        let Some(price) = prices.latest(code, day) else { continue };
        value = value.checked_add(cents(price.checked_mul(*quantity)?)?.0)?;
    }
    (value.checked_abs()? <= AMOUNT_CENTS_MAX).then_some(value)
}
