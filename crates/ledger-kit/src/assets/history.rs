//! The value of accounts and wallets over time.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use jiff::{Span, ToSpan as _};
use passbook_domain::Money;
use passbook_domain::period::{GroupBy, days_between, periods};
use passbook_domain::portfolio::{
    HistoryDay, HistoryTotals, Interval, IntervalChoice, SeriesChoice, SeriesKey, SeriesTotals, SeriesType,
};
use passbook_domain::ports::ReadError;
use passbook_domain::range::{DaySpan, ResolvedDays};
use passbook_domain::tally::CurrencyTotal;

use super::quantity::{is_zero, value_cents};
use super::{StoredAccount, StoredWallet, Valuation, broken};

/// Maximum number of days of a range that `auto` divides into days.
const AUTO_DAYS_MAX: i64 = 92;
/// Maximum number of years of a range that `auto` divides into weeks.
const AUTO_WEEKS_YEARS_MAX: i64 = 2;
const DAYS_PER_WEEK: i64 = 7;
const MONTHS_PER_YEAR: i64 = 12;

/// The value of one account, or of one security in a wallet, on a day.
struct Part {
    id: uuid::Uuid,
    part_type: SeriesType,
    name: String,
    /// Currency of the value; with the value in it if the value is known.
    amount: Option<Money>,
}

impl Valuation<'_> {
    /// Returns the value of accounts and wallets at the end of the first day and of each point's day, and the series that
    /// `by` names. If there would be more than [`PERIODS_MAX`](passbook_domain::period::PERIODS_MAX) points, it returns their number
    /// only.
    ///
    /// An account has its last balance on or before the day, from today on its current balance. It counts until the day
    /// before it was closed. A wallet has its last quantities at the last prices, both on or before the day and today.
    /// Everything is converted at the rates of the day.
    ///
    /// # Errors
    /// [`ReadError::Broken`] if a value has too many digits.
    pub fn history(
        &self,
        days: ResolvedDays,
        interval: IntervalChoice,
        by: SeriesChoice,
    ) -> Result<HistoryTotals, ReadError> {
        let span = self.span(days);
        let interval = chosen(interval, span);
        let mut history = HistoryTotals::new(span, interval);
        history.points_count = points_count(interval, span);
        history.complete_from = self.complete_from();
        let Ok(periods) = periods(division(interval), span.first, span.last) else { return Ok(history) };
        let points: BTreeSet<Date> = periods.into_iter().map(|period| period.last).collect();
        let days: BTreeSet<Date> = points.iter().copied().chain([span.first]).collect();
        let mut series: BTreeMap<SeriesKey, SeriesTotals> = BTreeMap::new();
        for day in days {
            let mut total = HistoryDay::new(day);
            total.is_point = points.contains(&day);
            for part in self.parts(day)? {
                if let Some((key, name)) = part.series(by) {
                    let series = series.entry(key).or_insert_with(|| SeriesTotals::new(key, name));
                    let days = &mut series.days_with_totals;
                    if days.last().is_none_or(|last| last.date != day) {
                        let is_point = total.is_point;
                        let mut part_day = HistoryDay::new(day);
                        part_day.is_point = is_point;
                        days.push(part_day);
                    }
                    days.iter_mut().next_back().into_iter().for_each(|last| self.add(last, part.amount));
                }
                self.add(&mut total, part.amount);
            }
            history.days_with_totals.push(total);
        }
        history.series = series.into_values().collect();
        Ok(history)
    }

    /// Resolves open ends: the first day on which anything is known, and today.
    fn span(&self, days: ResolvedDays) -> DaySpan {
        let today = self.person.today;
        let last = days.last.unwrap_or_else(|| days.first.map_or(today, |first| first.max(today)));
        let balances = self.assets.accounts.iter().filter_map(|account| account.balances.keys().next());
        let wallets = self.assets.wallets.iter().flat_map(|wallet| wallet.quantities.values());
        let known = balances.chain(wallets.filter_map(|quantities| quantities.keys().next())).min();
        let first = days.first.unwrap_or_else(|| known.map_or(last, |known| last.min(*known)));
        DaySpan { first, last }
    }

    fn parts(&self, day: Date) -> Result<Vec<Part>, ReadError> {
        let accounts = self.assets.accounts.iter().filter(|account| account.is_open(day));
        let mut parts: Vec<Part> = accounts.map(|account| self.account_part(account, day)).collect();
        for wallet in &self.assets.wallets {
            parts.extend(self.wallet_parts(wallet, day.min(self.person.today))?);
        }
        Ok(parts)
    }

    fn account_part(&self, stored: &StoredAccount, day: Date) -> Part {
        let account = &stored.account;
        let past = || stored.balances.range(..=day).next_back().map(|(_, cents)| *cents);
        let cents = if day < self.person.today { past() } else { Some(account.balance_cents) };
        Part {
            id: account.id,
            part_type: account.r#type.into(),
            name: account.name.clone(),
            amount: cents.map(|cents| Money::new(cents, account.currency)),
        }
    }

    fn wallet_parts(&self, stored: &StoredWallet, day: Date) -> Result<Vec<Part>, ReadError> {
        let mut parts = Vec::new();
        for (id, quantities) in &stored.quantities {
            let quantity = quantities.range(..=day).next_back().map(|(_, quantity)| quantity);
            let Some(quantity) = quantity.filter(|quantity| !is_zero(quantity)) else { continue };
            let security = self.security(*id)?;
            let cents = security.price(day).map(|(_, price)| value_cents(quantity, price)).transpose();
            let amount = cents.map_err(broken)?.map(|cents| Money::new(cents, security.currency));
            let (part_type, name) = (SeriesType::Wallet, stored.wallet.name.clone());
            parts.push(Part { id: stored.wallet.id, part_type, name, amount });
        }
        Ok(parts)
    }

    /// Adds a value to a day. A value that is not known makes the day partial.
    fn add(&self, day: &mut HistoryDay, amount: Option<Money>) {
        match amount {
            // No transactions are counted.
            Some(amount) => {
                day.totals.push(CurrencyTotal::new(amount, 0, self.converted(amount, day.date)));
            }
            None => day.partial = true,
        }
    }

    /// Returns the first day from which on every value is known; none if there is no such day, or nothing to value.
    fn complete_from(&self) -> Option<Date> {
        let today = self.person.today;
        let mut latest = None;
        for stored in &self.assets.accounts {
            let first = stored.balances.keys().next().copied();
            let known = [first, stored.closed_on].into_iter().flatten().fold(today, Date::min);
            latest = latest.max(Some(known));
        }
        for (id, quantities) in self.assets.wallets.iter().flat_map(|wallet| &wallet.quantities) {
            let security = self.security(*id).ok()?;
            let priced = security.prices.keys().next().copied().filter(|day| *day <= today);
            let held: Vec<_> = quantities.range(..=today).collect();
            for (place, (from, quantity)) in held.iter().enumerate() {
                if is_zero(quantity) || priced.is_some_and(|priced| priced <= **from) {
                    continue;
                }
                let changed = held.get(place + 1).map(|(day, _)| **day);
                // Held without a price to this day: no total is complete.
                latest = latest.max(Some([changed, priced].into_iter().flatten().min()?));
            }
        }
        latest
    }
}

impl Part {
    /// Returns key and name of the series that the part belongs to.
    fn series(&self, by: SeriesChoice) -> Option<(SeriesKey, String)> {
        match by {
            SeriesChoice::Total => None,
            SeriesChoice::Account => Some((SeriesKey::Id(self.id), self.name.clone())),
            SeriesChoice::Type => Some((SeriesKey::Type(self.part_type), self.part_type.label().to_owned())),
        }
    }
}

/// Returns the distance of the points. `auto` chooses it from the length of the range.
fn chosen(choice: IntervalChoice, span: DaySpan) -> Interval {
    let years: Span = AUTO_WEEKS_YEARS_MAX.years();
    match choice {
        IntervalChoice::Day => Interval::Day,
        IntervalChoice::Week => Interval::Week,
        IntervalChoice::Month => Interval::Month,
        IntervalChoice::Auto if days_between(span.first, span.last) <= AUTO_DAYS_MAX => Interval::Day,
        IntervalChoice::Auto if span.last < span.first.saturating_add(years) => Interval::Week,
        IntervalChoice::Auto => Interval::Month,
    }
}

fn division(interval: Interval) -> GroupBy {
    match interval {
        Interval::Day => GroupBy::Day,
        Interval::Week => GroupBy::Week,
        Interval::Month => GroupBy::Month,
    }
}

/// Returns the number of days, ISO weeks or months that the range touches, which may be more than the maximum of periods.
fn points_count(interval: Interval, DaySpan { first, last }: DaySpan) -> i64 {
    let start = |day| division(interval).start_of(day);
    match interval {
        Interval::Day => days_between(first, last),
        Interval::Week => (days_between(start(first), start(last)) - 1) / DAYS_PER_WEEK + 1,
        Interval::Month => {
            let month = |day: Date| i64::from(day.year()) * MONTHS_PER_YEAR + i64::from(day.month());
            month(last) - month(first) + 1
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use passbook_domain::period::PERIODS_MAX;

    fn span(first: Date, last: Date) -> DaySpan {
        DaySpan { first, last }
    }

    #[test]
    fn auto_is_days_up_to_92_then_weeks_up_to_two_years() {
        let first = date(2026, 1, 1);
        for (last, interval) in [
            (date(2026, 4, 2), Interval::Day),
            (date(2026, 4, 3), Interval::Week),
            (date(2027, 12, 31), Interval::Week),
            (date(2028, 1, 1), Interval::Month),
        ] {
            assert_eq!(chosen(IntervalChoice::Auto, span(first, last)), interval, "{last}");
        }
        assert_eq!(chosen(IntervalChoice::Month, span(first, first)), Interval::Month);
    }

    #[test]
    fn points_are_counted_without_listing_them() {
        let long = span(date(2000, 1, 1), date(2026, 12, 31));
        for (interval, count) in [(Interval::Day, 9_862), (Interval::Week, 1_410), (Interval::Month, 324)] {
            assert_eq!(points_count(interval, long), count);
        }
        // A Sunday and the Monday after it are in two weeks.
        assert_eq!(points_count(Interval::Week, span(date(2026, 11, 22), date(2026, 11, 23))), 2);
        assert!(i64::try_from(PERIODS_MAX).is_ok_and(|max| max < points_count(Interval::Week, long)));
    }
}
