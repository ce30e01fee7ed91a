//! Queries the value of the portfolio at the end of each day of a portfolio history.

use jiff::civil::Date;
use passbook_domain::access::Access;
use passbook_domain::period::PERIODS_MAX;
use passbook_domain::portfolio::{
    HistoryPart, HistoryTotals, Interval, IntervalChoice, SeriesChoice, SeriesType,
};
use passbook_domain::ports::{ReadError, Reading};
use passbook_domain::range::{DaySpan, Days};
use passbook_domain::{Currency, Money};
use uuid::Uuid;

use super::balances::{self, StoredAccount};
use crate::error::Error;
use crate::query::{
    BALANCE_FACTS, PORTFOLIO_HISTORY_DAYS, PORTFOLIO_HISTORY_SPAN, PORTFOLIO_HISTORY_WALLETS,
};
use crate::row::{Row, Rows};
use crate::store::Store;

/// The facts of a history, before amounts are converted.
struct Read {
    history: HistoryTotals,
    /// The points and the day before the range, each with true for a point.
    days: Vec<(Date, bool)>,
    accounts: Vec<StoredAccount>,
    wallets: Vec<WalletValue>,
}

/// The value of one holding of a wallet on a day; `None` if it is unknown.
struct WalletValue {
    day: Date,
    id: Uuid,
    name: String,
    amount: Option<Money>,
}

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    days: &Days,
    interval: IntervalChoice,
    by: SeriesChoice,
) -> Result<Reading<HistoryTotals>, ReadError> {
    let user = access.credential().user().as_uuid();
    let interval = interval.as_str();
    let points_max = i32::try_from(PERIODS_MAX).unwrap_or(i32::MAX);
    let parameters: &[_] = &[&user as _, &interval as _, &points_max as _];
    let queries = [
        (PORTFOLIO_HISTORY_SPAN, &parameters[..2]),
        (PORTFOLIO_HISTORY_DAYS, parameters),
        (BALANCE_FACTS, &parameters[..1]),
        (PORTFOLIO_HISTORY_WALLETS, parameters),
    ];
    let reading = store
        .read(access, days, &queries, |rows| {
            // The query returns one row for an existing person, and the session has already found the person.
            Ok(read(rows[0].only()?, &rows)?)
        })
        .await?;
    let currency = reading.person.preferred_currency;
    let parts = reading.data.parts();
    let amounts: Vec<(Date, Money)> =
        parts.iter().filter_map(|part| Some((part.date, part.amount?))).collect();
    let mut converted = balances::convert(store, access, &amounts, currency).await?.into_iter();
    let parts = parts.into_iter().map(|part| HistoryPart {
        converted_cents: part.amount.and_then(|_| converted.next().flatten()),
        ..part
    });
    let history = reading.data.history.clone().with_parts(reading.data.days.iter().copied(), parts, by);
    Ok(reading.map(|_, _| history))
}

fn read(span: Row<'_>, rows: &[Rows]) -> Result<Read, Error> {
    let range = DaySpan { first: span.get("first_day")?, last: span.get("last_day")? };
    let mut history = HistoryTotals::new(range, span.parsed("unit", Interval::parse)?);
    history.points_count = span.get("points")?;
    let wallets_complete_from = span.get::<Option<Date>>("wallets_complete_from")?;
    let is_complete = !span.get::<bool>("lacks_prices")?;
    let accounts = balances::accounts(&rows[2])?;
    history.complete_from = complete_from(&accounts, wallets_complete_from).filter(|_| is_complete);
    let days = rows[1].map(|row| Ok((row.get("day")?, row.get("is_point")?)))?;
    Ok(Read { history, days, accounts, wallets: rows[3].map(wallet_value)? })
}

/// Returns the first day from which on the value of every account and wallet is known.
fn complete_from(accounts: &[StoredAccount], wallets: Option<Date>) -> Option<Date> {
    let mut latest = wallets;
    for account in accounts {
        latest = latest.max(Some(account.balances.complete_from(account.closed_on)?));
    }
    latest
}

impl Read {
    /// Returns the value of every account and of every holding of a wallet on each day.
    fn parts(&self) -> Vec<HistoryPart<'_>> {
        let mut parts = Vec::new();
        for (date, _) in &self.days {
            for account in self.accounts.iter().filter(|account| account.is_open(*date)) {
                let balance = account.balances.on(*date);
                parts.push(HistoryPart {
                    date: *date,
                    id: account.id,
                    r#type: account.account_type.into(),
                    name: &account.name,
                    amount: balance.map(|balance| Money::new(balance.cents, account.currency)),
                    converted_cents: None,
                    estimated: balance.is_some_and(|balance| balance.estimated),
                });
            }
        }
        parts.extend(self.wallets.iter().map(|wallet| HistoryPart {
            date: wallet.day,
            id: wallet.id,
            r#type: SeriesType::Wallet,
            name: &wallet.name,
            amount: wallet.amount,
            converted_cents: None,
            estimated: false,
        }));
        parts
    }
}

fn wallet_value(row: Row<'_>) -> Result<WalletValue, Error> {
    let (day, id, name) = (row.get("day")?, row.get("part_id")?, row.get("part_name")?);
    let currency = row.parsed("currency", Currency::parse)?;
    let cents: Option<i64> = row.get("amount_cents")?;
    Ok(WalletValue { day, id, name, amount: cents.map(|cents| Money::new(cents, currency)) })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use tokio_postgres::types::Type;

    use super::*;
    use crate::fixture::{Fixture, fault};

    #[test]
    fn unknown_interval_names_query_and_column() {
        let span = Fixture::new()
            .with("first_day", &Type::DATE, date(2026, 11, 1))
            .with("last_day", &Type::DATE, date(2026, 11, 2))
            .with("unit", &Type::TEXT, "year");
        let rows = Rows::new(&PORTFOLIO_HISTORY_SPAN, [span]);
        let error = read(rows.first().expect("one row"), &[]).err().expect("no such interval");
        assert_eq!(fault(&error).0, "portfolio_history_span.unit");
    }
}
