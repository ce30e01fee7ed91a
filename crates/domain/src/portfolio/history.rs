//! The history of a portfolio: its total value at the end of each day, week or month.

use std::collections::BTreeMap;

use jiff::civil::Date;
use uuid::Uuid;

use super::account::AccountType;
use crate::money::Money;
use crate::percent::Percent;
use crate::range::DaySpan;
use crate::string_enum::string_enum;
use crate::tally::{CurrencyTotal, Unconverted};

string_enum! {
    /// Distance between the points of a history.
    Interval {
        Day = "day",
        Week = "week",
        Month = "month",
    }
}

string_enum! {
    /// Requested distance between the points of a history. `auto` chooses it from the length of the range.
    IntervalChoice {
        Auto = "auto",
        Day = "day",
        Week = "week",
        Month = "month",
    }
}

string_enum! {
    /// The parts of a portfolio that a history shows beside the total.
    SeriesChoice {
        Total = "total",
        Account = "account",
        Type = "type",
    }
}

string_enum! {
    /// The type of the accounts of a series, or `wallet` for wallets.
    SeriesType {
        Depository = "depository",
        Credit = "credit",
        Loan = "loan",
        Investment = "investment",
        Other = "other",
        Wallet = "wallet",
    }
}

impl From<AccountType> for SeriesType {
    fn from(account_type: AccountType) -> SeriesType {
        match account_type {
            AccountType::Depository => SeriesType::Depository,
            AccountType::Credit => SeriesType::Credit,
            AccountType::Loan => SeriesType::Loan,
            AccountType::Investment => SeriesType::Investment,
            AccountType::Other => SeriesType::Other,
        }
    }
}

impl SeriesType {
    /// Returns the name of the type for people.
    pub const fn label(self) -> &'static str {
        match self {
            SeriesType::Depository => "Bank accounts",
            SeriesType::Credit => "Credit cards",
            SeriesType::Loan => "Loans",
            SeriesType::Investment => "Investments",
            SeriesType::Other => "Other accounts",
            SeriesType::Wallet => "Wallets",
        }
    }
}

/// The total value of accounts and wallets over time, in the preferred currency.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct History {
    /// The range. An open start is the first day on which a balance or the content of a wallet is known; an open end
    /// is today, or `dateFrom` when that is later.
    #[serde(flatten)]
    pub days: DaySpan,
    /// Distance between the points. For `auto`, the chosen distance.
    pub interval: Interval,
    /// The first day from which on every total is complete; absent when all of them are, and when something has no
    /// price to this day. Ask again with this as `dateFrom` for a history without gaps, with the day after it for one with a
    /// complete opening and `change`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date"))]
    #[schemars(extend("x-tool-description" = "First day from which every total is complete; absent if all are, or the last is not."))]
    pub complete_from: Option<Date>,
    /// One point for each day, ISO week or month that the range touches, in order. The last is `dateTo`.
    #[schemars(extend("x-tool-description" = "One per interval, in order; the last is dateTo."))]
    pub points: Vec<HistoryPoint>,
    /// The parts of the total; absent if `by` is `total`. At each point the totals of all series add up to the total.
    /// Sorted by the last total, largest first, then by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<HistorySeries>")]
    #[schemars(extend("x-tool-description" = "Parts of the total, largest first; only with by account or type."))]
    pub series: Option<Vec<HistorySeries>>,
    /// The total at the end of the day before `dateFrom`, from which the change is counted. It is no point. Absent if the
    /// start of the range is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "HistoryPoint")]
    #[schemars(extend("x-tool-description" = "Total of the evening before dateFrom."))]
    pub opening: Option<HistoryPoint>,
    /// Change of the total from `opening` to the end of `dateTo`; if the start of the range is open, from the first complete
    /// point. It includes money paid in and out, so it is not an investment return. Absent if either total is incomplete,
    /// because the difference would be wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "HistoryChange")]
    #[schemars(extend("x-tool-description" = "Last total minus opening, money paid in and out included; absent if either is incomplete."))]
    pub change: Option<HistoryChange>,
}

/// The total value at the end of one day.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct HistoryPoint {
    /// The last day of its interval: the day itself, the Sunday, the end of the month; at the end of the range `dateTo`.
    #[schemars(with = "String", extend("format" = "date"))]
    #[schemars(extend("x-tool-description" = "Last day of the interval."))]
    pub date: Date,
    /// Accounts and wallets together, or those of the series, in the preferred currency at the rates of the day. Signed:
    /// what is owed counts against it. Of an account it is the stated balance nearest before the day and the transactions
    /// since; quantities and prices are carried forward. Simulated accounts never count.
    #[schemars(extend("x-tool-description" = "At the rates of the day."))]
    pub total: Money,
    /// True when something is missing from the total because its worth on that day is not known: an account without a
    /// stated balance or transaction until then, or something in a wallet without a price yet; else absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("x-tool-description" = "True if something of unknown value is missing from the total."))]
    pub partial: bool,
    /// True when transactions may be missing between the day and the stated balance from which the total follows; else
    /// absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("x-tool-description" = "True if a balance in the total is an estimate."))]
    pub estimated: bool,
    /// Amounts missing from the total because they cannot be converted on the day; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-tool-description" = "Not convertible, not in the total."))]
    pub unconverted: Vec<Unconverted>,
}

/// The value of one account or wallet, or of all accounts of one type, over time.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct HistorySeries {
    /// Identifier of the account or wallet; absent if `by` is `type`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Uuid")]
    #[schemars(extend("x-tool-description" = "Account or wallet; only with by account."))]
    pub id: Option<Uuid>,
    /// Type of the accounts, or `wallet`; absent if `by` is `account`. New values may appear: tolerate unknown ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SeriesType")]
    #[schemars(extend("x-tool-description" = "Only with by type."))]
    pub r#type: Option<SeriesType>,
    /// Name of the account or wallet, or of the type.
    pub name: String,
    /// The opening of the series; absent if the history has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "HistoryPoint")]
    #[schemars(extend("x-tool-description" = "Total of the evening before dateFrom."))]
    pub opening: Option<HistoryPoint>,
    /// The same days as the points of the total. An account that does not exist on a day has the total 0.
    #[schemars(extend("x-tool-description" = "The days of the total's points."))]
    pub points: Vec<HistoryPoint>,
}

/// The difference between the last and the first total of a history.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct HistoryChange {
    /// The last total minus the first.
    pub amount: Money,
    /// The same in percent of the first; absent when that is 0 or less.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Percent")]
    #[schemars(extend("x-tool-description" = "Percent of the first total; absent if that is 0 or less."))]
    pub percent: Option<Percent>,
    /// True if either total is an estimate; else absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("x-tool-description" = "True if either total is an estimate."))]
    pub estimated: bool,
}

/// The rows of a history as a ledger returns them. `operations` adds them up.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HistoryTotals {
    /// First and last day of the requested range, after open ends are resolved.
    pub days: DaySpan,
    /// Distance between two points of the history: a day, a week or a month.
    pub interval: Interval,
    /// Number of points in the range, also if there are too many to return.
    pub points_count: i64,
    /// First day from which on every value is known; none if there is no such day, or if the person has no account and
    /// no wallet.
    pub complete_from: Option<Date>,
    /// Values at the end of each point's day, and of the day before the range if its start is not open, in order of day.
    /// Empty if there are too many points.
    pub days_with_totals: Vec<HistoryDay>,
    /// The parts of the values, in any order. Empty if the request names no parts.
    pub series: Vec<SeriesTotals>,
}

impl HistoryTotals {
    /// Creates a history without points.
    pub fn new(days: DaySpan, interval: Interval) -> HistoryTotals {
        let (days_with_totals, series) = (Vec::new(), Vec::new());
        HistoryTotals { days, interval, points_count: 0, complete_from: None, days_with_totals, series }
    }

    /// Adds the days of the history, each with true for a point, in order; the values of their parts, in any order; and the
    /// series that `by` names.
    #[must_use]
    pub fn with_parts<'a>(
        mut self,
        days: impl IntoIterator<Item = (Date, bool)>,
        parts: impl IntoIterator<Item = HistoryPart<'a>>,
        by: SeriesChoice,
    ) -> HistoryTotals {
        let empty: BTreeMap<Date, HistoryDay> = days
            .into_iter()
            .map(|(date, is_point)| (date, HistoryDay { is_point, ..HistoryDay::new(date) }))
            .collect();
        let mut total = empty.clone();
        let mut series: BTreeMap<SeriesKey, (&str, BTreeMap<Date, HistoryDay>)> = BTreeMap::new();
        for part in parts {
            if let Some(day) = total.get_mut(&part.date) {
                day.add(&part);
            }
            let (key, name) = match by {
                SeriesChoice::Total => continue,
                SeriesChoice::Account => (SeriesKey::Id(part.id), part.name),
                SeriesChoice::Type => (SeriesKey::Type(part.r#type), part.r#type.label()),
            };
            let days = &mut series.entry(key).or_insert_with(|| (name, BTreeMap::new())).1;
            if let Some(empty) = empty.get(&part.date) {
                days.entry(part.date).or_insert_with(|| empty.clone()).add(&part);
            }
        }
        self.days_with_totals = total.into_values().collect();
        let totals = |(key, (name, days)): (SeriesKey, (&str, BTreeMap<Date, HistoryDay>))| SeriesTotals {
            days_with_totals: days.into_values().collect(),
            ..SeriesTotals::new(key, name)
        };
        self.series = series.into_iter().map(totals).collect();
        self
    }
}

/// The values of one series. A day on which the series has no value may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SeriesTotals {
    /// Account, wallet or type of the series.
    pub key: SeriesKey,
    /// Name of the series for people.
    pub name: String,
    /// Values at the end of each day, in order of day.
    pub days_with_totals: Vec<HistoryDay>,
}

impl SeriesTotals {
    /// Creates a series without values.
    pub fn new(key: SeriesKey, name: impl Into<String>) -> SeriesTotals {
        SeriesTotals { key, name: name.into(), days_with_totals: Vec::new() }
    }
}

/// Account, wallet or type of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SeriesKey {
    /// Identifier of an account or wallet.
    Id(Uuid),
    /// A type of accounts, or wallets.
    Type(SeriesType),
}

/// The values at the end of one day.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HistoryDay {
    /// The day at whose end the values are taken.
    pub date: Date,
    /// True if the day is a point of the history. The day before the range is none.
    pub is_point: bool,
    /// True if the value of an account or a wallet holding is not known on this day. That value is left out.
    pub partial: bool,
    /// True if a balance is an estimate.
    pub estimated: bool,
    /// Balances and values of the day, added up by currency and by existence of an exchange rate.
    pub totals: Vec<CurrencyTotal>,
}

/// The value of one account, or of one security in a wallet, at the end of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryPart<'a> {
    /// The day.
    pub date: Date,
    /// Identifier of the account or wallet.
    pub id: Uuid,
    /// Type of the account, or `wallet`.
    pub r#type: SeriesType,
    /// Name of the account or wallet.
    pub name: &'a str,
    /// The value in its own currency; `None` if it is unknown.
    pub amount: Option<Money>,
    /// The value in the preferred currency, in hundredths; `None` without a rate.
    pub converted_cents: Option<i64>,
    /// True if the value is an estimate.
    pub estimated: bool,
}

impl HistoryDay {
    fn add(&mut self, part: &HistoryPart<'_>) {
        self.estimated |= part.estimated;
        match part.amount {
            // No transactions are counted.
            Some(amount) => self.totals.push(CurrencyTotal::new(amount, 0, part.converted_cents)),
            None => self.partial = true,
        }
    }

    /// Creates a point of the history without values.
    pub fn new(date: Date) -> HistoryDay {
        HistoryDay { date, is_point: true, partial: false, estimated: false, totals: Vec::new() }
    }
}
