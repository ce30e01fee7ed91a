//! The value of accounts and wallets over time.

use std::collections::BTreeSet;

use jiff::civil::Date;
use jiff::{Span, Timestamp, ToSpan as _};
use passbook_domain::Money;
use passbook_domain::balance::AccountBalances;
use passbook_domain::month_start::MonthStart;
use passbook_domain::period::{GroupBy, days_between, periods};
use passbook_domain::portfolio::{
    HistoryPart, HistoryTotals, Interval, IntervalChoice, SeriesChoice, SeriesType,
};
use passbook_domain::ports::ReadError;
use passbook_domain::range::{DaySpan, ResolvedDays};

use super::quantity::{is_zero, value_cents};
use super::{StoredAccount, StoredWallet, Valuation, broken};

/// Maximum number of days of a range that `auto` divides into days.
const AUTO_DAYS_MAX: i64 = 92;
/// Maximum number of years of a range that `auto` divides into weeks.
const AUTO_WEEKS_YEARS_MAX: i64 = 2;
const DAYS_PER_WEEK: i64 = 7;
const MONTHS_PER_YEAR: i64 = 12;

impl Valuation<'_> {
    /// Returns the value of accounts and wallets at the end of each point's day and of the day before the range, and the series
    /// that `by` names. If there would be more than [`PERIODS_MAX`](passbook_domain::period::PERIODS_MAX) points, it returns their number
    /// only.
    ///
    /// An account has the balance of [`AccountBalances`], and counts until the day before it was closed. A wallet has its last quantities at the last prices, both on or before the day and today.
    /// Everything is converted at the rates of the day.
    ///
    /// # Errors
    /// [`ReadError::Broken`] if a value has too many digits.
    pub fn history(
        &self,
        days: ResolvedDays,
        interval: IntervalChoice,
        by: SeriesChoice,
        day_of: impl Fn(Timestamp) -> Date,
    ) -> Result<HistoryTotals, ReadError> {
        let span = self.span(days, &day_of);
        let interval = chosen(interval, span);
        let mut history = HistoryTotals::new(span, interval);
        let months = self.person.month_start;
        history.points_count = points_count(interval, span, months);
        history.complete_from = self.complete_from(&day_of);
        let Ok(periods) = periods(division(interval), span.first, span.last, months) else {
            return Ok(history);
        };
        let points: BTreeSet<Date> = periods.into_iter().map(|period| period.last).collect();
        let before = days.first.map(|first| (first.saturating_sub(1.day()), false));
        let days: Vec<(Date, bool)> =
            before.into_iter().chain(points.iter().map(|point| (*point, true))).collect();
        let balances: Vec<AccountBalances> =
            self.assets.accounts.iter().map(|account| self.balances(account, &day_of)).collect();
        let mut parts = Vec::new();
        for (day, _) in &days {
            let accounts = self.assets.accounts.iter().zip(&balances);
            let open = accounts.filter(|(account, _)| account.is_open(*day));
            parts.extend(open.map(|(account, balances)| self.account_part(account, balances, *day)));
            for wallet in &self.assets.wallets {
                parts.extend(self.wallet_parts(wallet, *day)?);
            }
        }
        Ok(history.with_parts(days, parts, by))
    }

    /// Resolves open ends: the first day on which anything is known, and today.
    fn span(&self, days: ResolvedDays, day_of: &impl Fn(Timestamp) -> Date) -> DaySpan {
        let today = self.person.today;
        let last = days.last.unwrap_or_else(|| days.first.map_or(today, |first| first.max(today)));
        let accounts = self.assets.accounts.iter().flat_map(|stored| {
            let account = &stored.account;
            let present = account.balance_cents.and(account.updated_at).map(|time| day_of(time.timestamp()));
            let before = stored.opened_on.and_then(|day| day.yesterday().ok());
            [present, before, stored.balances.keys().next().copied()].into_iter().flatten()
        });
        let rows = self.rows.iter().filter(|row| !row.pending).map(|row| row.date);
        let wallets = self.assets.wallets.iter().flat_map(|wallet| wallet.quantities.values());
        let wallets = wallets.filter_map(|quantities| quantities.keys().next().copied());
        let known = accounts.chain(rows).chain(wallets).min();
        let first = days.first.unwrap_or_else(|| known.map_or(last, |known| last.min(known)));
        DaySpan { first, last }
    }

    fn account_part<'a>(
        &self,
        stored: &'a StoredAccount,
        balances: &AccountBalances,
        date: Date,
    ) -> HistoryPart<'a> {
        let account = &stored.account;
        let balance = balances.on(date);
        let amount = balance.map(|balance| Money::new(balance.cents, account.currency));
        HistoryPart {
            date,
            id: account.id,
            r#type: account.r#type.into(),
            name: &account.name,
            amount,
            converted_cents: amount.and_then(|amount| self.converted(amount, date)),
            estimated: balance.is_some_and(|balance| balance.estimated),
        }
    }

    fn wallet_parts<'a>(
        &self,
        stored: &'a StoredWallet,
        date: Date,
    ) -> Result<Vec<HistoryPart<'a>>, ReadError> {
        let known = date.min(self.person.today);
        let mut parts = Vec::new();
        for (id, quantities) in &stored.quantities {
            let quantity = quantities.range(..=known).next_back().map(|(_, quantity)| quantity);
            let Some(quantity) = quantity.filter(|quantity| !is_zero(quantity)) else { continue };
            let security = self.security(*id)?;
            let cents = security.price(known).map(|(_, price)| value_cents(quantity, price)).transpose();
            let amount = cents.map_err(broken)?.map(|cents| Money::new(cents, security.currency));
            parts.push(HistoryPart {
                date,
                id: stored.wallet.id,
                r#type: SeriesType::Wallet,
                name: &stored.wallet.name,
                amount,
                converted_cents: amount.and_then(|amount| self.converted(amount, date)),
                estimated: false,
            });
        }
        Ok(parts)
    }

    /// Returns the first day from which on every value is known; none if there is no such day, or nothing to value.
    fn complete_from(&self, day_of: &impl Fn(Timestamp) -> Date) -> Option<Date> {
        let today = self.person.today;
        let mut latest = None;
        for stored in &self.assets.accounts {
            latest = latest.max(Some(self.balances(stored, day_of).complete_from(stored.closed_on)?));
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
fn points_count(interval: Interval, DaySpan { first, last }: DaySpan, months: MonthStart) -> i64 {
    let start = |day| division(interval).start_of(day, months);
    match interval {
        Interval::Day => days_between(first, last),
        Interval::Week => (days_between(start(first), start(last)) - 1) / DAYS_PER_WEEK + 1,
        Interval::Month => {
            let month = |day: Date| i64::from(day.year()) * MONTHS_PER_YEAR + i64::from(day.month());
            month(months.month_of(last)) - month(months.month_of(first)) + 1
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
            assert_eq!(points_count(interval, long, MonthStart::FIRST_DAY), count);
        }
        // A Sunday and the Monday after it are in two weeks.
        assert_eq!(
            points_count(Interval::Week, span(date(2026, 11, 22), date(2026, 11, 23)), MonthStart::FIRST_DAY),
            2
        );
        assert!(
            i64::try_from(PERIODS_MAX)
                .is_ok_and(|max| max < points_count(Interval::Week, long, MonthStart::FIRST_DAY))
        );
    }
}
