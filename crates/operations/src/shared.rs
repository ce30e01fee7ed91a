//! What several operations ask and answer alike: the range, the switches, and totals.

use domain::ports::CountedQuery;
use domain::range::{DateRange, TimeRange};
use domain::tally::{CurrencyTotal, Overflow, Tally};
use jiff::civil::Date;

use crate::form::Form;

/// Reads `dateFrom`, `dateTo` and `timeRange`.
pub(crate) fn date_range(form: &mut Form<'_>) -> DateRange {
    let (from, to) = ends(form);
    let time_range: Option<TimeRange> = form.optional(
        "timeRange",
        "A span of whole months that ends today in the user's time zone: 1m is today minus one month plus one day to today. Without any of the three everything counts.",
    );
    range(form, from, to, time_range)
}

/// Reads `dateFrom`, `dateTo` and `timeRange`, which is a year when nothing is given.
pub(crate) fn date_range_of_a_year(form: &mut Form<'_>) -> DateRange {
    let (from, to) = ends(form);
    let time_range = form.or_default(
        "timeRange",
        "A span of whole months that ends today in the user's time zone: 1m is today minus one month plus one day to today; all starts at the first day on which something is known. Without any of the three, 1y.",
        TimeRange::OneYear,
    );
    range(form, from, to, Some(time_range))
}

fn ends(form: &mut Form<'_>) -> (Option<Date>, Option<Date>) {
    let from = form.optional(
        "dateFrom",
        "First day, inclusive (YYYY-MM-DD). If dateFrom or dateTo is given, timeRange is ignored and a missing end is open.",
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
        form.refuse("dateFrom", &invalid);
        DateRange::default()
    })
}

/// Reads the range and the two switches of every answer with a total.
pub(crate) fn counted_query(form: &mut Form<'_>) -> CountedQuery {
    CountedQuery {
        days: date_range(form).into(),
        include_pending: form.or_default("includePending", "Whether pending transactions count.", true),
        include_excluded: form.or_default(
            "includeExcluded",
            "Whether the expense categories that the user excluded count all the same.",
            false,
        ),
    }
}

/// Sums per key, in order of first appearance, added up.
pub(crate) fn tallies<K: PartialEq + Copy>(
    sums: impl IntoIterator<Item = (K, CurrencyTotal)>,
) -> Result<Vec<(K, Tally)>, Overflow> {
    let mut tallies: Vec<(K, Tally)> = Vec::new();
    for (key, sum) in sums {
        let at = tallies.iter().position(|(known, _)| *known == key);
        let at = at.unwrap_or_else(|| {
            tallies.push((key, Tally::default()));
            tallies.len() - 1
        });
        tallies[at].1.add(&sum)?;
    }
    Ok(tallies)
}
