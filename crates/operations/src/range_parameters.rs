//! Request parameters that several operations share: the range of days, and the filter for the counted transactions.

use domain::ports::CountedQuery;
use domain::range::{DateRange, TimeRange};
use jiff::civil::Date;

use crate::form::Form;

/// Reads `dateFrom`, `dateTo` and `timeRange`. If all three are missing, the range includes all days.
pub(crate) fn date_range(form: &mut Form<'_>) -> DateRange {
    let (from, to) = first_and_last_day(form);
    let time_range: Option<TimeRange> = form.optional(
        "timeRange",
        "Whole months up to today in the user's time zone: 1m is today minus one month plus one day to today. Without dateFrom, dateTo and timeRange, every day counts.",
    );
    range(form, from, to, time_range)
}

/// Reads `dateFrom`, `dateTo` and `timeRange`. If all three are missing, the range is the last year.
pub(crate) fn date_range_or_last_year(form: &mut Form<'_>) -> DateRange {
    let (from, to) = first_and_last_day(form);
    let time_range = form.or_default(
        "timeRange",
        "Whole months up to today in the user's time zone: 1m is today minus one month plus one day to today; all starts at the first day with data. Without dateFrom, dateTo and timeRange, 1y.",
        TimeRange::OneYear,
    );
    range(form, from, to, Some(time_range))
}

fn first_and_last_day(form: &mut Form<'_>) -> (Option<Date>, Option<Date>) {
    let from = form.optional(
        "dateFrom",
        "First day, inclusive (YYYY-MM-DD). With dateFrom or dateTo, timeRange is ignored and a missing end is open.",
    );
    (from, form.optional("dateTo", "Last day, inclusive (YYYY-MM-DD); not before dateFrom."))
}

fn range(
    form: &mut Form<'_>,
    from: Option<Date>,
    to: Option<Date>,
    time_range: Option<TimeRange>,
) -> DateRange {
    DateRange::new(from, to, time_range).unwrap_or_else(|invalid| {
        form.reject("dateFrom", &invalid);
        DateRange::default()
    })
}

/// Reads the range of days, `includePending` and `includeExcluded`.
pub(crate) fn counted_query(form: &mut Form<'_>) -> CountedQuery {
    CountedQuery {
        days: date_range(form).into(),
        include_pending: form.or_default("includePending", "If true, pending transactions count.", true),
        include_excluded: form.or_default(
            "includeExcluded",
            "If true, the expense categories that the user excluded count too.",
            false,
        ),
    }
}
