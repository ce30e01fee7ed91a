//! What every own account was worth at the end of each day on which that changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::booking::Booked;
use super::cents::cents;
use super::commodity::Commodities;
use super::own_accounts::OwnAccounts;
use super::prices::Prices;
use super::report::Notes;

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
) -> Balances {
    let mut worth = vec![Worth::default(); accounts.all.len()];
    let mut balances: Balances = vec![BTreeMap::new(); accounts.all.len()];
    let mut priced: BTreeMap<Date, BTreeSet<&str>> = BTreeMap::new();
    for (code, days) in &prices.0 {
        for day in days.keys() {
            priced.entry(*day).or_default().insert(code);
        }
    }
    let days: BTreeSet<Date> =
        booked.iter().map(|booked| booked.date).chain(priced.keys().copied()).collect();
    let mut booked = booked.iter().peekable();
    let mut unpriced: BTreeSet<(usize, Arc<str>)> = BTreeSet::new();
    for day in days {
        let mut touched: BTreeSet<usize> = BTreeSet::new();
        while let Some(transaction) = booked.next_if(|transaction| transaction.date <= day) {
            for line in &transaction.lines {
                let Some(position) = accounts.of_line(line, commodities) else { continue };
                let code = &line.units.commodity;
                match commodities.money(code) {
                    Some(_) => worth[position].cash += line.units.number,
                    None => *worth[position].securities.entry(code.clone()).or_default() += line.units.number,
                }
                touched.insert(position);
            }
        }
        if let Some(codes) = priced.get(&day) {
            let holds = |worth: &Worth| worth.securities.keys().any(|code| codes.contains(&**code));
            touched.extend((0..worth.len()).filter(|position| holds(&worth[*position])));
        }
        for position in touched {
            worth[position].securities.retain(|_, quantity| !quantity.is_zero());
            let missing = worth[position].securities.keys().filter(|code| prices.on(code, day).is_none());
            unpriced.extend(missing.map(|code| (position, code.clone())));
            let now = value(&worth[position], prices, day);
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

fn value(worth: &Worth, prices: &Prices, day: Date) -> i64 {
    let holdings = worth.securities.iter().filter_map(|(code, quantity)| {
        let value = prices.on(code, day)?.checked_mul(*quantity)?;
        Some(cents(value)?.0)
    });
    let cash = cents(worth.cash).map_or(0, |(cents, _)| cents);
    holdings.fold(cash, i64::saturating_add)
}
