//! What everything was worth over time.

use jiff::civil::Date;

use crate::money::Money;
use crate::percent::Percent;
use crate::range::DaySpan;
use crate::string_enum::string_enum;
use crate::tally::{Sum, Unconverted};

string_enum! {
    /// How far apart the points of a history are.
    Interval {
        Day = "day",
        Week = "week",
        Month = "month",
    }
}

string_enum! {
    /// How far apart the points are to be, or that the length of the range decides.
    IntervalChoice {
        Auto = "auto",
        Day = "day",
        Week = "week",
        Month = "month",
    }
}

/// What accounts and wallets were worth together over time, in the preferred currency.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct History {
    /// The range. An open start is the first day on which a balance or the content of a wallet is known; an open end
    /// is today, or `dateFrom` when that is later.
    #[serde(flatten)]
    pub days: DaySpan,
    /// How far apart the points are; what `auto` came to.
    pub interval: Interval,
    /// The first day from which on every total is complete; absent when all of them are, and when something has no
    /// price to this day. Ask again with this as `dateFrom` for a history without gaps.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date"))]
    pub complete_from: Option<Date>,
    /// One point for each day, ISO week or month that the range touches, in order. The last is `dateTo`.
    pub points: Vec<HistoryPoint>,
    /// How the total changed from the end of `dateFrom` to the end of `dateTo`. Not a return: money paid in and out is
    /// part of it. Absent when either total leaves something out, because the difference would be wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "HistoryChange")]
    pub change: Option<HistoryChange>,
}

/// What everything was worth at the end of a day.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct HistoryPoint {
    /// The last day of its interval: the day itself, the Sunday, the end of the month; at the end of the range `dateTo`.
    #[schemars(with = "String", extend("format" = "date"))]
    pub date: Date,
    /// Accounts and wallets together, in the preferred currency at the rates of the day. Signed: what is owed counts
    /// against it. A day without news carries the last balance, quantity and price forward. Simulated accounts never
    /// count.
    pub total: Money,
    /// True when something is missing from the total because its worth on that day is not known: an account whose
    /// first stored balance is later, or something in a wallet without a price yet; else absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// What is missing from the total because no rate is stored for the day; absent when nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unconverted: Vec<Unconverted>,
}

/// How a total changed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct HistoryChange {
    /// The last total minus the first.
    pub amount: Money,
    /// The same in percent of the first; absent when that is 0 or less.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Percent")]
    pub percent: Option<Percent>,
}

/// What a ledger knows of a history, before anything is added up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistorySums {
    /// First and last day.
    pub days: DaySpan,
    /// How far apart the points are.
    pub interval: Interval,
    /// How many points there are in that.
    pub points_count: i64,
    /// The first day from which on everything is known; none when there is no such day, or nothing to know.
    pub complete_from: Option<Date>,
    /// Sums by day, in order: of every point and of the first day. Empty when there are too many points.
    pub days_with_sums: Vec<HistoryDay>,
}

/// What there was at the end of a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryDay {
    /// The day.
    pub date: Date,
    /// Whether it is a point. The first day of the range need not be.
    pub is_point: bool,
    /// Whether something is left out because its worth is not known.
    pub partial: bool,
    /// Balances and values, by currency and by whether there is a rate.
    pub sums: Vec<Sum>,
}
