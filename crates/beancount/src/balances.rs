//! Computes the value of every own account at the end of each day on which the value changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::civil::Date;
use passbook_domain::money::AMOUNT_CENTS_MAX;
use passbook_input::Faults;
use rust_decimal::Decimal;

use super::booked::Booked;
use super::commodity::{Commodities, Prices};
use super::ledger::Place;
use super::number::cents;
use super::own_accounts::OwnAccounts;
use super::parse::DAYS;
use super::report::Notes;

/// Balances of each account in hundredths, by the days on which they changed. The position in the list is the position
/// of the account.
pub(super) type Balances = Vec<BTreeMap<Date, i64>>;

/// Cash and quantities of securities in one account.
#[derive(Clone, Debug, Default)]
struct Contents {
    cash: Decimal,
    securities: BTreeMap<Arc<str>, Decimal>,
}

/// Returns the day before an account was opened, on which its balance is zero.
///
/// An account that was opened before the first day that can be stored has its zero balance on the day before `start`,
/// the day of the ledger's first entry. Such an `open` is a placeholder, and a history that began in 1900 would have too
/// many points.
pub(super) fn day_before(opened: Date, start: Date) -> Date {
    let before = |day: Date| day.yesterday().unwrap_or(day);
    let first = *DAYS.start();
    if before(opened) < first { before(start).max(first) } else { before(opened) }
}

/// Returns the balances of all accounts, beginning with a zero balance on the day before the account was opened. The
/// value of an account is its cash plus each holding at the last price on or before the day. Each summand is rounded to
/// hundredths.
pub(super) fn balances(
    booked: &[Booked],
    accounts: &OwnAccounts,
    commodities: &Commodities,
    prices: &Prices,
    notes: &mut Notes,
    faults: &mut Faults,
) -> Balances {
    let mut contents = vec![Contents::default(); accounts.all.len()];
    let start = booked.first().map(|transaction| transaction.date).unwrap_or_default();
    let mut balances: Balances =
        accounts.all.iter().map(|own| BTreeMap::from([(day_before(own.opened_on, start), 0)])).collect();
    let priced = by_day(prices);
    let days: BTreeSet<Date> =
        booked.iter().map(|booked| booked.date).chain(priced.keys().copied()).collect();
    let mut booked = booked.iter().peekable();
    let mut unpriced: BTreeSet<(usize, Arc<str>)> = BTreeSet::new();
    let mut too_large: BTreeSet<usize> = BTreeSet::new();
    for day in days {
        // Accounts whose value may have changed, each with the line that changed it.
        let mut touched: BTreeMap<usize, &Place> = BTreeMap::new();
        while let Some(transaction) = booked.next_if(|transaction| transaction.date <= day) {
            for line in &transaction.lines {
                let Some(position) = accounts.position_of_line(line, commodities) else { continue };
                let code = &line.units.commodity;
                match commodities.money(code) {
                    Some(_) => contents[position].cash += line.units.number,
                    None => {
                        *contents[position].securities.entry(code.clone()).or_default() += line.units.number
                    }
                }
                touched.insert(position, &transaction.place);
            }
        }
        if let Some(codes) = priced.get(&day) {
            for (position, contents) in contents.iter().enumerate() {
                if let Some(place) = contents.securities.keys().find_map(|code| codes.get(&**code)) {
                    touched.entry(position).or_insert(place);
                }
            }
        }
        for (position, place) in touched {
            contents[position].securities.retain(|_, quantity| !quantity.is_zero());
            let missing =
                contents[position].securities.keys().filter(|code| prices.latest(code, day).is_none());
            unpriced.extend(missing.map(|code| (position, code.clone())));
            let Some(now) = value(&contents[position], prices, day) else {
                if too_large.insert(position) {
                    let rule = "the balance of an account must be at most 9·10^13";
                    faults.push(place.fault(rule).received(&accounts.all[position].ledger_name));
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
        notes.skip(what, "the security has no price yet on these days");
    }
    balances
}

/// Returns the places in the ledger of all prices, by day and security.
fn by_day(prices: &Prices) -> BTreeMap<Date, BTreeMap<&str, &Place>> {
    let mut priced: BTreeMap<Date, BTreeMap<&str, &Place>> = BTreeMap::new();
    for (code, days) in &prices.0 {
        for (day, quote) in days {
            priced.entry(*day).or_default().insert(code, &quote.place);
        }
    }
    priced
}

/// Returns the value of an account in hundredths, or `None` if the value is too large to be stored. A holding without a
/// price counts as zero.
fn value(contents: &Contents, prices: &Prices, day: Date) -> Option<i64> {
    let (mut value, _) = cents(contents.cash)?;
    for (code, quantity) in &contents.securities {
        let Some(price) = prices.latest(code, day) else { continue };
        value = value.checked_add(cents(price.checked_mul(*quantity)?)?.0)?;
    }
    (value.checked_abs()? <= AMOUNT_CENTS_MAX).then_some(value)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::day_before;

    #[test]
    fn zero_balance_is_on_the_day_before_the_open_directive_or_before_the_first_entry() {
        let start = date(2024, 2, 1);
        for (opened, expected) in [
            (date(2024, 3, 1), date(2024, 2, 29)),
            (date(1970, 1, 1), date(1969, 12, 31)),
            (date(1900, 1, 2), date(1900, 1, 1)),
            (date(1900, 1, 1), date(2024, 1, 31)),
            (date(1800, 1, 1), date(2024, 1, 31)),
            (date(-9999, 1, 1), date(2024, 1, 31)),
        ] {
            assert_eq!(day_before(opened, start), expected, "{opened}");
        }
        assert_eq!(day_before(date(1800, 1, 1), date(1900, 1, 1)), date(1900, 1, 1));
    }
}
